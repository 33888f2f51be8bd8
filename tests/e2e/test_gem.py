# SPDX-License-Identifier: Apache-2.0
"""Behind the Ethernet controller: what is lost is sent again by the kernel, and a port that fails disarms."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fixaccel.lab.capture import examine
from fixaccel.lab.desk import GEM_BRAM
from fixaccel.lab.processes import wait_until
from fixaccel.lab.reconcile import same_orders
from lab.desk import ROOT, Desk
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_FALL = "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
_LOGOUT = "- wait: 300ms\n- logout: CLIENT1\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk(tmp_path, interface=GEM_BRAM) as running:
        yield running


@pytest.fixture
def bundle(desk: Desk) -> Path:
    folder = desk.folder / "quickstart"
    desk.compile(ROOT / "strategies" / "quickstart.yaml", folder)
    return folder


def test_lost_order_segment_is_sent_again_by_the_kernel(desk: Desk, bundle: Path) -> None:
    """The kernel behind the TAP interface has the order by the commit; a clean end loses nothing."""
    capture = desk.start_capture()
    board = desk.start_board("--drop-order", "1")
    play(desk, _FALL + _LOGOUT)
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    journal = end(desk, daemon)
    assert [line["rule"] for line in journal if line["type"] == "fire"] == ["protect-msft"]
    assert same_orders(journal, desk.record()) == []
    capture.stop()
    assert desk.gemd is not None
    assert desk.gemd.stop() == 0
    board.stop()
    (order,) = examine(desk.pcap, desk.client_address()).orders
    assert b"\x0134=" + str(desk.record("order")[0]["msg_seq_num"]).zfill(8).encode() + b"\x01" in order
    assert "orders 1, " in board.text()
    assert "bad 0, oversized 0" in desk.gemd.text()


def test_a_frame_that_is_cut_off_disarms_and_the_session_goes_on(desk: Desk, bundle: Path) -> None:
    """Some frame of the CPU is: it is sent again, and nothing fires until somebody arms."""
    desk.start_board("--under-run", "12")
    play(desk, "- wait: 4s\n- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait: 1s\n" + _LOGOUT)
    daemon = desk.start_daemon(bundle)
    assert desk.gemd is not None
    gemd = desk.gemd
    wait_until("the port to fail", lambda: "came back with an error" in gemd.text(), 60, daemon.check_alive)
    assert "it is started anew" in gemd.text()
    assert not desk.status()["armed"]
    desk.tell("armed")
    wait_until("the session to end", lambda: desk.exchange is None or desk.exchange.exit_code is not None, 60)
    assert desk.record("order") == []
