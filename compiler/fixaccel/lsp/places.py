# SPDX-License-Identifier: Apache-2.0
"""What stands at a place of a file: the way that leads there, and the kind of value that the schema has for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from fixaccel.formatting.kinds import inner, shape_of
from fixaccel.language.keys.schema import Key
from fixaccel.source import MappingNode, Node, ScalarNode, Span

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """``path`` leads to ``node`` from the root, by keys and by numbers of items; ``kind`` is the schema's for it.

    ``on_key``: the place is a key's, ``node`` that key and ``kind`` that of the mapping. ``owner`` is the mapping or
    list around it.
    """

    path: Path
    node: Node
    kind: object
    on_key: bool
    owner: Node | None

    @property
    def name(self) -> str:
        """The nearest key."""
        return next((part for part in reversed(self.path) if isinstance(part, str)), "")


def find_place(root: Node | None, kind: object, line: int, column: int) -> Place | None:
    """The innermost place that holds, or ends at, that line and column, both from 1."""
    if root is None:
        return None
    place = Place((), root, kind, on_key=False, owner=None)
    while (below := _below(place, line, column)) is not None:
        place = below
        if place.on_key or isinstance(place.node, ScalarNode):
            return place
    return place


def _below(place: Place, line: int, column: int) -> Place | None:
    for child in children(place):
        if _holds(child.node.span, line, column):
            return child
    return None


def children(place: Place) -> Iterator[Place]:
    """Keys and values of a mapping, items of a list."""
    node, kind = place.node, place.kind
    if isinstance(node, ScalarNode):
        return
    if isinstance(node, MappingNode):
        for entry in node.entries:
            path = (*place.path, entry.key.text)
            yield Place(path, entry.key, kind, on_key=True, owner=node)
            yield Place(path, entry.value, inner(kind, entry.key.text), on_key=False, owner=node)
        return
    for number, item in enumerate(node.items):
        yield Place((*place.path, number), item, inner(kind), on_key=False, owner=node)


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def key_at(place: Place, root_kind: object) -> Key[Any] | None:
    """The schema's key that the place is, or that its value belongs to."""
    kind: object = root_kind
    found: Key[Any] | None = None
    for part in place.path:
        shape = shape_of(kind)
        if isinstance(part, str):
            # A key that is data, such as a symbol, has the meaning of the key around it.
            found = shape.keys.get(part) if shape else found
        kind = inner(kind, part) if isinstance(part, str) else inner(kind)
    return found


def scalar_texts(node: Node) -> Iterator[ScalarNode]:
    """One text, or the texts of a list."""
    if isinstance(node, ScalarNode):
        if node.style != "*":
            yield node
    elif not isinstance(node, MappingNode):
        for item in node.items:
            if isinstance(item, ScalarNode) and item.style != "*":
                yield item


def value_of(node: Node | None, *path: str | int) -> Node | None:
    """What stands at the end of ``path``; None where it leads nowhere."""
    for part in path:
        if isinstance(part, str):
            entries = node.entries if isinstance(node, MappingNode) else []
            node = next((entry.value for entry in entries if entry.key.text == part), None)
        else:
            items = node.items if node is not None and not isinstance(node, ScalarNode | MappingNode) else []
            node = items[part] if part < len(items) else None
    return node
