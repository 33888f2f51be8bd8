# SPDX-License-Identifier: Apache-2.0
"""What a strategy means once checked: blocks of parts in columns, so that a million triggers stay cheap.

A *part* is what is armed, fires and is spent: one threshold, one decision or one trail. A *block* holds the parts
that one written rule has at one instrument. Parts are numbered over the whole strategy in declaration order; that
number is the rule index of ClOrdIDs, tables and journals. Columns are NumPy arrays with one row for each part.
`Strategy.rules` shows parts one at a time as `Rule`, for code that need not be fast.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import overload

import numpy as np

from fixaccel.language.codes import DIRECTIONS, SOURCES, Codes, Indices, Units
from fixaccel.language.forms import At, Condition, Decision, Form, Triggers
from fixaccel.language.orders import Order, Orders
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.terms import Instrument, Source, Venue
from fixaccel.source import Span

NO_GROUP = -1


class Through(Enum):
    """`if_already_through`."""

    FIRE = "fire"
    REJECT = "reject"
    WAIT = "wait"


class ArmedOn(Enum):
    """What of a parent arms its children: `on` of `armed_by`."""

    SENT = "sent"  # its order was sent
    FIRST_FILL = "first-fill"  # one of its orders was filled, in part or whole
    FILLED = "filled"  # one of its orders is done, with something filled


@dataclass(frozen=True, order=True)
class Window:
    """Minutes of the venue's day, [start, end); an end before the start crosses midnight."""

    start: int
    end: int

    def __str__(self) -> str:
        return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in (self.start, self.end))


@dataclass(frozen=True)
class RearmAfter:
    """Armed again ``after_ns`` nanoseconds after a sent fire, at most ``times`` times."""

    after_ns: int
    times: int


@dataclass(frozen=True)
class RearmReset:
    """Armed again once ``condition`` is satisfied, at most ``times`` times."""

    condition: Condition
    times: int


def part_name(block: str, row: int, *, many: bool, names: Mapping[int, str]) -> str:
    """Name of one part of a block, by its row from 0."""
    return names.get(row) or (f"{block}[{row + 1}]" if many else block)


def part_place(written: Span, row: int, table_file: str | None, table_lines: Units | None) -> Span:
    """Where one part is written: its line of the table, if there is one."""
    if table_file is None or table_lines is None:
        return written
    line = int(table_lines[row])
    return Span(table_file, line, 1, line, 2)


@dataclass(frozen=True, eq=False)
class Block:
    """The parts that one written rule has at one instrument."""

    id: str  # ID, or ID@SYMBOL where the rule is over a list
    rule_id: str  # as written
    first: int  # index of the first part
    instrument: Instrument
    form: Form
    span: Span
    when_span: Span  # where the condition, table, decision or trail is written
    many: bool = False  # a ladder or a table: parts are ID[1], ID[2], ...
    names: Mapping[int, str] = field(default_factory=dict)  # rows (from 0) of a table that have an id of their own
    through: Through = Through.FIRE
    during: tuple[Window, ...] = ()  # empty: always
    oco: Indices | None = None  # group of each part, into `Strategy.groups`; None: none has one
    parents: tuple[range, ...] | None = None  # indices of parts whose sent fire arms these; None: armed at load
    armed_on: ArmedOn = ArmedOn.SENT
    cancels: tuple[range, ...] = ()  # indices of parts whose resting orders are cancelled when one of these is sent
    limits: "Limits | None" = None  # what these parts and those of the same `rule_id` must pass together, besides
    rearm: RearmAfter | RearmReset | None = None
    note: str | None = None
    table_file: str | None = None  # the file of a table's rows, by its name in spans
    table_lines: Units | None = None  # line of each row in it (row number for Parquet)

    def __len__(self) -> int:
        return len(self.form)

    @classmethod
    def of(
        cls, id_: str, first: int, instrument: Instrument, condition: Condition, order: Order, span: Span
    ) -> "Block":
        """A block of one plain threshold."""
        triggers = Triggers(
            source=np.array([SOURCES.index(condition.source)], np.uint8),
            direction=np.array([DIRECTIONS.index(condition.direction)], np.uint8),
            threshold=np.array([condition.threshold], np.int64),
            confirm=np.ones(1, np.uint8),
            orders=Orders.of([order]),
            text=condition.text,
        )
        return cls(id_, id_, first, instrument, triggers, span, span)

    @property
    def indices(self) -> range:
        """Indices of the parts."""
        return range(self.first, self.first + len(self))

    @property
    def by_fills(self) -> bool:
        """What the venue reports of other rules' orders arms these parts, which the runtime alone knows."""
        return self.parents is not None and self.armed_on is not ArmedOn.SENT

    @property
    def times(self) -> tuple[Window, ...]:
        """``during``, equal for what is written in another order."""
        return tuple(sorted(set(self.during)))

    def name(self, row: int) -> str:
        """Name of one part in reports, logs and tests."""
        return part_name(self.id, row, many=self.many, names=self.names)

    def place(self, row: int) -> Span:
        """Where one part is written."""
        return part_place(self.when_span, row, self.table_file, self.table_lines)

    def group(self, row: int) -> int:
        """`oco` group of one part, `NO_GROUP` if none."""
        return NO_GROUP if self.oco is None else int(self.oco[row])


