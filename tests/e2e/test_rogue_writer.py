# SPDX-License-Identifier: Apache-2.0
"""Somebody writes to the session's socket behind the daemon's back: the fabric stops it, and it never leaves later."""

import re
import time
from pathlib import Path

import pytest

from fixaccel.lab.processes import Process, wait_until
from lab.board import bit, register, stopped_without_lease
from lab.desk import Desk
from lab.hostile_venue import header, message, snapshot
from lab.session_socket import session_of, waiting_in
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STOP = f"good W {snapshot('MSFT', '1179')}"
_AGAIN_S = 3.0  # within which a kernel sends again what nobody has acknowledged


def rogue_order(desk: Desk, venue: Process) -> bytes:
    """What the venue would take for the client's next message."""
    number = max(int(text) for text in re.findall(r"\|34=(\d+)\|", venue.text())) + 1
    words = header("D", number).replace("49=SIMULATOR|", "49=CLIENT1|").replace("56=CLIENT1|", "56=SIMULATOR|")
    return message(words + "11=ROGUE|55=MSFT|54=1|38=1|40=1|60=20261123-00:00:00.000|")


def patient(desk: Desk, bundle: Path) -> Path:
    """A configuration by which a daemon may stand still for a while, and comes back soon."""
    config = desk.folder / "fixacceld.toml"
    config.write_text(
        f'bundle = "{bundle}"\n[session]\nreconnect_ms = 200\n[limits]\nwatchdog_ms = 4000\n', encoding="utf-8"
    )
    return config


def test_what_clashed_with_a_lost_order_never_leaves(desk: Desk, bundle: Path) -> None:
    desk.start_board("--drop-order", "1")
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=patient(desk, bundle))
    head = register(desk, "ring_head")
    with stopped_without_lease(desk, daemon), session_of(daemon) as session:
        rogue = rogue_order(desk, venue)
        say(desk, venue, [_STOP])
        wait_until("the fire", lambda: register(desk, "ring_head") == head + 1, 20)
        # The kernel knows nothing of the order, so this comes where the order is.
        session.sendall(rogue)
        wait_until("the guard", lambda: bit(desk, "status", "fault_uncommitted"), 20)
        # A socket that is closed over what nobody has read ends with a RST anyway. The fabric has the price first.
        wait_until("the price", lambda: b"\x0155=MSFT\x01" in waiting_in(session), 20)
        assert b"|55=MSFT|" in session.recv(65536).replace(b"\x01", b"|")
    wait_until("the end", lambda: "phase: lost" in daemon.text(), 30, daemon.check_alive)
    time.sleep(_AGAIN_S)  # the next connection is tried meanwhile, so nothing guards this one any more
    assert "ROGUE" not in venue.text()
    (fire,) = desk.wait_for_fires(1)
    assert fire["rule"] == "protect-msft"
    assert not desk.status()["armed"]
    # The RST was not at the place where the venue expects one. What it says next is answered by another.
    say(desk, venue, ["good 0 "])
    wait_until("another logon", lambda: venue.text().count("|35=A|") >= 2, 30, daemon.check_alive)
    assert "Connection reset" in venue.text()
    # The order that was lost is in the FIX store: the venue finds the gap and asks.
    sent = int(fire["msg_seq_num"])
    say(desk, venue, [f"good 2 7={sent}|16=0|"])
    wait_until("the order", lambda: f"|11={fire['cl_ord_id']}|" in venue.text(), 30, daemon.check_alive)


def test_data_without_the_lease_is_stopped(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(bundle, config=patient(desk, bundle))
    with stopped_without_lease(desk, daemon), session_of(daemon) as session:
        session.sendall(rogue_order(desk, venue))
        wait_until("the guard", lambda: bit(desk, "status", "fault_unleased"), 20)
        assert not bit(desk, "status", "armed")
        say(desk, venue, [_STOP])
        wait_until("the price", lambda: b"\x0155=MSFT\x01" in waiting_in(session), 20)
        time.sleep(0.5)
        orders = [line for line in venue.text().splitlines() if "|35=D|" in line and "ROGUE" not in line]
        assert not orders, "disarmed at once, whatever the daemon does"
    wait_until("the daemon", lambda: not desk.status()["armed"], 30, daemon.check_alive)
    assert "without the lease" in str(desk.status()["problem"])
    assert [fire["outcome"] for fire in desk.wait_for_fires(1)] == ["rejected:fault"]
