# SPDX-License-Identifier: Apache-2.0
"""What a picture of a strategy shows, before it is drawn: lanes along the price axis of each instrument.

Prices are floats here: a picture has pixels, not ticks.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fixaccel.explain.words import orders_text, sentence
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES
from fixaccel.language.forms import Decision, Trail, Triggers
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Direction, Instrument, OrderType, Side, Source

Prices = npt.NDArray[np.float64]

# More lanes than this are not read one by one: they are put together by source, direction and side.
MOST_LANES = 40


def _nothing() -> Prices:
    return np.zeros(0)


@dataclass(frozen=True)
class Band:
    """An interval of a decision. ``weight`` is its quantity's share of the largest, above 0 to 1."""

    low: float
    high: float
    side: Side
    weight: float
    text: str


@dataclass(frozen=True, eq=False)
class Lane:
    """One line of the picture: thresholds of one direction and side, a decision or a trail."""

    label: str
    side: Side | None  # None: a decision, whose intervals have their own
    title: str  # all of it in words
    source: Source
    direction: Direction | None = None
    prices: Prices = field(default_factory=_nothing)
    limits: Prices = field(default_factory=_nothing)  # of each threshold's order, NaN at market
    bands: tuple[Band, ...] = ()
    follows: str = ""  # of a trail: how

    @property
    def middle(self) -> float:
        """By which lanes are sorted."""
        if self.bands:
            return (self.bands[0].low + self.bands[-1].high) / 2
        return float(self.prices.mean()) if len(self.prices) else -math.inf


@dataclass(frozen=True, eq=False)
class Chart:
    """The price axis of one instrument, from ``low`` to ``high``; both 0 if nothing has a price yet."""

    symbol: str
    lanes: tuple[Lane, ...]
    rules: int
    parts: int
    low: float
    high: float

    def at(self, price: float) -> float:
        """Where a price lies between the ends, 0 to 1; prices beyond them lie at the end."""
        if self.high <= self.low:
            return 0.0
        return min(max((price - self.low) / (self.high - self.low), 0.0), 1.0)


def charts(strategy: Strategy, blocks: Sequence[Block] | None = None) -> list[Chart]:
    """One for each instrument that has rules, in the venue's order; ``blocks``: only these rules."""
    chosen = strategy.blocks if blocks is None else blocks
    by_symbol: dict[str, list[Block]] = {symbol: [] for symbol in strategy.venue.instruments}
    for block in chosen:
        by_symbol[block.instrument.symbol].append(block)
    return [_chart(symbol, members) for symbol, members in by_symbol.items() if members]


def _chart(symbol: str, blocks: list[Block]) -> Chart:
    lanes = [lane for block in blocks for lane in _lanes(block)]
    if len(lanes) > MOST_LANES:
        lanes = _merged(lanes)
    sides = {Side.BUY: 0, None: 1, Side.SELL: 2}
    lanes.sort(key=lambda lane: (sides[lane.side], -lane.middle))
    low, high = _range(lanes)
    return Chart(symbol, tuple(lanes), len(blocks), sum(len(block) for block in blocks), low, high)


def _lanes(block: Block) -> Iterator[Lane]:
    rows = np.arange(len(block), dtype=np.int64)
    match block.form:
        case Triggers() as triggers:
            yield from _thresholds(block, triggers)
        case Decision() as decision:
            bands = _bands(decision, block.instrument)
            yield Lane(block.id, None, sentence(block, rows), decision.source, bands=bands)
        case Trail() as trail:
            start, order = trail.activate, trail.orders[0]
            begin = [] if start is None else [start.threshold]
            extreme = f"{'below the highest' if order.side is Side.SELL else 'above the lowest'} {trail.source.value}"
            yield Lane(
                block.id, order.side, sentence(block, rows), trail.source,
                direction=start.direction if start else None,
                prices=_floats(np.array(begin, np.int64), start.source if start else trail.source, block.instrument),
                limits=np.full(len(begin), np.nan),
                follows=f"{trail.by.text} {extreme}" + (f", from {start.text} on" if start else ""),
            )  # fmt: skip


