# SPDX-License-Identifier: Apache-2.0
"""Cells of one line of a table file as values of a strategy: for messages, as the fast readers keep no places."""

from typing import NamedTuple

from fixaccel.csv_text.cells import Cell, split
from fixaccel.source import ScalarNode, Span


class CellPlace(NamedTuple):
    """``text`` without quotes and the spaces around it; ``style`` is '"' where it was quoted."""

    text: str
    style: str
    span: Span

    @property
    def node(self) -> ScalarNode:
        """As a scalar of a file, so that whatever reads values of a strategy reads cells too."""
        return ScalarNode(self.text, self.style, self.span)


def cells_of_line(text: str, file: str, line: int) -> list[CellPlace]:
    """The cells of line number ``line``. Raises CellError."""
    return [place_of(cell, file) for cell in split(text, line)]


def place_of(cell: Cell, file: str) -> CellPlace:
    """One cell of ``file``."""
    text = cell.text.strip(" ")
    before = 0 if cell.quoted else len(cell.text) - len(cell.text.lstrip(" "))
    width = cell.width if cell.quoted else max(len(text), 1)
    column = cell.column + before
    return CellPlace(text, '"' if cell.quoted else "", Span(file, cell.line, column, cell.line, column + width))
