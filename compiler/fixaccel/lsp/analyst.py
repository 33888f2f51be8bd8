# SPDX-License-Identifier: Apache-2.0
"""The thread that analyses: one text at a time, the newest of each file, a moment after the last key."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

# Runs one analysis: the file, whether functions of `decide` are asked, and whether to stop.
Run: TypeAlias = Callable[[Path, bool, Callable[[], bool]], None]


class Analyst:
    """Keeps what is to be analysed. A newer wish for a file takes the place of an older one, also of one that runs."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._changed = threading.Condition()
        self._wishes: dict[Path, tuple[float, bool]] = {}  # when, and whether functions are asked
        self._running: Path | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="analyst", daemon=True)

    def start(self) -> None:
        """Begins to work."""
        self._thread.start()

    def want(self, path: Path, delay_s: float = 0.0, *, ask: bool = False) -> None:
        """Analyses ``path`` once so much time has passed without another wish for it."""
        with self._changed:
            self._wishes[path] = (time.monotonic() + delay_s, ask)
            self._changed.notify()

    def forget(self, path: Path) -> None:
        """Nobody wants to know any more."""
        with self._changed:
            self._wishes.pop(path, None)
            if self._running == path:
                self._running = None

    def close(self) -> None:
        """Stops, also what runs."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _work(self) -> None:
        while (wish := self._next()) is not None:
            path, ask = wish
            self._run(path, ask, lambda path=path: self._is_superseded(path))  # type: ignore[misc]

    def _next(self) -> tuple[Path, bool] | None:
        with self._changed:
            self._running = None
            while not self._closed:
                if self._wishes:
                    path, (due, ask) = min(self._wishes.items(), key=lambda wish: wish[1][0])
                    if due <= time.monotonic():
                        del self._wishes[path]
                        self._running = path
                        return path, ask
                    self._changed.wait(max(due - time.monotonic(), 0))
                else:
                    self._changed.wait()
            return None

    def _is_superseded(self, path: Path) -> bool:
        with self._changed:
            return self._closed or self._running != path or path in self._wishes
