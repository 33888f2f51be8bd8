# SPDX-License-Identifier: Apache-2.0
"""Pass `table`: the rows of table files as triggers of their rules."""

import os
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fixaccel.diagnostics.codes import strategy as strategy_codes
from fixaccel.diagnostics.codes import tables as codes
from fixaccel.drafts.rows import bind
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.forms import Triggers
from fixaccel.language.keys.order import PRICE, SIDE, TYPE
from fixaccel.language.keys.rule import WHEN
from fixaccel.language.keys.schema import Key, Located
from fixaccel.language.rows.columns import Flags, TableRows, flags
from fixaccel.language.rows.file import SHOWN_ROWS, TableFile
from fixaccel.language.rows.read import read_table
from fixaccel.language.rows.rows import QTY, read_rows, report_more
from fixaccel.language.written import Filled, WrittenOrder, WrittenRule
from fixaccel.passes.meaning import conditions, orders, ticks
from fixaccel.passes.meaning.orders import base_order, filled_fits
from fixaccel.values import TickTable

T = TypeVar("T")

# Triggers of all tables of a strategy together.
PARTS = 4_000_000


def run(work: Work) -> None:
    """Fills ``form``, ``many``, ``names``, ``row_groups``, ``table_file`` and ``table_lines`` of rules with a table."""
    drafts = [draft for draft in work.drafts if draft.written.table]
    tables = _read_files(drafts, work)
    rows = dict(zip(tables, read_rows(list(tables.values()), work.report), strict=True))
    sizes = [len(tables[name]) for draft in drafts if (name := _file_name(draft.written, work)) in tables]
    if sum(sizes) > PARTS:
        message = f"the tables give {sum(sizes):,} triggers, at most {PARTS:,} are compiled"
        work.report.add(codes.TABLE_TOO_LONG, message, drafts[0].when_span, help="use fewer rows or instruments")
        return
    bound: dict[_Meaning, Triggers] = {}
    for draft in drafts:
        name = _file_name(draft.written, work)
        if name in tables and draft.written.order_readable:
            _Binding(draft, tables[name], rows[name], work).run(bound)


def _file_name(rule: WrittenRule, work: Work) -> str:
    """The table's name in spans."""
    assert rule.table
    return os.path.normpath(work.path.parent / rule.table.value.strip())


def _read_files(drafts: list[Draft], work: Work) -> dict[str, TableFile]:
    """Each file once, whatever the number of rules and instruments that use it."""
    tables: dict[str, TableFile | None] = {}
    for draft in drafts:
        assert draft.written.table
        named = draft.written.table
        name = _file_name(draft.written, work)
        if name not in tables:
            path = work.path.parent / named.value.strip()
            tables[name] = read_table(path, name, work.report, work.sources, asked_at=named.span)
        table = tables[name]
        if table:
            work.inputs[named.value.strip()] = table.digest
    return {name: table for name, table in tables.items() if table}


@dataclass(frozen=True)
class _Meaning:
    """All that decides what a row means: rules that agree in it share their columns."""

    file: str
    rule: int  # its place in the file
    ticks: TickTable
    lot: int
    price_min: int
    price_max: int


