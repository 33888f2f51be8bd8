# SPDX-License-Identifier: Apache-2.0
"""The outline of a file as editors take it."""

from collections.abc import Iterable

from lsprotocol import types

from fixaccel.lsp.documents import Document
from fixaccel.lsp.outline import Item, items_of

_KINDS = {
    "": types.SymbolKind.Namespace,
    "rules": types.SymbolKind.Event,
    "tests": types.SymbolKind.Method,
    "instruments": types.SymbolKind.Constant,
}
PATIENCE_S = 10.0  # an outline is asked for when a file is opened: what has all of it comes with its analysis


def symbols(document: Document) -> list[types.DocumentSymbol]:
    """Keys of the file, with what is listed below them."""
    if document.kind is None:
        return []
    items = document.contents.items(PATIENCE_S) if document.contents else items_of(document.tree)
    return _nested(document, items)


def _nested(document: Document, items: Iterable[Item]) -> list[types.DocumentSymbol]:
    keys: dict[str, tuple[types.DocumentSymbol, list[types.DocumentSymbol]]] = {}
    for item in items:
        symbol = _symbol(document, item)
        if not item.below:
            keys[item.name] = symbol, []
        elif item.below in keys:
            owner, inside = keys[item.below]
            inside.append(symbol)
            owner.range.end = symbol.range.end
    for owner, inside in keys.values():
        owner.children = inside
    return [owner for owner, _ in keys.values()]


def _symbol(document: Document, item: Item) -> types.DocumentSymbol:
    positions = document.positions
    around, named = positions.range_of(item.whole), positions.range_of(item.named)
    return types.DocumentSymbol(item.name or "?", _KINDS[item.below], around, named, detail=item.detail or None)
