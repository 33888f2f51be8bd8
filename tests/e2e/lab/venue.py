# SPDX-License-Identifier: Apache-2.0
"""`hostile_venue` as a process of the laboratory, in the exchange's place."""

import sys

from fixaccel.lab.processes import Process, wait_until
from lab import hostile_venue
from lab.desk import Desk

PORT = 9878


def start(desk: Desk, *options: str) -> Process:
    """The venue, which listens."""
    command = [sys.executable, hostile_venue.__file__, str(desk.folder), str(PORT), *options]
    venue = desk.processes.start("venue", desk.inside(desk.wire.exchange, *command))
    venue.wait_line("listening on ")
    return venue


def say(desk: Desk, venue: Process, lines: list[str], timeout_s: float = 30) -> None:
    """Has the venue say ``lines``, whole at once."""
    script = desk.folder / "send"
    script.with_suffix(".new").write_text("\n".join(lines), encoding="ascii")
    script.with_suffix(".new").rename(script)
    wait_until("the venue to have said it", lambda: not script.exists(), timeout_s, venue.check_alive)
