# SPDX-License-Identifier: Apache-2.0
"""Rows of event files to messages, cell by cell: the one place that says what is wrong with a row."""

import difflib
import re
from collections.abc import Collection, Mapping, Sequence

from fixaccel.csv_text.cells import Cell
from fixaccel.diagnostics.codes.events import EVENT_INSTRUMENT, EVENT_KIND, EVENT_ROW, EVENT_RULE, EVENT_VALUE
from fixaccel.events.part_book import PartBook
from fixaccel.events.rows import Faults
from fixaccel.language.rules import Rule
from fixaccel.semantics.messages import CARRIED, EXECUTIONS, UNKNOWN, Execution, Kind, Message
from fixaccel.values import DECIMAL_CHARS, parse_decimal

COLUMNS = ("ts_ns", "instrument", "kind", *(name for s in CARRIED for name in (s.value, f"{s.value}_size")))

# An optional last column: whose order a row of an execution is about.
RULE = "rule"
WITH_RULE = (*COLUMNS, RULE)

_NANOSECONDS = re.compile(r"[0-9]{1,19}\Z")
_MOST_NANOSECONDS = 2**63 - 1
_KINDS = {kind.value: kind for kind in Kind} | {"": Kind.UPDATE}
_ALL_INSTRUMENTS = {Kind.GAP, Kind.HALT, Kind.OPEN}
_QUANTITY = re.compile(r"-?[0-9]{1,15}(\.0+)?\Z")


