# SPDX-License-Identifier: Apache-2.0
"""A strategy as written: the values with their places, before a venue gives them meaning."""

from dataclasses import dataclass
from decimal import Decimal

from fixaccel.language.model import OrderType, Side, Source, TimeInForce
from fixaccel.language.schema import Located
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
class WrittenOrder:
    """The keys of one `order` that are present."""

    span: Span
    side: Located[Side] | None = None
    qty: Located[Decimal] | None = None
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


@dataclass(frozen=True, slots=True)
class WrittenStrategy:
    """A strategy file; ``venue`` is the path as written."""

    venue: Located[str] | None
    default_order: WrittenOrder | None
    rules: list[WrittenRule]
    rules_span: Span
