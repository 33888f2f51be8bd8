# SPDX-License-Identifier: Apache-2.0
"""Where a daemon dies, and what of its journal a loss of power may take."""

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from fixaccel.board.journal import segments

# Calls that a crash may come in, and how often a daemon makes them: from its start on, and in a second while armed.
_FROM_START = {
    "write": 300,
    "fdatasync": 60,
    "fsync": 12,
    "send": 20_000,
    "recv": 20_000,
    "setsockopt": 200,
    "rename": 3,
    "ftruncate": 1,
    "unlink": 1,
}
_WHILE_ARMED = {"write": 40, "fdatasync": 15, "setsockopt": 40, "send": 8000, "recv": 8000}
_ARMED = '"type":"armed"'  # what the journal says
_HOWS = ("before", "half", "after")


@dataclass(frozen=True)
class CrashPoint:
    """In the call ``at`` of its kind; without one from outside, and in ``seconds`` in any case.

    They begin with its start, or, if it is ``armed`` first, with that.
    """

    seconds: float
    armed: bool = True
    call: str = ""
    at: int = 0
    how: str = ""
    tears: bool = False  # what is not durable yet may be lost, too

    def __str__(self) -> str:
        moment = f"{self.seconds:.1f} s behind its {'arming' if self.armed else 'start'}"
        call = f"{self.how} {self.call} {self.at}{' while armed' if self.armed else ''}"
        place = call if self.call else moment
        return place + (", power lost" if self.tears else "")


def any_point(draw: random.Random, most_seconds: float) -> CrashPoint:
    """Four of ten at any moment, most of them while armed; the others in a call, early ones as often as late ones."""
    tears = draw.random() < 0.5
    if draw.random() < 0.4:
        return CrashPoint(draw.uniform(0.05, most_seconds), armed=draw.random() < 0.75, tears=tears)
    armed = draw.random() < 0.5
    calls = _WHILE_ARMED if armed else _FROM_START
    call = draw.choice([*calls])
    return CrashPoint(most_seconds, armed, call, round(calls[call] ** draw.random()), draw.choice(_HOWS), tears)


class Crasher:
    """Lets programs die, and knows which bytes of their files have been made durable."""

    def __init__(self, folder: Path) -> None:
        self._library = folder / "crash_point.so"
        self._durable = folder / "durable"
        source = Path(__file__).with_name("crash_point.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self._library, source], check=True)

    def prefix(self, point: CrashPoint) -> list[str]:
        """What goes before a command that is to die there."""
        names = {"CALL": point.call, "AT": str(point.at), "HOW": point.how, "DURABLE": str(self._durable)}
        if point.call and point.armed:
            names["BEHIND"] = _ARMED
        return ["env", f"LD_PRELOAD={self._library}", *(f"CRASH_{name}={value}" for name, value in names.items())]

    def tear(self, journal: Path, draw: random.Random) -> int:
        """Takes a part of what is not durable off the journal's end, as a loss of power might. Returns its bytes."""
        files = segments(journal) if journal.exists() else []
        if not files:
            return 0
        last = files[-1].resolve()
        size, durable = last.stat().st_size, self._size(last)
        left = draw.randint(min(durable, size), size)
        with last.open("r+b") as file:
            file.truncate(left)
        return size - left

    def _size(self, file: Path) -> int:
        """So many bytes of it are durable."""
        lines = self._durable.read_text(encoding="utf-8").splitlines() if self._durable.exists() else []
        sizes = [int(size) for size, _, name in (line.partition(" ") for line in lines) if name == str(file)]
        return sizes[-1] if sizes else 0
