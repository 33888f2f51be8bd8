# SPDX-License-Identifier: Apache-2.0
"""Pass `thresholds`: the columns of rules with `when`, a row for each step of a ladder."""

from decimal import Decimal

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.model import Related, Report
from fixaccel.language.model import Instrument, Side, Source
from fixaccel.language.rules import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES, Envelope, Order, Orders, Triggers, Units
from fixaccel.language.written import TickCount, TriggerPrice, WrittenLadder
from fixaccel.passes.conditions import STRICT
from fixaccel.passes.orders import base_order, price_fits
from fixaccel.passes.work import Draft, Work
from fixaccel.tick_arrays import Flags, tick_arrays
from fixaccel.values import decimal_text

PARTS_MOST = 4_000_000  # of one strategy


def run(work: Work) -> None:
    """Fills ``form`` and ``many``."""
    ready = [draft for draft in work.drafts if draft.condition and draft.order]
    _plain([draft for draft in ready if "ladder" not in draft.written.keys])
    ladders = [(draft, draft.written.ladder.value) for draft in ready if draft.written.ladder]
    if sum(ladder.count.value for _, ladder in ladders) > PARTS_MOST:
        message = f"the ladders have more than {PARTS_MOST:,} steps together, all instruments counted"
        largest = max((ladder.count for _, ladder in ladders), key=lambda count: count.value)
        work.report.add(codes.TOO_MANY_PARTS, message, largest.span, help="use fewer steps")
        return
    for draft, ladder in ladders:
        draft.many = True
        draft.form = _ladder(draft, ladder, work)


def _plain(drafts: list[Draft]) -> None:
    """One row each. The columns are cut from arrays over all drafts: ten thousand small arrays cost more."""
    conditions = [draft.condition for draft in drafts if draft.condition]
    orders = [draft.order for draft in drafts if draft.order]
    source = np.array([SOURCES.index(condition.source) for condition in conditions], np.uint8)
    direction = np.array([DIRECTIONS.index(condition.direction) for condition in conditions], np.uint8)
    threshold = np.array([condition.threshold for condition in conditions], np.int64)
    confirm = np.array([draft.written.confirm for draft in drafts], np.uint8)
    side = np.array([SIDES.index(order.side) for order in orders], np.uint8)
    qty = np.array([order.qty for order in orders], np.int64)
    kind = np.array([ORDER_TYPES.index(order.type) for order in orders], np.uint8)
    price = np.array([order.price or 0 for order in orders], np.int64)
    first = np.zeros(1, np.int32)
    envelopes: dict[object, tuple[Envelope]] = {}
    for row, (draft, condition, order) in enumerate(zip(drafts, conditions, orders, strict=True)):
        cut = slice(row, row + 1)
        draft.form = Triggers(
            source=source[cut],
            direction=direction[cut],
            threshold=threshold[cut],
            confirm=confirm[cut],
            orders=Orders(side[cut], qty[cut], kind[cut], price[cut], first, _envelope(order, envelopes)),
            text=condition.text,
        )


def _envelope(order: Order, known: dict[object, tuple[Envelope]]) -> tuple[Envelope]:
    fields = dict(sorted(order.fields.items()))
    key = (order.tif, order.account, tuple(fields.items()))
    if key not in known:
        known[key] = (Envelope(order.tif, order.account, fields),)
    return known[key]


def _ladder(draft: Draft, ladder: WrittenLadder, work: Work) -> Triggers | None:
    assert draft.condition
    assert draft.order
    assert draft.threshold is not None
    written = _written_prices(draft, ladder, work.report)
    if written is None:
        return None
    threshold = _inclusive(draft, written, ladder, work.report)
    if threshold is None:
        return None
    price = _order_prices(draft, threshold, work)
    if price is None:
        return None
    count = ladder.count.value
    one, order = Orders.of([draft.order]), draft.order
    return Triggers(
        source=np.full(count, SOURCES.index(draft.condition.source), np.uint8),
        direction=np.full(count, DIRECTIONS.index(draft.condition.direction), np.uint8),
        threshold=threshold,
        confirm=np.full(count, draft.written.confirm, np.uint8),
        orders=Orders(
            side=np.full(count, SIDES.index(order.side), np.uint8),
            qty=np.full(count, order.qty, np.int64),
            type=np.full(count, ORDER_TYPES.index(order.type), np.uint8),
            price=price,
            envelope=np.zeros(count, np.int32),
            envelopes=one.envelopes,
        ),
    )


