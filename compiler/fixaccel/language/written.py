# SPDX-License-Identifier: Apache-2.0
"""A strategy as written: the values with their places, before a venue gives them meaning."""

from dataclasses import dataclass, field
from decimal import Decimal

from fixaccel.language.keys.schema import Located
from fixaccel.language.rules import ArmedOn, Through, Window
from fixaccel.language.terms import OrderType, Side, Source, TimeInForce
from fixaccel.source import Span


@dataclass(frozen=True, slots=True)
class WrittenCondition:
    """`SOURCE OP PRICE`; ``op`` is the comparison as written."""

    source: Source
    op: str
    price: Located[Decimal]
    text: str


@dataclass(frozen=True, slots=True)
class TriggerPrice:
    """`trigger`, or that many ticks above (negative: below) it."""

    ticks: int


@dataclass(frozen=True, slots=True)
class TickCount:
    """`N ticks`, perhaps negative."""

    ticks: int


@dataclass(frozen=True, slots=True)
class Percent:
    """`P%`; ``value`` is P."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Filled:
    """`filled` as a quantity: what the rule named in `armed_by` has filled."""


@dataclass(frozen=True, slots=True)
class WrittenArmedBy:
    """The rule, or one part of it, and what of it arms."""

    rule: Located[str]
    on: ArmedOn = ArmedOn.SENT


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """The keys of one `order` that are present."""

    span: Span
    side: Located[Side] | None = None
    qty: Located[Decimal | Filled] | None = None
    type: Located[OrderType] | None = None
    price: Located[Decimal | TriggerPrice] | None = None
    tif: Located[TimeInForce] | None = None
    account: Located[str] | None = None
    fields: Located[dict[int, Located[str]]] | None = None
    unreadable: frozenset[str] = frozenset()  # keys that are present but were reported

    def over(self, base: "WrittenOrder") -> "WrittenOrder":
        """This order with what it leaves out taken from ``base``; extra fields are merged tag by tag."""
        fields = self.fields or base.fields
        if self.fields and base.fields:
            fields = Located(base.fields.value | self.fields.value, self.fields.span)
        return WrittenOrder(
            span=self.span,
            side=self.side or base.side,
            qty=self.qty or base.qty,
            type=self.type or base.type,
            price=self.price or base.price,
            tif=self.tif or base.tif,
            account=self.account or base.account,
            fields=fields,
            unreadable=self.unreadable | base.unreadable,
        )


@dataclass(frozen=True, slots=True)
class WrittenLadder:
    """The condition's price repeated ``count`` times, each ``step`` further."""

    step: Located[Decimal | TickCount]
    count: Located[int]


@dataclass(frozen=True, slots=True)
class WrittenTrail:
    """``by`` with its text, as reports show it."""

    source: Located[Source]
    by: Located[Decimal | TickCount | Percent]
    by_text: str
    activate: Located[WrittenCondition] | None


@dataclass(frozen=True, slots=True)
class WrittenInterval:
    """Inclusive ends; ``order`` None where the rule's own is meant."""

    span: Span
    low: Located[Decimal]
    high: Located[Decimal]
    order: WrittenOrder | None
    order_readable: bool = True  # false: the whole `order` was reported


@dataclass(frozen=True, slots=True)
class WrittenDecide:
    """Either ``python`` (with ``over``) or ``intervals``; ``python`` is `FILE:FUNCTION`."""

    source: Located[Source]
    over: Located[tuple[Located[Decimal], Located[Decimal]]] | None
    python: Located[str] | None
    intervals: list[WrittenInterval] | None


@dataclass(frozen=True, slots=True)
class WrittenRearm:
    """Either ``after_ns`` or ``reset``."""

    times: int
    after_ns: int | None = None
    reset: Located[WrittenCondition] | None = None


@dataclass(frozen=True, slots=True)
class WrittenLimits:
    """The keys of `limits` that are present; percentages in basis points."""

    order_qty: Located[int] | None = None
    order_notional: Located[Decimal] | None = None
    limit_collar: Located[int] | None = None
    collar: Located[int] | None = None
    collar_breach: Located[bool] | None = None  # whether an observation outside is ignored
    orders_per_second: Located[int] | None = None
    total_orders: Located[int] | None = None
    total_qty: tuple[tuple[Located[str], Located[int]], ...] = ()  # by symbol, in file order
    self_trade: Located[bool] | None = None
    repeat: Located[int] | None = None  # nanoseconds


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """One entry of `rules`. None stands for what is absent or was reported."""

    span: Span
    id: Located[str] | None
    instruments: list[Located[str]]
    is_list: bool
    when: Located[WrittenCondition] | None
    order: WrittenOrder | None
    order_readable: bool  # false: the whole `order` was reported
    enabled: bool
    note: str | None
    keys: dict[str, Span] = field(default_factory=dict)  # of all keys that are present, readable or not
    ladder: Located[WrittenLadder] | None = None
    trail: Located[WrittenTrail] | None = None
    table: Located[str] | None = None
    decide: Located[WrittenDecide] | None = None
    confirm: int = 1
    through: Through = Through.FIRE
    during: tuple[Window, ...] = ()
    oco: Located[str] | None = None
    armed_by: Located[str] | None = None
    armed_on: ArmedOn = ArmedOn.SENT
    cancels: tuple[Located[str], ...] = ()
    at: Located[int] | None = None  # seconds since the venue's midnight
    limits: WrittenLimits | None = None
    rearm: Located[WrittenRearm] | None = None


@dataclass(frozen=True, slots=True)
class WrittenStrategy:
    """A strategy file; ``venue`` is the path as written."""

    venue: Located[str] | None
    default_order: WrittenOrder | None
    rules: list[WrittenRule]
    rules_span: Span
    limits: WrittenLimits = field(default_factory=WrittenLimits)
