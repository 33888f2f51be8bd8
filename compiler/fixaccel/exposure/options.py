# SPDX-License-Identifier: Apache-2.0
"""Every order that a strategy can send, a row each: what the worst case is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fixaccel.language.codes import ORDER_TYPES, SIDES, SOURCES, Units
from fixaccel.language.forms import At, Decision, Trail, Triggers
from fixaccel.language.rules import NO_GROUP, Block, Limits, Strategy
from fixaccel.language.terms import OrderType, Source
from fixaccel.tick_arrays import Flags
from fixaccel.values import decimal_places, scaled

Numbers = npt.NDArray[np.int64] | npt.NDArray[np.object_]

_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_MID = SOURCES.index(Source.MID)
_SAFE = 2.0**62


@dataclass(frozen=True)
class Link:
    """Parts ``first`` to ``stop`` are armed by any of ``parents``; links stand parents first."""

    first: int
    stop: int
    parents: tuple[range, ...]


@dataclass(frozen=True, eq=False)
class Options:
    """A row for each order that a part can send, in the order of the parts; a decision has several.

    Cells are instrument x 2 + side.
    ``money`` is qty x abs(price) x multiplier in 10^-places of the venue's currency, 0 for ``unpriced`` rows.
    """

    part: Units
    cell: Units
    market: Flags
    unpriced: Flags
    qty: Units
    money: Numbers
    times: Units  # how often the row's part can be sent
    group: Units  # of the row's part
    filled: Flags  # `qty: filled`: counted as all that its parents can fill
    symbols: tuple[str, ...]
    places: int
    links: tuple[Link, ...]
    parts: int  # of the whole strategy

    def __len__(self) -> int:
        return len(self.part)

    def rows(self, kept: Flags) -> "Options":
        """Some of the rows."""
        names = ("part", "cell", "market", "unpriced", "qty", "money", "times", "group", "filled")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def possible(self, limits: Limits) -> "Options":
        """Without orders that a total would never let pass, and without parts that nothing can arm."""
        most = np.array([limits.total_qty.get(symbol, np.iinfo(np.int64).max) for symbol in self.symbols], np.int64)
        kept = self.rows(self.qty <= most[self.cell // 2]) if len(self) else self
        alive = kept.armed(np.bincount(kept.part, minlength=self.parts).astype(np.bool_))
        links = tuple(link for link in self.links if alive[link.first : link.stop].any())
        return replace(kept.rows(alive[kept.part]), links=links)

    def armed(self, fires: Flags) -> Flags:
        """Of parts that may fire those that are armed at load or by one of them."""
        alive = fires.copy()
        for link in self.links:
            if not any(alive[one.start : one.stop].any() for one in link.parents):
                alive[link.first : link.stop] = False
        return alive

    @cached_property
    def unit(self) -> Units:
        """What is sent at most once, re-armings apart: the group, or the part where it has none."""
        return np.where(self.group == NO_GROUP, self.part, self.parts + self.group)

    @cached_property
    def plain(self) -> bool:
        """Whether each unit has one row only."""
        grouped = self.group[self.group != NO_GROUP]
        return bool((self.part[1:] != self.part[:-1]).all()) and len(np.unique(grouped)) == len(grouped)

    def cells_in_order(self) -> Units:
        """The cells that have orders, in the order of the parts."""
        cells, first = np.unique(self.cell, return_index=True)
        found: Units = cells[np.argsort(first)]
        return found


def product(one: Numbers, other: Numbers, count: int) -> Numbers:
    """Row by row, so that the sum of ``count`` of them is exact."""
    if not len(one):
        return np.zeros(0, np.int64)
    most = float(np.abs(one).max()) * float(np.abs(other).max()) * max(count, 1)
    if most < _SAFE:
        return (one * other).astype(np.int64)
    exact: npt.NDArray[np.object_] = one.astype(object) * other.astype(object)
    return exact


def options_of(strategy: Strategy) -> Options:
    """All orders of all parts."""
    blocks = strategy.blocks
    symbols = list(dict.fromkeys(block.instrument.symbol for block in blocks))
    number = {symbol: place for place, symbol in enumerate(symbols)}
    lengths = [len(block.form.orders) for block in blocks]
    count = sum(lengths)
    part = _joined([_parts(block) for block in blocks])
    side = _joined([block.form.orders.side for block in blocks]).astype(np.int64)
    links = _links(blocks)
    qty = _quantities(blocks, links, part)
    market = _joined([block.form.orders.type for block in blocks]) == _MARKET
    unpriced = np.repeat([_is_unpriced(block) for block in blocks], lengths)
    halves = product(_joined([_half_prices(block) for block in blocks]), qty, count)
    factors, places = _factors(blocks)
    money = product(halves, factors[np.repeat(np.arange(len(blocks)), lengths)], count)
    money = np.where(market, np.minimum(money, np.repeat(_caps(strategy, money, places), lengths)), money)
    groups = [np.full(len(block), NO_GROUP, np.int32) if block.oco is None else block.oco for block in blocks]
    group = _joined([one[_rows(block)] for block, one in zip(blocks, groups, strict=True)])
    return Options(
        part=part,
        cell=np.repeat([2 * number[block.instrument.symbol] for block in blocks], lengths).astype(np.int64) + side,
        market=market,
        unpriced=unpriced.astype(np.bool_),
        qty=qty,
        money=np.where(unpriced, 0, money),
        times=np.repeat([1 + (block.rearm.times if block.rearm else 0) for block in blocks], lengths).astype(np.int64),
        group=group.astype(np.int64),
        symbols=tuple(symbols),
        places=places,
        filled=np.repeat([block.form.orders.filled for block in blocks], lengths).astype(np.bool_),
        links=links,
        parts=len(strategy.rules),
    )


def cell_name(options: Options, cell: int) -> tuple[str, int]:
    """Symbol and side of a cell."""
    return options.symbols[cell // len(SIDES)], cell % len(SIDES)


def _joined(columns: Sequence[npt.NDArray[np.generic]]) -> npt.NDArray[np.int64]:
    return np.concatenate([column.astype(np.int64) for column in columns]) if columns else np.zeros(0, np.int64)


def _rows(block: Block) -> Units:
    """Row of the block's part that each order belongs to."""
    if isinstance(block.form, Decision):
        return np.zeros(len(block.form.orders), np.int64)
    return np.arange(len(block), dtype=np.int64)


