# SPDX-License-Identifier: Apache-2.0
"""Pass `totals`: warns of orders larger than `total_qty` ever lets pass."""

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings, others
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.keys.schema import Located
from fixaccel.passes.meaning.orders import order_place, part_words


def run(work: Work) -> None:
    """One order that alone is more than what a whole day may send of its side."""
    if work.report.failed:
        return
    findings = [finding for draft in work.drafts if (finding := _finding(draft, work))]
    Warnings(checks.OVER_TOTAL, work).add(findings)


def _finding(draft: Draft, work: Work) -> Finding | None:
    most = _tightest(draft, work)
    if most is None or draft.form is None:
        return None
    rows = np.flatnonzero(draft.form.orders.qty > most.value)  # `qty: filled` counts as none
    if not len(rows):
        return None
    row = int(rows[0])
    message = (
        f"{part_words(draft, row)} sends {draft.form.orders.qty[row]}, more than `total_qty: {most.value}` of "
        f"{draft.instrument.symbol} ever lets pass: it is rejected, and the rule is spent"
    )
    return Finding(
        message + others(len(rows) - 1, draft),
        order_place(draft, row, "qty", work),
        (Related("the limit", most.span),),
        "send less in one order, or raise the limit",
    )


def _tightest(draft: Draft, work: Work) -> Located[int] | None:
    """The lower of the strategy's limit of the instrument and the rule's own."""
    limits = work.limits_on(draft.written)
    found = [most for one in limits for symbol, most in one.total_qty if symbol.value == draft.instrument.symbol]
    return min(found, key=lambda most: most.value, default=None)
