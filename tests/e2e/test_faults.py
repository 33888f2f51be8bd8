# SPDX-License-Identifier: Apache-2.0
"""Loss, resends and a crash: each order once at the exchange, in the journal and in the FIX store."""

from pathlib import Path

import pytest

from fixaccel.lab.capture import examine
from fixaccel.lab.desk import Json
from fixaccel.lab.processes import Process
from lab.board import stopped_without_lease
from lab.desk import Desk
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_FALL = "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
_LOGOUT = "- wait: 300ms\n- logout: CLIENT1\n"


def fires_of(desk: Desk, daemon: Process) -> list[Json]:
    """Sees the end of the run; returns the journal's fires."""
    return [line for line in end(desk, daemon) if line["type"] == "fire"]


def rules(fires: list[Json]) -> list[str]:
    return [fire["rule"] for fire in fires]


def test_lost_order_segment_is_sent_again_by_the_kernel(desk: Desk, bundle: Path) -> None:
    capture = desk.start_capture()
    board = desk.start_board("--drop-order", "1")
    play(desk, _FALL + _LOGOUT)
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    assert rules(fires_of(desk, daemon)) == ["protect-msft"]
    capture.stop()
    board.stop()
    (order,) = examine(desk.pcap, desk.client_address()).orders
    # The exchange's end of the wire saw the order once: what the fabric sent was lost before it.
    assert b"\x0134=" + str(desk.record("order")[0]["msg_seq_num"]).zfill(8).encode() + b"\x01" in order
    assert "orders 1, " in board.text()
    assert "faults 1, " in board.text()


def test_resend_request_over_a_fired_order(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _FALL + "- resend: {client: CLIENT1, begin: 1, end: 0}\n- wait: 2s\n" + _LOGOUT)
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    (fire,) = fires_of(desk, daemon)
    resent = [dict(field.split("=", 1) for field in line["fields"]) for line in desk.record("resend")]
    (again,) = [fields for fields in resent if fields["35"] == "D"]
    assert again["11"] == fire["cl_ord_id"]
    assert int(again["34"]) == int(fire["msg_seq_num"])
    assert again["43"] == "Y"
    assert "122" in again  # OrigSendingTime


def test_daemon_killed_between_fire_and_commit(desk: Desk, bundle: Path) -> None:
    # Stopped, the daemon kicks no watchdog: it must outlast the stop.
    patient = desk.folder / "patient" / "client" / "fixacceld.toml"
    patient.parent.mkdir(parents=True)
    patient.write_text(f'bundle = "{bundle}"\n[limits]\nwatchdog_ms = 4000\n', encoding="utf-8")
    desk.start_board()
    play(
        desk,
        _FALL
        + "- wait_for: {file: again, timeout: 90s}\n"
        + "- trade: {instrument: MSFT, price: 1174, size: 1}\n- wait_for: {orders: 2, timeout: 30s}\n"
        + _LOGOUT,
    )
    first = desk.start_armed(desk.folder / "patient")
    with stopped_without_lease(desk, first):
        desk.tell("armed")
        desk.wait_for_orders(1)
        assert desk.fires() == []
        first.kill()
    second = desk.start_armed(bundle)
    assert rules(desk.fires()) == ["protect-msft"]
    desk.tell("again")
    # 1174 satisfies the first rule as well, but that one has fired.
    assert rules(fires_of(desk, second)) == ["protect-msft", "protect-msft-rest"]
    assert len(desk.record("order")) == 2
