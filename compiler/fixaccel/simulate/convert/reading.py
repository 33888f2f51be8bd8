# SPDX-License-Identifier: Apache-2.0
"""CSV tables of other programs, read with their places."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from fixaccel.csv_text.cells import Cell
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.events import CONVERT_HEADER, CONVERT_ROW, CONVERT_VALUE
from fixaccel.events.row_reader import shown
from fixaccel.events.rows import Faults, read_rows
from fixaccel.values import decimal_text, parse_decimal

_EXPONENT = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?e[+-]?[0-9]{1,2}")


@dataclass
class Input:
    """What a converter reads: a file, which may have others beside it, of one ``instrument``.

    ``zone`` is that of times that name none.
    """

    path: Path
    instrument: str
    zone: ZoneInfo
    _faults: list[Faults] = field(default_factory=list)

    def table(self, columns: Sequence[str], path: Path | None = None) -> "Table":
        """A table with these columns, at ``path`` or in the file itself."""
        place = path or self.path
        self._faults.append(Faults(str(place)))
        return Table(place, self._faults[-1], columns)

    def checked(self) -> Checked:
        """What is wrong with the files, all of it once they were read to their ends."""
        return Checked.merge([faults.checked() for faults in self._faults])


class Table:
    """Rows of a table with these columns; what is wrong with one is noted and the row left out."""

    def __init__(self, path: Path, faults: Faults, columns: Sequence[str]) -> None:
        self._path = path
        self._faults = faults
        self._columns = columns

    def rows(self) -> Iterator[list[Cell]]:
        """Rows below the header, each of as many cells as there are columns."""
        rows = read_rows(self._path, self._faults)
        names = [cell.text for cell in next(rows, [])]
        if names != list(self._columns):
            if not self._faults.count:
                seen = shown(",".join(names), 80)
                message = f"the columns are `{seen}`, not `{','.join(self._columns)}`"
                self._faults.add(CONVERT_HEADER, message, 1, 1, way_out="is this the right format for the file?")
            return
        for row in rows:
            if len(row) == len(self._columns):
                yield row
            else:
                message = f"this row has {len(row)} cells, not {len(self._columns)}"
                self._faults.add_cell(CONVERT_ROW, message, row[-1])

    def number(self, cell: Cell) -> str | None:
        """A decimal not below zero, written out; with an exponent too, as programs print small sizes. None: a fault."""
        text = cell.text
        if _EXPONENT.fullmatch(text):
            text = decimal_text(Decimal(text))
        if parse_decimal(text) is not None and not text.startswith("-"):
            return text
        self.wrong(cell, "is no price or size", "write `digits[.digits]`")
        return None

    def price(self, cell: Cell) -> str | None:
        """A decimal of either sign, as it is written; None: a fault."""
        if parse_decimal(cell.text) is not None:
            return cell.text
        self.wrong(cell, "is no price", "write `-?digits[.digits]`")
        return None

    def wrong(self, cell: Cell, what: str, way_out: str) -> None:
        """Notes that a cell has the wrong form."""
        self._faults.add_cell(CONVERT_VALUE, f"`{shown(cell.text)}` {what}", cell, way_out)
