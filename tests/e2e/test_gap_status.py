# SPDX-License-Identifier: Apache-2.0
"""While the parser has lost the stream `status` says so, for a reader and as JSON; log and journal keep it."""

from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.hostile_venue import snapshot
from lab.quickstart import quickstart
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Bytes that are no message, and the beginning of one: nothing tells the parser where the next one begins.
_GARBAGE = b"garbage\x018=FIX.4.4\x01".hex()
_LOST = "THE PARSER LOST THE STREAM"


def test_status_says_that_the_parser_has_lost_the_stream(desk: Desk, tmp_path: Path) -> None:
    desk.start_board()
    venue = start(desk)
    # No heartbeat ends the gap before it has been looked at.
    daemon = desk.start_armed(quickstart(tmp_path, "30s"), deploy=True)
    before = desk.status()
    assert before["parser"] == {"lost": False, "gaps": 0}
    assert _LOST not in fixaccel("status", "--to", desk.control).stdout

    say(desk, venue, [f"bytes {_GARBAGE}"])
    wait_until("the gap", lambda: "from_message" in desk.status()["parser"], 30, daemon.check_alive)
    text = fixaccel("status", "--to", desk.control).stdout
    status = desk.status()
    assert status["parser"]["from_message"] == before["next_target"]
    assert _LOST in text
    assert (status["phase"], status["armed"]) == ("armed", False), "it goes on by itself, and nothing fires meanwhile"

    say(desk, venue, ["good 1 112=BEHIND|"])
    wait_until("in step again", lambda: not desk.status()["parser"]["lost"], 30, daemon.check_alive)
    assert _LOST not in fixaccel("status", "--to", desk.control).stdout
    assert desk.status()["parser"]["gaps"] == 1
    say(desk, venue, [f"good W {snapshot('MSFT', '1179')}"])
    wait_until("the order", lambda: "|35=D|" in venue.text(), 30, daemon.check_alive)
    notes = [line["text"] for line in desk.journal_lines() if line["type"] == "note" and "parser" in line["text"]]
    assert [note.split(" near ")[0] for note in notes] == [
        "the parser lost the stream",
        "the parser found the stream again",
    ]
