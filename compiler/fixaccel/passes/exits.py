# SPDX-License-Identifier: Apache-2.0
"""Pass `exits`: warns of exits that may have nothing to close, more to close than was opened, or leave some of it.

An exit is a rule that is armed by an order of the other side of its instrument, its entry: by that order being sent,
or filled.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.model import Related
from fixaccel.language.model import OrderType, Side, TimeInForce
from fixaccel.language.rules import NO_GROUP, ORDER_TYPES, SIDES, ArmedOn, Decision, Units
from fixaccel.language.schema import Located
from fixaccel.passes.orders import base_order, order_place
from fixaccel.passes.part_columns import Finding, Warnings
from fixaccel.passes.work import Draft, Parent, Work
from fixaccel.source import Span

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_NAMED = 3  # exits that a message names
_RESTS = (TimeInForce.DAY, TimeInForce.GTC)
_PARTLY = (*_RESTS, TimeInForce.IOC)


@dataclass(slots=True)
class _Entry:
    """What arms exits: a whole rule at one instrument, or one part of it; and the exits in the order of the file."""

    draft: Draft
    row: int | None
    side: Side
    exits: list[Draft] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.draft.id if self.row is None else self.draft.name(self.row)


def run(work: Work) -> None:
    """One warning for each written rule, or each entry, of a kind."""
    if work.report.failed:
        return
    entries = list(_entries(work.drafts))
    Warnings(checks.EXIT_OF_RESTING, work).add(_first_of_each(_of_resting(entry, work) for entry in entries))
    Warnings(checks.EXIT_LARGER, work).add(_first_of_each(_larger(entry, work) for entry in entries))
    Warnings(checks.EXIT_OF_PART, work).add(_first_of_each(_of_part(entry, work) for entry in entries))
    Warnings(checks.ENTRY_RESTS_ON, work).add(_first_of_each(_rests_on(entry, work) for entry in entries))
    Warnings(checks.FILLED_ELSEWHERE, work).add(_first_of_each(_elsewhere(work.drafts)))


def _first_of_each(found: Iterator[Finding | None]) -> list[Finding]:
    """A rule over a list of instruments is written once."""
    by_place: dict[Span, Finding] = {}
    for finding in found:
        if finding:
            by_place.setdefault(finding.span, finding)
    return list(by_place.values())


def _entries(drafts: Sequence[Draft]) -> Iterator[_Entry]:
    entries: dict[tuple[int, int | None], _Entry] = {}
    for draft in drafts:
        for parent in draft.parents or ():
            side = _closed_by(draft, parent)
            if side:
                key = (id(parent.draft), parent.row)
                entries.setdefault(key, _Entry(parent.draft, parent.row, side)).exits.append(draft)
    yield from entries.values()


def _closed_by(draft: Draft, parent: Parent) -> Side | None:
    """The side of the entry if ``draft`` is an exit of it; None if it is not, or nobody can say."""
    side, entered = _side(draft, None), _side(parent.draft, parent.row)
    if side is None or entered is None or side is entered or draft.instrument is not parent.draft.instrument:
        return None
    # What an exit arms opens again. There are no circles: they are errors.
    again = any(_closed_by(parent.draft, before) for before in parent.draft.parents or ())
    return None if again else entered


def _rows(draft: Draft, row: int | None) -> slice:
    """The orders of one part or all; a decision is one part with many."""
    return slice(None) if row is None or isinstance(draft.form, Decision) else slice(row, row + 1)


def _side(draft: Draft, row: int | None) -> Side | None:
    if draft.form is None:
        return None
    sides = np.unique(draft.form.orders.side[_rows(draft, row)])
    return SIDES[sides[0]] if len(sides) == 1 else None


def _of_resting(entry: _Entry, work: Work) -> Finding | None:
    """Armed by an order that may rest: it is sent, and perhaps never filled."""
    exits = [draft for draft in entry.exits if draft.written.armed_on is ArmedOn.SENT]
    row = _first_limit(entry, _RESTS)
    if row is None or not exits:
        return None
    names, one = _names(exits), len(exits) == 1
    message = (
        f"{names} {'is' if one else 'are'} armed when the limit order of `{entry.name}` is sent, filled or not: "
        f"while that rests, {'it has' if one else 'they have'} nothing to close"
    )
    rule = _armed_by(exits[0])
    return Finding(
        message,
        rule.span,
        (Related("this order may rest", _type_place(entry.draft, row, work)),),
        f"arm by fills: `armed_by: {{rule: {rule.value}, on: first-fill}}` with `qty: filled`, or enter by an order "
        "that does not rest",
    )


def _first_limit(entry: _Entry, tifs: Collection[TimeInForce]) -> int | None:
    """Row of the first limit order of the entry with one of these times in force."""
    assert entry.draft.form
    orders = entry.draft.form.orders
    of_tif = np.array([envelope.tif in tifs for envelope in orders.envelopes], np.bool_)
    rows = np.flatnonzero((orders.type == _LIMIT) & of_tif[orders.envelope])
    if entry.row is not None and not isinstance(entry.draft.form, Decision):
        rows = rows[rows == entry.row]
    return int(rows[0]) if len(rows) else None


def _armed_by(draft: Draft) -> Located[str]:
    assert draft.written.armed_by
    return draft.written.armed_by


def _of_part(entry: _Entry, work: Work) -> Finding | None:
    """Armed by fills, which may be of a part, with a quantity of its own."""
    row = _first_limit(entry, _PARTLY)
    exits = [draft for draft in _by_fills(entry) if draft.form and not draft.form.orders.filled]
    if row is None or not exits:
        return None
    verb = "sends" if len(exits) == 1 else "send"
    message = (
        f"{_names(exits)} {verb} the same quantity however much of `{entry.name}` is filled: "
        "of a part it closes more than there is"
    )
    place = order_place(exits[0], 0, "qty", work)
    related = (Related("this order may be filled in part", _type_place(entry.draft, row, work)),)
    return Finding(message, place, related, "write `qty: filled`, or enter with `tif: fok`")


def _rests_on(entry: _Entry, work: Work) -> Finding | None:
    """Armed by the first fill, while the rest may be filled after the exit has sent what there was."""
    row = _first_limit(entry, _RESTS)
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
        f"when {_names(exits)} {'has' if one else 'have'} sent what was filled, `{entry.name}` may rest on: "
        "what is filled then stays open"
    )
    rule = _armed_by(exits[0])
    related = (Related("this order may rest", _type_place(entry.draft, row, work)),)
    return Finding(message, rule.span, related, f"add `cancels: {rule.value}`, or arm it `on: filled`")


def _by_fills(entry: _Entry) -> list[Draft]:
    return [draft for draft in entry.exits if draft.written.armed_on is not ArmedOn.SENT]


def _elsewhere(drafts: Sequence[Draft]) -> Iterator[Finding | None]:
    """`qty: filled` of what was filled in another instrument, or on the same side."""
    for draft in drafts:
        if draft.form is None or not draft.form.orders.filled:
            continue
        for parent in draft.parents or ():
            name = parent.draft.id if parent.row is None else parent.draft.name(parent.row)
            side = _side(draft, None)
            if parent.draft.instrument is not draft.instrument:
                message = f"`{draft.id}` sends in {draft.instrument.symbol} what `{name}` has filled in "
                message += parent.draft.instrument.symbol
                way_out = "write a quantity, or name the rule that enters in the same instrument"
            elif side is not None and side is _side(parent.draft, parent.row):
                message = (
                    f"`{draft.id}` and `{name}` {side.value} alike: it does not close what was filled, but doubles it"
                )
                way_out = "expect it, or write the other side"
            else:
                continue
            related = (Related(f"`{name}`", parent.draft.when_span),)
            yield Finding(message, _armed_by(draft).span, related, way_out)


def _type_place(draft: Draft, row: int, work: Work) -> Span:
    kind = base_order(draft, work).type
    return kind.span if kind and not draft.table_file and not draft.written.decide else draft.place(row)


def _larger(entry: _Entry, work: Work) -> Finding | None:
    """Exits that close more together than one order of the entry opens; of an `oco` group the largest counts."""
    assert entry.draft.form
    opened = entry.draft.form.orders.qty[_rows(entry.draft, entry.row)]
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
        f"{_names(entry.exits)} {verb} {closed:,}, and {each}`{entry.name}` {opens} {qty:,}: "
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


def _names(drafts: Sequence[Draft]) -> str:
    names = [f"`{draft.id}`" for draft in drafts[:_NAMED]]
    rest = f"{len(drafts) - _NAMED} more" if len(drafts) > _NAMED else names.pop()
    return f"{', '.join(names)} and {rest}" if names else rest
