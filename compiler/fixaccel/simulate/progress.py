# SPDX-License-Identifier: Apache-2.0
"""Progress of long runs: a bar on standard error, if that is a terminal."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

# Telling it costs more than an event; nobody reads faster.
_SECONDS = 0.1


class ProgressBar:
    """How far a run is, called with what is done of ``total``; without a total (None) what is done, in ``unit``."""

    def __init__(self, name: str, total: float | None, unit: str = "") -> None:
        console = Console(stderr=True)
        columns = [TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()]
        columns += (
            [TaskProgressColumn(), TimeRemainingColumn()] if total is not None else [TextColumn("{task.fields[done]}")]
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(name, total=total, done="")
        self._unit = unit
        self._total = total
        self._next = 0.0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, done: float) -> None:
        """Tells how far it is; cheap enough for every event."""
        now = time.monotonic()
        if self._bar.disable or now < self._next:
            return
        self._next = now + _SECONDS
        if self._total is None:
            self._bar.update(self._task, done=f"{done:,.0f} {self._unit}")
        else:
            self._bar.update(self._task, completed=done)
