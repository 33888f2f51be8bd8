# SPDX-License-Identifier: Apache-2.0
"""Entries and their exits, and which orders may rest.

An exit is a rule that is armed by an order of the other side of its instrument, its entry: by that order being sent,
or filled.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fixaccel.drafts.columns import Finding
from fixaccel.drafts.work import Draft, Parent, Work
from fixaccel.language.codes import ORDER_TYPES, SIDES
from fixaccel.language.forms import Decision
from fixaccel.language.keys.schema import Located
from fixaccel.language.terms import OrderType, Side, TimeInForce
from fixaccel.passes.meaning.orders import base_order
from fixaccel.source import Span

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_NAMED = 3  # exits that a message names
RESTS = (TimeInForce.DAY, TimeInForce.GTC)
PARTLY = (*RESTS, TimeInForce.IOC)


@dataclass(slots=True)
class Entry:
    """What arms exits: a whole rule at one instrument, or one part of it; and the exits in the order of the file."""

    draft: Draft
    row: int | None
    side: Side
    exits: list[Draft] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.draft.id if self.row is None else self.draft.name(self.row)


def first_of_each(found: Iterator[Finding | None]) -> list[Finding]:
    """A rule over a list of instruments is written once."""
    by_place: dict[Span, Finding] = {}
    for finding in found:
        if finding:
            by_place.setdefault(finding.span, finding)
    return list(by_place.values())


def entries_of(drafts: Sequence[Draft]) -> Iterator[Entry]:
    """What arms exits, each with its exits."""
    entries: dict[tuple[int, int | None], Entry] = {}
    for draft in drafts:
        for parent in draft.parents or ():
            side = _closed_by(draft, parent)
            if side:
                key = (id(parent.draft), parent.row)
                entries.setdefault(key, Entry(parent.draft, parent.row, side)).exits.append(draft)
    yield from entries.values()


def _closed_by(draft: Draft, parent: Parent) -> Side | None:
    """The side of the entry if ``draft`` is an exit of it; None if it is not, or nobody can say."""
    side, entered = side_of(draft, None), side_of(parent.draft, parent.row)
    if side is None or entered is None or side is entered or draft.instrument is not parent.draft.instrument:
        return None
    # What an exit arms opens again. There are no circles: they are errors.
    again = any(_closed_by(parent.draft, before) for before in parent.draft.parents or ())
    return None if again else entered


def rows_of(draft: Draft, row: int | None) -> slice:
    """The orders of one part or all; a decision is one part with many."""
    return slice(None) if row is None or isinstance(draft.form, Decision) else slice(row, row + 1)


def side_of(draft: Draft, row: int | None) -> Side | None:
    """The side of one part's orders, or of all of them; None where they have both."""
    if draft.form is None:
        return None
    sides = np.unique(draft.form.orders.side[rows_of(draft, row)])
    return SIDES[sides[0]] if len(sides) == 1 else None


def first_limit(entry: Entry, tifs: Collection[TimeInForce]) -> int | None:
    """Row of the first limit order of the entry with one of these times in force."""
    assert entry.draft.form
    orders = entry.draft.form.orders
    of_tif = np.array([envelope.tif in tifs for envelope in orders.envelopes], np.bool_)
    rows = np.flatnonzero((orders.type == _LIMIT) & of_tif[orders.envelope])
    if entry.row is not None and not isinstance(entry.draft.form, Decision):
        rows = rows[rows == entry.row]
    return int(rows[0]) if len(rows) else None


def armed_by(draft: Draft) -> Located[str]:
    """What `armed_by` names."""
    assert draft.written.armed_by
    return draft.written.armed_by


def type_place(draft: Draft, row: int, work: Work) -> Span:
    """Where the type of an order is written."""
    kind = base_order(draft, work).type
    return kind.span if kind and not draft.table_file and not draft.written.decide else draft.place(row)


def names_of(drafts: Sequence[Draft]) -> str:
    """The first of them, the rest counted."""
    names = [f"`{draft.id}`" for draft in drafts[:_NAMED]]
    rest = f"{len(drafts) - _NAMED} more" if len(drafts) > _NAMED else names.pop()
    return f"{', '.join(names)} and {rest}" if names else rest
