# SPDX-License-Identifier: Apache-2.0
"""Rows of a CSV file of events, read line by line, and what is wrong with them."""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from fixaccel.csv_text.cells import BOM, Cell, CellError, split
from fixaccel.diagnostics import Code, Report
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.events import EVENT_ROW, TOO_MANY_FAULTS
from fixaccel.diagnostics.codes.reading import CANNOT_READ, NOT_UTF8
from fixaccel.files import open_regular
from fixaccel.source import SourceFile, Span

# No row of ours comes near it; keeps a file without line ends from filling the memory.
LINE_BYTES = 64 << 10

# A file of another kind has a fault in every line.
MOST_FAULTS = 500


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file between two lines: bytes before it, and lines, both from 0."""

    offset: int = 0
    line: int = 0


@dataclass(frozen=True)
class FaultLines(SourceFile):
    """The lines of a file that have faults; event files may be large."""

    kept: Mapping[int, str] = field(default_factory=dict)

    def line(self, number: int) -> str:
        """Line ``number`` (from 1), empty if it was not kept."""
        return self.kept.get(number, "")


class Faults:
    """Collects what is wrong with one file, and the lines that a rendering of it will show."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.report = Report()
        self.count = 0
        self.line_text = ""  # of the line being read
        self._lines: dict[int, str] = {}

    def add(self, code: Code, message: str, line: int, column: int, width: int = 1, way_out: str | None = None) -> None:
        self.count += 1
        self._lines[line] = self.line_text
        span = Span(self.name, line, column, line, column + max(width, 1))
        self.report.add(code, message, span, help=way_out)

    def checked(self) -> Checked:
        """All of it, in the order of the file."""
        lines = FaultLines(self.name, "\n".join(self._lines.values()), "", self._lines)
        sources = {self.name: lines} if self.count else {}
        return Checked(self.report.sorted(), sources, self.report.dropped)

    def add_cell(self, code: Code, message: str, cell: Cell, way_out: str | None = None) -> None:
        self.add(code, message, cell.line, cell.column, cell.width, way_out)


def read_rows(path: Path, faults: Faults, start: Position = Position()) -> Iterator[list[Cell]]:
    """Rows of ``path`` from ``start`` on, empty lines left out. A line with a fault yields no row."""
    try:
        with _opened(path) as file:
            file.seek(start.offset)
            number = start.line
            while (line := file.readline(LINE_BYTES + 1)) and faults.count < MOST_FAULTS:
                number += 1
                if len(line) > LINE_BYTES:
                    faults.line_text = ""
                    message = f"line {number} is longer than {LINE_BYTES >> 10} KiB"
                    faults.add(EVENT_ROW, message, number, 1, way_out="is this an event file?")
                    return
                if number == 1:
                    line = line.removeprefix(BOM)
                # Only the line's own end: a stray carriage return inside is a fault of its cell.
                cells = _cells(line.removesuffix(b"\n").removesuffix(b"\r"), number, faults)
                if cells:
                    yield cells
            if line:
                faults.line_text = ""
                faults.add(TOO_MANY_FAULTS, f"{MOST_FAULTS} faults, reading stops here", number + 1, 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        faults.add(CANNOT_READ, f"cannot read {faults.name}: {reason}", 1, 1)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    with open_regular(path) as file:
        if path.suffix != ".gz":
            yield file
            return
        with gzip.open(file) as unpacked:
            yield cast("BinaryIO", unpacked)


def _cells(line: bytes, number: int, faults: Faults) -> list[Cell]:
    faults.line_text = line.decode("utf-8", "replace")
    try:
        text = line.decode("utf-8")
        return split(text, number) if text else []
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode("utf-8")) + 1
        message = f"byte 0x{line[error.start]:02x} is not UTF-8 text"
        faults.add(NOT_UTF8, message, number, column, way_out="save it as UTF-8")
    except CellError as error:
        faults.add(EVENT_ROW, str(error), number, error.column)
    return []
