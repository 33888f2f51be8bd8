# SPDX-License-Identifier: Apache-2.0
"""All tables of a strategy as rows of numbers; what is wrong with a cell is said at that cell."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from fixaccel.diagnostics.codes import language as language_codes
from fixaccel.diagnostics.codes import tables as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import Number
from fixaccel.language.keys.order import PRICE, SIDE, TYPE
from fixaccel.language.keys.rule import CONFIRM, ID, OCO, WHEN
from fixaccel.language.keys.schema import Key
from fixaccel.language.rows import columns
from fixaccel.language.rows.columns import NONE, NOT_GIVEN, Column, Flags, TableRows
from fixaccel.language.rows.file import NEEDED, SHOWN_ROWS, TableFile
from fixaccel.source import Span

# All rows of a table have a number here, or all `filled` by the rule's own `order`.
QTY = Key("qty", Number("a quantity such as `100`"), "A positive multiple of the instrument's lot.")

# Texts of one column that are read by themselves; more of them is no table of prices.
_ONE_BY_ONE = 1_000


@dataclass(frozen=True)
class _Reader:
    """How a column is read: ``key`` reads the same value in a strategy file."""

    key: Key[Any]
    read: Callable[[Column, TableRows], Flags]
    put: Callable[[TableRows, columns.Rows, Any], None] | None = None


_READERS = (
    _Reader(WHEN, columns.read_conditions, columns.put_condition),
    _Reader(SIDE, columns.read_sides),
    _Reader(QTY, columns.read_quantities, columns.put_quantity),
    _Reader(TYPE, columns.read_types),
    _Reader(PRICE, columns.read_limits, columns.put_limit),
    _Reader(ID, columns.read_ids),
    _Reader(CONFIRM, columns.read_confirms),
    _Reader(OCO, columns.read_groups),
)


def read_rows(tables: Sequence[TableFile], report: Report) -> list[TableRows]:
    """The rows of each table. A row with a cell that was reported is not ``readable``."""
    if not tables:
        return []
    ends = list(accumulate(len(table) for table in tables))
    begins = [0, *ends[:-1]]
    rows = _empty_rows(ends[-1])
    cells = _Cells(tables, np.array(begins), report)
    for reader in _READERS:
        column = columns.column_of(tables, reader.key.name)
        if column is not None:
            cells.finish(reader, column, reader.read(column, rows), rows)
    parts = [rows.part(begin, end) for begin, end in zip(begins, ends, strict=True)]
    for table, part in zip(tables, parts, strict=True):
        report_more(table, int(np.count_nonzero(~part.readable)) - cells.shown.get(table.name, 0), report)
    return parts


def report_more(table: TableFile, count: int, report: Report) -> None:
    """Says how many rows of ``table`` are wrong besides those shown."""
    if count > 0:
        message = f"{count:,} more row{'s' if count > 1 else ''} of {table.name} are wrong"
        report.add(codes.TABLE_MORE, message, Span(table.name, 1, 1, 1, 1))


def _empty_rows(count: int) -> TableRows:
    column = partial(np.full, count)
    return TableRows(
        source=column(0, dtype=np.uint8),
        operator=column(0, dtype=np.uint8),
        price=column(0, dtype=np.int64),
        price_fits=column(True, dtype=np.bool_),
        side=column(NOT_GIVEN, dtype=np.uint8),
        qty=column(0, dtype=np.int64),
        qty_given=column(False, dtype=np.bool_),
        qty_fits=column(True, dtype=np.bool_),
        type=column(NOT_GIVEN, dtype=np.uint8),
        limit_kind=column(NONE, dtype=np.uint8),
        limit=column(0, dtype=np.int64),
        limit_fits=column(True, dtype=np.bool_),
        confirm=column(NOT_GIVEN, dtype=np.uint8),
        ids=None,
        groups=None,
        readable=column(True, dtype=np.bool_),
    )


class _Cells:
    """Reads the cells that a column's reader left, each by itself."""

    def __init__(self, tables: Sequence[TableFile], begins: columns.Rows, report: Report) -> None:
        self._tables = tables
        self._begins = begins
        self._report = report
        self.shown: dict[str, int] = {}  # table -> rows reported

    def finish(self, reader: _Reader, column: Column, left: Flags, rows: TableRows) -> None:
        """Puts what is right in place, marks the rows of the rest."""
        texts = np.flatnonzero(left)
        if not len(texts):
            return
        where = np.arange(len(left)) if column.index is None else column.index
        order = np.argsort(where, kind="stable")
        first = np.searchsorted(where[order], texts, "left")
        last = np.searchsorted(where[order], texts, "right")
        for begin, end in zip(first[:_ONE_BY_ONE].tolist(), last[:_ONE_BY_ONE].tolist(), strict=True):
            at = order[begin:end]
            if len(at) and not self._read(reader, at, rows):
                rows.readable[at] = False
        for begin, end in zip(first[_ONE_BY_ONE:].tolist(), last[_ONE_BY_ONE:].tolist(), strict=True):
            rows.readable[order[begin:end]] = False

    def _read(self, reader: _Reader, at: columns.Rows, rows: TableRows) -> bool:
        number = int(np.searchsorted(self._begins, at[0], "right")) - 1
        table, name = self._tables[number], reader.key.name
        if name not in table.places:
            return True  # another table has the column; here it is empty
        # Once enough has been shown the cell is still judged, into a report that nobody reads.
        report = self._report if sum(self.shown.values()) < SHOWN_ROWS else Report()
        cell = table.cell(int(at[0] - self._begins[number]), name)
        if name == NEEDED and not cell.text:
            message, way_out = f"`{name}` is empty", f"give {reader.key.kind.form}, or delete the row"
            report.add(language_codes.EMPTY_VALUE, message, cell.span, help=way_out)
            value = None
        else:
            value = reader.key.kind.read(cell.node, name, report)
        if value is None:
            if report is self._report:
                self.shown[table.name] = self.shown.get(table.name, 0) + 1
            return False
        if reader.put:
            reader.put(rows, at, value)
        return True
