# SPDX-License-Identifier: Apache-2.0
"""Cells of one line of a CSV file, each with its place: for messages, as the fast readers keep no places."""

import re
from typing import NamedTuple

from fixaccel.source import ScalarNode, Span

# What a line must be made of: cells in quotes, a quote inside them doubled, or cells without any quote.
CELL = r'(?:"(?:[^"]|"")*"|[^",]*)'
_NEXT = re.compile(rf"({CELL})(,|\Z)")


class CellPlace(NamedTuple):
    """``text`` without quotes and the spaces around it; ``style`` is '"' where it was quoted."""

    text: str
    style: str
    span: Span

    @property
    def node(self) -> ScalarNode:
        """As a scalar of a file, so that whatever reads values of a strategy reads cells too."""
        return ScalarNode(self.text, self.style, self.span)


class QuoteError(ValueError):
    """A quote that is not closed in its line or stands inside a cell; ``column`` counts from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


def cells_of_line(text: str, file: str, line: int) -> list[CellPlace]:
    """The cells of line number ``line``. Raises QuoteError."""
    cells: list[CellPlace] = []
    at = 0
    while True:
        match = _NEXT.match(text, at)
        if match is None:
            raise _quote_error(text, at)
        cells.append(_cell(match[1], file, line, at + 1))
        if not match[2]:
            return cells
        at = match.end()


def _cell(raw: str, file: str, line: int, column: int) -> CellPlace:
    style = '"' if raw.startswith('"') else ""
    bare = raw[1:-1].replace('""', '"') if style else raw
    text = bare.strip(" ")
    before = 0 if style else len(bare) - len(bare.lstrip(" "))
    width = len(raw) if style else max(len(text), 1)
    return CellPlace(text, style, Span(file, line, column + before, line, column + before + width))


def _quote_error(text: str, at: int) -> QuoteError:
    if not text.startswith('"', at):
        inside = text.index('"', at)
        return QuoteError("a quote inside a cell without quotes", inside + 1)
    closed = re.compile(r'"(?:[^"]|"")*"').match(text, at)
    if closed:
        return QuoteError("text behind a closing quote", closed.end() + 1)
    return QuoteError("this quote is not closed in its line", at + 1)
