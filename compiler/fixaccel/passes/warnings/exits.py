# SPDX-License-Identifier: Apache-2.0
"""Pass `exits`: warns of exits that may have nothing to close, or more to close than their entry opened."""

from collections.abc import Sequence

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings
from fixaccel.drafts.entries import (
    RESTS,
    Entry,
    armed_by,
    entries_of,
    first_limit,
    first_of_each,
    names_of,
    rows_of,
    type_place,
)
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import Units
from fixaccel.language.forms import Decision
from fixaccel.language.rules import NO_GROUP, ArmedOn
from fixaccel.language.terms import Side
from fixaccel.passes.meaning.orders import order_place


def run(work: Work) -> None:
    """One warning for each written rule, or each entry, of a kind."""
    if work.report.failed:
        return
    entries = list(entries_of(work.drafts))
    Warnings(checks.EXIT_OF_RESTING, work).add(first_of_each(_of_resting(entry, work) for entry in entries))
    Warnings(checks.EXIT_LARGER, work).add(first_of_each(_larger(entry, work) for entry in entries))


def _of_resting(entry: Entry, work: Work) -> Finding | None:
    """Armed by an order that may rest: it is sent, and perhaps never filled."""
    exits = [draft for draft in entry.exits if draft.written.armed_on is ArmedOn.SENT]
    row = first_limit(entry, RESTS)
    if row is None or not exits:
        return None
    names, one = names_of(exits), len(exits) == 1
    message = (
        f"{names} {'is' if one else 'are'} armed when the limit order of `{entry.name}` is sent, filled or not: "
        f"while that rests, {'it has' if one else 'they have'} nothing to close"
    )
    rule = armed_by(exits[0])
    return Finding(
        message,
        rule.span,
        (Related("this order may rest", type_place(entry.draft, row, work)),),
        f"arm by fills: `armed_by: {{rule: {rule.value}, on: first-fill}}` with `qty: filled`, or enter by an order "
        "that does not rest",
    )


def _larger(entry: Entry, work: Work) -> Finding | None:
    """Exits that close more together than one order of the entry opens; of an `oco` group the largest counts."""
    assert entry.draft.form
    opened = entry.draft.form.orders.qty[rows_of(entry.draft, entry.row)]
    row = int(np.argmin(opened)) if entry.row is None else entry.row
    qty = int(opened.min())
    closed = _closed(entry.exits, qty)
    if closed <= qty or entry.draft.form.orders.filled:
        return None
    one = len(entry.exits) == 1 and len(entry.exits[0].form or ()) == 1
    close, opens = ("sell", "buys") if entry.side is Side.BUY else ("buy", "sells")
    verb = f"{close}s" if one else f"can {close}" if len(entry.exits) == 1 else f"{close} together"
    each = "an order of " if len(opened) > 1 else ""
    message = (
        f"{names_of(entry.exits)} {verb} {closed:,}, and {each}`{entry.name}` {opens} {qty:,}: "
        "what is more opens a position on the other side"
    )
    last = entry.exits[-1]
    way_out = "send no more than that" if one else "join them by `oco`, or send no more than that together"
    return Finding(
        message,
        order_place(last, 0, "qty", work),
        (Related(f"`{entry.name}` {opens} {qty:,}", order_place(entry.draft, row, "qty", work)),),
        way_out,
    )


def _closed(exits: Sequence[Draft], opened: int) -> int:
    """What they send in all, if each part fires once and a group only its largest; `filled` is what was ``opened``."""
    total = 0
    of_group: dict[int, int] = {}
    for draft in exits:
        qty, groups = _of_parts(draft, opened)
        total += int(qty[groups == NO_GROUP].sum())
        for group in np.unique(groups[groups != NO_GROUP]).tolist():
            of_group[group] = max(of_group.get(group, 0), int(qty[groups == group].max()))
    return total + sum(of_group.values())


def _of_parts(draft: Draft, opened: int) -> tuple[Units, Units]:
    """Quantity and group of each part; of a decision the largest order."""
    assert draft.form
    qty = draft.form.orders.qty
    if draft.form.orders.filled:
        qty = np.full(len(qty), opened)
    elif isinstance(draft.form, Decision):
        qty = np.array([qty.max()])
    groups = np.full(len(qty), NO_GROUP) if draft.oco is None else draft.oco
    return qty, groups.astype(np.int64)
