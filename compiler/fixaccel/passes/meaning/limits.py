# SPDX-License-Identifier: Apache-2.0
"""Pass `limits`: the risk gate, and orders that it would never let pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import TypeVar

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.trail_collar import farthest_stop
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import ORDER_TYPES, SOURCES, Units
from fixaccel.language.forms import At, Decision, Trail, Triggers, price_text
from fixaccel.language.keys.schema import Located
from fixaccel.language.rules import Limits
from fixaccel.language.terms import Instrument, OrderType, Source
from fixaccel.language.written import WrittenLimits
from fixaccel.passes.meaning.orders import order_place, part_words
from fixaccel.passes.reading.expand import find_instrument
from fixaccel.tick_arrays import Flags

T = TypeVar("T")
_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_MID = SOURCES.index(Source.MID)
_MOST = np.iinfo(np.int64).max
_WHOLE = 10_000  # basis points


def run(work: Work) -> None:
    """Fills ``limits``, those of the rules too; reports what they refuse by construction."""
    if work.written is None or work.venue is None:
        return
    written = work.written.limits
    work.limits = _bound(written, work)
    _check(written, work.drafts, work)
    for _, drafts in groupby(work.drafts, lambda draft: id(draft.written)):
        of_rule = list(drafts)
        own = of_rule[0].written.limits
        if own:
            limits = _bound(own, work)
            for draft in of_rule:
                draft.limits = limits
            _check(own, of_rule, work)


def _bound(written: WrittenLimits, work: Work) -> Limits:
    return Limits(
        order_qty=_value(written.order_qty),
        order_notional=_value(written.order_notional),
        limit_collar=_value(written.limit_collar),
        collar=_value(written.collar),
        collar_ignores=_value(written.collar_breach) or False,
        orders_per_second=_value(written.orders_per_second),
        total_orders=_value(written.total_orders),
        total_qty={symbol.value: most.value for symbol, most in written.total_qty if find_instrument(symbol, work)},
        self_trade=written.self_trade is not None,
        repeat=_value(written.repeat),
    )


def _check(written: WrittenLimits, drafts: Sequence[Draft], work: Work) -> None:
    """Reports orders of ``drafts`` that these limits refuse by construction."""
    sound = [draft for draft in drafts if draft.form]
    if not sound:
        return
    orders = _Orders(sound)
    if written.order_qty:
        _check_qty(orders, written.order_qty, work)
    if written.order_notional:
        _check_notional(orders, written.order_notional, work)
    if written.limit_collar:
        _check_collar(orders, written.limit_collar, work)


def _value(limit: Located[T] | None) -> T | None:
    return limit.value if limit else None


class _Orders:
    """The orders of all drafts as one set of columns."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.drafts = drafts
        columns = [draft.form.orders for draft in drafts if draft.form]
        lengths = [len(orders) for orders in columns]
        self.owner = np.repeat(np.arange(len(drafts)), lengths)
        self.starts = np.cumsum([0, *lengths[:-1]])
        self.qty: Units = np.concatenate([orders.qty for orders in columns])
        self.price: Units = np.concatenate([orders.price for orders in columns])
        fixed = np.array([orders.ticks is None for orders in columns])
        self.limit: Flags = (np.concatenate([orders.type for orders in columns]) == _LIMIT) & fixed[self.owner]

    def first_of_each(self, bad: Flags) -> list[tuple[Draft, int, int]]:
        """Of each draft with bad orders the draft, the first bad row and how many more there are."""
        rows = np.flatnonzero(bad)
        owners, first, count = np.unique(self.owner[rows], return_index=True, return_counts=True)
        return [
            (self.drafts[owner], int(rows[at] - self.starts[owner]), int(many) - 1)
            for owner, at, many in zip(owners, first, count, strict=True)
        ]


def _check_qty(orders: _Orders, limit: Located[int], work: Work) -> None:
    for draft, row, more in orders.first_of_each(orders.qty > limit.value):
        assert draft.form
        message = f"{part_words(draft, row)} sends {draft.form.orders.qty[row]}, more than `order_qty: {limit.value}`"
        _report(draft, row, "qty", message, more, Related("the limit", limit.span), "send less in one order", work)