def _parts(block: Block) -> Units:
    return block.first + _rows(block)


def _is_unpriced(block: Block) -> bool:
    form = block.form
    return isinstance(form, Trail | At) and (form.orders.type[0] == _MARKET or form.orders.ticks is not None)


def _quantities(blocks: Sequence[Block], links: Sequence[Link], part: Units) -> Units:
    """Of each order; of `qty: filled` all that its parents can fill, one of each of their groups."""
    qty = _joined([block.form.orders.qty for block in blocks])
    if not any(block.form.orders.filled for block in blocks):
        return qty
    by_first = {block.first: block for block in blocks}
    times = np.repeat([1 + (block.rearm.times if block.rearm else 0) for block in blocks], [len(one) for one in blocks])
    groups = np.concatenate([np.full(len(one), NO_GROUP, np.int32) if one.oco is None else one.oco for one in blocks])
    for link in links:  # parents first
        block = by_first[link.first]
        if not block.form.orders.filled:
            continue
        most = np.zeros(len(times), np.int64)
        np.maximum.at(most, part, qty)
        most *= times
        above = np.unique(np.concatenate([np.arange(one.start, one.stop) for one in link.parents]))
        total = int(most[above][groups[above] == NO_GROUP].sum())
        for group in np.unique(groups[above][groups[above] != NO_GROUP]).tolist():
            total += int(most[above][groups[above] == group].max())
        lot = block.instrument.lot
        qty[(part >= link.first) & (part < link.stop)] = max(total // lot, 1) * lot
    return qty


def _half_prices(block: Block) -> Units:
    """The price that an order counts at, in half units, without its sign."""
    form, orders = block.form, block.form.orders
    if isinstance(form, Triggers):
        trigger = np.where(form.source == _MID, 1, 2) * form.threshold
    elif isinstance(form, Decision):
        scale = 1 if form.source is Source.MID else 2
        trigger = scale * np.maximum(np.abs(form.low), np.abs(form.high))
    else:
        trigger = np.zeros(1, np.int64)
    halves: Units = np.abs(np.where(orders.type == _MARKET, trigger, 2 * orders.price))
    return halves


def _factors(blocks: Sequence[Block]) -> tuple[Numbers, int]:
    """Money of one half unit of each block's instrument, in 10^-places, and the places."""
    with localcontext(prec=200):
        worth = [block.instrument.unit * block.instrument.multiplier / 2 for block in blocks]
        places = max((decimal_places(one) for one in worth), default=0)
        whole = [scaled(one, places) or 0 for one in worth]
    small = all(one < 2**62 for one in whole)
    return np.array(whole, np.int64 if small else object), places


def _caps(strategy: Strategy, money: Numbers, places: int) -> Numbers:
    """What `order_notional` lets a market order of each block come to, in 10^-places, at most the most of ``money``."""
    most = max(money.tolist(), default=0)
    caps = []
    for block in strategy.blocks:
        owners = (strategy.limits, block.limits)
        limits = [one.order_notional for one in owners if one and one.order_notional is not None]
        ratios = (limit.as_integer_ratio() for limit in limits)
        caps.append(min([most, *(above * 10**places // below for above, below in ratios)]))
    return np.array(caps, np.int64 if money.dtype == np.int64 else object)


def _links(blocks: Sequence[Block]) -> tuple[Link, ...]:
    links = {
        block.first: Link(block.first, block.first + len(block), block.parents)
        for block in blocks
        if block.parents is not None
    }
    # Parents first: a part is armed only if what arms it is.
    starts = sorted(links)
    depth: dict[int, int] = {}
    for start in starts:
        path = [start]
        while path[-1] not in depth:
            above = [one for parent in links[path[-1]].parents for one in _starts_in(parent, starts, links)]
            waiting = [one for one in above if one not in depth]
            if waiting:
                path.append(waiting[0])
                continue
            depth[path[-1]] = 1 + max((depth[one] for one in above), default=0)
            if len(path) > 1:
                path.pop()
    return tuple(links[start] for start in sorted(starts, key=lambda start: (depth[start], start)))


def _starts_in(parent: range, starts: Sequence[int], links: dict[int, Link]) -> list[int]:
    """Links that hold parts of ``parent``."""
    first = int(np.searchsorted(starts, parent.start, "right")) - 1
    last = int(np.searchsorted(starts, parent.stop - 1, "right"))
    return [start for start in starts[max(first, 0) : last] if links[start].stop > parent.start]


def money_of(amount: int, places: int) -> Decimal:
    """An amount of `Options.money` as a decimal."""
    with localcontext(prec=200):
        return Decimal(amount).scaleb(-places)
