# SPDX-License-Identifier: Apache-2.0
"""What goes to the process that runs a trader's function, and what comes back: JSON on both ways."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from enum import Enum

import numpy as np

from fixaccel.language.codes import Units
from fixaccel.tick_arrays import tick_arrays
from fixaccel.values import TickTable


@dataclass(frozen=True)
class Request:
    """Prices as decimal texts; ``low`` and ``high`` in price units, both on the grid."""

    file: str
    function: str
    symbol: str
    steps: tuple[tuple[str, str], ...]  # of the tick table
    lot: int
    multiplier: str
    price_min: str
    price_max: str
    low: int
    high: int
    mid: bool
    folder: str = "."  # where it runs: relative paths count from the strategy's folder

    @property
    def table(self) -> TickTable:
        """The tick table."""
        return TickTable(tuple((Decimal(start), Decimal(tick)) for start, tick in self.steps))

    def points(self) -> Units:
        """The prices that are asked for: price units; for mid half units, with the middles between neighbours."""
        grid = tick_arrays(self.table).between(self.low, self.high)
        if not self.mid:
            return grid
        doubled = np.empty(max(2 * len(grid) - 1, 0), np.int64)
        doubled[::2] = 2 * grid
        doubled[1::2] = grid[:-1] + grid[1:]
        return doubled

    def count(self) -> int:
        """How many points there are, without making them."""
        ticks = tick_arrays(self.table).count_between(self.low, self.high)
        return max(2 * ticks - 1, 0) if self.mid else ticks

    def price(self, units: int) -> Decimal:
        """A point as a price."""
        exact = self.table.to_price(units)
        return (exact / 2).normalize() + 0 if self.mid else exact

    @property
    def unit(self) -> Decimal:
        """What a point counts."""
        return self.table.unit / 2 if self.mid else self.table.unit

    def as_json(self) -> str:
        """As text."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> "Request":
        """From text."""
        values = json.loads(text)
        values["steps"] = tuple((start, tick) for start, tick in values["steps"])
        return cls(**values)


class Fault(Enum):
    """How asking went wrong."""

    SYNTAX = "syntax"  # the file is no Python
    LOAD = "load"  # running the file raised
    NO_FUNCTION = "no-function"
    RAISED = "raised"
    ANSWER = "answer"  # neither an order nor None
    UNSTEADY = "unsteady"  # another answer when asked again
    TOO_MANY = "too-many"  # intervals
    TIME = "time"
    MEMORY = "memory"
    ENDED = "ended"  # without an answer


@dataclass(frozen=True)
class Failure:
    """``at`` is the place of the price among the points, ``line`` (from 1) in the trader's file; None: unknown."""

    fault: Fault
    message: str
    at: int | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class Outcome:
    """Runs of points with the same order, or why there are none."""

    runs: Sequence[tuple[int, int, int]] = ()
    orders: Sequence[Sequence[str | None]] = ()
    line: int = 1  # of the function in the trader's file
    files: Sequence[str] = ()  # further files that it imported or opened for reading
    read: Sequence[str] = ()  # the same with those of installed packages
    repeatable: bool = False  # whether nothing else was seen to matter
    failure: Failure | None = None
    printed: str = field(default="")

    def as_json(self) -> str:
        """As text, without what was printed."""
        values = asdict(self)
        if self.failure:
            values["failure"]["fault"] = self.failure.fault.value
        return json.dumps(values)

    @classmethod
    def of_json(cls, text: str, printed: str) -> "Outcome":
        """From text. Raises ValueError, KeyError or TypeError if it is something else."""
        values = json.loads(text)
        failure = values.pop("failure")
        if failure:
            failure = Failure(**{**failure, "fault": Fault(failure["fault"])})
        return cls(**{**values, "failure": failure, "printed": printed})