@dataclass(frozen=True)
class Rule:
    """One part, by itself."""

    block: Block
    row: int  # within the block

    @property
    def index(self) -> int:
        """Number of the part over the whole strategy."""
        return self.block.first + self.row

    @property
    def id(self) -> str:
        """Name in reports, logs and tests."""
        return self.block.name(self.row)

    @property
    def instrument(self) -> Instrument:
        return self.block.instrument

    @property
    def source(self) -> Source:
        """The source whose observations can fire it. Raises TypeError for `at`, which no observation fires."""
        form = self.block.form
        if isinstance(form, At):
            raise TypeError(f"{self.id} looks at no source")
        return SOURCES[form.source[self.row]] if isinstance(form, Triggers) else form.source

    @cached_property
    def condition(self) -> Condition:
        """The threshold. Raises TypeError for a decision or a trail."""
        if not isinstance(self.block.form, Triggers):
            raise TypeError(f"{self.id} is no threshold")
        return self.block.form.condition(self.row, self.instrument)

    @cached_property
    def order(self) -> Order:
        """The order of a threshold or a trail. Raises TypeError for a decision: each interval has its own."""
        form = self.block.form
        if isinstance(form, Decision):
            raise TypeError(f"{self.id} is a decision")
        return form.orders[self.row]

    @property
    def confirm(self) -> int:
        form = self.block.form
        return int(form.confirm[self.row]) if isinstance(form, Triggers) else 1

    @property
    def group(self) -> int:
        """`oco` group, `NO_GROUP` if none."""
        return self.block.group(self.row)

    @property
    def note(self) -> str | None:
        return self.block.note

    @property
    def span(self) -> Span:
        """Where the rule begins in its file."""
        return self.block.span


class Rules(Sequence[Rule]):
    """All parts of a strategy by index, each made when it is asked for."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._starts = np.array([block.first for block in blocks], np.int64)
        self._count = sum(len(block) for block in blocks)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> list[Rule]: ...
    def __getitem__(self, index: int | slice) -> Rule | list[Rule]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        number = range(self._count)[index]
        block = self._blocks[int(np.searchsorted(self._starts, number, "right")) - 1]
        return Rule(block, number - block.first)

    def __iter__(self) -> Iterator[Rule]:
        for block in self._blocks:
            for row in range(len(block)):
                yield Rule(block, row)


@dataclass(frozen=True)
class Limits:
    """The risk gate; None is no limit. Percentages are basis points, notional in the venue's currency."""

    order_qty: int | None = None
    order_notional: Decimal | None = None
    limit_collar: int | None = None
    collar: int | None = None
    orders_per_second: int | None = None
    total_orders: int | None = None
    total_qty: Mapping[str, int] = field(default_factory=dict)  # by symbol
    self_trade: bool = False  # an order that would meet one of our own is rejected
    repeat: int | None = None  # nanoseconds between two orders of one rule
    collar_ignores: bool = False  # `collar_breach`: what lies outside is eligible for no rule, instead of rejected


@dataclass(frozen=True, eq=False)
class Strategy:
    """A checked strategy with everything it refers to."""

    name: str
    venue: Venue
    blocks: tuple[Block, ...]
    inputs: Mapping[str, str]  # file name as written -> SHA-256 of its bytes
    groups: tuple[str, ...] = ()  # names of the `oco` groups
    limits: Limits = field(default_factory=Limits)
    placement: Codes = field(default_factory=lambda: np.zeros(0, np.uint8))  # of each part, into `PLACEMENTS`

    @cached_property
    def rules(self) -> Rules:
        """All parts by index."""
        return Rules(self.blocks)

    @cached_property
    def part_groups(self) -> Indices:
        """`oco` group of each part, `NO_GROUP` where it has none."""
        groups = np.full(len(self.rules), NO_GROUP, np.int32)
        for block in self.blocks:
            if block.oco is not None:
                groups[block.first : block.first + len(block)] = block.oco
        return groups

    def names(self, parts: range) -> Iterator[str]:
        """Names of these parts, which follow one another: of a whole block the block's."""
        index = parts.start
        while index < parts.stop:
            rule = self.rules[index]
            whole = index == rule.block.first and rule.block.indices.stop <= parts.stop
            yield rule.block.id if whole else rule.id
            index = rule.block.indices.stop if whole else index + 1

    def placed(self, index: int) -> Placement:
        """Where the part runs, and why."""
        return PLACEMENTS[int(self.placement[index])]
