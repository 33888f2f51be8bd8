# SPDX-License-Identifier: Apache-2.0
"""What is committed when: an order not before it has left, and known before its answer is looked at."""

import os
import signal
from pathlib import Path

import pytest

from fixaccel.lab.capture import segments
from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.board import register
from lab.desk import Desk
from lab.hold_point import HoldPoint
from lab.scenario import finish, play
from lab.session_socket import session_of, waiting_in

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STOP = "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 120s}\n"
_NEXT = (
    "- wait_for: {file: again, timeout: 120s}\n"
    "- trade: {instrument: MSFT, price: 1174, size: 1}\n- wait_for: {orders: 2, timeout: 30s}\n"
)
_END = "- wait_for: {file: seen, timeout: 90s}\n- logout: CLIENT1\n"
_ORDER, _REPORT = b"\x0135=D\x01", b"\x0135=8\x01"


def patient(desk: Desk, bundle: Path) -> Path:
    """A configuration by which a daemon may stand still for a while, and comes back soon."""
    config = desk.folder / "fixacceld.toml"
    config.write_text(
        f'bundle = "{bundle}"\n[session]\nreconnect_ms = 200\n[limits]\nwatchdog_ms = 4000\n', encoding="utf-8"
    )
    return config


def test_an_answer_that_comes_ahead_of_the_commit(desk: Desk, bundle: Path) -> None:
    """The report is among what the daemon is about to read, while the kernel knows nothing of the order."""
    hold = HoldPoint(desk.folder)
    desk.before_daemon = hold.prefix()
    desk.start_board()
    play(desk, _STOP + _NEXT + _END)
    daemon = desk.start_armed(bundle, config=patient(desk, bundle))
    head = register(desk, "ring_head")
    # It reads a heartbeat, or the answer to one.
    with hold.reading(daemon), session_of(daemon) as session:
        desk.tell("armed")
        wait_until("the report", lambda: _REPORT in waiting_in(session), 30)
        assert (register(desk, "ring_head"), register(desk, "ring_tail")) == (head + 1, head), "not committed yet"
    (first,) = desk.wait_for_fires(1)
    desk.tell("again")
    desk.wait_for_fires(2)
    journal = finish(desk, daemon)
    told = [(line["type"], line.get("event")) for line in journal if line["type"] in ("armed", "session")]
    assert told == [("session", "logon"), ("armed", None), ("session", "logout")], "nothing was amiss"
    of_order = [line for line in journal if line.get("cl_ord_id") == first["cl_ord_id"]]
    assert [line["type"] for line in of_order] == ["fire", *["execution"] * (len(of_order) - 1)], "known ahead of it"
    assert not any(line.get("poss_dup") for line in of_order), "nothing of the venue's was missed"


def test_an_order_that_stands_on_the_wire_is_not_committed(desk: Desk, bundle: Path) -> None:
    """Else the kernel would send it itself, and again when the wire has run again."""
    capture = desk.start_capture(at_client=True)
    board = desk.start_board("--stall-behind", "\x0135=D")
    play(desk, _STOP + _NEXT + _END)
    daemon = desk.start_armed(bundle, config=patient(desk, bundle))
    desk.tell("armed")
    wait_until("the end of the connection", lambda: "phase: lost" in daemon.text(), 30, daemon.check_alive)
    assert "did not leave" in daemon.text()
    (fire,) = desk.wait_for_fires(1)
    assert (fire["rule"], fire["outcome"], fire["cl_ord_id"]) == ("protect-msft", "sent", ""), (
        "it was not seen to leave"
    )
    assert desk.record("order") == []
    os.kill(board.pid, signal.SIGUSR2)
    wait_until("the order", lambda: bool(desk.record("order")), 30, daemon.check_alive)
    wait_until("another logon", lambda: daemon.text().count("phase: ready") == 2, 60, daemon.check_alive)
    assert not desk.status()["armed"], "that is for somebody to look at"
    fixaccel("arm", "--to", desk.control)
    desk.wait_armed(daemon)
    desk.tell("again")
    desk.wait_for_fires(2)
    desk.tell("seen")
    fires = desk.status()["fires"]
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(120) == 0
    assert daemon.stop() == 0, daemon.text()
    orders = desk.record("order")
    assert [(one["cl_ord_id"], one["msg_seq_num"], one["poss_dup"]) for one in orders] == [
        (one["cl_ord_id"], one["msg_seq_num"], False) for one in fires
    ], "each once, and known by what has left"
    capture.stop()
    of_kernel = b"".join(segment.payload for segment in segments(desk.pcap, desk.client_address()))
    assert b"11=" + orders[0]["cl_ord_id"].encode() not in of_kernel
