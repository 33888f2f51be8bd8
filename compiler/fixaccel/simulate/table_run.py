# SPDX-License-Identifier: Apache-2.0
"""Runs of the table interpreter over columns of messages."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from fixaccel.events.columns import EventColumns, from_messages
from fixaccel.image.software.columns import PartColumns
from fixaccel.language.rules import Strategy
from fixaccel.native.interpreter import FireColumns, OrderTally, TableInterpreter
from fixaccel.semantics.messages import Fire, Message
from fixaccel.simulate.fires import fire_rows
from fixaccel.simulate.uncovered import uncovered

_MESSAGES = 1 << 14


class TableRun:
    """One run, which begins with a fresh load of ``columns``. Raises LibraryError, TableError.

    ``touch``: a model fills orders; else executions among the events do.
    """

    def __init__(self, columns: PartColumns, *, touch: bool = False) -> None:
        self._interpreter = TableInterpreter(columns)
        self._interpreter.keep_orders(touch=touch)
        self.events = 0
        self.observations = 0  # prices that were carried, `mid` not counted

    def feed(self, events: EventColumns) -> FireColumns:
        """The fires of the next messages."""
        self.events += len(events)
        self.observations += events.carried_prices
        return self._interpreter.run(events)

    def states(self) -> npt.NDArray[np.uint8]:
        """State of each part, as a place in `STATES` of the table interpreter."""
        return self._interpreter.states()

    def filled(self, parts: int) -> npt.NDArray[np.int64]:
        """What the orders of each part have filled in all, of the first ``parts`` over the whole strategy."""
        return self._interpreter.filled(parts)

    @property
    def invalid_prices(self) -> int:
        """Prices that were off the unit or out of range."""
        return self._interpreter.invalid_prices

    @property
    def orders(self) -> OrderTally:
        """What became of the orders that were sent."""
        return self._interpreter.orders


class TableEngine:
    """The table interpreter as an engine, for messages and for columns of them.

    Of the last run: ``invalid_prices``, ``cancels`` (orders that rules cancelled), ``fills`` (orders that the model of
    ``touch`` filled), ``unmatched`` (events of executions that no order was found for) and ``uncovered`` (see there).
    """

    def __init__(self, strategy: Strategy, columns: PartColumns, *, touch: bool = False) -> None:
        self._strategy = strategy
        self._columns = columns
        self._touch = touch
        self.invalid_prices = 0
        self.cancels = 0
        self.fills = 0
        self.unmatched: list[int] = []
        self.uncovered: dict[str, int] = {}

    def run(self, messages: Iterable[Message], progress: Callable[[int], None]) -> list[Fire]:
        """All fires in firing order, from a fresh load. Raises LibraryError, TableError."""
        return self.run_columns(self._batches(messages), progress)

    def run_columns(self, batches: Iterable[EventColumns], progress: Callable[[int], None]) -> list[Fire]:
        """The same for messages in columns; ``progress`` is called with the number of events done."""
        run = TableRun(self._columns, touch=self._touch)
        fires: list[Fire] = []
        for batch in batches:
            fires += fire_rows(run.feed(batch), self._strategy)
            progress(run.events)
        self.invalid_prices = run.invalid_prices
        orders = run.orders
        self.cancels, self.fills, self.unmatched = orders.cancels, orders.fills, (orders.unmatched + 1).tolist()
        self.uncovered = uncovered(self._strategy, fires, run.filled(len(self._strategy.rules)).item)
        return fires

    def _batches(self, messages: Iterable[Message]) -> Iterator[EventColumns]:
        left = iter(messages)
        while part := list(islice(left, _MESSAGES)):
            yield from_messages(part, self._strategy.venue.instruments)
