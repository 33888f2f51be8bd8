# SPDX-License-Identifier: Apache-2.0
"""How far the functions of `decide` are, on a terminal."""

import sys
from types import TracebackType
from typing import Self

from fixaccel.simulate.progress import ProgressBar


class Deciding:
    """A bar for each function that is asked, begun when the first is: most strategies have none."""

    def __init__(self) -> None:
        self._name: str | None = None
        self._bar: ProgressBar | None = None

    def __call__(self, name: str, done: float) -> None:
        """Shows how much of ``name`` is done, from 0 to 1."""
        if not sys.stderr.isatty():
            return
        if name != self._name:
            self._end()
            self._name, self._bar = name, ProgressBar(name, 1)
            self._bar.__enter__()
        if self._bar:
            self._bar(done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        if self._bar:
            self._bar.__exit__(None, None, None)
        self._name = self._bar = None
