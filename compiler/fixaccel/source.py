# SPDX-License-Identifier: Apache-2.0
"""Text files with places in them: spans, and the YAML node tree that keeps the raw text of every scalar."""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")  # where YAML ends a line


class Span(NamedTuple):
    """A stretch of a file. Lines and columns count characters from 1; the end is exclusive.

    A tuple, because a file of ten thousand rules has a quarter of a million of them.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def until(self, other: "Span") -> "Span":
        """From the start of this span to the end of ``other``."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


@dataclass(frozen=True)
class SourceFile:
    """A file as read: the name it was asked for by, its text and the SHA-256 of its bytes."""

    name: str
    text: str
    digest: str

    @classmethod
    def of(cls, name: str, text: str) -> "SourceFile":
        """A file that exists only in memory."""
        return cls(name, text, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())

    @cached_property
    def lines(self) -> list[str]:
        """Lines without their ends, cut where YAML cuts them."""
        return LINE_END.split(self.text)

    def line(self, number: int) -> str:
        """Line ``number`` (from 1), empty past the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def span_at(self, offset: int, length: int = 1) -> Span:
        """The span of ``length`` characters from character ``offset`` on, within one line."""
        before = self.text[:offset]
        starts = [match.end() for match in LINE_END.finditer(before)]
        line, column = len(starts) + 1, offset - (starts[-1] if starts else 0) + 1
        return Span(self.name, line, column, line, column + length)


PLAIN = ""
BLOCK_STYLES = ("|", ">")


@dataclass(slots=True)
class ScalarNode:
    """Text as it stands in the file; ``style`` is "" (plain), "'", '"', "|" or ">"."""

    text: str
    style: str
    span: Span

    def part(self, start: int, end: int) -> Span:
        """The span of ``text[start:end]``, or the whole scalar's where escapes or line ends hide the place."""
        quotes = 1 if self.style in {"'", '"'} else 0
        whole = self.span
        if whole.line != whole.end_line or whole.end_column - whole.column != len(self.text) + 2 * quotes:
            return whole
        first = whole.column + quotes
        return Span(whole.file, whole.line, first + start, whole.line, first + max(end, start + 1))


@dataclass(slots=True)
class Entry:
    """One key and its value."""

    key: ScalarNode
    value: "Node"


@dataclass(slots=True)
class MappingNode:
    """Keys and values in file order; keys are unique."""

    entries: list[Entry]
    span: Span


@dataclass(slots=True)
class SequenceNode:
    """Values in file order."""

    items: list["Node"]
    span: Span


Node: TypeAlias = ScalarNode | MappingNode | SequenceNode
