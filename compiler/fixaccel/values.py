# SPDX-License-Identifier: Apache-2.0
"""Exact numbers: decimal text, and tick tables that turn prices into whole price units. Never a float."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

# `[0-9]`, not `\d`: other scripts have digits too, and an exchange reads only ASCII.
_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z")

# Far more than any price has; keeps the arithmetic on text from a file cheap.
DECIMAL_CHARS = 40


def parse_decimal(text: str) -> Decimal | None:
    """The value of ``-?digits[.digits]``, None for any other text or one longer than `DECIMAL_CHARS`."""
    return Decimal(text) if len(text) <= DECIMAL_CHARS and _DECIMAL.match(text) else None


def decimal_text(value: Decimal) -> str:
    """``value`` written out: no exponent, no trailing zeros, no negative zero."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def duration_text(nanoseconds: int) -> str:
    """A duration as one would write it in a strategy or a venue file."""
    if nanoseconds == 0:
        return "0s"
    for unit, size in (("h", 3600 * 10**9), ("m", 60 * 10**9), ("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if nanoseconds % size == 0:
            return f"{nanoseconds // size}{unit}"
    return f"{nanoseconds}ns"


def decimal_places(value: Decimal) -> int:
    """Digits after the point that ``value`` needs."""
    return len(decimal_text(value).partition(".")[2])


def scaled(value: Decimal, places: int) -> int | None:
    """``value`` x 10^places when that is a whole number, else None."""
    # A fraction in lowest terms is exact, whatever the precision of the decimal context.
    above, below = value.as_integer_ratio()
    whole, rest = divmod(above * int(10**places), below)
    return None if rest else whole


def unscaled(value: int, places: int) -> Decimal:
    """``value`` x 10^-places, exact, without trailing zeros."""
    digits = str(abs(value)).rjust(places + 1, "0")
    point = len(digits) - places
    text = f"{'-' if value < 0 else ''}{digits[:point]}"
    part = digits[point:].rstrip("0")
    return Decimal(f"{text}.{part}" if part else text) if value else Decimal(0)


@dataclass(frozen=True)
class TickTable:
    """Ticks by price: ``steps`` are pairs (price from which the tick holds, tick), rising.

    The first tick also holds below its own start. The unit is the finest tick; every tick and every later start is a
    multiple of it, and a start is a multiple of its own tick, so that it lies on the grid. Raises ValueError otherwise.
    """

    steps: tuple[tuple[Decimal, Decimal], ...]

    def __post_init__(self) -> None:
        starts = [start for start, _ in self.steps]
        if not self.steps or any(tick <= 0 for _, tick in self.steps):
            raise ValueError("a tick table needs ticks above zero")
        if any(a >= b for a, b in pairwise(starts)):
            raise ValueError("the steps of a tick table must rise")
        if any(self.to_units(tick) is None for _, tick in self.steps):
            raise ValueError("each tick must be a multiple of the finest")
        if any((self.to_units(start) or 0) % (self.to_units(tick) or 1) for start, tick in self.steps[1:]):
            raise ValueError("a step must start at a multiple of its tick")

    @classmethod
    def of(cls, ticks: str | Mapping[str, str]) -> "TickTable":
        """From text: one tick, or ticks by the price at which they begin."""
        pairs = {"0": ticks} if isinstance(ticks, str) else ticks
        return cls(tuple((Decimal(start), Decimal(tick)) for start, tick in pairs.items()))

    @cached_property
    def unit(self) -> Decimal:
        """The price unit: the finest tick."""
        return Decimal(decimal_text(min(tick for _, tick in self.steps)))

    @cached_property
    def places(self) -> int:
        """Digits after the point that a multiple of the unit can need."""
        return decimal_places(self.unit)

    @cached_property
    def _unit_scaled(self) -> int:
        value = scaled(self.unit, self.places)
        assert value
        return value

    @cached_property
    def _ticks(self) -> list[int]:
        return [self.to_units(tick) or 1 for _, tick in self.steps]

    @cached_property
    def _starts(self) -> list[int]:
        """Starts of the second and later steps, in units."""
        return [self.to_units(start) or 0 for start, _ in self.steps[1:]]

    def to_units(self, price: Decimal) -> int | None:
        """Whole price units, or None if ``price`` is not a multiple of the unit."""
        value = scaled(price, self.places)
        if value is None or value % self._unit_scaled:
            return None
        return value // self._unit_scaled

    def to_price(self, units: int) -> Decimal:
        """Exact price of ``units``, without trailing zeros or exponent."""
        return unscaled(units * self._unit_scaled, self.places)

    def step_index(self, units: int) -> int:
        """Index into ``steps`` of the tick in force at ``units``."""
        return bisect_right(self._starts, units)

    def on_grid(self, units: int) -> bool:
        """Whether ``units`` is a multiple of the tick in force there."""
        return units % self._ticks[self.step_index(units)] == 0

    def next_up(self, units: int) -> int:
        """The lowest grid price above ``units``."""
        return self.step(units, 1)

    def next_down(self, units: int) -> int:
        """The highest grid price below ``units``."""
        return self.step(units, -1)

    def neighbours(self, price: Decimal) -> tuple[int, int]:
        """The grid prices, in units, just below and just above ``price``, which lies off the grid."""
        places = max(self.places, decimal_places(price))
        value, unit = scaled(price, places), scaled(self.unit, places)
        assert value is not None
        assert unit
        floor = value // unit
        # The price may lie between two units: then the unit below it counts as below.
        below = floor if self.on_grid(floor) and floor * unit != value else self.next_down(floor)
        return below, self.next_up(floor)

    def step(self, units: int, count: int) -> int:
        """The grid price ``count`` ticks above (negative: below) ``units``, along the table."""
        while count > 0:
            index = self.step_index(units)
            tick = self._ticks[index]
            base = units // tick * tick
            if index == len(self._starts):
                return base + count * tick
            inside = (self._starts[index] - 1 - base) // tick
            if count <= inside:
                return base + count * tick
            units, count = self._starts[index], count - inside - 1
        while count < 0:
            index = self.step_index(units - 1)
            tick = self._ticks[index]
            base = -(-units // tick) * tick
            if index == 0:
                return base + count * tick
            inside = (base - self._starts[index - 1]) // tick
            if -count <= inside:
                return base + count * tick
            units, count = self._starts[index - 1], count + inside
        return units
