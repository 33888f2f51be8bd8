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
import numpy.typing as npt

from fixaccel.language.patterns import HWMAP
from fixaccel.language.terms import Direction, Instrument, OrderType, Side, Source, TimeInForce, Venue
from fixaccel.source import Span

Codes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int32]
Units = npt.NDArray[np.int64]

# A column holds the place of a value in its tuple. Sources and directions stand as in the hwmap.
SOURCES = (Source.BID, Source.ASK, Source.LAST, Source.MID)
DIRECTIONS = (Direction.LE, Direction.GE)
SIDES = (Side.BUY, Side.SELL)
ORDER_TYPES = (OrderType.MARKET, OrderType.LIMIT)

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


class Placement(Enum):
    """Where a part runs; the value says why."""

    FABRIC = "the fabric compares each observation with it"
    MID = "`mid` is compared doubled, and twice the price range is wider than the fabric's numbers"
    CONFIRM = "the fabric keeps the observation just before of `bid`, `ask` and `last`, but not of `mid`"
    MIXED = "rules before it on its instrument, source and direction have another `confirm`"
    BEHIND = (
        "a price that satisfies it may satisfy a threshold `>=` without `confirm`, and that would have to fire first"
    )
    REFUSES = "its `if_already_through: reject` judges without `confirm`, and a chain of the fabric is of one kind"
    THROUGH = "armed by another rule or armed again, `if_already_through` needs the value known then"
    DURING = "rules before it on its instrument, source and direction have another `during`"
    DURINGS = "the strategy has more different `during` than the fabric keeps"
    AFTER = (
        "armed again sooner than the runtime may take to tell the fabric when: the least is "
        f"{HWMAP.constant('rearm_after_least_ms')} ms"
    )
    SLOTS = f"the fabric has room for {HWMAP.constant('rearm_slots')} parts that are armed again after a time"
    TIMES = "it is armed again more often than the fabric counts"
    QUANTITY = "this `total_qty` has more digits than the fabric counts"
    DECIDE = "the fabric holds thresholds `>=` or one decision for each source of an instrument: that place is taken"
    EMPTY = "none of its prices has an order: it never fires"
    TRAIL = "the fabric does not follow extremes yet"
    TOGETHER = "placed whole with the rules that it is joined to by `oco` or `armed_by`"
    COUNTED = "one of `limits` counts it together with rules that run in the runtime"
    REPEAT = "the fabric does not know yet when a rule sent its last order"
    FILLS = "the runtime arms and sizes by what the venue reports of its own orders"
    CANCELS = "the runtime sends what cancels other rules' orders"
    AT = "it fires by the clock, which the fabric does not compare"
    RULE_LIMITS = "the fabric does not check the limits of one rule alone"
    COLLAR_IGNORE = "with `collar_breach: ignore` the collar decides before a rule is looked at, in the fabric after it"


PLACEMENTS = tuple(Placement)


@dataclass(frozen=True)
class Condition:
    """``source`` at or beyond ``threshold``: inclusive, in price units, for mid in half units (2 x mid is compared)."""

    source: Source
    direction: Direction
    threshold: int
    text: str = field(compare=False)  # as written


@dataclass(frozen=True)
class Envelope:
    """What orders carry besides side, quantity, type and price."""

    tif: TimeInForce = TimeInForce.DAY
    account: str | None = None
    fields: Mapping[int, str] = field(default_factory=dict)  # text by tag, in rising order of tags


@dataclass(frozen=True)
class Order:
    """What to send. ``price`` in price units, None for a market order and where it follows a trail.

    ``ticks`` is the distance from the stop of a trail (`trigger + N ticks`), None everywhere else: thresholds turn it
    into a price. ``filled``: the quantity is what the parents have filled when the part fires; ``qty`` is 0.
    """

    side: Side
    qty: int
    type: OrderType
    price: int | None
    tif: TimeInForce
    account: str | None
    fields: Mapping[int, str]
    ticks: int | None = None
    filled: bool = False


