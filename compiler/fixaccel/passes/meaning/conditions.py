# SPDX-License-Identifier: Apache-2.0
"""Pass `conditions`: strict comparisons become inclusive ones at the next tick, for `mid` at the next half tick."""

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Report
from fixaccel.drafts.work import Work
from fixaccel.language.forms import Condition
from fixaccel.language.keys.schema import Located
from fixaccel.language.terms import Direction, Instrument, Source
from fixaccel.language.written import WrittenCondition
from fixaccel.passes.meaning.ticks import grid_units
from fixaccel.values import decimal_text

DIRECTIONS = {">=": Direction.GE, ">": Direction.GE, "<=": Direction.LE, "<": Direction.LE}
STRICT = {">": 1, "<": -1}  # steps to the inclusive threshold


def run(work: Work) -> None:
    """Fills ``condition``."""
    for draft in work.drafts:
        if draft.threshold is not None:
            assert draft.written.when
            draft.condition = inclusive(draft.written.when.value, draft.threshold, draft.instrument, work.report)


def bind(written: Located[WrittenCondition], instrument: Instrument, report: Report) -> Condition | None:
    """What a condition means at the instrument; None after reporting what is wrong with its price."""
    units = grid_units(written.value.price, instrument, report)
    return None if units is None else inclusive(written.value, units, instrument, report)


def inclusive(written: WrittenCondition, units: int, instrument: Instrument, report: Report) -> Condition | None:
    """``units`` is the price as written, on the grid."""
    steps = STRICT.get(written.op, 0)
    scale = 2 if written.source is Source.MID else 1
    threshold = 2 * units + steps if scale == 2 else instrument.ticks.step(units, steps)
    if not scale * instrument.price_min <= threshold <= scale * instrument.price_max:
        refused = f"{written.op} {decimal_text(written.price.value)}"
        message = f"no price of {instrument.symbol} is {refused}: that is the end of its price range"
        way_out = f"write `{written.op}=`, or another price"
        report.add(codes.OUTSIDE_RANGE, message, written.price.span, help=way_out)
        return None
    return Condition(written.source, DIRECTIONS[written.op], threshold, written.text)