def _thresholds(block: Block, triggers: Triggers) -> Iterator[Lane]:
    kinds = np.stack([triggers.source, triggers.direction, triggers.orders.side], axis=1)
    found = np.unique(kinds, axis=0).tolist()
    for source, direction, side in found:
        rows = np.flatnonzero(np.all(np.equal(kinds, (source, direction, side)), axis=1)).astype(np.int64)
        count = f" ({len(rows):,})" if len(rows) > 1 else ""
        kind = f" {SOURCES[source].value} {DIRECTIONS[direction].value}" if len(found) > 1 else ""
        limits = _floats(triggers.orders.price[rows], Source.LAST, block.instrument)
        limits[triggers.orders.type[rows] != ORDER_TYPES.index(OrderType.LIMIT)] = np.nan
        yield Lane(
            block.id + kind + count,
            SIDES[side],
            sentence(block, rows),
            SOURCES[source],
            DIRECTIONS[direction],
            _floats(triggers.threshold[rows], SOURCES[source], block.instrument),
            limits,
        )


def _floats(units: npt.NDArray[np.int64], source: Source, instrument: Instrument) -> Prices:
    unit = float(instrument.unit) / (2 if source is Source.MID else 1)
    found: Prices = units.astype(np.float64) * unit
    return found


def _bands(decision: Decision, instrument: Instrument) -> tuple[Band, ...]:
    if not len(decision.low):
        return ()
    low, high = (_floats(ends, decision.source, instrument) for ends in (decision.low, decision.high))
    most = int(decision.orders.qty.max())
    return tuple(
        Band(
            float(low[row]), float(high[row]), SIDES[decision.orders.side[row]], int(decision.orders.qty[row]) / most,
            f"{low[row]:g} to {high[row]:g}: {orders_text(decision.orders, np.array([row], np.int64), instrument)}",
        )
        for row in range(len(low))
    )  # fmt: skip


def _merged(lanes: list[Lane]) -> list[Lane]:
    """Thresholds put together by source, direction and side; decisions and trails stay, as many as may."""
    groups: dict[tuple[Source, Direction, Side], list[Lane]] = {}
    others = []
    for lane in lanes:
        if lane.direction is None or lane.side is None or lane.follows:
            others.append(lane)
        else:
            groups.setdefault((lane.source, lane.direction, lane.side), []).append(lane)
    merged = []
    for (source, direction, side), members in groups.items():
        prices, limits = (np.concatenate([getattr(m, name) for m in members]) for name in ("prices", "limits"))
        label = f"{source.value} {direction.value} ({len(prices):,})"
        title = f"{len(members):,} rules with {len(prices):,} thresholds"
        merged.append(Lane(label, side, title, source, direction, prices, limits))
    return [*merged, *others[:MOST_LANES]]


def _range(lanes: Sequence[Lane]) -> tuple[float, float]:
    """Ends of the axis: all thresholds and intervals, and the limit prices that lie near them."""
    points = [lane.prices for lane in lanes]
    points += [np.array([(band.low, band.high) for band in lane.bands]).ravel() for lane in lanes if lane.bands]
    fixed = np.concatenate(points) if points else np.zeros(0)
    if not len(fixed):
        return 0.0, 0.0
    low, high = float(fixed.min()), float(fixed.max())
    reach = max(high - low, abs(high) * 0.1, 1e-9)
    limits = np.concatenate([lane.limits for lane in lanes])
    near = limits[np.isfinite(limits) & (limits >= low - reach) & (limits <= high + reach)]
    if len(near):
        low, high = min(low, float(near.min())), max(high, float(near.max()))
    margin = max((high - low) * 0.1, abs(high) * 1e-3, 1e-9)
    return low - margin, high + margin


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers along the axis: 1, 2 or 5 times a power of ten apart, about ``most``; none on an empty axis."""
    if high <= low:
        return []
    rough = (high - low) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [number * step for number in range(first, last + 1)]


def tick_text(value: float, step: float) -> str:
    """A number of the axis with the decimals that its step needs."""
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{value:,.{places}f}" if value else "0"
