# SPDX-License-Identifier: Apache-2.0
"""A table as it was read: columns of text, where each row knows its line; and what any table must be."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fixaccel.diagnostics.codes import tables as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.codes import Units
from fixaccel.language.keys.schema import clip, nearest
from fixaccel.language.rows.cells import CellPlace, cells_of_line
from fixaccel.source import SourceFile, Span

COLUMNS = ("when", "side", "qty", "type", "price", "id", "confirm", "oco")
NEEDED = "when"

FILE_BYTES = 128 << 20
ROWS = 2_000_000

# Rows whose faults are shown, for each table; the rest is counted.
SHOWN_ROWS = 20


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table as read: ``columns`` (those of `COLUMNS` that it has) are text, empty where a cell is."""

    name: str
    digest: str
    columns: pa.Table
    lines: Units  # line of each row, row number (from 1) for Parquet
    source: SourceFile | None  # None for Parquet
    places: Mapping[str, int] = field(default_factory=dict)  # column name -> its place in the file, from 0

    def __len__(self) -> int:
        return len(self.lines)

    def cell(self, row: int, column: str) -> CellPlace:
        """The text of one cell, its spaces taken off, and where it stands."""
        line, place = int(self.lines[row]), self.places[column]
        if self.source is None:
            text = self.columns[column][row].as_py().strip(" ")
            return CellPlace(text, "", Span(self.name, line, place + 1, line, place + 2))
        return cells_of_line(self.source.line(line), self.name, line)[place]

    def row_span(self, row: int) -> Span:
        """Where one row stands."""
        line = int(self.lines[row])
        width = len(self.source.line(line)) if self.source else 1
        return Span(self.name, line, 1, line, width + 1)


def column_places(names: list[str], spans: list[Span], report: Report) -> dict[str, int] | None:
    """Place of each known column; None after reporting unknown, repeated and missing ones."""
    places: dict[str, int] = {}
    sound = True
    for place, (name, span) in enumerate(zip(names, spans, strict=True)):
        if name in places:
            report.add(codes.TABLE_HEADER, f"the column `{name}` stands twice", span, help="delete one of the two")
            sound = False
        elif name in COLUMNS:
            places[name] = place
        else:
            close = nearest(name, COLUMNS, report)
            way_out = f"did you mean `{close}`?" if close else f"columns are {', '.join(COLUMNS)}"
            message = f"a table has no column `{clip(name)}`"
            report.add(codes.TABLE_HEADER, message, span, help=way_out, instead=[close] if close else [])
            sound = False
    if sound and NEEDED not in places:
        message = f"the table has no column `{NEEDED}`"
        way_out = f"the first line names the columns, for example `{','.join(COLUMNS[:5])}`"
        report.add(codes.TABLE_HEADER, message, spans[0], help=way_out)
        sound = False
    return places if sound else None


def too_many_rows(name: str, rows: int, report: Report) -> bool:
    """Whether there are, after reporting it."""
    if rows > ROWS:
        message = f"{name} has {rows:,} rows, at most {ROWS:,} are read"
        report.add(codes.TABLE_TOO_LONG, message, Span(name, 1, 1, 1, 1), help="split the table over several rules")
    return rows > ROWS


def row_numbers(rows: int) -> Units:
    """Numbers from 1."""
    return np.arange(1, rows + 1, dtype=np.int64)
