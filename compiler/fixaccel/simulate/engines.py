# SPDX-License-Identifier: Apache-2.0
"""The engines behind `fixaccel simulate`: one interface, one meaning."""

from collections.abc import Callable, Sequence
from typing import Protocol

from fixaccel.emit.manifest import manifest
from fixaccel.hwmap.model import Hwmap
from fixaccel.image.interpreter import Interpreter as TableInterpreter
from fixaccel.image.model import Image
from fixaccel.image.parts import Parts
from fixaccel.language.model import Board
from fixaccel.language.rules import Strategy
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.reference import Interpreter as ReferenceInterpreter

# Called with the number of events done.
Progress = Callable[[int], None]


class EngineError(Exception):
    """An engine cannot run, or did something that no engine may do; the text says what."""


class Engine(Protocol):
    """Runs one strategy over messages."""

    def run(self, messages: Sequence[Message], progress: Progress) -> list[Fire]:
        """All fires in firing order. Raises EngineError."""


class RulesEngine:
    """The reference interpreter."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def run(self, messages: Sequence[Message], progress: Progress) -> list[Fire]:
        """All fires in firing order."""
        interpreter = ReferenceInterpreter(self._strategy)
        fires: list[Fire] = []
        for done, message in enumerate(messages):
            fires += interpreter.process(message)
            progress(done + 1)
        return fires


class ImageEngine:
    """The table interpreter on the packed image."""

    def __init__(self, image: Image, strategy: Strategy, board: Board, hwmap: Hwmap) -> None:
        self._manifest = manifest(image, strategy, board, hwmap, Parts.of(strategy))
        self._names = [rule.id for rule in strategy.rules]
        self._memories = image.memories
        self._hwmap = hwmap

    def run(self, messages: Sequence[Message], progress: Progress) -> list[Fire]:
        """All fires in firing order."""
        interpreter = TableInterpreter(self._manifest, self._names, self._memories, self._hwmap)
        fires: list[Fire] = []
        for done, message in enumerate(messages):
            fires += interpreter.process(message)
            progress(done + 1)
        return fires
