# SPDX-License-Identifier: Apache-2.0
"""The stream of events: what is first, then what changes, over a restart of the daemon."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fixaccel.board import orders as by_hand
from fixaccel.board.control import ControlClient, ControlRefusedError
from fixaccel.lab.desk import Json, fixaccel, json_lines
from fixaccel.lab.processes import wait_until
from lab.desk import ROOT, Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STEPS = """\
- trade: {instrument: MSFT, price: 1180, size: 1}
- wait_for: {orders: 1, timeout: 30s}
- wait_for: {file: other, timeout: 60s}
- quote: {instrument: CLZ6, bid: 70, bid_size: 3, ask: 70.01, ask_size: 4}
- wait_for: {file: seen, timeout: 120s}
- wait: 300ms
- logout: CLIENT1
"""


def of(events: list[Json], kind: str, **wanted: object) -> list[Json]:
    """Events of that kind with these fields, in order."""
    return [event for event in events if event["event"] == kind and wanted.items() <= event.items()]


def test_what_happens_is_told(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _STEPS)
    daemon = desk.start_armed(bundle)
    heard = desk.folder / "heard"
    with heard.open("wb") as out:
        watcher = subprocess.Popen(
            [sys.executable, "-m", "fixaccel", "watch", "--json", "--to", desk.control], stdout=out, cwd=ROOT
        )
    try:

        def has(kind: str, **wanted: object) -> None:
            wait_until(f"{kind} {wanted}", lambda: bool(of(json_lines(heard), kind, **wanted)), 30, daemon.check_alive)

        has("session", armed=True, phase="armed", killed=False, strategy="quickstart")
        has("rule", id="protect-msft", state="armed")
        has("book", instrument="MSFT", bids=[["1184.99", "500"]], asks=[["1185.01", "500"]], last=["1185", "1"])
        desk.tell("armed")
        has("fire", rule="protect-msft", outcome="sent", observed="1180")
        has("rule", id="protect-msft", state="fired")
        has("order", rule="protect-msft", status="filled", cum_qty="2")
        with ControlClient(desk.control) as client:
            sent = by_hand.send_order(client, "MSFT", "buy", 3, price="1100")["cl_ord_id"]
            has("order", cl_ord_id=sent, status="new")
            by_hand.cancel(client, sent)
            has("order", cl_ord_id=sent, status="canceled")
            with pytest.raises(ControlRefusedError, match="did you mean CLZ6"):
                client.ask("subscribe", instruments=["CLZ7"])
            client.ask("subscribe", instruments=["CLZ6"])
            desk.tell("other")
            has("book", instrument="CLZ6", bids=[["70", "3"]])
            client.ask("kill")
        has("session", killed=True, armed=False)
        states = [event["status"] for event in of(json_lines(heard), "order", cl_ord_id=sent)]
        assert "new" in states
        assert states[-1] == "canceled"
        daemon.kill()
        wait_until("that it is away", lambda: bool(of(json_lines(heard), "away")), 30)
        known = len(json_lines(heard))
        second = desk.start_daemon(bundle)
        for kind, wanted in (("back", {}), ("book", {"instrument": "MSFT"}), ("order", {"cl_ord_id": sent})):
            wait_until(f"{kind} again", lambda k=kind, w=wanted: bool(of(json_lines(heard)[known:], k, **w)), 30)
        desk.tell("seen")
        assert second.stop() == 0, second.text()
    finally:
        os.kill(watcher.pid, signal.SIGTERM)
        assert watcher.wait(30) == 0


def test_a_reader_sees_lines(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, "- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    heard = desk.folder / "heard"
    with heard.open("wb") as out:
        watcher = subprocess.Popen(
            [sys.executable, "-m", "fixaccel", "watch", "--only", "session", "--to", desk.control], stdout=out, cwd=ROOT
        )
    wait_until("the session", lambda: "session   armed, armed, quickstart" in heard.read_text(), 30, daemon.check_alive)
    os.kill(watcher.pid, signal.SIGINT)
    assert watcher.wait(30) == 0
    assert len(heard.read_text().splitlines()) == 1, "nothing else was asked for"
    desk.tell("seen")
    assert json.loads(fixaccel("status", "--json", "--to", desk.control).stdout)["ok"]
