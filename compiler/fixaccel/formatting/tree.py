# SPDX-License-Identifier: Apache-2.0
"""A file as pieces that can be laid out anew: texts exactly as written, collections, and what surrounds them.

The reader's own tree has values; this one has anchors, aliases, brackets and comments too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

# The stubs know nothing of the C parser's fields.
_Event: TypeAlias = Any
_Mark: TypeAlias = Any


@dataclass
class Piece:
    """What all pieces have: a place in the text (character offsets), and an `&anchor` before it."""

    start: int
    end: int
    anchor: str = ""
    first_line: int = 0  # from 0
    last_line: int = 0
    column: int = 0


@dataclass
class Scalar(Piece):
    """A text or an alias, exactly as written."""

    raw: str = ""
    value: str = ""


@dataclass
class Element:
    """An entry of a mapping or an item of a list, with the comments that belong to it.

    In ``before`` an empty text is a blank line.
    """

    key: Scalar | None  # None: an item
    value: "Node"
    before: list[str] = field(default_factory=list)
    beside: str = ""  # on the line where it ends, or where its key stands
    blank: bool = False  # a blank line stands before it

    @property
    def start(self) -> int:
        return self.key.start if self.key else self.value.start

    @property
    def column(self) -> int:
        """Where it begins in its line; of an item the place of its text, behind the dash."""
        return self.key.column if self.key else self.value.column


@dataclass
class Collection(Piece):
    """A mapping or a list. ``flow``: in brackets; ``verbatim``: these hold comments, so they stay as they are."""

    is_mapping: bool = True
    flow: bool = False
    elements: list[Element] = field(default_factory=list)
    after: list[str] = field(default_factory=list)  # comments below the last element
    verbatim: bool = False


Node: TypeAlias = Scalar | Collection


def compose(text: str) -> Node:
    """The one document in ``text``, which the reader has found to be sound."""
    events: Iterator[_Event] = yaml.parse(text, Loader=yaml.CSafeLoader)
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            break
    return _node(next(events), events, text)


def _node(event: _Event, events: Iterator[_Event], text: str) -> Node:
    start, end = event.start_mark, event.end_mark
    anchor = f"&{event.anchor} " if event.anchor and not isinstance(event, yaml.AliasEvent) else ""
    if isinstance(event, yaml.AliasEvent | yaml.ScalarEvent):
        raw = text[start.index : end.index]
        if anchor:
            raw = raw.removeprefix(anchor.rstrip()).lstrip()
        value = "" if isinstance(event, yaml.AliasEvent) else event.value
        last = end.line - (1 if raw.endswith("\n") else 0)
        return Scalar(start.index, end.index, anchor, start.line, last, start.column, raw, value)
    mapping = isinstance(event, yaml.MappingStartEvent)
    flow = bool(event.flow_style)
    found = Collection(start.index, 0, anchor, start.line, 0, start.column, is_mapping=mapping, flow=flow)
    inside: _Event = next(events)
    while not isinstance(inside, yaml.MappingEndEvent | yaml.SequenceEndEvent):
        key = _node(inside, events, text) if mapping else None
        assert key is None or isinstance(key, Scalar)
        found.elements.append(Element(key, _node(next(events) if mapping else inside, events, text)))
        inside = next(events)
    close: _Mark = inside.end_mark
    last = found.elements[-1].value if found.elements and not found.flow else None
    found.end, found.last_line = (last.end, last.last_line) if last else (close.index, close.line)
    return found


def pieces(node: Node) -> Iterator[Scalar]:
    """All texts and aliases, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
        return
    for element in node.elements:
        if element.key:
            yield element.key
        yield from pieces(element.value)


def block_elements(node: Node) -> Iterator[Element]:
    """Elements that begin a line or stand behind a dash, outer ones first, in the order of the file."""
    if isinstance(node, Scalar) or node.flow:
        return
    for element in node.elements:
        yield element
        yield from block_elements(element.value)


def flow_collections(node: Node) -> Iterator[Collection]:
    """The outermost collections in brackets."""
    if isinstance(node, Scalar):
        return
    if node.flow:
        yield node
        return
    for element in node.elements:
        yield from flow_collections(element.value)
