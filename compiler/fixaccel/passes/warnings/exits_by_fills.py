# SPDX-License-Identifier: Apache-2.0
"""Pass `exits-by-fills`: warns of exits that are armed by fills and close more or less than those."""

from collections.abc import Iterator, Sequence

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings
from fixaccel.drafts.entries import (
    PARTLY,
    RESTS,
    Entry,
    armed_by,
    entries_of,
    first_limit,
    first_of_each,
    names_of,
    side_of,
    type_place,
)
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.rules import ArmedOn
from fixaccel.passes.meaning.orders import order_place


def run(work: Work) -> None:
    """One warning for each written rule, or each entry, of a kind."""
    if work.report.failed:
        return
    entries = list(entries_of(work.drafts))
    Warnings(checks.EXIT_OF_PART, work).add(first_of_each(_of_part(entry, work) for entry in entries))
    Warnings(checks.ENTRY_RESTS_ON, work).add(first_of_each(_rests_on(entry, work) for entry in entries))
    Warnings(checks.FILLED_ELSEWHERE, work).add(first_of_each(_elsewhere(work.drafts)))


def _of_part(entry: Entry, work: Work) -> Finding | None:
    """Armed by fills, which may be of a part, with a quantity of its own."""
    row = first_limit(entry, PARTLY)
    exits = [draft for draft in _by_fills(entry) if draft.form and not draft.form.orders.filled]
    if row is None or not exits:
        return None
    verb = "sends" if len(exits) == 1 else "send"
    message = (
        f"{names_of(exits)} {verb} the same quantity however much of `{entry.name}` is filled: "
        "of a part it closes more than there is"
    )
    place = order_place(exits[0], 0, "qty", work)
    related = (Related("this order may be filled in part", type_place(entry.draft, row, work)),)
    return Finding(message, place, related, "write `qty: filled`, or enter with `tif: fok`")


def _rests_on(entry: Entry, work: Work) -> Finding | None:
    """Armed by the first fill, while the rest may be filled after the exit has sent what there was."""
    row = first_limit(entry, RESTS)
    exits = [
        draft
        for draft in _by_fills(entry)
        if draft.written.armed_on is ArmedOn.FIRST_FILL
        and not any(one.draft is entry.draft and one.row in {None, entry.row} for one in draft.cancels)
    ]
    if row is None or not exits:
        return None
    one = len(exits) == 1
    message = (
        f"when {names_of(exits)} {'has' if one else 'have'} sent what was filled, `{entry.name}` may rest on: "
        "what is filled then stays open"
    )
    rule = armed_by(exits[0])
    related = (Related("this order may rest", type_place(entry.draft, row, work)),)
    return Finding(message, rule.span, related, f"add `cancels: {rule.value}`, or arm it `on: filled`")


def _by_fills(entry: Entry) -> list[Draft]:
    return [draft for draft in entry.exits if draft.written.armed_on is not ArmedOn.SENT]


def _elsewhere(drafts: Sequence[Draft]) -> Iterator[Finding | None]:
    """`qty: filled` of what was filled in another instrument, or on the same side."""
    for draft in drafts:
        if draft.form is None or not draft.form.orders.filled:
            continue
        for parent in draft.parents or ():
            name = parent.draft.id if parent.row is None else parent.draft.name(parent.row)
            side = side_of(draft, None)
            if parent.draft.instrument is not draft.instrument:
                message = f"`{draft.id}` sends in {draft.instrument.symbol} what `{name}` has filled in "
                message += parent.draft.instrument.symbol
                way_out = "write a quantity, or name the rule that enters in the same instrument"
            elif side is not None and side is side_of(parent.draft, parent.row):
                message = (
                    f"`{draft.id}` and `{name}` {side.value} alike: it does not close what was filled, but doubles it"
                )
                way_out = "expect it, or write the other side"
            else:
                continue
            related = (Related(f"`{name}`", parent.draft.when_span),)
            yield Finding(message, armed_by(draft).span, related, way_out)
