# SPDX-License-Identifier: Apache-2.0
"""Pass `conditions`: strict comparisons become inclusive ones at the next tick."""

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.language.model import Direction
from fixaccel.language.rules import Condition
from fixaccel.passes.work import Draft, Work
from fixaccel.values import decimal_text

_DIRECTIONS = {">=": Direction.GE, ">": Direction.GE, "<=": Direction.LE, "<": Direction.LE}


def run(work: Work) -> None:
    """Fills ``condition``."""
    for draft in work.drafts:
        if draft.threshold is not None:
            draft.condition = _condition(draft, work)


def _condition(draft: Draft, work: Work) -> Condition | None:
    assert draft.written.when
    assert draft.threshold is not None
    written = draft.written.when.value
    threshold = draft.threshold
    if written.op == ">":
        threshold = draft.instrument.ticks.next_up(threshold)
    elif written.op == "<":
        threshold = draft.instrument.ticks.next_down(threshold)
    if not draft.instrument.price_min <= threshold <= draft.instrument.price_max:
        refused = f"{written.op} {decimal_text(written.price.value)}"
        message = f"no price of {draft.instrument.symbol} is {refused}: that is the end of its price range"
        work.report.add(
            codes.OUTSIDE_RANGE, message, written.price.span, help=f"write `{written.op}=`, or another price"
        )
        return None
    return Condition(written.source, _DIRECTIONS[written.op], threshold, written.text)
