# SPDX-License-Identifier: Apache-2.0
"""Progress of long runs, on standard error."""

import sys
import time

# Short runs say nothing.
_QUIET_SECONDS = 2.0
_TERMINAL_SECONDS = 0.2
_LOG_SECONDS = 10.0


class ProgressLine:
    """How far a run is and how long it has taken: one line, written over on a terminal; in a log a line at times."""

    def __init__(self, name: str, total: int) -> None:
        self._name = name
        self._total = total
        self._terminal = sys.stderr.isatty()
        self._start = time.monotonic()
        self._next = self._start + (_QUIET_SECONDS if self._terminal else _LOG_SECONDS)
        self._shown = False

    def __call__(self, done: int) -> None:
        """Tells how far it is; cheap enough for every event."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (_TERMINAL_SECONDS if self._terminal else _LOG_SECONDS)
        percent = 100 * done // max(self._total, 1)
        text = f"{self._name}: {done} of {self._total} events ({percent} %), {now - self._start:.0f} s"
        sys.stderr.write(f"\r{text}" if self._terminal else f"{text}\n")
        sys.stderr.flush()
        self._shown = True

    def close(self) -> None:
        """Clears the line on a terminal."""
        if self._shown and self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
