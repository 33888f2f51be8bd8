# SPDX-License-Identifier: Apache-2.0
"""Pass `ticks`: thresholds lie on the tick grid and inside the price range."""

from decimal import Decimal

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.model import Related, Report
from fixaccel.language.model import Instrument
from fixaccel.language.schema import Located
from fixaccel.passes.work import Work
from fixaccel.values import decimal_text


def run(work: Work) -> None:
    """Fills ``threshold``."""
    for draft in work.drafts:
        if draft.written.when:
            draft.threshold = grid_units(draft.written.when.value.price, draft.instrument, work.report)


def grid_units(price: Located[Decimal], instrument: Instrument, report: Report) -> int | None:
    """``price`` in price units; None after reporting that it is off the grid or out of range."""
    ticks = instrument.ticks
    units = ticks.to_units(price.value)
    shown = decimal_text(price.value)
    low, high = (decimal_text(instrument.to_price(bound)) for bound in (instrument.price_min, instrument.price_max))
    if not Decimal(low) <= price.value <= Decimal(high):
        where = Related(f"the price range of {instrument.symbol}", instrument.place("price_range"))
        report.add(
            codes.OUTSIDE_RANGE,
            f"{shown} is outside the price range of {instrument.symbol}, {low}..{high}",
            price.span,
            related=[where], help="check the price; the range is in the venue file",
        )  # fmt: skip
        return None
    if units is None or not ticks.on_grid(units):
        below, above = ticks.neighbours(price.value)
        floor = below if units is None else units
        step = ticks.step_index(floor)
        tick = decimal_text(ticks.steps[step][1])
        near = f"{decimal_text(ticks.to_price(below))} or {decimal_text(ticks.to_price(above))}"
        place = instrument.place(f"tick {step}")
        report.add(
            codes.OFF_GRID, f"{shown} lies between two ticks of {instrument.symbol}", price.span,
            related=[Related(f"the tick here is {tick}", place)], help=f"write {near}",
        )  # fmt: skip
        return None
    return units