def _check_notional(orders: _Orders, limit: Located[Decimal], work: Work) -> None:
    most = notional_units([limit.value] * len(orders.drafts), [draft.instrument for draft in orders.drafts])
    price = np.maximum(np.abs(orders.price), 1)
    # Divided rather than multiplied: a product of both may be beyond 64 bits.
    bad = orders.limit & (orders.price != 0) & (orders.qty > most[orders.owner] // price)
    for draft, row, more in orders.first_of_each(bad):
        assert draft.form
        order, instrument = draft.form.orders[row], draft.instrument
        amount = abs(instrument.to_price(order.price or 0)) * order.qty * instrument.multiplier
        message = f"{part_words(draft, row)} comes to {amount:f}, more than `order_notional: {limit.value:f}`"
        _report(draft, row, "price", message, more, Related("the limit", limit.span), "send less in one order", work)


def notional_units(limits: Sequence[Decimal], instruments: Sequence[Instrument]) -> Units:
    """The largest quantity x price units within each limit."""
    units = [_notional_units(limit, instrument) for limit, instrument in zip(limits, instruments, strict=True)]
    # Beyond 64 bits (a fine tick under a high limit) with Python's own integers, which are slower.
    return np.array(units, np.int64 if max(units) <= _MOST else object)


def _notional_units(limit: Decimal, instrument: Instrument) -> int:
    above, below = limit.as_integer_ratio()
    unit, parts = (instrument.unit * instrument.multiplier).as_integer_ratio()
    return above * parts // (below * unit)


@dataclass(frozen=True, slots=True)
class _Reach:
    """The prices at which each order of a form leaves, both ends, times ``scale``."""

    low: Units
    high: Units
    scale: Units


def _check_collar(orders: _Orders, limit: Located[int], work: Work) -> None:
    where = Related("the limit", limit.span)
    for draft in orders.drafts:
        if isinstance(draft.form, Trail) and draft.form.orders.type[0] == _LIMIT:
            _check_trail(draft, draft.form, limit, work)
    reaches = [_reach(draft) for draft in orders.drafts]
    low, high, scale = (
        np.concatenate([getattr(reach, name) for reach in reaches]) for name in ("low", "high", "scale")
    )
    price = orders.price * scale
    # Between the ends of an interval the distance seen and the distance allowed are straight lines. The one has a bend
    # at the limit price, where it is nothing, the other at zero, which up to 100% only a price of zero can span.
    bad = np.zeros(len(price), np.bool_)
    for trigger in (low, high):
        bad |= np.abs(price - trigger) * _WHOLE > limit.value * np.abs(trigger)
    # A trail's stop is not known yet, and what fires by the clock has no trigger.
    without = np.array([isinstance(draft.form, Trail | At) for draft in orders.drafts])
    for draft, row, more in orders.first_of_each(bad & orders.limit & ~without[orders.owner]):
        far = f"more than {limit.value / 100:g}% from {_trigger(draft, row)}"
        message = f"the limit price of {part_words(draft, row)} is {far}"
        _report(draft, row, "price", message, more, where, "use a nearer price", work)


def _check_trail(draft: Draft, trail: Trail, limit: Located[int], work: Work) -> None:
    """A price some ticks from the stop is near enough if it is for every stop that there can be."""
    message = "nobody knows how far a trail's stop will be from this price when it fires"
    way_out = "use `price: trigger - N ticks`, a market order, or leave `limit_collar` out"
    if trail.orders.ticks is not None:
        stop = farthest_stop(trail, draft.instrument, trail.orders.ticks, limit.value)
        if stop is None:
            return
        text = price_text(stop, Source.LAST, draft.instrument)
        message = f"with a stop at {text} this price may be more than {limit.value / 100:g}% away"
        way_out = "use fewer ticks, or a sell trail's `activate` so that no stop is that low, or a market order"
    where = Related("the limit", limit.span)
    place = order_place(draft, 0, "price", work)
    work.report.add(codes.LIMIT_UNPROVABLE, message, place, related=[where], help=way_out)


def _reach(draft: Draft) -> _Reach:
    form = draft.form
    if isinstance(form, Triggers):
        return _Reach(form.threshold, form.threshold, np.where(form.source == _MID, 2, 1))
    if isinstance(form, Decision):
        scale = 2 if form.source is Source.MID else 1
        return _Reach(form.low, form.high, np.full(len(form.low), scale, np.int64))
    return _Reach(np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64))


def _trigger(draft: Draft, row: int) -> str:
    if isinstance(draft.form, Triggers):
        return f"its trigger, `{draft.form.condition(row, draft.instrument).text}`"
    return "a price of its interval"


def _report(
    draft: Draft, row: int, key: str, message: str, more: int, where: Related, way_out: str, work: Work
) -> None:
    others = f" (and {more:,} more of `{draft.id}`)" if more else ""
    work.report.add(
        codes.LIMIT_VIOLATED, message + others, order_place(draft, row, key, work), related=[where], help=way_out
    )
