# SPDX-License-Identifier: Apache-2.0
"""Orders of a list as rules: names, links between them, and which of them become rows of a table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixaccel.diagnostics.codes import order_list as codes
from fixaccel.diagnostics.report import Diagnostic, Related
from fixaccel.language.keys.schema import clip
from fixaccel.language.terms import Side, TimeInForce
from fixaccel.order_list.names import Names
from fixaccel.order_list.orders import ListedOrder
from fixaccel.order_list.words import Form
from fixaccel.values import decimal_text

# More rows of one instrument and form than this are a table.
MOST_RULES = 200


@dataclass(frozen=True)
class NewRule:
    """One order with the names that it and its relations have in the strategy."""

    order: ListedOrder
    id: str
    oco: str | None
    armed_by: str | None

    @property
    def when(self) -> str | None:
        """The condition; None for a trailing stop."""
        order = self.order
        if order.stop is None:
            return None
        down = (order.side is Side.SELL) == (order.kind.form is Form.STOP)
        return f"{order.source.value} {'<=' if down else '>='} {decimal_text(order.stop)}"


@dataclass(frozen=True)
class NewTable:
    """Rules that are rows of one table; ``id`` is that of the rule which names it."""

    id: str
    rules: tuple[NewRule, ...]


@dataclass(frozen=True)
class NewStrategy:
    """What is written, in the order of the list; a table stands where its first row would."""

    entries: tuple[NewRule | NewTable, ...]

    @property
    def rules(self) -> Iterator[NewRule]:
        """All of them, those in tables too."""
        for entry in self.entries:
            yield from entry.rules if isinstance(entry, NewTable) else (entry,)


def with_parents(orders: Sequence[ListedOrder]) -> tuple[list[ListedOrder], list[Diagnostic]]:
    """Those whose parents are there too, and what is said of the others."""
    errors: dict[int, Diagnostic] = {}
    while True:
        kept = [order for order in orders if order.line not in errors]
        known = Counter(order.id for order in kept)
        lost = {order.line: found for order in kept if (found := _parent_error(order, orders, known))}
        if not lost:
            return kept, [errors[line] for line in sorted(errors)]
        errors |= lost


def _parent_error(order: ListedOrder, orders: Sequence[ListedOrder], known: Counter[str | None]) -> Diagnostic | None:
    if order.parent is None:
        return None
    name = clip(order.parent.text)
    there = [one for one in orders if one.id == order.parent.text]
    related = tuple(Related("an order of that id", one.place) for one in there[:2])
    if known[order.parent.text] == 1:
        if order.id != order.parent.text:
            return None
        message, related = f"`{name}` is its own parent", ()
    elif there:
        wrong = "two orders have that id" if known[order.parent.text] else "it was not taken"
        message = f"the parent `{name}` cannot arm this order: {wrong}"
    else:
        message = f"the parent `{name}` is not among the orders that were taken"
    way_out = "add the parent as a stop, or empty the cell: then the order is armed at once"
    return Diagnostic(codes.LIST_PARENT, message, order.parent.span, related, way_out)


def new_strategy(orders: Sequence[ListedOrder], *, tables: bool) -> NewStrategy:
    """The rules; with ``tables`` many of one instrument and form become one."""
    names, groups = Names(), Names()
    of_order = {order.line: names.take(_base(order)) for order in orders}
    of_id = {order.id: of_order[order.line] for order in orders if order.id is not None}
    of_group: dict[str, str] = {}
    rules = []
    for order in orders:
        if order.oco is not None and order.oco not in of_group:
            of_group[order.oco] = groups.take(order.oco)
        armed_by = of_id[order.parent.text] if order.parent else None
        oco = of_group[order.oco] if order.oco is not None else None
        rules.append(NewRule(order, of_order[order.line], oco, armed_by))
    return NewStrategy(tuple(_entries(rules, names) if tables else rules))


def _base(order: ListedOrder) -> str:
    return order.id if order.id is not None else f"{order.kind.form.value}-{order.instrument.symbol}"


def _entries(rules: Sequence[NewRule], names: Names) -> Iterator[NewRule | NewTable]:
    members: dict[object, list[NewRule]] = {}
    for rule in rules:
        members.setdefault(_form(rule), []).append(rule)
    for rule in rules:
        own = members[_form(rule)]
        if len(own) <= MOST_RULES or rule.order.stop is None or rule.armed_by:
            yield rule
        elif own[0] is rule:
            yield NewTable(names.take(f"{rule.order.instrument.symbol}-orders"), tuple(own))


def _form(rule: NewRule) -> tuple[str, bool, TimeInForce, str | None, str | None, bool]:
    """What a table has once: the rest are columns."""
    order = rule.order
    return (
        order.instrument.symbol, order.stop is None, order.tif, order.account, order.note, rule.armed_by is not None,
    )  # fmt: skip
