# SPDX-License-Identifier: Apache-2.0
"""The worst case of a small strategy under its limits: every admissible set of orders is tried."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import comb

from fixaccel.exposure.options import Options
from fixaccel.language.rules import NO_GROUP, Limits

MOST_SETS = 20_000
_MOST_TIMES = 8

# Of a cell: orders, quantity, money of limit orders, market orders, money of market orders.
Amounts = tuple[int, int, int, int, int]
NOTHING: Amounts = (0, 0, 0, 0, 0)


@dataclass
class _Part:
    """What one part can send."""

    index: int
    group: int
    parents: tuple[range, ...] | None
    sends: list[tuple[int, ...]]  # sets of rows of the options, the empty one first


@dataclass
class Found:
    """Highest amounts by cell, and over all cells."""

    cells: dict[int, Amounts] = field(default_factory=dict)
    total: Amounts = NOTHING


def searched(options: Options, limits: Limits) -> Found | None:
    """The amounts; None if there are too many sets to try."""
    parts = _parts(options)
    if parts is None:
        return None
    found = Found()
    for rows in _sets(parts, options, limits):
        _keep(rows, options, found)
    return found


def _parts(options: Options) -> list[_Part] | None:
    rows: dict[int, list[int]] = {}
    if len(options) > MOST_SETS:
        return None
    for row, index in enumerate(options.part.tolist()):
        rows.setdefault(index, []).append(row)
    sets = 1
    for own in rows.values():
        times = int(options.times[own[0]])
        sets *= comb(len(own) + times, times) if times <= _MOST_TIMES else MOST_SETS + 1
        if sets > MOST_SETS:
            return None
    above = {index: link.parents for link in options.links for index in range(link.first, link.stop) if index in rows}
    order = {index: place for place, index in enumerate(above)}
    return [
        _Part(index, int(options.group[own[0]]), above.get(index), _sends(own, int(options.times[own[0]])))
        for index, own in sorted(rows.items(), key=lambda one: order.get(one[0], -1))
    ]


def _sends(rows: list[int], times: int) -> list[tuple[int, ...]]:
    return [send for count in range(times + 1) for send in combinations_with_replacement(rows, count)]


def _sets(parts: list[_Part], options: Options, limits: Limits) -> Iterator[list[int]]:
    """Sets of rows that can all be sent. Parts come after those that arm them."""
    most = limits.total_orders
    totals: dict[int, int] = {}
    for cell in set(options.cell.tolist()):
        limit = limits.total_qty.get(options.symbols[cell // 2])
        if limit is not None:
            totals[cell] = limit

    def extend(at: int, rows: list[int], sent: list[int], groups: set[int]) -> Iterator[list[int]]:
        if at == len(parts):
            yield rows
            return
        part = parts[at]
        yield from extend(at + 1, rows, sent, groups)
        if part.group != NO_GROUP and part.group in groups:
            return
        if part.parents is not None and not any(index in one for index in sent for one in part.parents):
            return
        inside = groups if part.group == NO_GROUP else groups | {part.group}
        for send in part.sends[1:]:
            more = [*rows, *send]
            if most is not None and len(more) > most:
                continue
            if all(sum(int(options.qty[row]) for row in more if options.cell[row] == cell) <= limit
                   for cell, limit in totals.items()):  # fmt: skip
                yield from extend(at + 1, more, [*sent, part.index], inside)

    return extend(0, [], [], set())


def _keep(rows: list[int], options: Options, found: Found) -> None:
    cells: dict[int, Amounts] = {}
    for row in rows:
        cell, market, money = int(options.cell[row]), bool(options.market[row]), int(options.money[row])
        one = (1, int(options.qty[row]), 0 if market else money, int(market), money if market else 0)
        cells[cell] = _plus(cells.get(cell, NOTHING), one)
    total = NOTHING
    for cell, amounts in cells.items():
        total = _plus(total, amounts)
        found.cells[cell] = _higher(found.cells.get(cell, NOTHING), amounts)
    found.total = _higher(found.total, total)


def _plus(one: Amounts, other: Amounts) -> Amounts:
    a, b, c, d, e = (x + y for x, y in zip(one, other, strict=True))
    return a, b, c, d, e


def _higher(one: Amounts, other: Amounts) -> Amounts:
    a, b, c, d, e = (max(x, y) for x, y in zip(one, other, strict=True))
    return a, b, c, d, e
