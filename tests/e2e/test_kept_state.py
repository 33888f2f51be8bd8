# SPDX-License-Identifier: Apache-2.0
"""What rules have seen outlives whatever ends their being armed: stops never loosen, nothing is seen twice."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fixaccel.board.control import ControlClient
from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# `shell` is another one in the second bundle: that makes it a load, and changes nothing else.
_STRATEGY = """\
fixaccel: 1
venue: venue.yaml
rules:
  - id: trail
    instrument: MSFT
    trail: {{source: last, by: 10}}
    order: {{side: sell, qty: 1, type: market}}
  - id: activated
    instrument: MSFT
    trail: {{source: last, by: 30, activate: last >= 1245}}
    order: {{side: sell, qty: 1, type: market}}
  - id: twice
    instrument: ESZ6
    when: last <= 6800
    confirm: 2
    rearm: {{after: 1h, times: 1}}
    order: {{side: sell, qty: 1, type: market}}
  - id: twice-in-fabric
    instrument: CLZ6
    when: last <= 70
    confirm: 2
    order: {{side: sell, qty: 1, type: market}}
  - id: shell
    instrument: "7203"
    trail: {{source: last, by: {by}}}
    order: {{side: sell, qty: 100, type: market}}
"""
_TRADE = "- trade: {{instrument: {}, price: {}, size: 1}}\n"
_QUIET = "".join(
    f"- quote: {{instrument: {symbol}, bid: {bid}, bid_size: 500, ask: {ask}, ask_size: 500}}\n"
    for symbol, bid, ask in (("ESZ6", 6700, 6900), ("CLZ6", 60, 80), ("MSFT", 1100, 1300))
)
_BEFORE = [("MSFT", 1200), ("MSFT", 1250), ("ESZ6", 6799), ("CLZ6", 69)]
_HIGHEST = 125_000  # ticks
_BEHIND = [("MSFT", 1236), ("MSFT", 1219), ("ESZ6", 6799), ("CLZ6", 69)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two bundles for the simulator with increments: there each price that comes again is a trade of its own."""
    folder = tmp_path_factory.mktemp("kept")
    venue = VENUE.read_text(encoding="utf-8")
    (folder / "venue.yaml").write_text(
        venue.replace("message: snapshot", "message: incremental").replace(": 2s", ": 20s"), encoding="utf-8"
    )
    for name, by in (("first", 1), ("second", 2)):
        (folder / f"{name}.yaml").write_text(_STRATEGY.format(by=by), encoding="utf-8")
        fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
    return folder


Interrupt = Callable[[Desk, Process, Path], Process]


def disarm(desk: Desk, daemon: Process, _: Path) -> Process:
    fixaccel("disarm", "--to", desk.control)
    fixaccel("arm", "--to", desk.control)
    return daemon


def load_while_armed(desk: Desk, daemon: Process, folder: Path) -> Process:
    assert "loaded while armed" in fixaccel("deploy", str(folder / "second"), "--to", desk.control).stdout
    return daemon


def load(desk: Desk, daemon: Process, folder: Path) -> Process:
    said = fixaccel("deploy", str(folder / "second"), "--rearm", "--to", desk.control).stdout
    assert "disarmed for the load" in said
    return daemon


def stop(desk: Desk, daemon: Process, folder: Path) -> Process:
    assert daemon.stop() == 0, daemon.text()
    return desk.start_armed(folder / "first", deploy=True)


def highs(desk: Desk) -> set[int]:
    """How far trails have come, as the journal has it, in ticks."""
    return {row[3] for line in desk.journal_lines() if line["type"] == "trails" for row in line["trails"]}


def crash(desk: Desk, daemon: Process, folder: Path) -> Process:
    wait_until("the trails to be kept", lambda: _HIGHEST in highs(desk), 20, daemon.check_alive)
    time.sleep(0.3)  # what a crash may cost
    daemon.kill()
    return desk.start_armed(folder / "first", deploy=True)


def log_out(desk: Desk, daemon: Process, folder: Path) -> Process:
    with ControlClient(desk.control) as client:
        client.ask("logout")
    wait_until("the end of the session", lambda: desk.status()["phase"] == "logged out", 20)
    fixaccel("deploy", str(folder / "first"), "--to", desk.control)
    return daemon


@pytest.mark.parametrize("interrupt", [disarm, load_while_armed, load, stop, crash, log_out], ids=lambda f: f.__name__)
def test_rules_go_on_where_they_were(desk: Desk, folder: Path, interrupt: Interrupt) -> None:
    desk.venue = folder / "venue.yaml"
    desk.start_board()
    steps = _QUIET + "".join(_TRADE.format(*trade) for trade in _BEFORE)
    steps += "- wait_for: {file: again, timeout: 90s}\n" + "".join(_TRADE.format(*trade) for trade in _BEHIND)
    play(desk, steps + "- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(folder / "first", deploy=True)
    before = desk.status()["next_target"]
    desk.tell("armed")
    messages = before + len(_BEFORE) + 3
    wait_until("the market", lambda: desk.status()["next_target"] >= messages, 20)
    daemon = interrupt(desk, daemon, folder)
    desk.wait_armed(daemon)
    assert desk.fires() == [], "one trade is one observation"
    desk.tell("again")
    fires = desk.wait_for_fires(4)
    assert {(fire["rule"], fire["threshold"], fire["observed"], fire["outcome"]) for fire in fires} == {
        ("trail", "1240", "1236", "sent"),
        ("activated", "1220", "1219", "sent"),
        ("twice", "6800", "6799", "sent"),
        ("twice-in-fabric", "70", "69", "sent"),
    }
    finish(desk, daemon)
