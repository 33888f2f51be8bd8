# SPDX-License-Identifier: Apache-2.0
"""The worst case: the most that can go out if everything armed fires, each figure at its own maximum.

Prices may do anything, in any order; what rules do to each other counts: one part of an `oco` group is sent (as often
as it is armed again), a child needs a parent that was sent, and the limits on totals hold until they are reset. Each
figure says whether it is the exact maximum or an upper bound, and how it was found.
"""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from fixaccel.exposure.caps import LIMIT_MONEY, MARKET_MONEY, MARKETS, ORDERS, QTY, Capped, Caps
from fixaccel.exposure.options import Options, cell_name, money_of, options_of
from fixaccel.exposure.search import NOTHING, searched
from fixaccel.exposure.sums import sums
from fixaccel.language.codes import SIDES
from fixaccel.language.rules import Limits, Strategy
from fixaccel.language.terms import Side
from fixaccel.semantics.calendar import time_text
from fixaccel.values import decimal_text

SUM = "exact: the sum of what can be sent together"
CHOICE = "exact: all choices within `oco` groups that arm other rules were tried"
LIMITED = "exact: the highest that the limits on totals let pass"
SEARCH = "exact: all sets of orders that the limits on totals let pass were tried"
LOOSE = "upper bound: too many choices within `oco` groups that arm other rules, which were taken as armed"
FILLED = "upper bound: `qty: filled` is counted as all that its entries can fill"
OWN = "upper bound: limits of single rules are not counted"
BOUND = "upper bound under the limits on totals: "


@dataclass(frozen=True)
class Figure:
    """A maximum and how it was found; ``exact`` is False where it is only an upper bound."""

    value: int | Decimal
    exact: bool
    method: str


@dataclass(frozen=True)
class Exposure:
    """Figures of one instrument and side; both None for the whole strategy.

    ``notional`` is qty x abs(price) x multiplier over limit orders. Market orders have no price of their own: they are
    counted at the rule's threshold (a decision's at the end of its interval further from zero), at most at
    `order_notional`, in ``market_notional``, which a fill can miss either way. Orders at prices that follow a trail,
    and market orders by the clock, have no price until they fire: ``unpriced``
    parts are in the counts and in neither notional.
    """

    instrument: str | None
    side: Side | None
    orders: Figure
    qty: Figure
    notional: Figure
    market_orders: Figure
    market_notional: Figure
    unpriced: int

    def as_data(self) -> dict[str, Any]:
        """For JSON: decimals as text, and why for each figure that is only an upper bound."""
        figures = {
            "orders": self.orders,
            "qty": self.qty,
            "limit_notional": self.notional,
            "market_orders": self.market_orders,
            "market_notional_at_threshold": self.market_notional,
        }
        shown = {
            name: decimal_text(figure.value) if isinstance(figure.value, Decimal) else figure.value
            for name, figure in figures.items()
        }
        bounds = {name: figure.method for name, figure in figures.items() if not figure.exact}
        place = {"instrument": self.instrument, "side": self.side.value} if self.side else {}
        return {**place, **shown, "unpriced_parts": self.unpriced, "upper_bounds": bounds}


@dataclass(frozen=True)
class WorstCase:
    """Figures by instrument and side in the order of the parts, and over all; ``method``: how exact ones were found."""

    entries: list[Exposure]
    total: Exposure
    method: str


def worst_case(strategy: Strategy) -> WorstCase:
    """The figures of a whole strategy."""
    options = options_of(strategy).possible(strategy.limits)
    own = any(block.limits and (block.limits.total_orders or block.limits.total_qty) for block in strategy.blocks)
    amounts = _Amounts(options, strategy.limits, OWN if own else "")
    entries = [_exposure(options, amounts, int(cell)) for cell in options.cells_in_order()]
    entries = [entry for entry in entries if entry.orders.value]
    limits, roll = strategy.limits, strategy.venue.day_roll
    counts = own or limits.total_orders is not None or limits.total_qty
    day = (
        f"; of one day: what limits on totals count begins anew at {time_text(roll)}"
        if counts and roll is not None
        else ""
    )
    return WorstCase(entries, _exposure(options, amounts, None), amounts.method + day)


class _Amounts:
    """Amounts by the way that fits the strategy: a sum, a sum under limits, or a search."""

    def __init__(self, options: Options, limits: Limits, own: str) -> None:
        self._filled = set(options.cell[options.filled].tolist())
        self._found = sums(options) if len(options) else None
        self._caps = Caps(options, self._found, limits) if self._found else None
        bound = bool(self._caps and self._caps.bind)
        self._search = searched(options, limits) if bound else None
        # A trail has one order: a row is a part.
        self.unpriced = Counter(options.cell[options.unpriced].tolist())
        self._loose = LOOSE if self._found and self._found.loose else ""
        self._own = own
        if self._search:
            self.method = SEARCH
        elif bound:
            self.method = LIMITED
        else:
            self.method = CHOICE if self._found and self._found.chosen else SUM

    def figure(self, cell: int | None, number: int, places: int | None = None) -> Figure:
        """One figure; ``places`` where it is money."""
        amount = self._amount(cell, number)
        value = amount.amount if places is None else money_of(amount.amount, places)
        doubt = BOUND + amount.doubt if amount.doubt else "" if self._search else self._loose
        if (
            not doubt
            and number in {QTY, LIMIT_MONEY, MARKET_MONEY}
            and (cell in self._filled if cell is not None else self._filled)
        ):
            doubt = FILLED
        doubt = doubt or self._own
        return Figure(value, not doubt, doubt or self.method)

    def _amount(self, cell: int | None, number: int) -> Capped:
        if self._search:
            amounts = self._search.total if cell is None else self._search.cells.get(cell, NOTHING)
            return Capped(amounts[number])
        if self._caps is None:
            return Capped(0)
        return self._caps.of_all(number) if cell is None else self._caps.of_cell(cell, number)


def _exposure(options: Options, amounts: _Amounts, cell: int | None) -> Exposure:
    symbol, side = (None, None) if cell is None else cell_name(options, cell)
    return Exposure(
        instrument=symbol,
        side=None if side is None else SIDES[side],
        orders=amounts.figure(cell, ORDERS),
        qty=amounts.figure(cell, QTY),
        notional=amounts.figure(cell, LIMIT_MONEY, options.places),
        market_orders=amounts.figure(cell, MARKETS),
        market_notional=amounts.figure(cell, MARKET_MONEY, options.places),
        unpriced=amounts.unpriced.total() if cell is None else amounts.unpriced[cell],
    )
