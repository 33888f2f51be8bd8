# SPDX-License-Identifier: Apache-2.0
"""Pass `intervals`: decisions that are written out."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.forms import Decision
from fixaccel.language.keys.schema import Located
from fixaccel.language.orders import Order, Orders
from fixaccel.language.terms import Instrument, Source
from fixaccel.language.written import WrittenDecide, WrittenInterval
from fixaccel.passes.meaning.orders import base_order, complete_order
from fixaccel.passes.meaning.ticks import grid_units
from fixaccel.values import decimal_text

INTERVALS_MOST = 200_000  # written out, of one strategy


@dataclass(frozen=True, slots=True)
class _Interval:
    """Ends in price units."""

    low: int
    high: int
    order: Order | None
    written: WrittenInterval


def run(work: Work) -> None:
    """Fills ``form`` of the rules with `decide` and `intervals`."""
    count = 0
    for draft in work.drafts:
        decide = draft.written.decide
        if decide is None or not decide.value.intervals or not draft.written.order_readable:
            continue
        count += len(decide.value.intervals)
        if count > INTERVALS_MOST:
            message = f"the decisions have more than {INTERVALS_MOST:,} intervals together, all instruments counted"
            place = draft.written.keys["decide"]
            work.report.add(codes.TOO_MANY_PARTS, message, place, help="write fewer, or use `python`")
            return
        draft.form = _decision(decide.value, decide.value.intervals, draft, work)


def over_units(decide: WrittenDecide, draft: Draft, work: Work) -> tuple[int, int] | None:
    """`over` in price units, cut to the price range; None where it is left out and after reporting what is wrong."""
    if decide.over is None:
        return None
    ends = _within_range(Located(decide.over.value, decide.over.span), draft.instrument, work.report)
    low, high = (grid_units(end, draft.instrument, work.report) for end in ends)
    if low is None or high is None:
        return None
    if low > high:
        message = f"{decimal_text(ends[0].value)} is above {decimal_text(ends[1].value)}"
        work.report.add(codes.BAD_INTERVAL, message, decide.over.span, help="write the lower price first")
        return None
    return low, high


def _within_range(
    over: Located[tuple[Located[Decimal], Located[Decimal]]], instrument: Instrument, report: Report
) -> tuple[Located[Decimal], Located[Decimal]]:
    """Ends beyond the price range moved to it, with a warning; as they are where all of it lies outside."""
    low, high = over.value
    least, most = (instrument.to_price(bound) for bound in (instrument.price_min, instrument.price_max))
    if not (low.value < least <= high.value or low.value <= most < high.value):
        return over.value
    shown = f"{decimal_text(least)}..{decimal_text(most)}"
    inside = f"{decimal_text(max(low.value, least))}..{decimal_text(min(high.value, most))}"
    report.add(
        checks.DECIDE_RANGE,
        f"`over` leaves the price range of {instrument.symbol}, {shown}: it is cut to it",
        over.span,
        related=[Related(f"the price range of {instrument.symbol}", instrument.place("price_range"))],
        help=f"write `over: {inside}`",
        instead=[inside],
    )
    return Located(max(low.value, least), low.span), Located(min(high.value, most), high.span)


def _decision(decide: WrittenDecide, written: list[WrittenInterval], draft: Draft, work: Work) -> Decision | None:
    over = over_units(decide, draft, work)
    if decide.over and over is None:
        return None
    bound = [_bind(interval, over, decide, draft, work) for interval in written]
    intervals = sorted((interval for interval in bound if interval), key=lambda interval: (interval.low, interval.high))
    sound = len(intervals) == len(written) and _apart(intervals, work)
    orders = [interval.order for interval in intervals if interval.order]
    if not sound or len(orders) < len(intervals):
        return None
    scale = 2 if decide.source.value is Source.MID else 1
    low = scale * np.array([interval.low for interval in intervals], np.int64)
    high = scale * np.array([interval.high for interval in intervals], np.int64)
    whole = (scale * over[0], scale * over[1]) if over else (int(low[0]), int(high[-1]))
    return Decision(decide.source.value, low, high, Orders.of(orders), whole)


def _bind(
    interval: WrittenInterval, over: tuple[int, int] | None, decide: WrittenDecide, draft: Draft, work: Work
) -> _Interval | None:
    low = grid_units(interval.low, draft.instrument, work.report)
    high = grid_units(interval.high, draft.instrument, work.report)
    order = _order(interval, draft, work)
    if low is None or high is None:
        return None
    if low > high:
        message = f"{decimal_text(interval.low.value)} is above {decimal_text(interval.high.value)}"
        place = interval.low.span
        work.report.add(codes.BAD_INTERVAL, message, place, help="`from` is the lower end, `to` the higher")
        return None
    if over and not over[0] <= low <= high <= over[1]:
        end = interval.low if low < over[0] else interval.high
        assert decide.over
        where = Related("`over` here", decide.over.span)
        message = f"{decimal_text(end.value)} is outside `over`"
        way_out = "widen `over`, or leave it out"
        work.report.add(codes.BAD_INTERVAL, message, end.span, related=[where], help=way_out)
        return None
    return _Interval(low, high, order, interval)


def _order(interval: WrittenInterval, draft: Draft, work: Work) -> Order | None:
    if not interval.order_readable:
        return None
    base = base_order(draft, work)
    written = interval.order.over(base) if interval.order else base
    return complete_order(written, draft, work.report)


def _apart(intervals: list[_Interval], work: Work) -> bool:
    """Whether no two overlap; each that does is reported with the one before it."""
    sound = True
    for lower, upper in pairwise(intervals):
        if upper.low <= lower.high:
            first, second = (
                f"{decimal_text(one.written.low.value)}..{decimal_text(one.written.high.value)}"
                for one in (lower, upper)
            )
            message = f"the intervals {first} and {second} overlap"
            place, other = upper.written.low.span, lower.written.high.span
            where = Related("the interval below it ends here", other)
            way_out = "both ends belong to an interval; begin the upper one a tick later"
            work.report.add(codes.INTERVALS_OVERLAP, message, place, related=[where], help=way_out)
            sound = False
    return sound
