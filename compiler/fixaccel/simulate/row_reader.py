# SPDX-License-Identifier: Apache-2.0
"""Rows of event files to messages, cell by cell: the one place that says what is wrong with a row."""

import difflib
import re
from collections.abc import Collection, Sequence

from fixaccel.diagnostics.codes.events import EVENT_INSTRUMENT, EVENT_KIND, EVENT_ROW, EVENT_VALUE
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Kind, Message
from fixaccel.simulate.rows import Cell, Faults
from fixaccel.values import DECIMAL_CHARS, parse_decimal

COLUMNS = ("ts_ns", "instrument", "kind", *(name for s in CARRIED for name in (s.value, f"{s.value}_size")))

_NANOSECONDS = re.compile(r"[0-9]{1,19}\Z")
_MOST_NANOSECONDS = 2**63 - 1
_KINDS = {kind.value: kind for kind in Kind} | {"": Kind.UPDATE}
_ALL_INSTRUMENTS = {Kind.GAP, Kind.HALT, Kind.OPEN}


class RowReader:
    """Keeps what goes from row to row: the time, which never falls and begins at ``ts_ns``."""

    def __init__(self, instruments: Collection[str], faults: Faults, ts_ns: int = 0) -> None:
        self._instruments = instruments
        self._fault = faults.add_cell
        self._ts_ns = ts_ns

    def message(self, number: int, cells: Sequence[Cell]) -> Message | None:
        """The message of row ``number`` (from 1); None where it has no meaning. Faults are noted."""
        if len(cells) != len(COLUMNS):
            plural = "" if len(cells) == 1 else "s"
            self._fault(EVENT_ROW, f"this row has {len(cells)} column{plural}, not {len(COLUMNS)}", cells[-1])
            return None
        row = dict(zip(COLUMNS, cells, strict=True))
        time = self._time(row["ts_ns"])
        kind = self._kind(row["kind"])
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
