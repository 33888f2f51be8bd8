# SPDX-License-Identifier: Apache-2.0
"""What keeps an order waiting or back: a ring that nobody empties, and a venue that reads nothing."""

import re
from pathlib import Path

import pytest

from fixaccel.hwmap import load_hwmap
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.board import bit, register, stopped_without_lease
from lab.desk import Desk
from lab.ladder import ladder, trade
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Of the orders in the ring, beside one as long as can be: it takes none before there is room for that.
_KEPT = load_hwmap().constant("sent_bytes") - load_hwmap().constant("message_bytes")
_RUNGS = 200  # more than the ring holds


def orders(venue: Process) -> list[str]:
    """ClOrdIDs of the orders that the venue has read, oldest first."""
    return re.findall(r"\|35=D\|.*?\|11=([^|]+)\|", venue.text())


def armed(desk: Desk, tmp_path: Path, **limits: int) -> Process:
    """A daemon with the ladder, armed."""
    config = tmp_path / "fixacceld.toml"
    words = "".join(f"{name} = {value}\n" for name, value in {"watchdog_ms": 4000, **limits}.items())
    config.write_text(f"[limits]\n{words}", encoding="utf-8")
    return desk.start_armed(ladder(tmp_path, _RUNGS), deploy=True, config=config)


def fill_ring(desk: Desk, venue: Process) -> int:
    """Has all rungs fire at once, and waits until the ring takes no more; returns how many have left."""

    def is_full() -> bool:
        one = next((len(line) for line in venue.text().splitlines() if "|35=D|" in line), 0)
        return register(desk, "ring_head") * one > _KEPT

    say(desk, venue, [trade(_RUNGS)])
    wait_until("the ring to be full", is_full, 30, venue.check_alive)
    return register(desk, "ring_head")


def told(fires: list[Json]) -> list[str]:
    return [fire["cl_ord_id"] for fire in fires if fire["outcome"] == "sent"]


def test_fires_wait_for_room_in_the_ring(desk: Desk, tmp_path: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = armed(desk, tmp_path, hold_ms=4000)
    with stopped_without_lease(desk, daemon):
        assert fill_ring(desk, venue) < _RUNGS
    wait_until("all orders", lambda: len(orders(venue)) == _RUNGS, 60, daemon.check_alive)
    assert told(desk.wait_for_fires(_RUNGS)) == orders(venue)
    assert desk.status()["armed"]


def test_held_for_too_long_it_disarms_and_spends_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = armed(desk, tmp_path, hold_ms=100)
    with stopped_without_lease(desk, daemon):
        held = fill_ring(desk, venue)
        wait_until("one that waits too long", lambda: bit(desk, "status", "held"), 20, venue.check_alive)
    wait_until("the orders of the ring", lambda: len(orders(venue)) == held, 30, daemon.check_alive)
    assert told(desk.wait_for_fires(held)) == orders(venue)
    assert "held back" in str(desk.status()["problem"])
    states = {rule["id"]: rule["state"] for rule in desk.status()["rules"]}
    spared = [f"fall[{rung}]" for rung in range(held + 1, _RUNGS + 1)]
    assert [id_ for id_, state in states.items() if state != "fired"] == spared
    fixaccel("arm", "--to", desk.control)
    desk.wait_armed(daemon)
    # As many at once as the ring has room for, so that it does not come to that again.
    for rungs in ((held + _RUNGS) // 2, _RUNGS):
        say(desk, venue, [trade(rungs)])
        wait_until("the others", lambda rungs=rungs: len(orders(venue)) == rungs, 60, daemon.check_alive)
        desk.wait_for_fires(rungs)
    assert told(desk.fires()) == orders(venue)


def test_the_venue_reads_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.start_board()
    venue = start(desk, "narrow")
    daemon = armed(desk, tmp_path)
    # It reads nothing while it says these.
    say(desk, venue, [trade(rungs) for rungs in range(1, 41)])
    fires = desk.wait_for_fires(40)
    outcomes = [fire["outcome"] for fire in fires]
    sent = outcomes.count("sent")
    # Its kernel may take some more once it has put together what it has.
    assert outcomes[0] == "sent"
    assert {*outcomes} == {"sent", "rejected:window"}
    held_back = next(fire["rule"] for fire in reversed(fires) if fire["outcome"] != "sent")
    wait_until("what was sent", lambda: len(orders(venue)) == sent, 30, daemon.check_alive)
    assert told(fires) == orders(venue)
    assert desk.status()["armed"], "a closed window is the venue's, nothing is amiss"
    # Each of those can be had again, and is sent once more there is room.
    fixaccel("arm", held_back, "--to", desk.control)
    say(desk, venue, [trade(40)])
    wait_until("its order", lambda: len(orders(venue)) == sent + 1, 30, daemon.check_alive)
    assert told(desk.wait_for_fires(41)) == orders(venue)
