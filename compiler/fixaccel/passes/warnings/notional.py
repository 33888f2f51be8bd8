# SPDX-License-Identifier: Apache-2.0
"""Pass `notional`: warns of market orders that their own `order_notional` rejects where they fire."""

from decimal import Decimal

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings, others
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import ORDER_TYPES, SOURCES, Units
from fixaccel.language.forms import Decision, Triggers, price_text
from fixaccel.language.keys.schema import Located
from fixaccel.language.terms import OrderType, Source
from fixaccel.passes.meaning.limits import notional_units
from fixaccel.passes.meaning.orders import order_place, part_words
from fixaccel.tick_arrays import Flags

_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_MID = SOURCES.index(Source.MID)


def run(work: Work) -> None:
    """A threshold whose own price, or an interval of which an end, is one at which the order would be rejected."""
    if work.report.failed:
        return
    findings = [finding for draft in work.drafts if (finding := _finding(draft, work))]
    Warnings(checks.OVER_NOTIONAL, work).add(findings)


def _finding(draft: Draft, work: Work) -> Finding | None:
    limit = _tightest(draft, work)
    reach = _farthest(draft)
    if limit is None or reach is None or draft.form is None:
        return None
    price, halves = reach
    orders, instrument = draft.form.orders, draft.instrument
    most = notional_units([limit.value, 2 * limit.value], [instrument] * 2)[halves.astype(np.int64)]
    # Divided rather than multiplied: a product of both may be beyond 64 bits.
    size = np.abs(price)
    rows = np.flatnonzero((orders.type == _MARKET) & (size > 0) & (orders.qty > most // np.maximum(size, 1)))
    if not len(rows):
        return None
    row = int(rows[0])
    text = price_text(int(price[row]), Source.MID if halves[row] else Source.LAST, instrument)
    message = (
        f"at {text} the market order of {part_words(draft, row)} comes to more than "
        f"`order_notional: {limit.value:f}`: it is rejected, and the rule is spent"
    )
    return Finding(
        message + others(len(rows) - 1, draft),
        order_place(draft, row, "qty", work),
        (Related("fires at", draft.place(row)), Related("the limit", limit.span)),
        "send less in one order, or raise the limit",
    )


def _tightest(draft: Draft, work: Work) -> Located[Decimal] | None:
    """The lower of the strategy's limit and the rule's own."""
    found = [one.order_notional for one in work.limits_on(draft.written) if one.order_notional]
    return min(found, key=lambda limit: limit.value, default=None)


def _farthest(draft: Draft) -> tuple[Units, Flags] | None:
    """Of each order the price farthest from zero that surely is one at which it fires, and whether in half units.

    None for a trail: where its stop will be nobody knows.
    """
    match draft.form:
        case Triggers(threshold=threshold, source=source):
            return threshold, np.asarray(source == _MID)
        case Decision(low=low, high=high, source=source):
            ends = np.where(np.abs(low) > np.abs(high), low, high)
            return ends, np.full(len(ends), source is Source.MID)
    return None
