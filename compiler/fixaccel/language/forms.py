# SPDX-License-Identifier: Apache-2.0
"""What fires a part: thresholds, decisions, trails and times of day."""

from dataclasses import dataclass, field
from enum import Enum

from fixaccel.language.codes import DIRECTIONS, SOURCES, Codes, Units
from fixaccel.language.orders import Orders
from fixaccel.language.terms import Direction, Instrument, Source


@dataclass(frozen=True)
class Condition:
    """``source`` at or beyond ``threshold``: inclusive, in price units, for mid in half units (2 x mid is compared)."""

    source: Source
    direction: Direction
    threshold: int
    text: str = field(compare=False)  # as written


@dataclass(frozen=True, eq=False)
class Triggers:
    """Thresholds, a row each: of `when`, of the steps of a ladder or of the rows of a table.

    ``threshold`` is inclusive, strict comparisons already turned: price units, half units where the source is mid.
    """

    source: Codes
    direction: Codes
    threshold: Units
    confirm: Codes  # 1 or 2
    orders: Orders
    text: str | None = None  # the condition as written; None where each row has its own

    def __len__(self) -> int:
        return len(self.threshold)

    def condition(self, row: int, instrument: Instrument) -> Condition:
        """The condition of one row."""
        source, direction = SOURCES[self.source[row]], DIRECTIONS[self.direction[row]]
        threshold = int(self.threshold[row])
        text = self.text or f"{source.value} {direction.value} {price_text(threshold, source, instrument)}"
        return Condition(source, direction, threshold, text)


@dataclass(frozen=True, eq=False)
class Decision:
    """A precomputed decision: inclusive intervals of the price axis of ``source``, rising, without overlaps.

    Ends are price units, half units where the source is mid. Row n of ``orders`` belongs to interval n; stretches
    without an order are left out.
    """

    source: Source
    low: Units
    high: Units
    orders: Orders
    over: tuple[int, int]  # the whole stretch that was decided, in the same units

    def __len__(self) -> int:
        return 1  # one part: landing in any interval spends it


class DistanceKind(Enum):
    PRICE = "price"  # price units
    TICKS = "ticks"  # steps along the tick table
    PERCENT = "percent"  # millionths of the extreme's absolute value


@dataclass(frozen=True)
class Distance:
    """How far a trail follows: ``value`` counts what ``kind`` says."""

    kind: DistanceKind
    value: int
    text: str = field(compare=False)  # as written


@dataclass(frozen=True, eq=False)
class Trail:
    """A stop that follows ``source``; its order's side says which extreme."""

    source: Source
    by: Distance
    activate: Condition | None
    orders: Orders  # one row

    def __len__(self) -> int:
        return 1


@dataclass(frozen=True, eq=False)
class At:
    """Fires by the clock: at the first ``second`` of the venue's day that comes after arming."""

    second: int  # since the venue's midnight, by its clock
    orders: Orders  # one row

    def __len__(self) -> int:
        return 1


Form = Triggers | Decision | Trail | At


def price_text(units: int, source: Source, instrument: Instrument) -> str:
    """A threshold or observation of ``source`` as decimal text without trailing zeros."""
    if source is not Source.MID:
        return format(instrument.to_price(units), "f")
    return format((instrument.to_price(units) / 2).normalize() + 0, "f")
