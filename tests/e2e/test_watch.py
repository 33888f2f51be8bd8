# SPDX-License-Identifier: Apache-2.0
"""Whoever watches and follows a daemon sees two fires, each once, and the crash and the restart between them."""

import json
from pathlib import Path

import pytest

from fixaccel.board.journal import segments
from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import ROOT, Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_SEGMENT_BYTES = 4096  # two or three fires
_STEPS = (
    "- wait_for: {file: first, timeout: 60s}\n- trade: {instrument: MSFT, price: 1180, size: 1}\n"
    "- wait_for: {orders: 1, timeout: 30s}\n"
    # Where messages were asked for again at the logon, the fabric may have missed the first snapshot, and has no
    # reference for the collar before the next one.
    "- wait_for: {file: second, timeout: 90s}\n"
    "- quote: {instrument: MSFT, bid: 1184.98, bid_size: 500, ask: 1185.02, ask_size: 500}\n- wait: 300ms\n"
    "- trade: {instrument: MSFT, price: 1179, size: 1}\n"
    "- wait_for: {orders: 2, timeout: 30s}\n- wait_for: {file: end, timeout: 60s}\n- logout: CLIENT1\n"
)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of two rules, with settings for a journal of small segments."""
    folder = tmp_path_factory.mktemp("two")
    rules = "".join(
        f"  - {{id: at-{price}, instrument: MSFT, when: last <= {price},"
        " order: {side: sell, qty: 1, type: limit, price: 1100}}\n"
        for price in (1180, 1179)
    )
    (folder / "two.yaml").write_text(
        f"fixaccel: 1\nvenue: {VENUE}\nlimits: {{collar: 20%}}\nrules:\n{rules}", encoding="utf-8"
    )
    fixaccel("compile", str(folder / "two.yaml"), "-o", str(folder / "bundle"))
    config = folder / "bundle" / "client" / "small.toml"
    config.write_text(f'bundle = ".."\njournal_segment_bytes = {_SEGMENT_BYTES}\n', encoding="utf-8")
    return folder / "bundle"


def watcher(desk: Desk, name: str, *arguments: str) -> Process:
    """A command that goes on until it is interrupted."""
    return desk.processes.start(name, [str(ROOT / ".venv/bin/python"), "-m", "fixaccel", *arguments])


def objects(process: Process) -> list[Json]:
    """The JSON objects among its lines; the others are for people."""
    text = process.text()
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines() if line.startswith("{")]


def test_two_fires_and_a_restart(desk: Desk, two: Path) -> None:
    small = two / "client" / "small.toml"
    desk.start_board()
    play(desk, _STEPS)
    daemon = desk.start_armed(two, config=small)
    to = ("--to", desk.control)
    seen = watcher(desk, "status-json", "status", "--watch", "--every", "0.2", "--json", *to)
    told = watcher(desk, "status", "status", "--watch", "--every", "0.2", *to)
    asked = watcher(desk, "fires-asked", "fires", "--follow", "--json", *to)
    recorded = watcher(desk, "fires-recorded", "fires", str(desk.journal), "--follow", "--json")
    followers = (asked, recorded)
    for process in (seen, told):
        wait_until("the watchers to begin", lambda p=process: "armed" in p.text(), 30, process.check_alive)
    desk.tell("armed")
    desk.tell("first")
    for process in followers:
        wait_until("the first fire", lambda p=process: len(objects(p)) == 1, 30, process.check_alive)
    wait_until("what became of it", lambda: "order filled 1" in told.text(), 30, told.check_alive)

    daemon.kill()
    wait_until("the loss to be seen", lambda: not objects(seen)[-1]["ok"], 30, seen.check_alive)
    daemon = desk.start_armed(two, config=small)
    desk.tell("second")
    for process in followers:
        wait_until("the second fire", lambda p=process: len(objects(p)) == 2, 30, process.check_alive)
    wait_until("it in the status", lambda: len(objects(seen)[-1].get("fires", [])) == 2, 30, seen.check_alive)
    desk.tell("end")
    wait_until("the logout", lambda: "logged out" in objects(seen)[-1].get("phase", ""), 30, daemon.check_alive)
    daemon.stop()
    wait_until("the end to be seen", lambda: not objects(seen)[-1]["ok"], 30, seen.check_alive)

    orders = [order["cl_ord_id"] for order in desk.record("order")]
    for process in followers:
        assert [fire["cl_ord_id"] for fire in objects(process)] == orders
        assert [fire["rule"] for fire in objects(process)] == ["at-1180", "at-1179"]
    assert len(segments(desk.journal)) > 1
    lines = told.text().splitlines()
    assert sum("fire      at-1180: " in line for line in lines) == 1
    assert sum("fire      at-1179: " in line for line in lines) == 1
    assert sum("daemon    no daemon answers" in line for line in lines) >= 1
    # It was asked again as soon as it could be, so the restart may be seen by its epoch alone.
    assert sum("  epoch     " in line for line in lines) == 2
    for process in (seen, told, *followers):
        assert process.stop() == 0, process.text()
        assert "Traceback" not in process.text()
    of_one = fixaccel("fires", str(desk.journal), "--rule", "at-1179", "--json").stdout.splitlines()
    assert [json.loads(line)["order"]["status"] for line in of_one] == ["filled"]
