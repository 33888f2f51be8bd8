# SPDX-License-Identifier: Apache-2.0
"""Where the orders of each block can be fired, and at what price they trade: both ends, in units that all files share.

A block may have a million rows of which a few matter: of those that agree in all but the price the one that reaches
furthest stands for them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from fixaccel.desk.members import Member
from fixaccel.image.parts import rests
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES, Codes, Units
from fixaccel.language.forms import At, Decision, Form, Trail, Triggers
from fixaccel.language.rules import Block
from fixaccel.language.terms import Direction, Instrument, OrderType, Side, Source
from fixaccel.source import Span
from fixaccel.tick_arrays import Flags
from fixaccel.values import scaled

_MID = SOURCES.index(Source.MID)
DOWN = DIRECTIONS.index(Direction.LE)
MARKET = ORDER_TYPES.index(OrderType.MARKET)
ANY = float("inf")

# Intervals of one decision that are looked at for each side: the widest.
INTERVALS = 64

Factors: TypeAlias = Mapping[tuple[int, str], int]


@dataclass(frozen=True, slots=True)
class Sent:
    """An order of one part of one strategy."""

    member: Member
    block: Block
    row: int
    side: Side

    @property
    def name(self) -> str:
        """The part."""
        return self.block.name(0 if isinstance(self.block.form, Decision) else self.row)

    @property
    def place(self) -> Span:
        """Where it is written."""
        return self.block.place(0 if isinstance(self.block.form, Decision) else self.row)


@dataclass(frozen=True, slots=True)
class Reach(Sent):
    """Prices of ``source`` at which it is sent, both ends; without one the second of the day."""

    source: Source | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trading(Sent):
    """Its price at the venue; a market order takes any, and an order may rest there."""

    price: float
    market: bool
    rests: bool


def factors(members: Sequence[Member]) -> Factors:
    """Common units in a price unit of each member's instrument, by its number and the symbol."""
    places: dict[str, int] = {}
    instruments: dict[tuple[int, str], Instrument] = {}
    for member in members:
        for block in member.strategy.blocks:
            one = block.instrument
            instruments[member.number, one.symbol] = one
            places[one.symbol] = max(places.get(one.symbol, 0), one.ticks.places)
    return {key: scaled(one.unit, places[one.symbol]) or 1 for key, one in instruments.items()}


def reaches(member: Member, factor: Factors) -> Iterator[Reach]:
    """Those of all blocks of a member."""
    for block in member.strategy.blocks:
        scale = factor[member.number, block.instrument.symbol]
        match block.form:
            case Triggers():
                yield from _of_triggers(member, block, block.form, scale)
            case Decision():
                for row in _widest(block.form):
                    low, high = float(block.form.low[row]) * scale, float(block.form.high[row]) * scale
                    side = SIDES[block.form.orders.side[row]]
                    yield Reach(member, block, row, side, block.form.source, low, high)
            case At():
                second = float(block.form.second)
                yield Reach(member, block, 0, block.form.orders[0].side, None, second, second)
            case Trail():
                yield Reach(member, block, 0, block.form.orders[0].side, block.form.source, -ANY, ANY)


def _of_triggers(member: Member, block: Block, form: Triggers, scale: int) -> Iterator[Reach]:
    down = form.direction == DOWN
    for row in _furthest((form.source, form.orders.side, form.direction), np.where(down, -1, 1) * form.threshold):
        threshold = float(form.threshold[row]) * scale
        low, high = (-ANY, threshold) if down[row] else (threshold, ANY)
        yield Reach(member, block, row, SIDES[form.orders.side[row]], SOURCES[form.source[row]], low, high)


def _widest(form: Decision) -> list[int]:
    found: list[int] = []
    for number in range(len(SIDES)):
        rows = np.flatnonzero(form.orders.side == number)
        found += rows[np.argsort(form.low[rows] - form.high[rows], kind="stable")][:INTERVALS].tolist()
    return found


def trading(member: Member, factor: Factors) -> Iterator[Trading]:
    """For each block and side the market order, and of limit orders the dearest buy or cheapest sell of each kind."""
    for block in member.strategy.blocks:
        orders = block.form.orders
        if orders.ticks is not None and orders.type[0] != MARKET:
            continue  # it follows a trail
        scale = factor[member.number, block.instrument.symbol]
        market = orders.type == MARKET
        buy = orders.side == SIDES.index(Side.BUY)
        kept = rests(orders.type, orders.envelope, orders.envelopes) & ~_trades_at_once(block.form, buy)
        better = np.where(market, 0, np.where(buy, -orders.price, orders.price))
        for row in _furthest((orders.side, market.astype(np.uint8), kept.astype(np.uint8)), better):
            side = SIDES[orders.side[row]]
            price = (ANY if side is Side.BUY else -ANY) if market[row] else float(orders.price[row]) * scale
            yield Trading(member, block, row, side, price, bool(market[row]), bool(kept[row]))


def _trades_at_once(form: Form, buy: Flags) -> Flags:
    """Limit prices beyond the trigger: such an order is meant to trade when it is sent, not to rest."""
    price = form.orders.price
    if isinstance(form, Triggers):
        own = np.where(form.source == _MID, 2, 1) * price
        return np.where(buy, own > form.threshold, own < form.threshold)
    if isinstance(form, Decision):
        scale = 2 if form.source is Source.MID else 1
        return np.where(buy, scale * price > form.high, scale * price < form.low)
    return np.zeros(len(price), np.bool_)


def _furthest(kinds: tuple[Codes, ...], reach: Units) -> list[int]:
    """Of the rows that agree in all of ``kinds`` the one with the lowest ``reach``."""
    keys: list[Codes | Units] = [reach, *kinds]
    order = np.lexsort(keys)
    begins = np.append(True, np.zeros(max(len(order) - 1, 0), np.bool_))[: len(order)]
    for kind in kinds:
        begins[1:] |= kind[order][1:] != kind[order][:-1]
    rows: list[int] = order[begins].tolist()
    return rows
