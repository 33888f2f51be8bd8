# SPDX-License-Identifier: Apache-2.0
"""Pass `exits`: warns of exits that may have nothing to close, or more to close than their entry opened.

An exit is a rule that is armed by an order of the other side of its instrument, its entry: by that order being sent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.model import Related
from fixaccel.language.model import OrderType, Side, TimeInForce
from fixaccel.language.rules import NO_GROUP, ORDER_TYPES, SIDES, Decision, Units
from fixaccel.passes.orders import base_order, order_place
from fixaccel.passes.part_columns import Finding, Warnings
from fixaccel.passes.work import Draft, Parent, Work
from fixaccel.source import Span

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_NAMED = 3  # exits that a message names
_RESTS = (TimeInForce.DAY, TimeInForce.GTC)


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
    assert entry.draft.form
    orders = entry.draft.form.orders
    rests = np.array([envelope.tif in _RESTS for envelope in orders.envelopes], np.bool_)
    rows = np.flatnonzero((orders.type == _LIMIT) & rests[orders.envelope])
    if entry.row is not None and not isinstance(entry.draft.form, Decision):
        rows = rows[rows == entry.row]
    if not len(rows):
        return None
    row, names = int(rows[0]), _names(entry.exits)
    one = len(entry.exits) == 1
    message = (
        f"{names} {'is' if one else 'are'} armed when the limit order of `{entry.name}` is sent, filled or not: "
        f"while that rests, {'it has' if one else 'they have'} nothing to close"
    )
    armed_by = entry.exits[0].written.armed_by
    assert armed_by
    return Finding(
        message,
        armed_by.span,
        (Related("this order may rest", _type_place(entry.draft, row, work)),),
        "enter by a market order, or by a limit with `tif: ioc` or `fok`, which does not rest",
    )


def _type_place(draft: Draft, row: int, work: Work) -> Span:
    kind = base_order(draft, work).type
    return kind.span if kind and not draft.table_file and not draft.written.decide else draft.place(row)


def _larger(entry: _Entry, work: Work) -> Finding | None:
    """Exits that close more together than one order of the entry opens; of an `oco` group the largest counts."""
    assert entry.draft.form
    opened = entry.draft.form.orders.qty[_rows(entry.draft, entry.row)]
    row = int(np.argmin(opened)) if entry.row is None else entry.row
    qty, closed = int(opened.min()), _closed(entry.exits)
    if closed <= qty:
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


def _closed(exits: Sequence[Draft]) -> int:
    """What they send in all, if each part fires once and a group only its largest."""
    total = 0
    of_group: dict[int, int] = {}
    for draft in exits:
        qty, groups = _of_parts(draft)
        total += int(qty[groups == NO_GROUP].sum())
        for group in np.unique(groups[groups != NO_GROUP]).tolist():
            of_group[group] = max(of_group.get(group, 0), int(qty[groups == group].max()))
    return total + sum(of_group.values())


def _of_parts(draft: Draft) -> tuple[Units, Units]:
    """Quantity and group of each part; of a decision the largest order."""
    assert draft.form
    qty = draft.form.orders.qty
    if isinstance(draft.form, Decision):
        qty = np.array([qty.max()])
    groups = np.full(len(qty), NO_GROUP) if draft.oco is None else draft.oco
    return qty, groups.astype(np.int64)


def _names(drafts: Sequence[Draft]) -> str:
    names = [f"`{draft.id}`" for draft in drafts[:_NAMED]]
    rest = f"{len(drafts) - _NAMED} more" if len(drafts) > _NAMED else names.pop()
    return f"{', '.join(names)} and {rest}" if names else rest
