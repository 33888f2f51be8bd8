# SPDX-License-Identifier: Apache-2.0
"""All thresholds of a strategy as one set of columns, for checks over the whole; and warnings in bounded number."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fixaccel.diagnostics.report import Code, Related
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import Codes, Indices, Units
from fixaccel.language.forms import Triggers
from fixaccel.language.rules import NO_GROUP
from fixaccel.source import Span

SHOWN = 20  # warnings of one kind
Numbers = Indices | Units


@dataclass(frozen=True, eq=False)
class PartColumns:
    """A row for each threshold, in declaration order. ``drafts`` are those that have thresholds."""

    drafts: Sequence[Draft]
    owner: Units  # into drafts
    starts: Units  # first row of each draft
    instrument: Units  # a number for each symbol, in order of appearance
    source: Codes
    direction: Codes
    threshold: Units
    confirm: Codes
    side: Codes
    qty: Units
    type: Codes
    price: Units
    group: Indices

    def __len__(self) -> int:
        return len(self.owner)

    @classmethod
    def of(cls, drafts: Sequence[Draft]) -> "PartColumns | None":
        """The columns of those drafts that have thresholds; None if none has."""
        pairs = [(draft, draft.form) for draft in drafts if isinstance(draft.form, Triggers)]
        if not pairs:
            return None
        kept, forms = [draft for draft, _ in pairs], [form for _, form in pairs]
        lengths = np.array([len(form) for form in forms], np.int64)
        symbols: dict[str, int] = {}
        numbers = [symbols.setdefault(draft.instrument.symbol, len(symbols)) for draft in kept]
        groups = [np.full(len(form), NO_GROUP, np.int32) if draft.oco is None else draft.oco for draft, form in pairs]
        return cls(
            drafts=kept,
            owner=np.repeat(np.arange(len(kept), dtype=np.int64), lengths),
            starts=np.cumsum(lengths) - lengths,
            instrument=np.repeat(np.array(numbers, np.int64), lengths),
            source=np.concatenate([form.source for form in forms]),
            direction=np.concatenate([form.direction for form in forms]),
            threshold=np.concatenate([form.threshold for form in forms]),
            confirm=np.concatenate([form.confirm for form in forms]),
            side=np.concatenate([form.orders.side for form in forms]),
            qty=np.concatenate([form.orders.qty for form in forms]),
            type=np.concatenate([form.orders.type for form in forms]),
            price=np.concatenate([form.orders.price for form in forms]),
            group=np.concatenate(groups),
        )

    def part(self, row: int) -> tuple[Draft, int]:
        """The draft of one part, and its row there."""
        owner = int(self.owner[row])
        return self.drafts[owner], row - int(self.starts[owner])

    @cached_property
    def envelope(self) -> Units:
        """A number for each different envelope over all drafts."""
        known: dict[object, int] = {}
        columns = []
        for draft in self.drafts:
            assert isinstance(draft.form, Triggers)
            orders = draft.form.orders
            numbers = [
                known.setdefault((one.tif, one.account, tuple(sorted(one.fields.items()))), len(known))
                for one in orders.envelopes
            ]
            columns.append(np.array(numbers, np.int64)[orders.envelope])
        return np.concatenate(columns)

    def of_drafts(self, values: Sequence[object]) -> Units:
        """A number for each different one of the drafts' values, as a column."""
        known: dict[object, int] = {}
        numbers = np.array([known.setdefault(value, len(known)) for value in values], np.int64)
        return numbers[self.owner]


def arming(draft: Draft) -> object:
    """Equal where rules are armed and live at the same times; `rearm` apart."""
    parents = None if draft.parents is None else tuple((id(one.draft), one.row) for one in draft.parents)
    return parents if parents is None else (parents, draft.written.armed_on), draft.written.during


def mixed(columns: Sequence[Numbers | Codes]) -> Units:
    """One number for each row; rows that are equal in all columns have equal ones, others hardly ever."""
    total = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        total ^= column.astype(np.int64).view(np.uint64)
        total *= np.uint64(0x9E3779B97F4A7C15)
        total ^= total >> np.uint64(29)
    return total.view(np.int64)


@dataclass(frozen=True)
class Finding:
    """What a warning is about."""

    message: str
    span: Span
    related: tuple[Related, ...]
    help: str
    instead: tuple[str, ...] = ()


class Warnings:
    """Gives the first warnings of a kind; the last of them says how many there are besides."""

    def __init__(self, code: Code, work: Work) -> None:
        self._code = code
        self._work = work

    def add(self, findings: Sequence[Finding]) -> None:
        """All of them at once."""
        for number, finding in enumerate(findings[:SHOWN], start=1):
            more = len(findings) - SHOWN if number == SHOWN else 0
            suffix = f" (and {more:,} more like this)" if more else ""
            self._work.report.add(
                self._code,
                finding.message + suffix,
                finding.span,
                related=finding.related,
                help=finding.help,
                instead=finding.instead,
            )


def others(count: int, draft: Draft) -> str:
    """How many further parts of a draft a warning is about."""
    return f" (and {count:,} more of `{draft.id}`)" if count else ""
