# SPDX-License-Identifier: Apache-2.0
"""Tick tables over whole arrays of prices: the same answers as `values.TickTable`, without a loop over the prices."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fixaccel.language.patterns import HWMAP
from fixaccel.values import TickTable, scaled

Units = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Counts: TypeAlias = int | Units

WIRE_DECIMALS = HWMAP.constant("wire_decimals")

# No price comes near it; steps that would lead further stop there instead of wrapping round.
FAR = 1 << 61


class TickArrays:
    """The tick table ``table`` for int64 arrays of price units; wire units are 10^-8 of the price.

    Grid prices are numbered along the table (the *rank*; multiples of the first tick count from price 0), so that
    any number of steps is one addition.
    """

    def __init__(self, table: TickTable) -> None:
        self.table = table
        units = [table.to_units(start) or 0 for start, _ in table.steps]
        ticks = [table.to_units(tick) or 1 for _, tick in table.steps]
        # The first tick holds below its own start too: its grid is anchored at price 0.
        bases = [0, *units[1:]]
        ranks = [0]
        for index in range(1, len(bases)):
            ranks.append(ranks[-1] - (bases[index - 1] - bases[index]) // ticks[index - 1])
        self._starts = np.array(bases[1:], np.int64)
        self._bases = np.array(bases, np.int64)
        self._ticks = np.array(ticks, np.int64)
        self._ranks = np.array(ranks, np.int64)
        self._most = (FAR - (1 << 60)) // max(ticks)  # steps that stay below FAR from any price
        self._wire = scaled(table.unit, WIRE_DECIMALS) or 1

    def from_wire(self, wire: Units) -> tuple[Units, Flags]:
        """Prices in 10^-8 as price units, rounded down, and whether they are whole units."""
        units, rest = np.divmod(wire, self._wire)
        return units, rest == 0

    def to_wire(self, units: Units) -> Units:
        """Price units in 10^-8."""
        return units * self._wire

    def on_grid(self, units: Units) -> Flags:
        """Whether each is a multiple of the tick in force there."""
        flags: Flags = units % self._ticks[self._step(self._starts, units)] == 0
        return flags

    def step(self, units: Units, count: Counts) -> Units:
        """The grid prices ``count`` ticks above (negative: below), along the table; no step leaves a price as it is."""
        steps = np.clip(np.asarray(count, np.int64), -self._most, self._most)
        below = self._rank_below(units)
        # Going down from between two ticks begins at the upper one.
        off = (steps < 0) & (self._price(below) != units)
        moved: Units = np.where(steps == 0, units, self._price(below + off + steps))
        return moved

    def next_up(self, units: Units) -> Units:
        """The lowest grid prices above."""
        return self.step(units, 1)

    def next_down(self, units: Units) -> Units:
        """The highest grid prices below."""
        return self.step(units, -1)

    def floor(self, units: Units) -> Units:
        """The highest grid prices that are not above."""
        return self._price(self._rank_below(units))

    def ceil(self, units: Units) -> Units:
        """The lowest grid prices that are not below."""
        below = self._rank_below(units)
        return self._price(below + (self._price(below) != units))

    def between(self, low: int, high: int) -> Units:
        """All grid prices from ``low`` to ``high``, both included."""
        first, last = self._grid_ranks(low, high)
        return self._price(np.arange(first, last + 1, dtype=np.int64))

    def count_between(self, low: int, high: int) -> int:
        """How many `between` gives, without making them."""
        first, last = self._grid_ranks(low, high)
        return max(last - first + 1, 0)

    def _grid_ranks(self, low: int, high: int) -> tuple[int, int]:
        ends = self._rank_below(np.array([low - 1, high], np.int64))
        return int(ends[0]) + 1, int(ends[1])

    def _rank_below(self, units: Units) -> Units:
        index = self._step(self._starts, units)
        return self._ranks[index] + (units - self._bases[index]) // self._ticks[index]

    def _price(self, rank: Units) -> Units:
        index = self._step(self._ranks[1:], rank)
        return self._bases[index] + (rank - self._ranks[index]) * self._ticks[index]

    @staticmethod
    def _step(starts: Units, values: Units) -> npt.NDArray[np.intp]:
        """Index of the step that each value is in; one for all where there is only one step."""
        return np.searchsorted(starts, values, "right") if len(starts) else np.zeros(1, np.intp)


@lru_cache(maxsize=4096)
def tick_arrays(table: TickTable) -> TickArrays:
    """The arrays of ``table``, made once."""
    return TickArrays(table)
