# SPDX-License-Identifier: Apache-2.0
"""Entries of a file's outline: its keys, and rules, tests or instruments below them."""

from collections.abc import Iterator
from typing import NamedTuple

from fixaccel.lsp.places import scalar_texts, value_of
from fixaccel.source import MappingNode, Node, ScalarNode, SequenceNode, Span

# What has its entries listed -> the key of their names.
_NAMED_BY = {"rules": "id", "tests": "name"}


class Item(NamedTuple):
    """``below`` is the key that it stands below, empty for a key of the file. ``named`` is its name's place."""

    below: str
    name: str
    detail: str
    named: Span
    whole: Span


def items_of(tree: Node | None) -> Iterator[Item]:
    """Of a file, or of a part of one; what has no name, and keys of which only the name is known, left out."""
    for entry in tree.entries if isinstance(tree, MappingNode) else ():
        key, value = entry.key, entry.value
        if key.span.line:
            yield Item("", key.text, "", key.span, _around(key.span, value.span))
        if key.text in _NAMED_BY and isinstance(value, SequenceNode):
            yield from _listed(key.text, value)
        elif key.text == "instruments" and isinstance(value, MappingNode):
            for one in value.entries:
                yield Item(key.text, one.key.text, "", one.key.span, _around(one.key.span, one.value.span))


def _listed(key: str, node: SequenceNode) -> Iterator[Item]:
    for item in node.items:
        named = value_of(item, _NAMED_BY[key])
        if isinstance(item, MappingNode) and isinstance(named, ScalarNode) and named.text:
            yield Item(key, named.text, _detail(item), named.span, _around(named.span, item.span))


def _detail(rule: MappingNode) -> str:
    """Instruments and the condition."""
    instrument, when = value_of(rule, "instrument"), value_of(rule, "when")
    symbols = ", ".join(scalar.text for scalar in scalar_texts(instrument)) if instrument else ""
    return "  ".join(part for part in (symbols, when.text if isinstance(when, ScalarNode) else "") if part)


def _around(one: Span, other: Span) -> Span:
    first = min((one.line, one.column), (other.line, other.column))
    return Span(one.file, *first, *max((one.end_line, one.end_column), (other.end_line, other.end_column)))
