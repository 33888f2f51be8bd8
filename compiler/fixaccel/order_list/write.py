# SPDX-License-Identifier: Apache-2.0
"""A new strategy as text: laid out as `fixaccel fmt` does, what all orders share said once."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fixaccel.diagnostics.report import Report
from fixaccel.formatting.format import format_source
from fixaccel.language.rules import ArmedOn
from fixaccel.language.terms import TimeInForce
from fixaccel.order_list.orders import ListedOrder
from fixaccel.order_list.rules import NewRule, NewStrategy, NewTable
from fixaccel.source import SourceFile
from fixaccel.values import decimal_text

# Texts that YAML, or a reader of it, could take for something else stand in quotes.
_PLAIN = re.compile(r"(?:/|(?:\.\./)+)?[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*\Z")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


@dataclass(frozen=True)
class Written:
    """``text`` of the strategy, and of its tables by their names."""

    text: str
    tables: Mapping[str, str]


def written(strategy: NewStrategy, listed_in: str, venue: str, stem: str) -> Written:
    """The files; ``stem`` begins the tables' names, ``venue`` is its path from the strategy's folder."""
    rules = list(strategy.rules)
    shared = _Shared.of([rule.order for rule in rules])
    tables = {_table_name(entry, stem): entry for entry in strategy.entries if isinstance(entry, NewTable)}
    names = {id(entry): name for name, entry in tables.items()}
    lines = [f"# From {listed_in}, by `fixaccel import`.", "fixaccel: 1", f"venue: {quoted(venue)}", ""]
    if rules:
        lines += ["defaults:", f"  order: {{{', '.join(shared.defaults())}}}", "", "rules:"]
    else:
        lines += ["rules: []"]
    for entry in strategy.entries:
        if isinstance(entry, NewTable):
            lines += _table_rule(entry, names[id(entry)], shared)
        else:
            lines += _rule(entry, shared)
        lines.append("")
    source = SourceFile.of("strategy", "\n".join(lines).rstrip("\n") + "\n")
    text = format_source(source, Report())
    assert text is not None
    return Written(text, {name: _csv(entry) for name, entry in tables.items()})


@dataclass(frozen=True)
class _Shared:
    """What `defaults` say for all orders."""

    tif: TimeInForce
    account: str | None

    @classmethod
    def of(cls, orders: Sequence[ListedOrder]) -> "_Shared":
        """The most frequent time in force, and the account if it is that of all: it cannot be taken back."""
        tifs = Counter(order.tif for order in orders)
        accounts = {order.account for order in orders}
        tif = tifs.most_common(1)[0][0] if tifs else TimeInForce.DAY
        return cls(tif, accounts.pop() if len(accounts) == 1 else None)

    def defaults(self) -> Iterator[str]:
        yield f"tif: {self.tif.value}"
        if self.account is not None:
            yield f"account: {quoted(self.account)}"

    def own(self, order: ListedOrder) -> Iterator[str]:
        """What one order says besides."""
        if order.tif is not self.tif:
            yield f"tif: {order.tif.value}"
        if order.account is not None and order.account != self.account:
            yield f"account: {quoted(order.account)}"


def quoted(text: str) -> str:
    """A text as a scalar, in quotes where it needs them or looks like something else."""
    return text if _PLAIN.match(text) and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)


def _rule(rule: NewRule, shared: _Shared) -> Iterator[str]:
    order = rule.order
    yield f"  - id: {quoted(rule.id)}"
    yield f"    instrument: {quoted(order.instrument.symbol)}"
    if rule.when is not None:
        yield f"    when: {rule.when}"
    elif order.trail:
        by = decimal_text(order.trail.value) + ("%" if order.trail.percent else "")
        yield f"    trail: {{source: {order.source.value}, by: {by}}}"
    keys = [f"side: {order.side.value}", f"qty: {order.qty}", f"type: {_type(order)}"]
    if order.limit is not None:
        keys.append(f"price: {decimal_text(order.limit)}")
    yield f"    order: {{{', '.join([*keys, *shared.own(order)])}}}"
    if rule.oco is not None:
        yield f"    oco: {quoted(rule.oco)}"
    if rule.armed_by is not None:
        # As a broker does: a child is active once its parent has filled.
        yield f"    armed_by: {{rule: {quoted(rule.armed_by)}, on: {ArmedOn.FILLED.value}}}"
    if order.note is not None:
        yield f"    note: {quoted(order.note)}"


def _type(order: ListedOrder) -> str:
    return "market" if order.limit is None else "limit"


# Columns of a table's row. What is the same in all rows stands in the rule's `order`.
_COLUMNS: Mapping[str, Callable[[NewRule], str]] = {
    "side": lambda rule: rule.order.side.value,
    "qty": lambda rule: str(rule.order.qty),
    "type": lambda rule: _type(rule.order),
}


def _constant(table: NewTable) -> dict[str, str]:
    values = {name: {read(rule) for rule in table.rules} for name, read in _COLUMNS.items()}
    return {name: found.pop() for name, found in values.items() if len(found) == 1}


def _table_rule(table: NewTable, name: str, shared: _Shared) -> Iterator[str]:
    order = table.rules[0].order
    keys = [f"{key}: {value}" for key, value in _constant(table).items()] + list(shared.own(order))
    yield f"  - id: {quoted(table.id)}"
    yield f"    instrument: {quoted(order.instrument.symbol)}"
    yield f"    table: {quoted(name)}"
    if keys:
        yield f"    order: {{{', '.join(keys)}}}"
    if order.note is not None:
        yield f"    note: {quoted(order.note)}"


def _table_name(table: NewTable, stem: str) -> str:
    """Ids are unique and of letters that files may have."""
    return f"{stem}.{table.id}.csv"


def _csv(table: NewTable) -> str:
    """The rows in the order of the list. No cell needs quotes: names are plain, prices are decimals."""
    constant = _constant(table)
    columns: dict[str, Callable[[NewRule], str]] = {"when": lambda rule: rule.when or ""}
    columns |= {name: read for name, read in _COLUMNS.items() if name not in constant}
    if any(rule.order.limit is not None for rule in table.rules):
        columns["price"] = lambda rule: "" if rule.order.limit is None else decimal_text(rule.order.limit)
    columns["id"] = lambda rule: rule.id
    if any(rule.oco for rule in table.rules):
        columns["oco"] = lambda rule: rule.oco or ""
    lines = [",".join(columns), *(",".join(read(rule) for read in columns.values()) for rule in table.rules)]
    return "\n".join(lines) + "\n"