@dataclass(frozen=True, eq=False)
class Orders:
    """Columns of orders; ``price`` (price units) counts only where ``type`` says limit.

    ``ticks`` and ``filled`` are as in `Order`, for all rows alike; where ``filled``, the quantity is rounded down to
    whole lots.
    """

    side: Codes
    qty: Units
    type: Codes
    price: Units
    envelope: Indices  # into `envelopes`
    envelopes: tuple[Envelope, ...]
    ticks: int | None = None
    filled: bool = False

    def __len__(self) -> int:
        return len(self.qty)

    def __getitem__(self, row: int) -> Order:
        envelope = self.envelopes[self.envelope[row]]
        kind = ORDER_TYPES[self.type[row]]
        fixed = kind is OrderType.LIMIT and self.ticks is None
        return Order(
            side=SIDES[self.side[row]],
            qty=int(self.qty[row]),
            type=kind,
            price=int(self.price[row]) if fixed else None,
            tif=envelope.tif,
            account=envelope.account,
            fields=envelope.fields,
            ticks=self.ticks if kind is OrderType.LIMIT else None,
            filled=self.filled,
        )

    @classmethod
    def of(cls, orders: Sequence[Order]) -> "Orders":
        """Columns of these orders, which all have the same ``ticks`` and ``filled``."""
        envelopes: dict[tuple[object, ...], int] = {}
        kept: list[Envelope] = []
        index: list[int] = []
        for order in orders:
            key = (order.tif, order.account, tuple(sorted(order.fields.items())))
            if key not in envelopes:
                envelopes[key] = len(kept)
                kept.append(Envelope(order.tif, order.account, dict(sorted(order.fields.items()))))
            index.append(envelopes[key])
        return cls(
            side=np.array([SIDES.index(order.side) for order in orders], np.uint8),
            qty=np.array([order.qty for order in orders], np.int64),
            type=np.array([ORDER_TYPES.index(order.type) for order in orders], np.uint8),
            price=np.array([order.price or 0 for order in orders], np.int64),
            envelope=np.array(index, np.int32),
            envelopes=tuple(kept),
            ticks=next((order.ticks for order in orders), None),
            filled=any(order.filled for order in orders),
        )


@dataclass(frozen=True, eq=False)
class Triggers:
    """Thresholds, a row each: of `when`, of the steps of a ladder or of the rows of a table.

    ``threshold`` is inclusive, strict comparisons already turned: price units, half units where the source is mid.
    """

    source: Codes
    direction: Codes
    threshold: Units
    confirm: Codes  # 1 or 2
    orders: Orders
    text: str | None = None  # the condition as written; None where each row has its own

    def __len__(self) -> int:
        return len(self.threshold)

    def condition(self, row: int, instrument: Instrument) -> Condition:
        """The condition of one row."""
        source, direction = SOURCES[self.source[row]], DIRECTIONS[self.direction[row]]
        threshold = int(self.threshold[row])
        text = self.text or f"{source.value} {direction.value} {price_text(threshold, source, instrument)}"
        return Condition(source, direction, threshold, text)


@dataclass(frozen=True, eq=False)
class Decision:
    """A precomputed decision: inclusive intervals of the price axis of ``source``, rising, without overlaps.

    Ends are price units, half units where the source is mid. Row n of ``orders`` belongs to interval n; stretches
    without an order are left out.
    """

    source: Source
    low: Units
    high: Units
    orders: Orders
    over: tuple[int, int]  # the whole stretch that was decided, in the same units

    def __len__(self) -> int:
        return 1  # one part: landing in any interval spends it


class DistanceKind(Enum):
    PRICE = "price"  # price units
    TICKS = "ticks"  # steps along the tick table
    PERCENT = "percent"  # millionths of the extreme's absolute value


@dataclass(frozen=True)
class Distance:
    """How far a trail follows: ``value`` counts what ``kind`` says."""

    kind: DistanceKind
    value: int
    text: str = field(compare=False)  # as written


@dataclass(frozen=True, eq=False)
class Trail:
    """A stop that follows ``source``; its order's side says which extreme."""

    source: Source
    by: Distance
    activate: Condition | None
    orders: Orders  # one row

    def __len__(self) -> int:
        return 1


@dataclass(frozen=True, eq=False)
class At:
    """Fires by the clock: at the first ``second`` of the venue's day that comes after arming."""

    second: int  # since the venue's midnight, by its clock
    orders: Orders  # one row

    def __len__(self) -> int:
        return 1


Form = Triggers | Decision | Trail | At


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


def price_text(units: int, source: Source, instrument: Instrument) -> str:
    """A threshold or observation of ``source`` as decimal text without trailing zeros."""
    if source is not Source.MID:
        return format(instrument.to_price(units), "f")
    return format((instrument.to_price(units) / 2).normalize() + 0, "f")
