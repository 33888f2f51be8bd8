# SPDX-License-Identifier: Apache-2.0
"""Conditions and orders of one or many parts in words."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES
from fixaccel.language.forms import At, Decision, Trail, Triggers, price_text
from fixaccel.language.orders import Orders
from fixaccel.language.rules import Block
from fixaccel.language.terms import Direction, Instrument, OrderType, Side, Source, TimeInForce
from fixaccel.semantics.calendar import time_text

Rows: TypeAlias = npt.NDArray[np.int64]

MOST_INTERVALS = 8

NOUNS = {Source.LAST: "last price", Source.BID: "bid", Source.ASK: "ask", Source.MID: "mid"}
_BEYOND = {Direction.LE: "at or below", Direction.GE: "at or above"}


def sentence(block: Block, rows: Rows) -> str:
    """What these parts of a block do, in one sentence."""
    match block.form:
        case Triggers() as triggers:
            return _capital("; ".join(_thresholds(triggers, rows, block.instrument))) + "."
        case Decision() as decision:
            return _decision(decision, block.instrument)
        case Trail() as trail:
            return _trail(trail, block.instrument)
        case At() as at:
            orders = orders_text(at.orders, np.zeros(1, np.int64), block.instrument)
            return f"At {time_text(at.second)} of the venue's day, {orders} in {block.instrument.symbol}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _thresholds(triggers: Triggers, rows: Rows, instrument: Instrument) -> Iterator[str]:
    """One clause for each source, direction and side among the rows."""
    kinds = np.stack([triggers.source[rows], triggers.direction[rows], triggers.orders.side[rows]], axis=1)
    for source, direction, side in np.unique(kinds, axis=0).tolist():
        chosen = rows[np.all(np.equal(kinds, (source, direction, side)), axis=1)]
        prices = _span_text(triggers.threshold[chosen], SOURCES[source], instrument)
        which = prices if len(chosen) == 1 else f"one of {len(chosen):,} prices, {prices}"
        orders = orders_text(triggers.orders, chosen, instrument)
        when = f"when the {NOUNS[SOURCES[source]]} of {instrument.symbol} is {_BEYOND[DIRECTIONS[direction]]} {which}"
        yield f"{when}, {orders}"


def _span_text(values: npt.NDArray[np.int64], source: Source, instrument: Instrument) -> str:
    low, high = (price_text(int(end), source, instrument) for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def orders_text(orders: Orders, rows: Rows, instrument: Instrument) -> str:
    """`sell 2 at a limit of 1100`, `sell what was filled at market`; of many the least and the most."""
    low, high = int(orders.qty[rows].min()), int(orders.qty[rows].max())
    qty = "what was filled" if orders.filled else f"{low:,}" if low == high else f"{low:,} to {high:,}"
    each = " each" if len(rows) > 1 and not orders.filled else ""
    return f"{SIDES[orders.side[rows[0]]].value} {qty}{each} {_price_text(orders, rows, instrument)}"


def _price_text(orders: Orders, rows: Rows, instrument: Instrument) -> str:
    limits = rows[orders.type[rows] == ORDER_TYPES.index(OrderType.LIMIT)]
    if not len(limits):
        return "at market"
    if orders.ticks is not None:
        where = "above" if orders.ticks > 0 else "below"
        return f"at a limit of {abs(orders.ticks)} ticks {where} the stop" if orders.ticks else "at the stop's price"
    prices = _span_text(orders.price[limits], Source.LAST, instrument)
    text = f"at a limit of {prices}" if " to " not in prices else f"at limits of {prices}"
    return text if len(limits) == len(rows) else f"{text}, {len(rows) - len(limits)} of them at market"


def _decision(decision: Decision, instrument: Instrument) -> str:
    low, high = (price_text(end, decision.source, instrument) for end in decision.over)
    count = len(decision.low)
    text = f"The first {NOUNS[decision.source]} of {instrument.symbol} that lands in one of {count:,} intervals"
    return f"{text} of {low} to {high} sends that interval's order."


def intervals(decision: Decision, instrument: Instrument) -> Iterator[tuple[str, str, str]]:
    """Both ends of each interval and its order."""
    for row in range(len(decision.low)):
        ends = (price_text(int(end[row]), decision.source, instrument) for end in (decision.low, decision.high))
        low, high = ends
        yield low, high, orders_text(decision.orders, np.array([row], np.int64), instrument)


def _trail(trail: Trail, instrument: Instrument) -> str:
    sell = trail.orders[0].side is Side.SELL
    extreme, beyond = ("highest", "at or below") if sell else ("lowest", "at or above")
    begin = f"Once `{trail.activate.text}`, f" if trail.activate else "F"
    follow = f"{begin}ollow the {extreme} {NOUNS[trail.source]} of {instrument.symbol} at a distance of {trail.by.text}"
    orders = orders_text(trail.orders, np.zeros(1, np.int64), instrument)
    return f"{follow}; {beyond} that stop, {orders}."


def envelope_text(orders: Orders, rows: Rows) -> str:
    """What the orders carry besides side, quantity and price."""
    texts = []
    for number in np.unique(orders.envelope[rows]).tolist():
        envelope = orders.envelopes[number]
        words = [envelope.tif.value]
        words += [f"account {envelope.account}"] if envelope.account else []
        words += [f"{tag}={text}" for tag, text in envelope.fields.items()]
        texts.append(", ".join(words))
    return "; ".join(texts) if texts != [TimeInForce.DAY.value] else TimeInForce.DAY.value
