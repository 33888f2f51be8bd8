# SPDX-License-Identifier: Apache-2.0
"""The types of a precomputed decision, as the trader's function sees them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from fixaccel.tick_arrays import TickArrays, tick_arrays
from fixaccel.values import TickTable

Number: TypeAlias = Decimal | int | float | str
Column: TypeAlias = npt.ArrayLike | None
F = TypeVar("F", bound=Callable[..., Any])

_MARK = "__fixaccel_vectorized__"


@dataclass(frozen=True)
class Order:
    """An order to send; what is left out is taken from the rule's `order`, then from the defaults.

    Prices lie on the tick grid. A float counts as the nearest multiple of the finest tick if it is closer than a
    thousandth of that, otherwise as a price off the grid.
    """

    #: "buy" or "sell".
    side: str | None = None
    #: A multiple of the lot, in units of the instrument.
    qty: Number | None = None
    #: "limit" or "market".
    type: str | None = None
    #: Of limit orders.
    price: Number | None = None
    #: "day", "ioc", "fok" or "gtc".
    tif: str | None = None
    #: Account(1).
    account: str | None = None


@dataclass(frozen=True)
class Orders:
    """Answers of a `@vectorized` function: each column one value for all prices, or an array with one for each.

    The columns mean what they do in `Order`.
    """

    #: "buy" or "sell".
    side: Column = None
    #: Quantities.
    qty: Column = None
    #: "limit" or "market".
    type: Column = None
    #: Limit prices.
    price: Column = None
    #: Times in force.
    tif: Column = None
    #: Accounts.
    account: Column = None
    #: At which prices there is an order (bool); left out: at all.
    where: Column = None


@dataclass(frozen=True, eq=False)
class Prices:
    """All prices that a `@vectorized` function decides, rising. NumPy functions take it itself for its ``floats``."""

    #: Exact (int64): whole multiples of ``unit``.
    units: npt.NDArray[np.int64]
    #: The instrument's finest tick, for `mid` half of it.
    unit: Decimal
    #: The nearest binary fractions (float64): comparing them with a literal such as 1150.1 is exact, as that is the
    #: same fraction.
    floats: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.units)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        del copy
        return self.floats.astype(dtype or np.float64)


@dataclass(frozen=True)
class Instrument:
    """The instrument at its venue. Prices are decimals; those that methods return lie on the tick grid."""

    symbol: str
    #: Quantities are multiples of it.
    lot: int
    #: Notional is price x quantity x multiplier.
    multiplier: Decimal
    #: The lowest price that can be true.
    price_min: Decimal
    #: The highest.
    price_max: Decimal
    #: Ticks by price.
    table: TickTable = field(repr=False)

    def tick(self, price: Number) -> Decimal:
        """The tick in force at ``price``."""
        return self.table.steps[self.table.step_index(self._below(price))][1]

    def floor(self, price: Number) -> Decimal:
        """The highest grid price that is not above ``price``."""
        below = np.array([self._below(price)], np.int64)
        return self.table.to_price(int(self._arrays.floor(below)[0]))

    def ceil(self, price: Number) -> Decimal:
        """The lowest grid price that is not below ``price``."""
        above = np.array([-self._below(-_decimal(price))], np.int64)
        return self.table.to_price(int(self._arrays.ceil(above)[0]))

    def step(self, price: Number, count: int) -> Decimal:
        """The grid price ``count`` ticks above ``price``, below if negative, along the tick table."""
        exact = _decimal(price)
        units = self._below(exact) if count > 0 else -self._below(-exact)
        return self.table.to_price(self.table.step(units, count)) if count else exact

    def prices(self, low: Number, high: Number) -> Prices:
        """All grid prices from ``low`` to ``high``, both included: what a `@vectorized` function is called with."""
        units = self._arrays.between(-self._below(-_decimal(low)), self._below(high))
        floats = np.array([float(self.table.to_price(one)) for one in units.tolist()], np.float64)
        return Prices(units, self.table.unit, floats)

    @property
    def _arrays(self) -> TickArrays:
        return tick_arrays(self.table)

    def _below(self, price: Number) -> int:
        """Whole price units, rounded down."""
        above, below = (_decimal(price)).as_integer_ratio()
        unit, of = self.table.unit.as_integer_ratio()
        return above * of // (below * unit)


def _decimal(price: Number) -> Decimal:
    # The shortest text of a float is what was meant by it.
    return Decimal(repr(float(price))) if isinstance(price, float) else Decimal(price)


def vectorized(function: F) -> F:
    """Marks a function that is called once, with `Prices`, and answers with `Orders`."""
    setattr(function, _MARK, True)
    return function


def is_vectorized(function: object) -> bool:
    """Whether it was marked."""
    return bool(getattr(function, _MARK, False))
