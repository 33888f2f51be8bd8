# SPDX-License-Identifier: Apache-2.0
"""The tree of a text that is being written: what stops the parser is left out, the rest keeps its places."""

import re
from typing import Any, TypeAlias

import yaml

from fixaccel.language.text.files import FILE_BYTES
from fixaccel.source import Entry, MappingNode, Node, ScalarNode, SequenceNode, Span

# The stubs know nothing of the C parser's fields.
_Event: TypeAlias = Any

_LEFT_OUT = 20  # lines that stop the parser; each costs a reading of the file
_LONG = 200_000  # characters: reading so much takes part of a second each time
_LEFT_OUT_OF_LONG = 2
_DEPTH = 100
_EVENTS = 2_000_000
DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*+%")
_NOTHING = re.compile(r"[^\r\n\x85\u2028\u2029]")


def tolerant_tree(text: str, name: str, line: int = 0) -> Node | None:
    """The first document of ``text`` as far as it can be read; None where there is nothing, or too much.

    ``line`` lines stand before it in its file.
    """
    # The parser is C and cannot be interrupted: directives make it slow.
    if len(text) > FILE_BYTES or DIRECTIVE.match(text):
        return None
    root: Node | None = None
    left_out: set[int] = set()
    for _ in range(_LEFT_OUT if len(text) < _LONG else _LEFT_OUT_OF_LONG):
        builder = _Builder(name, line)
        fault = builder.read(text)
        root = builder.root or root
        if fault is None or fault in left_out:
            break
        left_out.add(fault)
        text = _without_line(text, fault)
    return root


def _without_line(text: str, number: int) -> str:
    """The line (from 0) made of blanks: all offsets stay."""
    lines = re.split("(\r\n|[\r\n\x85\u2028\u2029])", text)
    if 2 * number < len(lines):
        lines[2 * number] = _NOTHING.sub(" ", lines[2 * number])
    return "".join(lines)


class _Builder:
    """Takes the parser's events; at its end, and at an error, what is open is closed."""

    def __init__(self, name: str, line: int) -> None:
        self.root: Node | None = None
        self._name = name
        self._line = line + 1
        self._open: list[tuple[MappingNode | SequenceNode, list[ScalarNode | None], bool]] = []
        self._end: tuple[int, int] = (line + 1, 1)

    def read(self, text: str) -> int | None:
        """The line (from 0) where the parser stopped; None where it came to the end."""
        loader = yaml.CSafeLoader(text)
        try:
            for _ in range(_EVENTS):
                event: _Event = loader.get_event()
                if isinstance(event, yaml.DocumentEndEvent | yaml.StreamEndEvent) or len(self._open) > _DEPTH:
                    break
                self._take(event)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            return mark.line if mark else None
        except RecursionError:
            return None
        finally:
            while self._open:
                self._close(None)
        return None

    def _take(self, event: _Event) -> None:
        if isinstance(event, yaml.AliasEvent):
            # What it stands for has its place elsewhere.
            self._add(ScalarNode(f"*{event.anchor}", "*", self._span(event)))
        elif isinstance(event, yaml.ScalarEvent):
            self._add(ScalarNode(event.value, event.style or "", self._span(event)))
        elif isinstance(event, yaml.MappingStartEvent):
            self._open.append((MappingNode([], self._span(event)), [None], bool(event.flow_style)))
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open.append((SequenceNode([], self._span(event)), [], bool(event.flow_style)))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._close(event)

    def _close(self, event: _Event | None) -> None:
        node, pending, flow = self._open.pop()
        if isinstance(node, MappingNode) and pending[0] is not None:
            key = pending[0]
            end = Span(self._name, key.span.end_line, key.span.end_column, key.span.end_line, key.span.end_column)
            node.entries.append(Entry(key, ScalarNode("", "", end)))
        if event is not None and flow:
            self._end = (event.end_mark.line + self._line, event.end_mark.column + 1)
        span = node.span
        node.span = Span(span.file, span.line, span.column, *max(self._end, (span.line, span.column)))
        self._add(node)

    def _add(self, node: Node) -> None:
        if isinstance(node, ScalarNode) and (node.text or node.style):
            self._end = (node.span.end_line, node.span.end_column)
        if not self._open:
            self.root = node
            return
        parent, pending, _ = self._open[-1]
        if isinstance(parent, SequenceNode):
            parent.items.append(node)
        elif pending[0] is None:
            # A key that is no text has no name: its value goes with it.
            pending[0] = node if isinstance(node, ScalarNode) else ScalarNode("", "?", node.span)
        else:
            parent.entries.append(Entry(pending[0], node))
            pending[0] = None

    def _span(self, event: _Event) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self._name, start.line + self._line, start.column + 1, end.line + self._line, end.column + 1)
