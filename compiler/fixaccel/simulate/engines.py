# SPDX-License-Identifier: Apache-2.0
"""The engines behind `fixaccel simulate`: one interface, one meaning."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from fixaccel.emit.manifest import manifest
from fixaccel.events.columns import EventColumns
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.identity import part_hashes
from fixaccel.image.image import Image
from fixaccel.image.parts import Parts
from fixaccel.image.software.columns import PartColumns
from fixaccel.image.software.table import read_software_table, software_table
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.image.unpack.unpack import unpack
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.reference import Interpreter as ReferenceInterpreter
from fixaccel.semantics.touch import Touch
from fixaccel.simulate.table_run import TableEngine
from fixaccel.simulate.uncovered import uncovered

# Called with the number of events done.
Progress = Callable[[int], None]


class EngineError(Exception):
    """An engine cannot run, or did something that no engine may do; the text says what."""


class NotPlayableError(EngineError):
    """The engine works, but cannot be played these events; others it can."""


class Engine(Protocol):
    """Runs one strategy over messages."""

    def run(self, messages: Sequence[Message], progress: Progress) -> list[Fire]:
        """All fires in firing order. Raises EngineError."""


class RulesEngine:
    """The reference interpreter; see `TableEngine` for ``touch`` and for what is known of the last run."""

    def __init__(self, strategy: Strategy, *, touch: bool = False) -> None:
        self._strategy = strategy
        self._touch = touch
        self.invalid_prices = 0
        self.cancels = 0
        self.fills = 0
        self.unmatched: list[int] = []
        self.uncovered: dict[str, int] = {}

    def run(self, messages: Sequence[Message], progress: Progress) -> list[Fire]:
        """All fires in firing order."""
        touch = Touch() if self._touch else None
        interpreter = ReferenceInterpreter(self._strategy, touch)
        fires: list[Fire] = []
        for done, message in enumerate(messages):
            fires += interpreter.process(message)
            progress(done + 1)
        self.invalid_prices = interpreter.market.invalid_prices
        self.cancels, self.unmatched = interpreter.cancels, interpreter.unmatched
        self.fills = len(touch.fills) if touch else 0
        self.uncovered = uncovered(self._strategy, fires, lambda part: interpreter.parts[part].filled)
        return fires


class ImageEngine(TableEngine):
    """The table interpreter on what was packed: the fabric's memories and the software table, read back."""

    def __init__(self, image: Image, strategy: Strategy, board: Board, hwmap: Hwmap, *, touch: bool = False) -> None:
        super().__init__(strategy, image_columns(image, strategy, board, hwmap), touch=touch)

    def run_columns(self, batches: Iterable[EventColumns], progress: Progress) -> list[Fire]:
        """All fires in firing order. Raises EngineError."""
        try:
            return super().run_columns(batches, progress)
        except (LibraryError, TableError) as error:
            raise EngineError(str(error)) from None


def image_columns(image: Image, strategy: Strategy, board: Board, hwmap: Hwmap) -> PartColumns:
    """All parts as a reader of the bundle finds them. Raises EngineError for an image that is not sound."""
    parts = Parts.of(strategy)
    hashes = part_hashes(strategy, parts)
    software = read_software_table(software_table(strategy, parts, hashes))
    whole = None
    if any(block.by_fills for block in strategy.blocks):
        whole = read_software_table(software_table(strategy, parts, hashes, standby=True))
    said = manifest(image, strategy, board, hwmap, parts)
    try:
        fabric = unpack(said, image.memories, hashes, hwmap, software, whole)
    except ImageReadError as error:
        raise EngineError(f"the image is damaged: {error}") from None
    return software.join(fabric)