class _Binding:
    """One table at one instrument."""

    def __init__(self, draft: Draft, table: TableFile, rows: TableRows, work: Work) -> None:
        self._draft = draft
        self._table = table
        self._rows = rows
        self._work = work
        self._base = base_order(draft, work)

    def run(self, bound: dict[_Meaning, Triggers]) -> None:
        """Fills the draft. ``bound`` keeps the columns of earlier ones."""
        draft, rows, instrument = self._draft, self._rows, self._draft.instrument
        draft.many = True
        draft.table_file, draft.table_lines = self._table.name, self._table.lines
        if rows.ids is not None:
            self._name(rows.ids)
        if rows.groups is not None:
            own = draft.written.oco.value if draft.written.oco else None
            draft.row_groups = pc.if_else(pc.equal(rows.groups, ""), own, rows.groups).to_pylist()
        if not self._order_is_complete() or not self._filled_fits() or not rows.readable.all():
            return
        meaning = _Meaning(
            self._table.name, id(draft.written), instrument.ticks, instrument.lot, instrument.price_min,
            instrument.price_max,
        )  # fmt: skip
        if meaning not in bound:
            triggers, bad = bind(rows, instrument, self._base, draft.written.confirm)
            if bad.any():
                self._report(bad)
                return
            assert triggers
            bound[meaning] = triggers
        draft.form = bound[meaning]

    def _name(self, texts: pa.StringArray) -> None:
        """Rows with an id of their own go by it, at an instrument of a list by ID@SYMBOL."""
        given = np.flatnonzero(flags(pc.not_equal(texts, "")))
        ids = texts.take(given)
        if self._draft.written.is_list:
            ids = pc.binary_join_element_wise(ids, f"@{self._draft.instrument.symbol}", "")
        self._draft.names = dict(zip(given.tolist(), ids.to_pylist(), strict=True))

    def _order_is_complete(self) -> bool:
        """Whether side, quantity and type are given by a column or the rule; reports what is given nowhere."""
        given = {"side": self._base.side, "qty": self._base.qty, "type": self._base.type}
        absent = [name for name, value in given.items() if value is None and name not in self._table.places]
        for name in absent:
            if name not in self._base.unreadable:
                assert self._draft.written.table
                message = f"the table has no column `{name}` and the rule's `order` has none either"
                self._work.report.add(
                    strategy_codes.MISSING_ORDER_KEY, message, self._draft.written.table.span,
                    help=f"add `{name}` to the table, to the rule's `order` or to `defaults`",
                )  # fmt: skip
        return not absent and not self._base.unreadable

    def _filled_fits(self) -> bool:
        """Whether `qty: filled`, if it stands in the rule, has a meaning for all rows."""
        qty = self._base.qty
        if qty is None or not isinstance(qty.value, Filled):
            return True
        if "qty" in self._table.places:
            message = "`qty: filled` holds for all rows of a table, and this one has a column `qty`"
            self._work.report.add(strategy_codes.FILLED_QTY, message, qty.span, help="leave one of the two out")
            return False
        return filled_fits(Located(qty.value, qty.span), self._draft, self._work.report)

    def _report(self, bad: Flags) -> None:
        """Rows that are wrong go the way of rules that are written by hand, which says what is wrong with them."""
        wrong = np.flatnonzero(bad)
        shown = wrong[:SHOWN_ROWS].tolist()
        work = replace(self._work, drafts=[self._row(row) for row in shown])
        for step in (ticks, conditions, orders):
            step.run(work)
        assert self._work.report.failed, self._draft.id
        report_more(self._table, len(wrong) - len(shown), self._work.report)

    def _row(self, row: int) -> Draft:
        rule = self._draft.written
        order = WrittenOrder(
            span=self._table.row_span(row),
            side=self._cell(SIDE, row),
            qty=self._quantity(row),
            type=self._cell(TYPE, row),
            price=self._cell(PRICE, row),
        )
        own = replace(
            rule, table=None, when=self._cell(WHEN, row), order=order.over(rule.order) if rule.order else order
        )
        return Draft(self._draft.names.get(row) or f"{self._draft.id}[{row + 1}]", own, self._draft.instrument)

    def _quantity(self, row: int) -> Located[Decimal | Filled] | None:
        cell = self._cell(QTY, row)
        return Located(cell.value, cell.span) if cell else None

    def _cell(self, key: Key[T], row: int) -> Located[T] | None:
        if key.name not in self._table.places:
            return None
        cell = self._table.cell(row, key.name)
        value = key.kind.read(cell.node, key.name, self._work.report) if cell.text else None
        return None if value is None else Located(value, cell.span)
