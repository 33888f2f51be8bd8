# SPDX-License-Identifier: Apache-2.0
"""An order list from its file to a strategy that was checked."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes import order_list as codes
from fixaccel.diagnostics.report import Diagnostic, Report
from fixaccel.files import same_file
from fixaccel.language.documents.venue import parse_venue
from fixaccel.language.keys.schema import clip
from fixaccel.language.terms import Source, Venue
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.order_list.headers import Columns, columns_of
from fixaccel.order_list.numerals import Numerals
from fixaccel.order_list.orders import ListedOrder, Reading
from fixaccel.order_list.read import Sheet, read_sheet
from fixaccel.order_list.rules import NewStrategy, new_strategy, with_parents
from fixaccel.order_list.write import Written, written
from fixaccel.pipeline import load_strategy
from fixaccel.source import SourceFile, Span


@dataclass(frozen=True)
class Wish:
    """How a list is to be read: what the user said. ``columns`` are pairs of field and name of a column."""

    columns: Sequence[tuple[str, str]] = ()
    trigger: Source | None = None
    decimal: str | None = None
    delimiter: str | None = None
    encoding: str = "utf-8"
    skip_bad_rows: bool = False


@dataclass(frozen=True)
class Imported(Checked):
    """``written`` is None where nothing may be written; ``rows`` held anything, ``taken`` are in the strategy."""

    written: Written | None = None
    rows: int = 0
    taken: int = 0
    warnings: int = 0  # what `check` says of the strategy


def import_orders(path: Path, venue: Path, output: Path | None, wish: Wish) -> Imported:
    """The strategy of the list at ``path``, as it would stand at ``output`` (None: in the working folder).

    Raises MappingError for a column that `wish` names and the list has not.
    """
    report = Report()
    sources: dict[str, SourceFile] = {}
    sheet = read_sheet(path, wish.delimiter, wish.encoding, report, sources)
    found = _venue(venue, report, sources)
    columns = columns_of(sheet.header, wish.columns, report) if sheet else None
    if sheet is None or found is None or columns is None:
        return Imported(report.sorted(), sources, report.dropped)
    reading = Reading(found, columns, Numerals(wish.decimal, sheet.delimiter == ";"), wish.trigger)
    orders, rows = _orders(sheet, reading, report)
    orders, lost = with_parents(orders)
    for diagnostic in [*lost, *_unknown_columns(sheet, columns)]:
        _add(diagnostic, report)
    if not rows:
        report.add(
            codes.LIST_HEADER, f"{path} has no orders", Span(str(path), 1, 1, 1, 1), help="is it the right file?"
        )
    if not orders or (report.failed and not wish.skip_bad_rows):
        return Imported(report.sorted(), sources, report.dropped, rows=rows, taken=len(orders))
    strategy = new_strategy(orders, tables=output is not None)
    folder = output.parent if output else Path()
    text = written(strategy, path.name, _from(folder, venue), output.stem if output else "")
    warnings = _check(strategy, path.name, venue, output, report)
    sound = None if warnings is None else text
    return Imported(report.sorted(), sources, report.dropped, sound, rows, len(orders), warnings or 0)


def _venue(path: Path, report: Report, sources: dict[str, SourceFile]) -> Venue | None:
    source = read_source(path, str(path), report, sources)
    tree = read_tree(source, report) if source else None
    read = parse_venue(tree, report) if tree is not None else None
    return read.venue if read else None


def _from(folder: Path, path: Path) -> str:
    """The path of a file from ``folder``, with slashes; one that was given from the root stays so."""
    if path.is_absolute():
        return path.as_posix()
    found = Path(os.path.relpath(path, folder))
    if same_file(folder / found, [path]) is None:
        # The folder is a link: `..` leaves the one that it leads to.
        found = Path(os.path.relpath(path.parent.resolve() / path.name, folder.resolve()))
    return found.as_posix()


def _orders(sheet: Sheet, reading: Reading, report: Report) -> tuple[list[ListedOrder], int]:
    """The orders of all rows without a fault, and how many rows there are."""
    found, rows = [], 0
    for row in sheet.rows(report):
        rows += 1
        if row.cells is None:
            continue
        own = Report()
        order = reading.order(row.line, row.cells, own)
        for diagnostic in own:
            _add(diagnostic, report)
        if order:
            found.append(order)
    return found, rows


def _add(diagnostic: Diagnostic, report: Report) -> None:
    report.add(
        diagnostic.code, diagnostic.message, diagnostic.span, related=diagnostic.related, help=diagnostic.help
    )  # fmt: skip


def _unknown_columns(sheet: Sheet, columns: Columns) -> list[Diagnostic]:
    """One for each column that is taken for nothing and has anything in it."""
    filled: dict[int, int] = {}
    for row in sheet.rows(Report()):
        for at in columns.unknown if row.cells else ():
            assert row.cells
            if row.cells[at].text:
                filled[at] = filled.get(at, 0) + 1
    found = []
    for at, count in sorted(filled.items()):
        cell = columns.header[at]
        name = clip(cell.text)
        message = f"the column `{name}` is not taken: {count:,} of its cells hold something"
        way_out = f'say what it is: --column "note={name}", or --column "ignore={name}"'
        found.append(Diagnostic(codes.LIST_COLUMN, message, cell.span, help=way_out))
    return found


def _check(strategy: NewStrategy, name: str, venue: Path, output: Path | None, report: Report) -> int | None:
    """How many warnings `check` has; None after reporting what it refuses, at the rows that it is about."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-import-") as scratch:
        place = Path(scratch) / (output.name if output else "strategy.yaml")
        files = written(strategy, name, venue.resolve().as_posix(), output.stem if output else "")
        place.write_text(files.text, encoding="utf-8")
        for table, text in files.tables.items():
            (Path(scratch) / table).write_text(text, encoding="utf-8")
        loaded = load_strategy(place)
    if loaded.strategy:
        return len(loaded.diagnostics)
    lines = _lines(strategy, files, str(place))
    for diagnostic in loaded.diagnostics:
        if diagnostic.is_error:
            before = [line for line in lines.get(diagnostic.span.file, {}) if line <= diagnostic.span.line]
            span = lines[diagnostic.span.file][max(before)] if before else next(strategy.rules).order.place
            report.add(diagnostic.code, diagnostic.message, span, help=diagnostic.help)
    return None


def _lines(strategy: NewStrategy, files: Written, name: str) -> dict[str, dict[int, Span]]:
    """For each file that was written, its lines at which what a row means begins, and the row's place."""
    found: dict[str, dict[int, Span]] = {name: {}}
    begins = [at for at, line in enumerate(files.text.split("\n"), 1) if line.startswith("  - ")]
    for at, entry in zip(begins, strategy.entries, strict=True):
        first = next(iter(NewStrategy((entry,)).rules))
        found[name][at] = first.order.place
    tables = [entry for entry in strategy.entries if not hasattr(entry, "order")]
    for table, entry in zip(files.tables, tables, strict=True):
        rows = enumerate(NewStrategy((entry,)).rules, 2)
        found[str(Path(name).with_name(table))] = {line: rule.order.place for line, rule in rows}
    return found
