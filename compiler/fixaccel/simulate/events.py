# SPDX-License-Identifier: Apache-2.0
"""Event files: CSV rows to messages."""

import difflib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from fixaccel.diagnostics.codes.events import EVENT_HEADER, EVENT_INSTRUMENT, EVENT_KIND, EVENT_ROW, EVENT_VALUE
from fixaccel.pipeline import Checked
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Kind, Message
from fixaccel.simulate.rows import Cell, Faults, read_rows
from fixaccel.values import DECIMAL_CHARS, parse_decimal

COLUMNS = ("ts_ns", "instrument", "kind", *(name for s in CARRIED for name in (s.value, f"{s.value}_size")))

_NANOSECONDS = re.compile(r"[0-9]{1,19}\Z")
_MOST_NANOSECONDS = 2**63 - 1
_KINDS = {kind.value: kind for kind in Kind} | {"": Kind.UPDATE}
_ALL_INSTRUMENTS = {Kind.GAP, Kind.HALT, Kind.OPEN}


@dataclass(frozen=True)
class LoadedEvents(Checked):
    """``messages`` are those of the rows without a fault."""

    messages: Sequence[Message] = ()


def load_events(path: Path, instruments: Collection[str]) -> LoadedEvents:
    """Reads an event file. What is wrong with it stands in ``diagnostics``, all of it after one run."""
    faults = Faults(str(path))
    if path.suffix == ".parquet":
        faults.add(EVENT_HEADER, "Parquet is not read by this version", 1, 1, way_out="write the same columns as CSV")
        return LoadedEvents(faults.report.sorted())
    messages = _read(path, instruments, faults)
    sources = {faults.name: faults.source()} if faults.count else {}
    return LoadedEvents(faults.report.sorted(), sources, faults.report.dropped, messages)


def _read(path: Path, instruments: Collection[str], faults: Faults) -> list[Message]:
    reader = _Reader(instruments, faults)
    rows = read_rows(path, faults)
    header = next(rows, None)
    if header is None:
        if not faults.count:
            faults.add(EVENT_HEADER, f"{faults.name} is empty", 1, 1, way_out=f"begin with `{','.join(COLUMNS)}`")
        return []
    if not reader.header(header):
        return []
    return [message for number, row in enumerate(rows, start=1) if (message := reader.message(number, row))]


class _Reader:
    """Keeps what goes from row to row: the time, which never falls."""

    def __init__(self, instruments: Collection[str], faults: Faults) -> None:
        self._instruments = instruments
        self._fault = faults.add_cell
        self._ts_ns = 0

    def header(self, cells: list[Cell]) -> bool:
        names = tuple(cell.text for cell in cells)
        if names == COLUMNS:
            return True
        wrong = next((i for i, (a, b) in enumerate(zip(names, COLUMNS, strict=False)) if a != b), None)
        place = cells[-1 if wrong is None else wrong]
        if wrong is None:
            message = f"the header has {len(names)} columns, not {len(COLUMNS)}"
        else:
            message = f"column {wrong + 1} is called `{_shown(names[wrong])}`, not `{COLUMNS[wrong]}`"
        self._fault(EVENT_HEADER, message, place, f"begin with `{','.join(COLUMNS)}`")
        return False

    def message(self, number: int, cells: list[Cell]) -> Message | None:
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
        self._fault(EVENT_VALUE, f"ts_ns `{_shown(cell.text)}` is not a whole number of nanoseconds below 2^63", cell)
        return None

    def _kind(self, cell: Cell) -> Kind | None:
        if cell.text in _KINDS:
            return _KINDS[cell.text]
        self._fault(
            EVENT_KIND, f"unknown kind `{_shown(cell.text)}`", cell, _nearest(cell.text, [k.value for k in Kind])
        )
        return None

    def _instrument(self, cell: Cell, kind: Kind | None) -> str | None:
        if cell.text in self._instruments:
            return cell.text
        if cell.text:
            way_out = "leave the column empty for all instruments" if cell.text == "*" else None
            message = f"the venue has no instrument `{_shown(cell.text)}`"
            self._fault(EVENT_INSTRUMENT, message, cell, way_out or _nearest(cell.text, self._instruments))
        elif kind not in _ALL_INSTRUMENTS and kind is not None:
            self._fault(EVENT_INSTRUMENT, f"`{kind.value}` needs an instrument", cell)
        return None

    def _price(self, cell: Cell) -> str:
        if cell.text in {"", UNKNOWN} or parse_decimal(cell.text) is not None:
            return cell.text
        message = f"`{_shown(cell.text)}` is not a price"
        self._fault(EVENT_VALUE, message, cell, f"write `-?digits[.digits]`, at most {DECIMAL_CHARS} characters")
        return ""

    def _size(self, cell: Cell) -> str:
        if cell.text in {"", UNKNOWN}:
            return ""
        if cell.text.startswith("-") or parse_decimal(cell.text) is None:
            self._fault(EVENT_VALUE, f"`{_shown(cell.text)}` is not a size", cell, "write `digits[.digits]`")
        return cell.text


def _nearest(text: str, known: Collection[str]) -> str | None:
    found = difflib.get_close_matches(text, known, 1)
    return f"did you mean `{found[0]}`?" if found else None


def _shown(text: str) -> str:
    """Text fit for a message: short, control characters written out."""
    clipped = text if len(text) <= 40 else text[:37] + "..."
    return clipped if clipped.isprintable() else ascii(clipped)[1:-1]
