# SPDX-License-Identifier: Apache-2.0
"""A strategy that was read and checked, and what can be done with it."""

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

from fixaccel.api.boards import PathLike, board_at
from fixaccel.api.bundle import Bundle, compile_bundle
from fixaccel.api.diagnostics import Diagnostics
from fixaccel.api.engines import EngineName, Engines, checked_name
from fixaccel.api.errors import FixaccelError
from fixaccel.api.events import Events, opened
from fixaccel.api.explanation import Explanation
from fixaccel.api.html import terminal_html
from fixaccel.api.simulation import Simulation, simulated
from fixaccel.decide import Instrument
from fixaccel.events.part_book import PartBook
from fixaccel.explain.text import head_text
from fixaccel.language.rules import Strategy as Checked
from fixaccel.pipeline import Loaded, check_file, load_strategy


def load(path: PathLike, *, text: str | None = None) -> "Strategy":
    """Reads and checks the strategy at ``path``, with the venue and all other files that it names.

    With ``text`` that is the content, and there need be no file: ``path`` says by which name it is known and from which
    folder the files that it names are looked for. Raises FixaccelError with all that is wrong.
    """
    loaded = load_strategy(Path(path), None if text is None else text.encode("utf-8", "surrogatepass"))
    if loaded.strategy is None:
        raise FixaccelError.of(loaded, str(path))
    return Strategy(Path(path), loaded)


def check(path: PathLike, *, text: str | None = None) -> Diagnostics:
    """All that is wrong with a strategy, a venue or a board, errors and warnings; raises for nothing that files hold.

    ``text`` is as in `load`.
    """
    return Diagnostics(check_file(Path(path), None if text is None else text.encode("utf-8", "surrogatepass")))


class Strategy:
    """A strategy without errors. `fixaccel.load` makes it."""

    def __init__(self, path: Path, loaded: Loaded) -> None:
        self._loaded = loaded
        self._engines = Engines(loaded)
        self._path = path

    @property
    def path(self) -> Path:
        """The file, as it was asked for."""
        return self._path

    @property
    def name(self) -> str:
        """Its name: that of its file."""
        return self._strategy.name

    @property
    def venue(self) -> str:
        """The venue's name."""
        return self._strategy.venue.name

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules, one for each instrument that a rule stands for."""
        return tuple(block.id for block in self._strategy.blocks)

    @cached_property
    def instruments(self) -> Mapping[str, Instrument]:
        """The venue's instruments by symbol, as functions of `decide` see them."""
        return {
            symbol: Instrument(
                symbol, known.lot, known.multiplier, known.to_price(known.price_min), known.to_price(known.price_max),
                known.ticks,
            )
            for symbol, known in self._strategy.venue.instruments.items()
        }  # fmt: skip

    @property
    def diagnostics(self) -> Diagnostics:
        """Warnings."""
        return Diagnostics(self._loaded)

    def explain(self, rule: str | None = None, *, board: PathLike | None = None) -> Explanation:
        """What all rules do, or one: by its id, as `ID@SYMBOL`, or one part such as `ID[3]`.

        ``board`` is a board file, by default the shipped PYNQ-Z1. Raises FixaccelError for a rule that is not there.
        """
        return Explanation(self._strategy, board_at(board), rule)

    def compile(self, folder: PathLike, *, board: PathLike | None = None) -> Bundle:
        """Compiles a bundle into ``folder``, in place of an older one there.

        Raises FixaccelError where it does not fit the board, or ``folder`` holds anything else; OSError.
        """
        return compile_bundle(self._loaded, folder, board)

    def simulate(
        self,
        events: Events,
        *,
        engine: EngineName = "rules",
        board: PathLike | None = None,
        fills: Literal["touch"] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Simulation:
        """Runs it over market data: a CSV or Parquet file, a pandas or polars DataFrame, an Arrow table or stream.

        The columns are those of event files; a table may leave out all but ``ts_ns`` and ``instrument``. The engine
        "rules" is the reference interpreter, "image" the compiled tables: both give the same fires, "image" many times
        faster. What orders filled stands in rows of the events, or ``fills="touch"`` makes it up: whole, once an
        observation is at or through the order's price. ``progress`` is called with the part that is done, from 0 to 1.
        Raises FixaccelError with the faults of the events, or where the engine cannot run; TypeError for ``events``
        that are none of these.
        """
        checked_name(engine)
        if fills not in (None, "touch"):
            raise ValueError(f'fills is "touch" or None, not {fills!r}')
        touch = fills is not None
        file = opened(events, self._strategy.venue.instruments, PartBook(self._strategy))
        inputs = [Path(events)] if isinstance(events, str | os.PathLike) else []
        name = inputs[0] if inputs else Path(f"<{type(events).__name__}>")
        inputs += [*self._loaded.files, *([Path(board)] if board is not None else [])]
        engine_of_run = self._engines.get(engine, board, touch=touch)
        return simulated(engine_of_run, file, progress, self._loaded, inputs, name, touch=touch)

    def __repr__(self) -> str:
        count = len(self.rules)
        return f"<Strategy {self.name}: {count:,} rule{'' if count == 1 else 's'} at {self.venue}>"

    def _repr_html_(self) -> str:
        warned = self.diagnostics._repr_html_() if self.diagnostics else ""
        return terminal_html(head_text(self._strategy)) + warned

    @property
    def _strategy(self) -> Checked:
        assert self._loaded.strategy is not None
        return self._loaded.strategy
