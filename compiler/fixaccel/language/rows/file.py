# SPDX-License-Identifier: Apache-2.0
"""Table files: CSV or Parquet to columns of text, where each row knows its line. Bounded, and no loop over the rows."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.codes import tables as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.codes import Units
from fixaccel.language.keys.schema import clip, nearest
from fixaccel.language.rows.cells import CellPlace, cells_of_line
from fixaccel.language.text.files import read_bytes
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


def read_table(
    path: Path, name: str, report: Report, sources: dict[str, SourceFile], *, asked_at: Span
) -> TableFile | None:
    """The table at ``path``, called ``name`` in diagnostics; None after reporting why it cannot be used."""
    # Here, not above: most strategies have no table, and these two take a while to import.
    from fixaccel.language.rows.csv import read_csv  # noqa: PLC0415
    from fixaccel.language.rows.parquet import MAGIC, read_parquet  # noqa: PLC0415

    start = Span(name, 1, 1, 1, 1)
    try:
        data = read_bytes(path, FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        report.add(reading.CANNOT_READ, f"cannot read {name}: {reason}", asked_at)
        return None
    if len(data) > FILE_BYTES:
        message = f"{name} is larger than {FILE_BYTES >> 20} MiB"
        report.add(reading.TOO_LARGE, message, start, help="split the table over several rules")
        return None
    digest = hashlib.sha256(data).hexdigest()
    read = read_parquet if data.startswith(MAGIC) else read_csv
    table = read(data, name, digest, report, sources)
    if table is not None and not len(table):
        report.add(codes.TABLE_HEADER, f"{name} has no rows", asked_at, help="give it a row for each trigger")
        return None
    return table


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
