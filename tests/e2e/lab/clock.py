# SPDX-License-Identifier: Apache-2.0
"""A wall clock of the laboratory's own, the same in exchange, board and daemon."""

import struct
import subprocess
import time
from pathlib import Path
from typing import Protocol

_DAY_NS = 86_400 * 10**9
_SECOND_NS = 10**9


class AnyClock(Protocol):
    """One that programs can run by."""

    def prefix(self) -> list[str]:
        """What goes before a command that is to run by it."""
        ...


def _library(folder: Path) -> Path:
    """The library that is preloaded, built."""
    library = folder / "shifted_clock.so"
    source = Path(__file__).with_name("shifted_clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return library


class SteppingClock:
    """The machine's, until it is set; and synchronised as it is told."""

    def __init__(self, folder: Path) -> None:
        self._library = _library(folder)
        self._file = folder / "clock"
        self._file.write_bytes(struct.pack("qq", 0, -1))

    def step(self, ahead_s: float) -> None:
        """From now on it is so far ahead of the machine's."""
        self._write(0, int(ahead_s * _SECOND_NS))

    def synchronise(self, error_us: int | None) -> None:
        """From now on somebody keeps it within ``error_us`` of UTC; None: nobody."""
        self._write(1, -1 if error_us is None else error_us)

    def _write(self, word: int, value: int) -> None:
        with self._file.open("r+b") as file:
            file.seek(8 * word)
            file.write(struct.pack("q", value))

    def prefix(self) -> list[str]:
        """What goes before a command that is to run by it."""
        return ["env", f"LD_PRELOAD={self._library}", f"CLOCK_AHEAD_FILE={self._file}"]


class Clock:
    """Shows ``to_midnight_s`` seconds before midnight UTC, of the day that it is, when it is made."""

    def __init__(self, folder: Path, to_midnight_s: float) -> None:
        now = time.time_ns()
        self.midnight_ns = (now // _DAY_NS + 1) * _DAY_NS
        self.ahead_ns = self.midnight_ns - int(to_midnight_s * _SECOND_NS) - now
        if self.ahead_ns < 0:  # the day is nearly over: tomorrow's midnight
            self.midnight_ns += _DAY_NS
            self.ahead_ns += _DAY_NS
        self._library = _library(folder)

    def now_ns(self) -> int:
        """Nanoseconds since the epoch, as the programs of the laboratory see them."""
        return time.time_ns() + self.ahead_ns

    def sleep_until(self, ns: int) -> None:
        """Returns when it shows ``ns``."""
        time.sleep(max(0.0, (ns - self.now_ns()) / _SECOND_NS))

    def prefix(self) -> list[str]:
        """What goes before a command that is to run by it."""
        return ["env", f"LD_PRELOAD={self._library}", f"CLOCK_AHEAD_NS={self.ahead_ns}"]
