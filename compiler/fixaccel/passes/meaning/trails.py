# SPDX-License-Identifier: Apache-2.0
"""Pass `trails`: stops that follow the market, and rules that fire by the clock."""

from decimal import Decimal

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.forms import At, Distance, DistanceKind, Trail
from fixaccel.language.keys.distances import MILLIONTH_PLACES
from fixaccel.language.orders import Orders
from fixaccel.language.written import Percent, TickCount, WrittenTrail
from fixaccel.passes.meaning.conditions import bind
from fixaccel.source import Span
from fixaccel.values import decimal_text, scaled


def run(work: Work) -> None:
    """Fills ``form`` of the rules with `trail` and `at`."""
    for draft in work.drafts:
        if draft.written.at and draft.order:
            draft.form = At(draft.written.at.value, Orders.of([draft.order]))
        if draft.written.trail is None:
            continue
        written = draft.written.trail.value
        activate = bind(written.activate, draft.instrument, work.report) if written.activate else None
        by = _distance(written, draft, work)
        if draft.order and by and (activate or not written.activate):
            draft.form = Trail(written.source.value, by, activate, Orders.of([draft.order]))


def _distance(written: WrittenTrail, draft: Draft, work: Work) -> Distance | None:
    by = written.by.value
    if isinstance(by, TickCount):
        return Distance(DistanceKind.TICKS, by.ticks, written.by_text)
    if isinstance(by, Percent):
        return Distance(DistanceKind.PERCENT, scaled(by.value, MILLIONTH_PLACES) or 0, written.by_text)
    return _price(by, written, draft, work)


def _price(by: Decimal, written: WrittenTrail, draft: Draft, work: Work) -> Distance | None:
    instrument = draft.instrument
    units = instrument.to_units(by)
    width = instrument.price_max - instrument.price_min
    if units is None:
        message = f"{decimal_text(by)} is not a multiple of the finest tick of {instrument.symbol}"
        where = Related(f"the finest tick is {decimal_text(instrument.unit)}", _finest(draft))
        way_out = f"write a multiple of {decimal_text(instrument.unit)}"
    elif units > width:
        message = f"{decimal_text(by)} is more than the price range of {instrument.symbol} is wide: it never fires"
        where, way_out = Related("the price range", instrument.place("price_range")), "use a shorter distance"
    else:
        return Distance(DistanceKind.PRICE, units, written.by_text)
    work.report.add(codes.TRAIL_DISTANCE, message, written.by.span, related=[where], help=way_out)
    return None


def _finest(draft: Draft) -> Span:
    steps = draft.instrument.ticks.steps
    index = min(range(len(steps)), key=lambda number: steps[number][1])
    return draft.instrument.place(f"tick {index}")
