# SPDX-License-Identifier: Apache-2.0
"""With `resend_orders = "gap-fill"`: an order is lost, and the daemon with it, ahead of its commit or behind."""

from pathlib import Path

import pytest

from fixaccel.lab.processes import Process, wait_until
from lab.board import register, stopped_without_lease
from lab.desk import Desk
from lab.exactly_once import faults
from lab.link import Link
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STEPS = (
    "- trade: {instrument: MSFT, price: 1179, size: 1}\n"
    "- wait_for: {file: again, timeout: 120s}\n"
    "- trade: {instrument: MSFT, price: 1174, size: 1}\n"
    "- wait_for: {file: at-last, timeout: 120s}\n"
    "- quote: {instrument: CLZ6, bid: -1.30, bid_size: 20, ask: -1.20, ask_size: 20}\n"
    "- wait_for: {orders: 1, timeout: 30s}\n"
    "- resend: {client: CLIENT1, begin: 1, end: 0}\n- wait_for: {file: seen, timeout: 90s}\n- logout: CLIENT1\n"
)


_SETTINGS = """\
bundle = "{}"
[session]
resend_orders = "gap-fill"
reconnect_ms = 200
[limits]
watchdog_ms = 4000
"""


def settings(desk: Desk, bundle: Path) -> Path:
    path = desk.folder / "fixacceld.toml"
    path.write_text(_SETTINGS.format(bundle), encoding="utf-8")
    return path


def lose_ahead_of_the_commit(desk: Desk, daemon: Process, word: str) -> None:
    head, known = register(desk, "ring_head"), len(desk.fires())
    with stopped_without_lease(desk, daemon):
        desk.tell(word)
        wait_until("the fire", lambda: register(desk, "ring_head") == head + 1, 20)
        daemon.kill()
    assert len(desk.fires()) == known, "it is not in the journal"


def lose_behind_the_commit(desk: Desk, daemon: Process, word: str) -> None:
    known = len(desk.fires())
    desk.tell(word)
    desk.wait_for_fires(known + 1)
    daemon.kill()


def passed_over(desk: Desk) -> set[int]:
    """MsgSeqNums of the client's that a gap fill of theirs went over."""
    again = [dict(field.split("=", 1) for field in line["fields"]) for line in desk.record("resend")]
    fills = [(int(one["34"]), int(one["36"])) for one in again if one["35"] == "4" and one["123"] == "Y"]
    return {number for first, behind in fills for number in range(first, behind)}


def gap_filled(text: str) -> bool:
    return "gap-filled, as resend_orders has it, though the venue has reported nothing of: " in text


def test_lost_with_the_daemon_they_are_known_as_what_the_venue_never_had(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _STEPS)
    config, link = settings(desk, bundle), Link(desk)
    daemon = desk.start_armed(bundle, config=config)
    for number, (lose, word) in enumerate(((lose_ahead_of_the_commit, "armed"), (lose_behind_the_commit, "again")), 1):
        link.deaf(True)
        lose(desk, daemon, word)
        assert desk.record("order") == []
        # The kernel of the one that died sends on; the next daemon ends that before it logs on.
        daemon = desk.start_daemon(bundle, config=config)
        link.deaf(False)
        desk.wait_armed(daemon)
        lost = desk.fires()
        assert [fire["rule"] for fire in lost] == ["protect-msft", "protect-msft-rest"][:number], "and spent"
        ids = [fire["cl_ord_id"] for fire in lost]
        wait_until("the note", lambda d=daemon: gap_filled(d.text()), 30, daemon.check_alive)
    asked = len(desk.record("resend_request"))
    desk.tell("at-last")
    wait_until("the request for all", lambda: len(desk.record("resend_request")) > asked, 60, daemon.check_alive)
    last = desk.wait_for_fires(3)[-1]
    desk.tell("seen")
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(90) == 0, desk.exchange.text() + daemon.text()
    assert daemon.stop() == 0, daemon.text()
    journal = desk.journal_lines()
    assert faults(journal, desk.record()) == sorted(
        f"{id_} is in the journal and never came to the venue" for id_ in ids
    )
    assert {int(fire["msg_seq_num"]) for fire in lost} <= passed_over(desk)
    (order,) = desk.record("order")
    assert (order["cl_ord_id"], order["poss_dup"]) == (last["cl_ord_id"], False), "nothing is sent again"
    notes = [line["text"] for line in journal if line["type"] == "note" and gap_filled(line["text"])]
    assert ids[0] in notes[0]
    assert notes[-1].endswith(", ".join(ids)), "and not what the venue has"
