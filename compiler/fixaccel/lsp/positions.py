# SPDX-License-Identifier: Apache-2.0
"""Places in a text as editors count them: lines from 0, columns in UTF-16 units or what was agreed on.

The compiler counts characters from 1 and ends lines where YAML does; both meet at the offset of a character.
"""

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from lsprotocol.types import Position, PositionEncodingKind, Range

from fixaccel.source import Span

_EDITORS_END = re.compile("\r\n|[\r\n]")
_YAML_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_BOM = "\ufeff"
_YAML_ONLY = "\x85\u2028\u2029"
_UTF16 = PositionEncodingKind.Utf16


class Positions:
    """Of one text. ``encoding`` is what columns count: `utf-16`, `utf-8` or `utf-32`."""

    def __init__(self, text: str, encoding: str = _UTF16) -> None:
        self.text = text
        self._encoding = encoding

    @cached_property
    def _starts(self) -> list[int]:
        if "\r" not in self.text:
            # Several times as fast as looking for the ends, in a text of ten thousands of lines.
            lengths = accumulate(map(len, self.text.split("\n")[:-1]))
            return [0, *(length + number for number, length in enumerate(lengths, 1))]
        return [0, *(match.end() for match in _EDITORS_END.finditer(self.text))]

    @cached_property
    def _yaml_starts(self) -> list[int]:
        first = 1 if self.text.startswith(_BOM) else 0
        if not first and not any(end in self.text for end in _YAML_ONLY):
            return self._starts
        return [first, *(match.end() for match in _YAML_END.finditer(self.text))]

    def position(self, offset: int) -> Position:
        """Of the character at ``offset``."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, self._units(self.text[self._starts[line] : offset]))

    def offset(self, position: Position) -> int:
        """Of the character at ``position``; beyond a line's or the text's end that end."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        end = self._starts[position.line + 1] if position.line + 1 < len(self._starts) else len(self.text)
        line = self.text[start:end].rstrip("\r\n")
        if self._encoding == PositionEncodingKind.Utf32 or line.isascii():
            return start + min(position.character, len(line))
        units = 0
        for number, character in enumerate(line):
            units += self._units(character)
            if units > position.character:
                return start + number
        return start + len(line)

    def _units(self, text: str) -> int:
        if self._encoding == PositionEncodingKind.Utf32 or text.isascii():
            return len(text)
        if self._encoding == PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def offset_of(self, line: int, column: int) -> int:
        """Of a place as the compiler counts, clamped to the text."""
        starts = self._yaml_starts
        if line > len(starts):
            return len(self.text)
        end = starts[line] if line < len(starts) else len(self.text)
        return min(starts[max(line, 1) - 1] + column - 1, end)

    def place_of(self, offset: int) -> tuple[int, int]:
        """Line and column as the compiler counts."""
        line = max(bisect_right(self._yaml_starts, offset), 1)
        return line, offset - self._yaml_starts[line - 1] + 1

    def range(self, start: int, end: int) -> Range:
        """Between two offsets."""
        return Range(self.position(start), self.position(end))

    def range_of(self, span: Span) -> Range:
        """Of a place as the compiler counts."""
        return self.range(self.offset_of(span.line, span.column), self.offset_of(span.end_line, span.end_column))


def range_without_text(span: Span) -> Range:
    """Of a place in a file whose text is not at hand: a row of a Parquet file, or a file that cannot be read."""
    start = Position(max(span.line - 1, 0), max(span.column - 1, 0))
    return Range(start, Position(max(span.end_line - 1, start.line), max(span.end_column - 1, 0)))
