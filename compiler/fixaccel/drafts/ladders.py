# SPDX-License-Identifier: Apache-2.0
"""The steps of a ladder: thresholds and order prices, all on the grid and in range."""

from decimal import Decimal

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import Units
from fixaccel.language.terms import Instrument, Side, Source
from fixaccel.language.written import TickCount, TriggerPrice, WrittenLadder
from fixaccel.passes.meaning.conditions import STRICT
from fixaccel.passes.meaning.orders import base_order, price_fits
from fixaccel.tick_arrays import tick_arrays
from fixaccel.values import decimal_text


def step_columns(draft: Draft, ladder: WrittenLadder, work: Work) -> tuple[Units, Units] | None:
    """Thresholds and limit prices (zero for market orders) of the steps; None after reporting what is wrong."""
    written = _written_prices(draft, ladder, work.report)
    threshold = None if written is None else _inclusive(draft, written, ladder, work.report)
    price = None if threshold is None else _order_prices(draft, threshold, work)
    return None if threshold is None or price is None else (threshold, price)


def _written_prices(draft: Draft, ladder: WrittenLadder, report: Report) -> Units | None:
    """Price units of each step as written, all on the grid and in range; None after reporting the first that is not."""
    assert draft.threshold is not None
    instrument, count, step = draft.instrument, ladder.count.value, ladder.step.value
    table = tick_arrays(instrument.ticks)
    if isinstance(step, TickCount):
        # Both factors are bounded by their forms, so their product is far from 64 bits.
        away = np.arange(count, dtype=np.int64) * step.ticks
        units = table.step(np.full(count, draft.threshold, np.int64), away)
        return _in_range(draft, units, ladder, report)
    units_step = instrument.ticks.to_units(step)
    width = instrument.price_max - instrument.price_min
    if count > 1 and (units_step is None or abs(units_step) > width):
        _report_price(draft, 1, instrument.to_price(draft.threshold) + step, ladder, report)
        return None
    units_step = units_step if units_step and count > 1 else 1
    # Not far beyond the first that is out of range, so that all of them fit 64 bits.
    count = min(count, width // abs(units_step) + 2)
    units = draft.threshold + np.arange(count, dtype=np.int64) * units_step
    good = table.on_grid(units)
    if not good.all():
        row = int(good.argmin())
        outside = _first_outside(units, instrument)
        if outside is None or row < outside:
            _report_price(draft, row, instrument.to_price(int(units[row])), ladder, report)
            return None
    return _in_range(draft, units, ladder, report)


def _first_outside(units: Units, instrument: Instrument) -> int | None:
    """Row of the first price out of range. Prices rise or fall throughout, so that both ends speak for all."""
    low, high = instrument.price_min, instrument.price_max
    if low <= units[0] <= high and low <= units[-1] <= high:
        return None
    return int(((units < low) | (units > high)).argmax())


def _in_range(draft: Draft, units: Units, ladder: WrittenLadder, report: Report) -> Units | None:
    row = _first_outside(units, draft.instrument)
    if row is None:
        return units
    _report_price(draft, row, draft.instrument.to_price(int(units[row])), ladder, report)
    return None


def _report_price(draft: Draft, row: int, price: Decimal, ladder: WrittenLadder, report: Report) -> None:
    """Names the step, and whether its price is off the grid or out of range."""
    instrument = draft.instrument
    low, high = (instrument.to_price(bound) for bound in (instrument.price_min, instrument.price_max))
    if low <= price <= high:
        below, above = instrument.ticks.neighbours(price)
        index = instrument.ticks.step_index(below)
        near = f"{decimal_text(instrument.to_price(below))} and {decimal_text(instrument.to_price(above))}"
        what = f"between the ticks {near}"
        tick = decimal_text(instrument.ticks.steps[index][1])
        where = Related(f"the tick here is {tick}", instrument.place(f"tick {index}"))
        way_out = "use a step that keeps to the ticks, or `N ticks`"
    else:
        what = f"outside the price range of {instrument.symbol}"
        shown = f"{decimal_text(low)}..{decimal_text(high)}"
        where = Related(f"the price range is {shown}", instrument.place("price_range"))
        way_out = f"`count: {row}` is the most"
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
        threshold = prices = tick_arrays(instrument.ticks).step(units, strict) if strict else units
    row = _first_outside(prices, instrument)
    if row is None:
        return threshold
    shown = f"{when.op} {decimal_text(instrument.to_price(int(units[row])))}"
    message = f"step {row + 1} of the ladder comes to {shown}: no price of {instrument.symbol} is"
    report.add(codes.LADDER_STEP, message, ladder.step.span, help=f"`count: {row}` is the most, or write `{when.op}=`")
    return None


def _order_prices(draft: Draft, threshold: Units, work: Work) -> Units | None:
    """Limit prices of the steps; zeros for market orders."""
    assert draft.order
    if draft.order.price is None:
        return np.zeros(len(threshold), np.int64)
    written = base_order(draft, work).price
    if written is None or not isinstance(written.value, TriggerPrice):
        return np.full(len(threshold), draft.order.price, np.int64)
    table, instrument = tick_arrays(draft.instrument.ticks), draft.instrument
    trigger = threshold
    if draft.condition and draft.condition.source is Source.MID:
        buy = draft.order.side is Side.BUY
        trigger = table.floor(threshold // 2) if buy else table.ceil(-(-threshold // 2))
    ticks = written.value.ticks
    prices = table.step(trigger, ticks) if ticks else trigger
    row = _first_outside(prices, instrument)
    if row is not None:
        shown = decimal_text(instrument.to_price(int(prices[row])))
        message = f"the price of step {row + 1} comes to {shown}, outside the price range of {instrument.symbol}"
        where = Related("the ladder", draft.written.keys["ladder"])
        work.report.add(codes.LADDER_STEP, message, written.span, related=[where], help="use fewer ticks or steps")
        return None
    ends = (int(prices[0]), int(prices[-1]))
    return prices if all(price_fits(end, instrument, written.span, work.report) for end in ends) else None
