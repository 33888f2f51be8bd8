# SPDX-License-Identifier: Apache-2.0
"""What the passes work on: the written strategy, its venue, and the rules as they take shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fixaccel.diagnostics.report import Report
from fixaccel.language.codes import Indices, Units
from fixaccel.language.forms import Condition, Form
from fixaccel.language.keys.schema import Located
from fixaccel.language.orders import Order
from fixaccel.language.rules import Limits, RearmAfter, RearmReset, Strategy, part_name, part_place
from fixaccel.language.terms import Instrument, Venue
from fixaccel.language.written import WrittenLimits, WrittenRule, WrittenStrategy
from fixaccel.source import Node, SourceFile, Span

# Takes the function as written and how much of it is done, from 0 to 1.
Progress: TypeAlias = Callable[[str, float], None]


@dataclass(slots=True)
class Draft:
    """One rule of one instrument on its way into the model; a part that is None is not there yet, or was reported."""

    id: str
    written: WrittenRule
    instrument: Instrument
    threshold: int | None = None  # of `when`, in price units, as written
    condition: Condition | None = None  # of `when`
    order: Order | None = None  # of `when` (a ladder's first step) and `trail`
    form: Form | None = None
    many: bool = False  # a ladder or a table: parts are ID[1], ID[2], ...
    names: dict[int, str] = field(default_factory=dict)  # rows (from 0) of a table that have an id of their own
    row_groups: Sequence[str | None] | None = None  # `oco` of each row of a table; None: the rule's own
    table_file: str | None = None  # the file of a table's rows, by its name in spans
    table_lines: Units | None = None  # line of each row in it (row number for Parquet)
    oco: Indices | None = None  # group of each part, into `Work.groups`
    parents: "list[Parent] | None" = None  # what arms it; None: armed at load
    cancels: "list[Parent]" = field(default_factory=list)  # whose resting orders it cancels
    limits: Limits | None = None  # its own
    rearm: RearmAfter | RearmReset | None = None

    @property
    def when_span(self) -> Span:
        """Where the condition, trail, table or decision is written."""
        rule = self.written
        place = rule.when or rule.trail or rule.table or rule.decide or rule.at
        return place.span if place else rule.span

    def name(self, row: int) -> str:
        """Name of one part."""
        return part_name(self.id, row, many=self.many, names=self.names)

    def place(self, row: int) -> Span:
        """Where one part is written."""
        return part_place(self.when_span, row, self.table_file, self.table_lines)


@dataclass(frozen=True, slots=True)
class Parent:
    """A draft that arms another: any part of it, or the one at ``row``."""

    draft: Draft
    row: int | None = None


@dataclass(slots=True)
class Work:
    """One run over one strategy file. Each pass fills the fields after those that it reads."""

    path: Path
    given: bytes | None = None  # content of the strategy, where it is not to be read from `path`
    progress: Progress | None = None  # told how far the functions of `decide` are
    ask: bool = True  # whether functions of `decide` are asked; without, only answers that are kept count
    report: Report = field(default_factory=Report)
    sources: dict[str, SourceFile] = field(default_factory=dict)
    tree: Node | None = None
    written: WrittenStrategy | None = None
    venue: Venue | None = None
    unreadable: frozenset[str] | None = None  # symbols of the venue that were reported; None: nobody knows
    inputs: dict[str, str] = field(default_factory=dict)  # file name as written -> SHA-256
    drafts: list[Draft] = field(default_factory=list)
    groups: tuple[str, ...] = ()  # names of the `oco` groups
    limits: Limits = field(default_factory=Limits)
    unasked: list[Located[str]] = field(default_factory=list)  # functions that were to be asked, and were not
    strategy: Strategy | None = None

    def limits_on(self, rule: WrittenRule) -> list[WrittenLimits]:
        """The limits as they are written that orders of ``rule`` are held to: the strategy's and its own."""
        return [one.limits for one in (self.written, rule) if one and one.limits]
