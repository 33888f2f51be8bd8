# SPDX-License-Identifier: Apache-2.0
"""Pass `cautions`: warns of what is sound by itself and still seldom meant."""

from itertools import groupby

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings, others
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import ORDER_TYPES, SOURCES
from fixaccel.language.forms import Triggers
from fixaccel.language.rules import NO_GROUP, RearmAfter
from fixaccel.language.terms import OrderType, Source
from fixaccel.values import duration_text

_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_LAST = SOURCES.index(Source.LAST)


def run(work: Work) -> None:
    """Market orders without a collar, `oco` on a ladder or table, what `repeat` spends, `confirm: 2` on snapshots.

    Said of strategies that are right otherwise: beside an error they would only distract.
    """
    if work.report.failed:
        return
    _market_orders(work)
    _groups_of_one_rule(work)
    _spent_by_repeat(work)
    if work.venue and work.venue.market_data == "snapshot":
        _repeated_prices(work)


def _market_orders(work: Work) -> None:
    """One warning for the whole strategy: the collar is one line."""
    if work.limits.collar is not None or (work.written and work.written.limits.collar):
        return
    drafts = [draft for draft in work.drafts if draft.limits is None or draft.limits.collar is None]
    counts = [int(np.count_nonzero(draft.form.orders.type == _MARKET)) if draft.form else 0 for draft in drafts]
    total = sum(counts)
    if not total:
        return
    first = next(draft for draft, count in zip(drafts, counts, strict=True) if count)
    row = int(np.argmax(first.form.orders.type == _MARKET)) if first.form else 0
    place = first.place(row) if first.table_file else first.when_span
    what = "a market order" if total == 1 else f"{total:,} market orders, here the first,"
    message = f"{what} with no collar: nothing bounds the price of the observation that fires"
    work.report.add(checks.NO_COLLAR, message, place, help="add `limits: {collar: 5%}`, or send limit orders")


def _groups_of_one_rule(work: Work) -> None:
    findings = [
        _one_of(draft)
        for draft in work.drafts
        if draft.many and draft.written.oco and draft.oco is not None and _shares_own_group(draft)
    ]
    Warnings(checks.OCO_ON_MANY, work).add([finding for finding in findings if finding])


def _shares_own_group(draft: Draft) -> bool:
    """Whether the rule's own group holds two of its parts."""
    assert draft.oco is not None
    if draft.row_groups is None:
        return len(draft.oco) > 1
    own = [name for name in draft.row_groups if name is None or (draft.written.oco and name == draft.written.oco.value)]
    return len(own) > 1


def _one_of(draft: Draft) -> Finding | None:
    group = draft.written.oco
    if group is None:
        return None
    what = "row of the table" if draft.table_file else "step of the ladder"
    message = f"`oco: {group.value}` holds all of `{draft.id}`: one {what} that is sent cancels the others"
    return Finding(
        message, group.span, (Related(f"`{draft.id}`", draft.when_span),), "leave `oco` out where each is meant"
    )


def _spent_by_repeat(work: Work) -> None:
    """Rules of which `repeat` rejects, and so spends, what fires soon after an order."""
    findings = []
    for _, drafts in groupby(work.drafts, lambda draft: id(draft.written)):
        found = list(drafts)
        written, rearm = found[0].written, found[0].rearm
        limits = [one.repeat for one in work.limits_on(written) if one.repeat]
        if not limits:
            continue
        limit = max(limits, key=lambda limit: limit.value)
        span = duration_text(limit.value)
        name = written.id.value if written.id else found[0].id
        place = found[0].when_span
        if isinstance(rearm, RearmAfter) and rearm.after_ns < limit.value:
            again = duration_text(rearm.after_ns)
            message = f"`{name}` is armed again {again} after an order: what fires before {span} is rejected, and spent"
            place = written.keys.get("rearm", place)
            way_out = f"arm it again after {span} or later"
        elif sum(len(draft.form or ()) for draft in found) > 1 and not _one_group(found):
            message = f"`{name}` has several parts: what fires within {span} of another's order is rejected, and spent"
            way_out = "expect it, or write rules of their own"
        else:
            continue
        findings.append(Finding(message, place, (Related("the limit", limit.span),), way_out))
    Warnings(checks.REPEAT_SPENDS, work).add(findings)


def _one_group(drafts: list[Draft]) -> bool:
    """Whether one `oco` group holds all parts: an order of one cancels the others."""
    groups = [{NO_GROUP} if draft.oco is None else set(draft.oco.tolist()) for draft in drafts]
    found = set.union(*groups)
    return len(found) == 1 and NO_GROUP not in found


def _repeated_prices(work: Work) -> None:
    findings = []
    for draft in work.drafts:
        if not isinstance(draft.form, Triggers):
            continue
        rows = np.flatnonzero((draft.form.confirm == 2) & (draft.form.source == _LAST))
        if len(rows):
            row = int(rows[0])
            message = f"`{draft.name(row)}`: the next snapshot repeats `last`, and so confirms it without a new trade"
            place = draft.written.keys.get("confirm", draft.place(row)) if not draft.table_file else draft.place(row)
            findings.append(
                Finding(message + others(len(rows) - 1, draft), place, (), "expect it, or use `confirm: 1`")
            )  # fmt: skip
    Warnings(checks.CONFIRM_SNAPSHOT, work).add(findings)
