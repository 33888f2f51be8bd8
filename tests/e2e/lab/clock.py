# SPDX-License-Identifier: Apache-2.0
"""A wall clock of the laboratory's own, the same in exchange, board and daemon."""

import subprocess
import time
from pathlib import Path

_DAY_NS = 86_400 * 10**9
_SECOND_NS = 10**9


class Clock:
    """Shows ``to_midnight_s`` seconds before midnight UTC, of the day that it is, when it is made."""

    def __init__(self, folder: Path, to_midnight_s: float) -> None:
        now = time.time_ns()
        self.midnight_ns = (now // _DAY_NS + 1) * _DAY_NS
        self.ahead_ns = self.midnight_ns - int(to_midnight_s * _SECOND_NS) - now
        if self.ahead_ns < 0:  # the day is nearly over: tomorrow's midnight
            self.midnight_ns += _DAY_NS
            self.ahead_ns += _DAY_NS
        self._library = folder / "shifted_clock.so"
        source = Path(__file__).with_name("shifted_clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self._library, source], check=True)

    def now_ns(self) -> int:
        """Nanoseconds since the epoch, as the programs of the laboratory see them."""
        return time.time_ns() + self.ahead_ns

    def sleep_until(self, ns: int) -> None:
        """Returns when it shows ``ns``."""
        time.sleep(max(0.0, (ns - self.now_ns()) / _SECOND_NS))

    def prefix(self) -> list[str]:
        """What goes before a command that is to run by it."""
        return ["env", f"LD_PRELOAD={self._library}", f"CLOCK_AHEAD_NS={self.ahead_ns}"]
