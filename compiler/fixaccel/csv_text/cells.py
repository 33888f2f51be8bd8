# SPDX-License-Identifier: Apache-2.0
"""One line of a CSV file, cut into cells that know their place."""

from dataclasses import dataclass

BOM = b"\xef\xbb\xbf"

# What a line must be made of: cells in quotes, a quote inside them doubled, or cells without any quote.
CELL = r'(?:"(?:[^"]|"")*"|[^",]*)'


@dataclass(frozen=True, slots=True)
class Cell:
    """The text between two delimiters, quotes taken off, and its first column (from 1) and width in the file."""

    text: str
    line: int
    column: int
    width: int
    quoted: bool = False


class CellError(ValueError):
    """A quote that is not closed in its line or stands inside a cell; ``column`` counts from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


def split(text: str, line: int, delimiter: str = ",") -> list[Cell]:
    """Cells of line number ``line``. Raises CellError."""
    cells: list[Cell] = []
    at = 0
    if '"' not in text:  # nearly all lines
        for value in text.split(delimiter):
            cells.append(Cell(value, line, at + 1, len(value)))
            at += len(value) + 1
        return cells
    while True:
        start = at
        quoted = text.startswith('"', at)
        if quoted:
            value, at = _quoted(text, at, delimiter)
        else:
            end = text.find(delimiter, at)
            at = len(text) if end < 0 else end
            value = text[start:at]
            if '"' in value:
                raise CellError("a quote inside a cell without quotes", start + value.index('"') + 1)
        cells.append(Cell(value, line, start + 1, at - start, quoted))
        if at == len(text):
            return cells
        at += 1


def _quoted(text: str, start: int, delimiter: str) -> tuple[str, int]:
    """The value of a cell in quotes and the place behind it."""
    at = start + 1
    while True:
        end = text.find('"', at)
        if end < 0:
            raise CellError("this quote is not closed in its line", start + 1)
        if text.startswith('""', end):
            at = end + 2
            continue
        if end + 1 < len(text) and text[end + 1] != delimiter:
            raise CellError("text behind a closing quote", end + 2)
        return text[start + 1 : end].replace('""', '"'), end + 1
