# SPDX-License-Identifier: Apache-2.0
"""Table files in CSV: all cells as text, rows matched with lines."""

import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from fixaccel.csv_text.cells import BOM, CELL, CellError
from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.codes import tables as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.codes import Units
from fixaccel.language.rows.cells import cells_of_line
from fixaccel.language.rows.columns import Flags, flags
from fixaccel.language.rows.file import SHOWN_ROWS, TableFile, column_places, too_many_rows
from fixaccel.language.text.files import BAD_CHARACTERS, decode
from fixaccel.source import SourceFile, Span

# No row of ours comes near it; a file without line ends must not fill the memory.
LINE_BYTES = 4096

_BLOCK_BYTES = 8 << 20
_PLAIN = bytes([*range(0x20, 0x7F), 0x09, 0x0A])
_QUOTED_LINE = rf"^{CELL}(?:,{CELL})*$"


class _Lines(NamedTuple):
    """Places of the lines that are not empty: byte offsets of begin and end, and numbers from 1."""

    begin: Units
    end: Units
    number: Units


def read_csv(data: bytes, name: str, digest: str, report: Report, sources: dict[str, SourceFile]) -> TableFile | None:
    """The table in ``data``; None after reporting why not."""
    data = data.removeprefix(BOM).replace(b"\r\n", b"\n")
    text = _text(data, Span(name, 1, 1, 1, 1), report)
    if text is None:
        return None
    source = sources[name] = SourceFile(name, text, digest)
    if not _characters_are_good(data, source, report):
        return None
    lines = _lines(data)
    if not _lines_are_good(data, lines, source, report):
        return None
    header = cells_of_line(text[: text.find("\n")] if "\n" in text else text, name, 1)
    places = column_places([cell.text for cell in header], [cell.span for cell in header], report)
    if places is None or too_many_rows(name, len(lines.number) - 1, report):
        return None
    return _rows(data, list(places), lines, places, len(header), source, report)


def _text(data: bytes, start: Span, report: Report) -> str | None:
    if not data.strip():
        report.add(codes.TABLE_HEADER, "the table is empty", start, help="the first line names the columns")
        return None
    return decode(data, start, report)


def _characters_are_good(data: bytes, source: SourceFile, report: Report) -> bool:
    # The usual table is plain ASCII, which this sees in a hundredth of the time.
    if not data.translate(None, _PLAIN):
        return True
    bad = BAD_CHARACTERS.search(source.text) or re.search("[\r\x85\u2028\u2029]", source.text)
    if bad:
        message = f"character U+{ord(bad.group()):04X} must not stand here"
        report.add(reading.BAD_CHARACTER, message, source.span_at(bad.start()), help="save it as CSV, a row a line")
    return bad is None


def _lines(data: bytes) -> _Lines:
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    if not data.endswith(b"\n"):
        ends = np.append(ends, len(data))
    begins = np.append(0, ends[:-1] + 1)
    kept = ends > begins
    return _Lines(begins[kept], ends[kept], np.flatnonzero(kept) + 1)


def _lines_are_good(data: bytes, lines: _Lines, source: SourceFile, report: Report) -> bool:
    if lines.number[0] != 1:
        message = "the first line is empty; it names the columns"
        report.add(codes.TABLE_HEADER, message, Span(source.name, 1, 1, 1, 2), help="delete the empty line")
        return False
    long = np.flatnonzero(lines.end - lines.begin > LINE_BYTES)
    for row in long[:SHOWN_ROWS].tolist():
        line = int(lines.number[row])
        message = f"line {line} is longer than {LINE_BYTES} bytes"
        report.add(codes.TABLE_ROW, message, Span(source.name, line, 1, line, 2), help="is this a table of triggers?")
    if len(long):
        return False
    if b'"' not in data:
        return True
    wrong = np.flatnonzero(~_well_quoted(data, lines))
    for row in wrong[:SHOWN_ROWS].tolist():
        line = int(lines.number[row])
        try:
            cells_of_line(source.line(line), source.name, line)
        except CellError as error:
            place = Span(source.name, line, error.column, line, error.column + 1)
            report.add(codes.TABLE_ROW, str(error), place, help='a quote inside quotes is doubled: "a ""b"" c"')
    _report_more(len(wrong), source, report)
    return not len(wrong)


def _well_quoted(data: bytes, lines: _Lines) -> Flags:
    # Line n with its line end: from where it begins to where the next one does.
    offsets = np.append(lines.begin, lines.end[-1]).astype(np.int32)
    texts = pa.StringArray.from_buffers(len(lines.begin), pa.py_buffer(offsets), pa.py_buffer(data))
    return flags(pc.match_substring_regex(pc.utf8_rtrim(texts, "\n"), _QUOTED_LINE))


def _report_more(count: int, source: SourceFile, report: Report) -> None:
    if count > SHOWN_ROWS:
        message = f"{count - SHOWN_ROWS:,} more rows of {source.name} are wrong"
        report.add(codes.TABLE_MORE, message, Span(source.name, 1, 1, 1, 1))


def _rows(
    data: bytes,
    known: list[str],
    lines: _Lines,
    places: dict[str, int],
    width: int,
    source: SourceFile,
    report: Report,
) -> TableFile | None:
    wrong: list[tuple[int, int]] = []  # row, number of its cells

    def skip(row: csv.InvalidRow) -> str:
        wrong.append((row.number, row.actual_columns))
        return "skip"

    names = [str(place) for place in range(width)]
    for name in known:
        names[places[name]] = name
    types = dict.fromkeys(known, pa.string())
    body = pa.py_buffer(memoryview(data)[int(lines.end[0]) + 1 :])
    if len(lines.number) == 1:
        table = pa.table({name: pa.array([], types[name]) for name in known})
    else:
        table = csv.read_csv(
            body,
            read_options=csv.ReadOptions(
                use_threads=False, block_size=min(body.size + 1, _BLOCK_BYTES), column_names=names
            ),
            parse_options=csv.ParseOptions(invalid_row_handler=skip),
            convert_options=csv.ConvertOptions(column_types=types, include_columns=known, strings_can_be_null=False),
        )
    for number, cells in wrong[:SHOWN_ROWS]:
        line = int(lines.number[number])
        place = Span(source.name, line, 1, line, len(source.line(line)) + 1)
        message = f"this row has {cells} cell{'s' if cells > 1 else ''}, the first line names {width} columns"
        report.add(codes.TABLE_ROW, message, place, help="an empty cell keeps its comma")
    _report_more(len(wrong), source, report)
    return None if wrong else TableFile(source.name, source.digest, table, lines.number[1:], source, places)
