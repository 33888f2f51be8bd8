# SPDX-License-Identifier: Apache-2.0
"""Pass `ticks`: thresholds lie on the tick grid and inside the price range."""

from decimal import Decimal

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.drafts.work import Work
from fixaccel.language.keys.schema import Located
from fixaccel.language.terms import Instrument
from fixaccel.values import decimal_text


def run(work: Work) -> None:
    """Fills ``threshold``."""
    for draft in work.drafts:
        if draft.written.when:
            draft.threshold = grid_units(draft.written.when.value.price, draft.instrument, work.report)


def grid_units(price: Located[Decimal], instrument: Instrument, report: Report) -> int | None:
    """``price`` in price units; None after reporting that it is off the grid or out of range."""
    units = instrument.ticks.to_units(price.value)
    if units is not None and instrument.price_min <= units <= instrument.price_max and instrument.ticks.on_grid(units):
        return units
    low, high = (instrument.to_price(bound) for bound in (instrument.price_min, instrument.price_max))
    if low <= price.value <= high:
        _report_off_grid(price, units, instrument, report)
    else:
        shown = f"{decimal_text(low)}..{decimal_text(high)}"
        report.add(
            codes.OUTSIDE_RANGE,
            f"{decimal_text(price.value)} is outside the price range of {instrument.symbol}, {shown}",
            price.span,
            related=[Related(f"the price range of {instrument.symbol}", instrument.place("price_range"))],
            help="check the price; the range is in the venue file",
        )
    return None


def _report_off_grid(price: Located[Decimal], units: int | None, instrument: Instrument, report: Report) -> None:
    ticks = instrument.ticks
    below, above = ticks.neighbours(price.value)
    step = ticks.step_index(below if units is None else units)
    tick = decimal_text(ticks.steps[step][1])
    near = [decimal_text(ticks.to_price(below)), decimal_text(ticks.to_price(above))]
    report.add(
        codes.OFF_GRID,
        f"{decimal_text(price.value)} lies between two ticks of {instrument.symbol}",
        price.span,
        related=[Related(f"the tick here is {tick}", instrument.place(f"tick {step}"))],
        help=f"write {' or '.join(near)}",
        instead=near,
    )
