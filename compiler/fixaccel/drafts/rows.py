# SPDX-License-Identifier: Apache-2.0
"""Rows of a table at one instrument: thresholds and orders in columns, and which rows are wrong."""

from decimal import Decimal

import numpy as np

from fixaccel.language.codes import ORDER_TYPES, SIDES, SOURCES, Codes, Units
from fixaccel.language.forms import Triggers
from fixaccel.language.orders import Envelope, Orders
from fixaccel.language.rows.columns import FIXED, NONE, NOT_GIVEN, OPERATORS, TRIGGER, Flags, TableRows, wire_of
from fixaccel.language.terms import Instrument, OrderType, Side, Source, TimeInForce
from fixaccel.language.written import Filled, TriggerPrice, WrittenOrder
from fixaccel.passes.meaning.orders import PRICE_CHARS, QTY_CHARS
from fixaccel.tick_arrays import WIRE_DECIMALS, tick_arrays

_MID = SOURCES.index(Source.MID)
_BUY = SIDES.index(Side.BUY)
_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_ONE = 10**WIRE_DECIMALS


def bind(rows: TableRows, instrument: Instrument, base: WrittenOrder, confirm: int) -> tuple[Triggers, Flags]:
    """The triggers, and which rows a rule written by hand could not be; the values of those mean nothing."""
    threshold, bad = thresholds(rows, instrument)
    side = _over(rows.side, SIDES.index(base.side.value) if base.side else None)
    kind = _over(rows.type, ORDER_TYPES.index(base.type.value) if base.type else None)
    qty, bad_qty = _quantities(rows, instrument, base.qty.value if base.qty else None)
    price, bad_price = _prices(rows, instrument, base.price.value if base.price else None, threshold, side, kind)
    bad |= bad_qty | bad_price | (side == NOT_GIVEN) | (kind == NOT_GIVEN)
    envelope = Envelope(
        tif=base.tif.value if base.tif else TimeInForce.DAY,
        account=base.account.value if base.account else None,
        fields={tag: text.value for tag, text in sorted(base.fields.value.items())} if base.fields else {},
    )
    filled = base.qty is not None and isinstance(base.qty.value, Filled)
    orders = Orders(side, qty, kind, price, np.zeros(len(qty), np.int32), (envelope,), filled=filled)
    upward = rows.operator < OPERATORS.index("<=")
    return Triggers(
        source=rows.source,
        direction=upward.astype(np.uint8),
        threshold=threshold,
        confirm=_over(rows.confirm, confirm),
        orders=orders,
    ), bad


def thresholds(rows: TableRows, instrument: Instrument) -> tuple[Units, Flags]:
    """Inclusive thresholds, half units on mid, and which are off the grid or out of range."""
    arrays = tick_arrays(instrument.ticks)
    low, high = instrument.price_min, instrument.price_max
    written, whole = arrays.from_wire(rows.price)
    bad = ~rows.price_fits | ~whole | ~arrays.on_grid(written) | (written < low) | (written > high)
    above, below = rows.operator == OPERATORS.index(">"), rows.operator == OPERATORS.index("<")
    single = arrays.step(written, above.astype(np.int64) - below) if (above | below).any() else written
    double = 2 * written + above - below
    mid = rows.source == _MID
    bad |= np.where(mid, (double < 2 * low) | (double > 2 * high), (single < low) | (single > high))
    return np.where(mid, double, single), bad


def _over(column: Codes, value: int | None) -> Codes:
    """Given cells over the rule's own value."""
    return column if value is None else np.where(column == NOT_GIVEN, value, column).astype(np.uint8)


def _quantities(rows: TableRows, instrument: Instrument, base: Decimal | Filled | None) -> tuple[Units, Flags]:
    if isinstance(base, Filled):  # no row has a quantity of its own then
        return np.zeros(len(rows.qty), np.int64), np.zeros(len(rows.qty), np.bool_)
    own = wire_of(base) if base is not None else None
    wire = np.where(rows.qty_given, rows.qty, own or 0)
    fits = np.where(rows.qty_given, rows.qty_fits, own is not None)
    qty, part = np.divmod(wire, _ONE)
    return qty, ~fits | (part != 0) | (qty <= 0) | (qty % instrument.lot != 0) | (qty >= 10**QTY_CHARS)


def _prices(
    rows: TableRows,
    instrument: Instrument,
    base: Decimal | TriggerPrice | None,
    threshold: Units,
    side: Codes,
    kind: Codes,
) -> tuple[Units, Flags]:
    """Limit prices in units."""
    arrays = tick_arrays(instrument.ticks)
    given = rows.limit_kind != NONE
    own_kind, own, own_fits = _written_price(base)
    form = np.where(given, rows.limit_kind, own_kind)
    value = np.where(given, rows.limit, own)
    fits = np.where(given, rows.limit_fits, own_fits)
    fixed, whole = arrays.from_wire(np.where(form == FIXED, value, 0))
    from_trigger = arrays.step(_trigger_prices(rows, instrument, threshold, side), np.where(form == TRIGGER, value, 0))
    price = np.where(form == FIXED, fixed, from_trigger)
    off = (form == FIXED) & (~whole | ~arrays.on_grid(fixed))
    outside = (price < instrument.price_min) | (price > instrument.price_max)
    bad = ~fits | off | outside | (form == NONE) | _too_wide(price, instrument)
    limit = kind == _LIMIT
    return np.where(limit, price, 0), np.where(limit, bad, form != NONE)


def _written_price(price: Decimal | TriggerPrice | None) -> tuple[int, int, bool]:
    """Kind, value and whether the value fits, as in the columns of `TableRows`."""
    if price is None:
        return NONE, 0, True
    if isinstance(price, TriggerPrice):
        return TRIGGER, price.ticks, True
    exact = wire_of(price)
    return FIXED, exact or 0, exact is not None


def _trigger_prices(rows: TableRows, instrument: Instrument, threshold: Units, side: Codes) -> Units:
    """The price that `trigger` stands for: on mid the threshold rounded to the grid, buy down and sell up."""
    mid = rows.source == _MID
    if not mid.any():
        return threshold
    arrays = tick_arrays(instrument.ticks)
    rounded = np.where(side == _BUY, arrays.floor(threshold // 2), arrays.ceil(-(-threshold // 2)))
    return np.where(mid, rounded, threshold)


def _too_wide(price: Units, instrument: Instrument) -> Flags:
    """Whether the text that is sent has more characters than the fabric holds: all decimals of the unit are."""
    places = instrument.ticks.places
    digits = PRICE_CHARS - (1 + places if places else 0) - (price < 0)
    whole = np.abs(tick_arrays(instrument.ticks).to_wire(price)) // _ONE
    wide: Flags = whole >= np.power(10, digits)
    return wide
