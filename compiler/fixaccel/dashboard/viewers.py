# SPDX-License-Identifier: Apache-2.0
"""Who looks at the page, and the frames that each of them gets: 20 a second at most, however much happens."""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from fixaccel.dashboard.model import Model

Json = dict[str, Any]

TICK_S = 0.05
SILENT_TICKS = 20  # behind so many without a change there is a frame all the same: the page knows that we are there
MOST_VIEWERS = 16
_BEHIND = 10  # frames that one may be behind; beyond that it gets all there is instead of what has changed


def _text(said: Json) -> str:
    return json.dumps(said, separators=(",", ":"))


def _frame(what: Json) -> str:
    return _text({"t": time.time_ns() // 1_000_000, **what})


class Viewer:
    """What one browser has not got yet."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._frames: deque[str] = deque()
        self._answers: deque[str] = deque()
        self._wakes = asyncio.Event()
        self._needs_all = True

    def offer(self, frame: str, *, full: bool) -> None:
        """A frame for all who look."""
        if full:
            self._frames.clear()
            self._needs_all = False
        elif self._needs_all:
            return  # it is in what comes
        elif len(self._frames) >= _BEHIND:
            self._frames.clear()
            self._needs_all = True
            return
        self._frames.append(frame)
        self._wakes.set()

    def answer(self, answer: Json) -> None:
        """The answer to a request of this browser, which has one under way at a time."""
        self._answers.append(_text(answer))
        self._wakes.set()

    def take(self) -> str | None:
        """What is to be sent next; None if there is nothing."""
        if self._answers:
            return self._answers.popleft()
        if self._needs_all:
            self._needs_all = False
            return _frame(self._model.everything())
        return self._frames.popleft() if self._frames else None

    async def texts(self) -> AsyncIterator[str]:
        """What is to be sent, for ever; while the one before is under way, more may come."""
        while True:
            text = self.take()
            if text is not None:
                yield text
            else:
                self._wakes.clear()
                await self._wakes.wait()


class Viewers:
    """All of them, and the clock that they share."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._viewers: set[Viewer] = set()
        self._silent = 0

    @contextmanager
    def one_more(self) -> Iterator[Viewer | None]:
        """A viewer while it is entered; None where there are too many."""
        if len(self._viewers) >= MOST_VIEWERS:
            yield None
            return
        viewer = Viewer(self._model)
        self._viewers.add(viewer)
        try:
            yield viewer
        finally:
            self._viewers.discard(viewer)

    async def run(self) -> None:
        """A tick after the other, until it is cancelled."""
        while True:
            self.tick()
            await asyncio.sleep(TICK_S)

    def tick(self) -> None:
        """One frame for all, of what has changed, if anything has, or none was for long."""
        changed = self._model.take()
        self._silent += 1
        if not self._viewers or (changed is None and self._silent < SILENT_TICKS):
            return
        self._silent = 0
        changed = changed or {}
        frame = _frame(changed)
        for viewer in self._viewers:
            viewer.offer(frame, full="full" in changed)