def _written_prices(draft: Draft, ladder: WrittenLadder, report: Report) -> Units | None:
    """Price units of each step as written, all on the grid and in range; None after reporting the first that is not."""
    assert draft.threshold is not None
    instrument, count = draft.instrument, ladder.count.value
    step = ladder.step.value
    steps = np.arange(count, dtype=np.int64)
    if isinstance(step, TickCount):
        table = tick_arrays(instrument.ticks)
        # Both factors are bounded by their forms, so their product is far from 64 bits.
        units = table.step(np.full(count, draft.threshold, np.int64), steps * step.ticks)
        return None if _outside(draft, units, ladder, report) else units
    units_step = instrument.ticks.to_units(step)
    width = instrument.price_max - instrument.price_min
    if units_step is None or abs(units_step) > width:
        if count > 1:
            _report_price(draft, 1, _price_of(draft) + step, ladder, report)
            return None
        units_step = 0
    most = width // abs(units_step) + 1 if units_step else count
    units = draft.threshold + steps[: most + 1] * units_step
    bad = ~tick_arrays(instrument.ticks).on_grid(units)
    if bad.any() and not _is_outside(units, instrument)[: int(bad.argmax()) + 1].any():
        row = int(bad.argmax())
        _report_price(draft, row, instrument.to_price(int(units[row])), ladder, report)
        return None
    return None if _outside(draft, units, ladder, report) else units


def _price_of(draft: Draft) -> Decimal:
    assert draft.written.when
    return draft.written.when.value.price.value


def _is_outside(units: Units, instrument: Instrument) -> Flags:
    flags: Flags = (units < instrument.price_min) | (units > instrument.price_max)
    return flags


def _outside(draft: Draft, units: Units, ladder: WrittenLadder, report: Report) -> bool:
    outside = _is_outside(units, draft.instrument)
    if outside.any():
        row = int(outside.argmax())
        _report_price(draft, row, draft.instrument.to_price(int(units[row])), ladder, report)
        return True
    return False


def _report_price(draft: Draft, row: int, price: Decimal, ladder: WrittenLadder, report: Report) -> None:
    """Names the step, and whether its price is off the grid or out of range."""
    instrument = draft.instrument
    low, high = (instrument.to_price(bound) for bound in (instrument.price_min, instrument.price_max))
    if low <= price <= high:
        below, above = instrument.ticks.neighbours(price)
        index = instrument.ticks.step_index(below)
        near = f"{decimal_text(instrument.to_price(below))} and {decimal_text(instrument.to_price(above))}"
        what = f"between the ticks {near}"
        where = Related(
            f"the tick here is {decimal_text(instrument.ticks.steps[index][1])}", instrument.place(f"tick {index}")
        )
        way_out = "use a step that keeps to the ticks, or `N ticks`"
    else:
        what = f"outside the price range of {instrument.symbol}"
        shown = f"{decimal_text(low)}..{decimal_text(high)}"
        where = Related(f"the price range is {shown}", instrument.place("price_range"))
        way_out = f"`count: {row}` is the most" if row else "use another price"
    message = f"step {row + 1} of the ladder comes to {decimal_text(price)}, {what}"
    report.add(codes.LADDER_STEP, message, ladder.step.span, related=[where], help=way_out)


def _inclusive(draft: Draft, units: Units, ladder: WrittenLadder, report: Report) -> Units | None:
    """Thresholds of the steps, strict comparisons turned."""
    assert draft.written.when
    when, instrument = draft.written.when.value, draft.instrument
    strict = STRICT.get(when.op, 0)
    if when.source is Source.MID:
        threshold: Units = 2 * units + strict
        prices = threshold // 2 if strict < 0 else -(-threshold // 2)
    else:
        threshold = prices = tick_arrays(instrument.ticks).step(units, strict)
    outside = _is_outside(prices, instrument)
    if not outside.any():
        return threshold
    row = int(outside.argmax())
    shown = f"{when.op} {decimal_text(instrument.to_price(int(units[row])))}"
    message = f"step {row + 1} of the ladder comes to {shown}: no price of {instrument.symbol} is"
    report.add(codes.LADDER_STEP, message, ladder.step.span, help=f"`count: {row}` is the most, or write `{when.op}=`")
    return None


def _order_prices(draft: Draft, threshold: Units, work: Work) -> Units | None:
    """Limit prices of the steps; zeros for market orders."""
    assert draft.order
    written = base_order(draft, work).price
    if draft.order.price is None or written is None:
        return np.zeros(len(threshold), np.int64)
    if not isinstance(written.value, TriggerPrice):
        return np.full(len(threshold), draft.order.price, np.int64)
    table, instrument = tick_arrays(draft.instrument.ticks), draft.instrument
    trigger = threshold
    if draft.condition and draft.condition.source is Source.MID:
        buy = draft.order.side is Side.BUY
        trigger = table.floor(threshold // 2) if buy else table.ceil(-(-threshold // 2))
    prices = table.step(trigger, written.value.ticks)
    outside = _is_outside(prices, instrument)
    if outside.any():
        row = int(outside.argmax())
        shown = decimal_text(instrument.to_price(int(prices[row])))
        message = f"the price of step {row + 1} comes to {shown}, outside the price range of {instrument.symbol}"
        where = Related("the ladder", draft.written.keys["ladder"])
        work.report.add(codes.LADDER_STEP, message, written.span, related=[where], help="use fewer ticks or steps")
        return None
    ends = (int(prices.min()), int(prices.max()))
    return prices if all(price_fits(end, instrument, written.span, work.report) for end in ends) else None