class RowReader:
    """Keeps what goes from row to row: the time, which never falls and begins at ``ts_ns``.

    ``parts`` is None where there is no strategy whose orders rows could be about; ``columns`` are those of the file.
    """

    def __init__(
        self,
        instruments: Collection[str],
        faults: Faults,
        ts_ns: int = 0,
        parts: PartBook | None = None,
        columns: Sequence[str] = COLUMNS,
    ) -> None:
        self._instruments = instruments
        self._parts = parts
        self._columns = columns
        self._fault = faults.add_cell
        self._ts_ns = ts_ns

    def message(self, number: int, cells: Sequence[Cell]) -> Message | None:
        """The message of row ``number`` (from 1); None where it has no meaning. Faults are noted."""
        if len(cells) != len(self._columns):
            plural = "" if len(cells) == 1 else "s"
            self._fault(EVENT_ROW, f"this row has {len(cells)} column{plural}, not {len(self._columns)}", cells[-1])
            return None
        row = dict(zip(self._columns, cells, strict=True))
        time = self._time(row["ts_ns"])
        kind = self._kind(row["kind"])
        if kind in EXECUTIONS:
            return self._execution(number, time, kind, row)
        if kind and RULE in row and row[RULE].text:
            way_out = "it says whose order a `fill`, `done` or `reject` is about"
            self._fault(EVENT_RULE, "a message of the market is about no rule", row[RULE], way_out)
        instrument = self._instrument(row["instrument"], kind)
        prices = {source: text for source in CARRIED if (text := self._price(row[source.value]))}
        sizes = {source: text for source in CARRIED if (text := self._size(row[f"{source.value}_size"]))}
        if kind in _ALL_INSTRUMENTS and (prices or sizes):
            carried = next(cell for cell in cells[3:] if cell.text)
            self._fault(EVENT_KIND, f"`{kind.value}` carries no prices", carried, "leave the price columns empty")
        if time is None or kind is None:
            return None
        self._ts_ns = max(self._ts_ns, time)
        return Message(number, self._ts_ns, instrument, kind, prices, sizes)

    def _execution(self, number: int, time: int | None, kind: Kind, row: Mapping[str, Cell]) -> Message | None:
        """A row about an own order."""
        rule = self._rule(kind, row)
        for name in ("bid", "bid_size", "ask", "ask_size"):
            if row[name].text:
                self._fault(EVENT_KIND, f"`{kind.value}` has no {name}", row[name], "write `last` and `last_size`")
        price = self._price(row["last"])
        qty = self._filled(row["last_size"]) if kind is Kind.FILL else 0
        if time is None or rule is None or qty is None:
            return None
        self._ts_ns = max(self._ts_ns, time)
        symbol = rule.instrument.symbol
        return Message(number, self._ts_ns, symbol, kind, {}, {}, Execution(rule.index, qty, price))

    def _rule(self, kind: Kind, row: Mapping[str, Cell]) -> Rule | None:
        """The part whose order it is."""
        if self._parts is None:
            self._fault(
                EVENT_KIND, f"`{kind.value}` is of an own order, and only market data is read here", row["kind"]
            )
            return None
        if RULE not in row or not row[RULE].text:
            cell = row[RULE] if RULE in row else row["kind"]
            self._fault(EVENT_RULE, f"`{kind.value}` needs a rule", cell, "name it in a last column, `rule`")
            return None
        found = self._parts.find(row[RULE].text)
        if not isinstance(found, Rule):
            self._fault(EVENT_RULE, found.message, row[RULE], found.help)
            return None
        symbol = row["instrument"]
        if symbol.text and symbol.text != found.instrument.symbol:
            message = f"`{found.id}` is of {found.instrument.symbol}, not of `{shown(symbol.text)}`"
            self._fault(EVENT_INSTRUMENT, message, symbol, "leave the instrument out, or write the rule's")
            return None
        return found

    def _filled(self, cell: Cell) -> int | None:
        """How much was filled; below zero for a bust."""
        if _QUANTITY.match(cell.text) and (qty := int(cell.text.partition(".")[0])):
            return qty
        message = f"`{shown(cell.text)}` is not a quantity" if cell.text else "a fill needs a quantity in `last_size`"
        self._fault(EVENT_VALUE, message, cell, "write a whole number, below zero where a fill was busted")
        return None

    def _time(self, cell: Cell) -> int | None:
        if _NANOSECONDS.match(cell.text) and int(cell.text) <= _MOST_NANOSECONDS:
            return int(cell.text)
        self._fault(EVENT_VALUE, f"ts_ns `{shown(cell.text)}` is not a whole number of nanoseconds below 2^63", cell)
        return None

    def _kind(self, cell: Cell) -> Kind | None:
        if cell.text in _KINDS:
            return _KINDS[cell.text]
        self._fault(EVENT_KIND, f"unknown kind `{shown(cell.text)}`", cell, nearest(cell.text, [k.value for k in Kind]))
        return None

    def _instrument(self, cell: Cell, kind: Kind | None) -> str | None:
        if cell.text in self._instruments:
            return cell.text
        if cell.text:
            way_out = "leave the column empty for all instruments" if cell.text == "*" else None
            message = f"the venue has no instrument `{shown(cell.text)}`"
            self._fault(EVENT_INSTRUMENT, message, cell, way_out or nearest(cell.text, self._instruments))
        elif kind not in _ALL_INSTRUMENTS and kind is not None:
            self._fault(EVENT_INSTRUMENT, f"`{kind.value}` needs an instrument", cell)
        return None

    def _price(self, cell: Cell) -> str:
        if cell.text in {"", UNKNOWN} or parse_decimal(cell.text) is not None:
            return cell.text
        message = f"`{shown(cell.text)}` is not a price"
        self._fault(EVENT_VALUE, message, cell, f"write `-?digits[.digits]`, at most {DECIMAL_CHARS} characters")
        return ""

    def _size(self, cell: Cell) -> str:
        if cell.text in {"", UNKNOWN}:
            return ""
        if cell.text.startswith("-") or parse_decimal(cell.text) is None:
            self._fault(EVENT_VALUE, f"`{shown(cell.text)}` is not a size", cell, "write `digits[.digits]`")
        return cell.text


def nearest(text: str, known: Collection[str]) -> str | None:
    """A help line with the known name most like ``text``."""
    found = difflib.get_close_matches(text, known, 1)
    return f"did you mean `{found[0]}`?" if found else None


def shown(text: str, most: int = 40) -> str:
    """Text fit for a message: at most ``most`` characters, control characters written out."""
    clipped = text if len(text) <= most else text[: most - 3] + "..."
    return clipped if clipped.isprintable() else ascii(clipped)[1:-1]
