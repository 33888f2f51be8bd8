# SPDX-License-Identifier: Apache-2.0
"""The file of an order list: decoded, cut into rows of cells with their places."""

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fixaccel.csv_text.cells import BOM, CellError, split
from fixaccel.diagnostics.codes import order_list as codes
from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.report import Report
from fixaccel.language.rows.cells import CellPlace, place_of
from fixaccel.language.text.files import BAD_CHARACTERS, read_bytes
from fixaccel.source import SourceFile, Span

FILE_BYTES = 32 << 20
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")

# The last lines of an empty sheet are nothing but delimiters.
_SEPARATOR = "sep="


@dataclass(frozen=True)
class Row:
    """One line; ``cells`` is None where it could not be cut, which was reported."""

    line: int
    cells: list[CellPlace] | None


@dataclass(frozen=True)
class Sheet:
    """An order list as cells: the header and the rows below it."""

    source: SourceFile
    delimiter: str
    header: list[CellPlace]
    first: int  # number of the first line below the header

    def rows(self, report: Report) -> Iterator[Row]:
        """Rows that hold anything."""
        for number, text in enumerate(self.source.lines[self.first - 1 :], self.first):
            if text.strip(f'{self.delimiter} \t"'):
                yield Row(number, _cells(text, number, self, report))


def read_sheet(
    path: Path, delimiter: str | None, encoding: str, report: Report, sources: dict[str, SourceFile]
) -> Sheet | None:
    """The list at ``path``; None after reporting why it cannot be read."""
    name = str(path)
    start = Span(name, 1, 1, 1, 1)
    try:
        data = read_bytes(path, FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        report.add(reading.CANNOT_READ, f"cannot read {name}: {reason}", start)
        return None
    if len(data) > FILE_BYTES:
        report.add(reading.TOO_LARGE, f"{name} is larger than {FILE_BYTES >> 20} MiB", start, help="split the list")
        return None
    text = _decoded(data, encoding, start, report)
    if text is None:
        return None
    source = sources[name] = SourceFile(name, text, hashlib.sha256(data).hexdigest())
    bad = BAD_CHARACTERS.search(text)
    if bad:
        message = f"character U+{ord(bad.group()):04X} must not stand here"
        report.add(reading.BAD_CHARACTER, message, source.span_at(bad.start()), help="save the list as CSV")
        return None
    return _sheet(source, delimiter, report)


def _decoded(data: bytes, encoding: str, start: Span, report: Report) -> str | None:
    if encoding == "utf-8":
        data = data.removeprefix(BOM)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and encoding != "utf-16":
        report.add(reading.NOT_UTF8, "this file is UTF-16", start, help="write --encoding utf-16")
        return None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        good = SourceFile.of(start.file, data[: error.start].decode(encoding, "replace"))
        place = good.span_at(len(good.text))
        message = f"byte 0x{data[error.start]:02x} is not {encoding.upper()} text"
        others = " or ".join(one for one in ENCODINGS if one != encoding)
        report.add(reading.NOT_UTF8, message, place, help=f"say what it is: --encoding {others}")
        return None


def _sheet(source: SourceFile, delimiter: str | None, report: Report) -> Sheet | None:
    lines = source.lines
    at = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if at < len(lines) and lines[at].lower().startswith(_SEPARATOR) and len(lines[at]) == len(_SEPARATOR) + 1:
        delimiter = delimiter or lines[at][-1]
        at += 1
    if at == len(lines) or not lines[at].strip():
        report.add(
            codes.LIST_HEADER, f"{source.name} is empty", Span(source.name, 1, 1, 1, 1),
            help="the first line names the columns, such as `Symbol,Side,Qty,Type,Stop Price`",
        )  # fmt: skip
        return None
    chosen = delimiter or max(DELIMITERS.values(), key=lines[at].count)
    sheet = Sheet(source, chosen, [], at + 2)
    header = _cells(lines[at], at + 1, sheet, report)
    return None if header is None else Sheet(source, chosen, header, at + 2)


def _cells(text: str, line: int, sheet: Sheet, report: Report) -> list[CellPlace] | None:
    try:
        cells = [place_of(cell, sheet.source.name) for cell in split(text, line, sheet.delimiter)]
    except CellError as error:
        place = Span(sheet.source.name, line, error.column, line, error.column + 1)
        report.add(codes.LIST_ROW, str(error), place, help='a quote inside quotes is doubled: "a ""b"" c"')
        return None
    if sheet.header and len(cells) != len(sheet.header):
        plural = "" if len(cells) == 1 else "s"
        message = f"this row has {len(cells)} cell{plural}, the first line names {len(sheet.header)} columns"
        place = Span(sheet.source.name, line, 1, line, len(text) + 1)
        report.add(codes.LIST_ROW, message, place, help="an empty cell keeps its delimiter")
        return None
    return cells
