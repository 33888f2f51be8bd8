# SPDX-License-Identifier: Apache-2.0
"""The outline of a file: its rules, tests or instruments, and what stands around them."""

from collections.abc import Iterator

from lsprotocol import types

from fixaccel.lsp.documents import Document
from fixaccel.lsp.places import scalar_texts, value_of
from fixaccel.source import MappingNode, Node, ScalarNode, SequenceNode

_LISTS = {"rules": ("id", types.SymbolKind.Event), "tests": ("name", types.SymbolKind.Method)}
_MAPS = {"instruments": types.SymbolKind.Constant}


def symbols(document: Document) -> list[types.DocumentSymbol]:
    """Keys of the file, with what is listed below them."""
    tree = document.tree
    entries = tree.entries if document.kind and isinstance(tree, MappingNode) else []
    keys = [(entry, _inside(document, entry.key.text)) for entry in entries]
    kind = types.SymbolKind.Namespace
    return [_symbol(document, entry.key.text, kind, entry.key, entry.value, inside) for entry, inside in keys]


def _inside(document: Document, key: str) -> list[types.DocumentSymbol]:
    node = value_of(document.tree, key)
    if key in _LISTS and isinstance(node, SequenceNode):
        name, kind = _LISTS[key]
        return list(_of_list(document, node, name, kind))
    if key in _MAPS and isinstance(node, MappingNode):
        return [_symbol(document, entry.key.text, _MAPS[key], entry.key, entry.value, []) for entry in node.entries]
    return []


def _of_list(
    document: Document, node: SequenceNode, name: str, kind: types.SymbolKind
) -> Iterator[types.DocumentSymbol]:
    for item in node.items:
        named = value_of(item, name)
        if isinstance(item, MappingNode) and isinstance(named, ScalarNode) and named.text:
            symbol = _symbol(document, named.text, kind, named, item, [])
            symbol.detail = _detail(item)
            yield symbol


def _detail(rule: MappingNode) -> str:
    """Instruments and the condition."""
    instrument, when = value_of(rule, "instrument"), value_of(rule, "when")
    symbols_ = ", ".join(scalar.text for scalar in scalar_texts(instrument)) if instrument else ""
    return "  ".join(part for part in (symbols_, when.text if isinstance(when, ScalarNode) else "") if part)


def _symbol(
    document: Document,
    name: str,
    kind: types.SymbolKind,
    named: ScalarNode,
    whole: Node,
    inside: list[types.DocumentSymbol],
) -> types.DocumentSymbol:
    positions = document.positions
    first = min((named.span.line, named.span.column), (whole.span.line, whole.span.column))
    last = max((named.span.end_line, named.span.end_column), (whole.span.end_line, whole.span.end_column))
    around = positions.range(positions.offset_of(*first), positions.offset_of(*last))
    return types.DocumentSymbol(name or "?", kind, around, positions.range_of(named.span), children=inside)
