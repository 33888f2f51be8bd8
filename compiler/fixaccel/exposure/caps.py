# SPDX-License-Identifier: Apache-2.0
"""The worst case under limits on totals: each figure's maximum, or a bound that is easily seen to hold."""

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TypeAlias

import numpy as np

from fixaccel.exposure.options import Numbers, Options
from fixaccel.exposure.search import NOTHING
from fixaccel.exposure.sums import Sums
from fixaccel.language.codes import Units
from fixaccel.language.rules import Limits

# Bits that are shifted to find which quantities can be reached.
_MOST_BITS = 1 << 28

# Of each part of a unit how often it can be sent, and the quantities of its orders.
Choice: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]

ORDERS, QTY, LIMIT_MONEY, MARKETS, MARKET_MONEY = range(5)
_IS_COUNT = {ORDERS, MARKETS}


@dataclass(frozen=True)
class Capped:
    """An amount, and why it is only a bound; empty where it is exact."""

    amount: int
    doubt: str = ""


class Caps:
    """Amounts of ``options``, whose highest without limits are ``found``, under ``limits``."""

    def __init__(self, options: Options, found: Sums, limits: Limits) -> None:
        self._options = options
        self._found = found
        self._orders = limits.total_orders
        self._binds = limits.total_orders is not None and found.total[ORDERS] > limits.total_orders
        self._limits = limits
        self._linked = bool(options.links)
        self._plain = options.plain

    @cached_property
    def bind(self) -> bool:
        """Whether any limit makes a difference."""
        return self._binds or any(self._most_qty(cell) is not None for cell in self._found.cells)

    def of_cell(self, cell: int, number: int) -> Capped:
        """One amount of one instrument and side."""
        whole, most = self._found.cells.get(cell, NOTHING)[number], self._most_qty(cell)
        if not self.bind or not whole:
            return Capped(whole)
        rows = self._options.rows(self._options.cell == cell)
        count = self._orders if self._binds else None
        if most is not None and (rows.qty == rows.qty[0]).all():
            # A limit on the quantity is one on the number of orders where all are of one size.
            count, most = min(most // int(rows.qty[0]), count or most), None
        value, doubt = whole, ""
        if most is not None:
            value, doubt = self._within_qty(rows, number, whole, most)
        if count is not None:
            value = min(value, _within_orders(rows, number, count))
            if self._found.cells[cell][ORDERS] > count:
                doubt = doubt or self._uneven(rows, number)
            if most is not None and number not in _IS_COUNT:
                # Fewer orders than the one limit lets pass fit the other; sums may need other orders for each.
                doubt = doubt or "both limits on totals"
        return Capped(value, doubt or self._link_doubt())

    def of_all(self, number: int) -> Capped:
        """One amount over all instruments and sides."""
        whole = self._found.total[number]
        if not self.bind or not whole:
            return Capped(whole)
        value, doubt = whole, ""
        capped = any(self._most_qty(cell) is not None for cell in self._found.cells)
        if capped:
            cells = [self.of_cell(cell, number) for cell in self._found.cells]
            value = min(whole, sum(one.amount for one in cells))
            doubt = next((one.doubt for one in cells if one.doubt), "")
            doubt = doubt or ("" if self._plain else "groups or decisions over several sides")
        if self._binds:
            assert self._orders is not None
            value = min(value, _within_orders(self._options, number, self._orders))
            doubt = doubt or self._uneven(self._options, number)
            if capped and number not in _IS_COUNT:
                doubt = doubt or "both limits on totals"
        if number == ORDERS and not capped:
            return Capped(value)  # the first so many of all that can be sent
        return Capped(value, doubt or self._link_doubt())

    def _link_doubt(self) -> str:
        # Where a limit takes something away, what arms the rest may need some of what is left.
        return "rules that arm others take a share of the limit" if self._linked else ""

    def _most_qty(self, cell: int) -> int | None:
        """The limit on the quantity of a cell, None where there is none or it makes no difference."""
        most = self._limits.total_qty.get(self._options.symbols[cell // 2])
        return most if most is not None and self._found.cells.get(cell, NOTHING)[QTY] > most else None

    def _uneven(self, rows: Options, number: int) -> str:
        """Units whose members can be sent differently often are not simply counted."""
        if number in _IS_COUNT or self._plain:
            return ""
        order = np.argsort(rows.unit, kind="stable")
        begins = np.flatnonzero(np.append(True, rows.unit[order][1:] != rows.unit[order][:-1]))
        times = rows.times[order]
        even = np.maximum.reduceat(times, begins) == np.minimum.reduceat(times, begins)
        return "" if even.all() else "members of an `oco` group that can be sent differently often"

    def _within_qty(self, rows: Options, number: int, whole: int, most: int) -> tuple[int, str]:
        alone = "" if self._plain else "members of an `oco` group or of a decision with different orders"
        if number == QTY:
            reached = _reachable(rows, most)
            doubt = "too many different quantities" if reached is None else ""
            return min(whole, most if reached is None else reached), doubt
        if number in _IS_COUNT:
            kept = rows.rows(rows.market) if number == MARKETS else rows
            return min(whole, _fewest(kept, most)), alone
        bound = _fractional(rows, _single(rows, number), most)
        return min(whole, bound), "the best mix of orders within a quantity was not searched"


def _within_orders(rows: Options, number: int, count: int) -> int:
    """The highest amounts of ``count`` orders, of each unit those of its best member."""
    value = _single(rows, number)
    order = np.argsort(rows.unit, kind="stable")
    begins = np.flatnonzero(np.append(True, rows.unit[order][1:] != rows.unit[order][:-1]))
    best = np.maximum.reduceat(value[order], begins)
    times = np.maximum.reduceat(rows.times[order], begins)
    return _highest(best, times, count)


def _single(rows: Options, number: int) -> Numbers:
    """What one sending of each row adds."""
    if number in _IS_COUNT:
        return rows.market.astype(np.int64) if number == MARKETS else np.ones(len(rows), np.int64)
    if number == QTY:
        return rows.qty
    return np.where(rows.market == (number == MARKET_MONEY), rows.money, 0)


def _highest(value: Numbers, times: Units, count: int) -> int:
    order = np.argsort(-value, kind="stable")
    upto = np.cumsum(np.minimum(times[order], count))
    taken = np.clip(count - (upto - np.minimum(times[order], count)), 0, np.minimum(times[order], count))
    return sum(int(one) * int(many) for one, many in zip(value[order], taken, strict=True) if many)


def _fewest(rows: Options, most: int) -> int:
    """How many orders fit into a quantity, smallest first."""
    left, count = most, 0
    order = np.argsort(rows.qty, kind="stable")
    for qty, times in zip(rows.qty[order].tolist(), rows.times[order].tolist(), strict=True):
        fit = min(times, left // qty)
        count, left = count + fit, left - fit * qty
        if fit < times:
            break
    return count


def _fractional(rows: Options, value: Numbers, most: int) -> int:
    """Money within a quantity if orders could be divided, rounded up: the dearest first."""
    whole = [(int(one), int(qty), int(times)) for one, qty, times in zip(value, rows.qty, rows.times, strict=True)]
    whole.sort(key=lambda row: -row[0] / row[1])
    left, total = most, 0
    for one, qty, times in whole:
        fit = min(times, left // qty)
        total, left = total + fit * one, left - fit * qty
        if fit < times:
            return total - (-one * left // qty)
    return total


def _reachable(rows: Options, most: int) -> int | None:
    """The highest sum of quantities up to ``most``, of one part of each unit; None if that takes too long."""
    step = gcd(*rows.qty.tolist(), 0)
    limit = most // step
    order = np.argsort(rows.unit, kind="stable")
    begins = np.flatnonzero(np.append(True, rows.unit[order][1:] != rows.unit[order][:-1]))
    single = np.diff(np.append(begins, len(order))) == 1
    choices = _single_choices(rows, order[begins[single]], step, limit)
    for unit in np.split(order, begins[1:]) if not single.all() else []:
        if len(unit) > 1:
            choices.append(_choice(rows, unit, step, limit))
    if sum(_shifts(choice) for choice in choices) * limit > _MOST_BITS:
        return None
    mask, reached = (1 << (limit + 1)) - 1, 1
    for choice in choices:
        reached = _extended(reached, choice, mask)
    return (reached.bit_length() - 1) * step


def _single_choices(rows: Options, single: Units, step: int, limit: int) -> list[Choice]:
    """Units of one row: several that are the same are one that can be sent more often."""
    pairs = np.stack([rows.qty[single] // step, np.minimum(rows.times[single], limit)])
    kinds, counts = np.unique(pairs, axis=1, return_counts=True)
    kept = zip(kinds[0].tolist(), kinds[1].tolist(), counts.tolist(), strict=True)
    return [((min(times * count, limit), (qty,)),) for qty, times, count in kept]


def _choice(rows: Options, unit: Units, step: int, limit: int) -> Choice:
    sizes: dict[int, tuple[int, set[int]]] = {}
    for row in unit.tolist():
        own = sizes.setdefault(int(rows.part[row]), (min(int(rows.times[row]), limit), set()))
        own[1].add(int(rows.qty[row]) // step)
    return tuple((times, tuple(sorted(quantities))) for times, quantities in sizes.values())


def _shifts(choice: Choice) -> int:
    return sum(times.bit_length() if len(sizes) == 1 else times * len(sizes) for times, sizes in choice)


def _extended(reached: int, choice: Choice, mask: int) -> int:
    """Sums that can be reached with one of the parts, bits of them."""
    found = reached
    for times, sizes in choice:
        own, left, size = reached, times, 1
        while left and len(sizes) == 1:
            take = min(size, left)
            own |= (own << (sizes[0] * take)) & mask
            left, size = left - take, size * 2
        for _ in range(left):
            before = own
            for quantity in sizes:
                own |= (before << quantity) & mask
        found |= own
    return found
