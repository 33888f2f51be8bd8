# SPDX-License-Identifier: Apache-2.0
"""What the fabric needs of a strategy's limits: the bound of a market order's price, and what may still leave."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.language.codes import ORDER_TYPES
from fixaccel.language.forms import Decision
from fixaccel.language.placements import FABRIC
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Instrument, OrderType

# `notional_cap` where there is no limit.
NO_CAP = (1 << 128) - 1
_SIDES = ("buy", "sell")
_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_INT64 = (1 << 63) - 1


def notional_cap(limit: Decimal | None, instrument: Instrument) -> int:
    """The most that quantity x price in half units may be."""
    if limit is None:
        return NO_CAP
    return min(2 * Fraction(limit) // (Fraction(instrument.unit) * Fraction(instrument.multiplier)), NO_CAP)


def price_bounds(caps: Sequence[int], qty: npt.NDArray[np.int64], layout: Layout) -> npt.NDArray[np.int64]:
    """The most that the magnitude of a doubled price may be, for each order of ``qty`` under its `notional_cap`."""
    most = (1 << layout.constant("bound_bits")) - 1
    if max(caps, default=0) <= _INT64:
        bounds: npt.NDArray[np.int64] = np.minimum(np.array(caps, np.int64) // qty, most)
        return bounds
    # Beyond 64 bits with Python's own integers, which are slower.
    return np.array([min(cap // each, most) for cap, each in zip(caps, qty.tolist(), strict=True)], np.int64)


def bounded_price(bounds: npt.NDArray[np.int64], layout: Layout) -> npt.NDArray[np.uint64]:
    """The field `price` of market orders with these bounds."""
    return bounds.astype(np.uint64) | np.uint64(layout.constant("char_bound") << _last_char(layout))


def read_bounds(price: npt.NDArray[np.uint64], layout: Layout) -> npt.NDArray[np.int64]:
    """Bounds of market orders by their field `price`; -1: none, -2: what the fabric does not write."""
    field, shift = price.astype(np.uint64), np.uint64(_last_char(layout))
    bound = field & np.uint64((1 << layout.constant("bound_bits")) - 1)
    bounded = field == (bound | np.uint64(layout.constant("char_bound")) << shift)
    return np.where(bounded, bound.astype(np.int64), np.where(field == 0, -1, -2))


def _last_char(layout: Layout) -> int:
    field = layout.record("order").field("price")
    return field.bits - field.bits // layout.constant("price_text_chars")


def quantity_left(totals: Sequence[int | None], layout: Layout) -> bytes:
    """The memory ``quantity_left`` under `total_qty` of each of the fabric's instruments; None: no limit."""
    record = layout.record("quantity_left")
    digits = layout.constant("total_qty_digits")
    left = np.array([_any(layout) if total is None else int(f"{total:0{digits}}", 16) for total in totals], np.int64)
    return trimmed(pack_columns(record, dict.fromkeys(_SIDES, left), len(totals)))


def read_quantities(record: Mapping[str, npt.NDArray[Any]], layout: Layout) -> list[tuple[int | None, ...]]:
    """Quantities of both sides, row by row. Raises ValueError for digits that are none."""
    unlimited = _any(layout)
    return [
        tuple(None if value == unlimited else int(f"{value:x}") for value in row)
        for row in zip(*(record[side].tolist() for side in _SIDES), strict=True)
    ]


def _any(layout: Layout) -> int:
    return layout.record("quantity_left").field(_SIDES[0]).high


def limits_entry(strategy: Strategy) -> dict[str, int | bool | None]:
    """The manifest's ``limits``: those that the fabric keeps in registers, and whether ours must not meet."""
    limits = strategy.limits
    return {
        "orders_per_second": limits.orders_per_second,
        "total_orders": limits.total_orders,
        "unlimited_orders": unlimited_orders(strategy),
        "self_trade": limits.self_trade,
    }


def unlimited_orders(strategy: Strategy) -> bool:
    """Whether no order of the fabric has a bound, counts for a quantity or may meet ours: no fire has to wait."""
    limits = strategy.limits
    if limits.self_trade:
        return False
    for block in strategy.blocks:
        there = strategy.placement[block.first : block.first + len(block)] == FABRIC
        if not there.any():
            continue
        if block.instrument.symbol in limits.total_qty:
            return False
        types = block.form.orders.type
        if not isinstance(block.form, Decision):  # of which any order may be the one
            types = types[there]
        if limits.order_notional is not None and (types == _MARKET).any():
            return False
    return True
