# SPDX-License-Identifier: Apache-2.0
"""What one rule can send at most, by itself."""

from collections.abc import Iterator
from decimal import Decimal, localcontext

import numpy as np

from fixaccel.explain.words import Rows
from fixaccel.language.codes import ORDER_TYPES, SIDES, SOURCES
from fixaccel.language.forms import At, Decision, Trail, Triggers
from fixaccel.language.orders import Orders
from fixaccel.language.rules import NO_GROUP, Block
from fixaccel.language.terms import OrderType, Side, Source
from fixaccel.values import decimal_text


def amount_facts(block: Block, rows: Rows) -> Iterator[tuple[str, str]]:
    """`at most`: orders, quantity and notional a side, all re-armings counted."""
    times = 1 + (block.rearm.times if block.rearm else 0)
    for side in Side:
        text = _side(block, rows, side, times)
        if text:
            yield "at most", text


def _side(block: Block, rows: Rows, side: Side, times: int) -> str:
    form = block.form
    every = np.arange(len(form.orders), dtype=np.int64) if isinstance(form, Decision) else rows
    chosen = every[form.orders.side[every] == SIDES.index(side)]
    if not len(chosen):
        return ""
    if form.orders.filled:
        ones, grouped = _shots(block, chosen)
        count = len(ones) + len(grouped)
        return f"{side.value} what was filled, in {count:,} order{'s' if count > 1 else ''}"
    quantities = form.orders.qty[chosen]
    notionals = _notionals(block, chosen)
    if isinstance(form, Decision):
        orders, qty, notional = 1, int(quantities.max()), max(notionals, default=None)
    else:
        ones, grouped = _shots(block, chosen)
        picks = [*([place] for place in ones), *grouped]
        orders = len(picks)
        qty = sum(max(int(quantities[place]) for place in pick) for pick in picks)
        notional = sum((max(notionals[place] for place in pick) for pick in picks), Decimal(0)) if notionals else None
    plural = "s" if orders * times > 1 else ""
    text = f"{side.value} {qty * times:,} in {orders * times:,} order{plural}"
    return text if notional is None else f"{text}, notional {_money(notional * times)}"


def _shots(block: Block, rows: Rows) -> tuple[list[int], list[list[int]]]:
    """Places in ``rows`` that fire by themselves, and those of which one cancels the others."""
    if block.oco is None:
        return list(range(len(rows))), []
    groups: dict[int, list[int]] = {}
    ones = []
    for place, group in enumerate(block.oco[rows].tolist()):
        if group == NO_GROUP:
            ones.append(place)
        else:
            groups.setdefault(group, []).append(place)
    return ones, list(groups.values())


def _notionals(block: Block, rows: Rows) -> list[Decimal]:
    """Of each order: at its limit price, at market at the threshold; empty where nobody knows one."""
    form, instrument = block.form, block.instrument
    if isinstance(form, Trail | At):
        return []
    prices = _prices(form.orders, form, rows)
    with localcontext(prec=100):
        per_unit = instrument.unit * instrument.multiplier / 2
        pairs = zip(form.orders.qty[rows].tolist(), prices, strict=True)
        return [qty * abs(price) * per_unit for qty, price in pairs]


def _prices(orders: Orders, form: Triggers | Decision, rows: Rows) -> list[int]:
    """In half units."""
    limit = orders.type[rows] == ORDER_TYPES.index(OrderType.LIMIT)
    if isinstance(form, Decision):
        mid = np.full(len(rows), form.source is Source.MID)
        seen = np.maximum(np.abs(form.low[rows]), np.abs(form.high[rows]))
    else:
        mid = form.source[rows] == SOURCES.index(Source.MID)
        seen = form.threshold[rows]
    found: list[int] = np.where(limit, orders.price[rows] * 2, np.where(mid, seen, seen * 2)).tolist()
    return found


def _money(value: Decimal) -> str:
    text = decimal_text(value)
    whole, point, part = text.partition(".")
    return f"{int(whole):,}{point}{part}"
