# SPDX-License-Identifier: Apache-2.0
"""Event files in CSV: blocks of faultless rows through Arrow, anything else cell by cell."""

from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv

from fixaccel.csv_text.cells import BOM, Cell
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.events import EVENT_HEADER
from fixaccel.events.arrow import times_from_texts
from fixaccel.events.batches import BatchReader
from fixaccel.events.columns import EventColumns, from_messages
from fixaccel.events.part_book import PartBook
from fixaccel.events.row_reader import COLUMNS, WITH_RULE, RowReader, shown
from fixaccel.events.rows import LINE_BYTES, Faults, Position, read_rows
from fixaccel.files import open_regular
from fixaccel.semantics.messages import Message

BLOCK_BYTES = 16 << 20
_MESSAGES = 1 << 16
_HEADERS = {
    ",".join(columns).encode("ascii") + end: columns
    for columns in (COLUMNS, WITH_RULE)
    for end in (b"", b"\n", b"\r\n")
}

# Everything stays text: what a cell means is decided in one place.
_TEXT = pa.dictionary(pa.int32(), pa.string())
_CONVERT = pa_csv.ConvertOptions(column_types=dict.fromkeys(WITH_RULE, _TEXT) | {"ts_ns": pa.string()})


@dataclass(frozen=True)
class _Start:
    """Where the reader of rows goes on: place in the file, rows before it, time of the last of them."""

    position: Position
    rows: int
    ts_ns: int


class CsvEvents:
    """One event file. What is wrong with it is known once it was read to its end."""

    def __init__(self, path: Path, instruments: Collection[str], parts: PartBook | None = None) -> None:
        self._path = path
        self._instruments = instruments
        self._parts = parts
        self._columns: tuple[str, ...] = COLUMNS
        self._faults = Faults(str(path))
        self._bytes = path.stat().st_size if path.is_file() else 0
        self._read_bytes = 0

    @property
    def part_read(self) -> float:
        """How much of the file has been read, from 0 to 1."""
        return min(1.0, self._read_bytes / max(self._bytes, 1))

    def checked(self) -> Checked:
        """What is wrong with the file."""
        return self._faults.checked()

    def batches(self) -> Iterator[EventColumns]:
        """The messages up to the first fault, in columns."""
        start = yield from self._blocks()
        if start is None:
            return
        messages = self._rows(start) if start.rows else self.messages()
        while part := list(islice(messages, _MESSAGES)):
            if not self._faults.count:
                yield from_messages(part, self._instruments)

    def messages(self) -> Iterator[Message]:
        """Those of the rows without a fault."""
        rows = read_rows(self._path, self._faults)
        header = next(rows, None)
        if header is None:
            if not self._faults.count:
                way_out = f"begin with `{','.join(COLUMNS)}`"
                self._faults.add(EVENT_HEADER, f"{self._faults.name} is empty", 1, 1, way_out=way_out)
        elif self._check_header(header):
            yield from self._messages(rows, _Start(Position(), 0, 0))

    def _rows(self, start: _Start) -> Iterator[Message]:
        yield from self._messages(read_rows(self._path, self._faults, start.position), start)

    def _messages(self, rows: Iterator[list[Cell]], start: _Start) -> Iterator[Message]:
        reader = RowReader(self._instruments, self._faults, start.ts_ns, self._parts, self._columns)
        for number, row in enumerate(rows, start.rows + 1):
            self._read_bytes += row[-1].column + row[-1].width
            if message := reader.message(number, row):
                yield message

    def _check_header(self, cells: list[Cell]) -> bool:
        names = tuple(cell.text for cell in cells)
        if names in {COLUMNS, WITH_RULE}:
            self._columns = names
            return True
        wrong = next((i for i, (a, b) in enumerate(zip(names, WITH_RULE, strict=False)) if a != b), None)
        place = cells[-1 if wrong is None else wrong]
        if wrong is None:
            message = f"the header has {len(names)} columns, not {len(COLUMNS)}"
        else:
            message = f"column {wrong + 1} is called `{shown(names[wrong])}`, not `{WITH_RULE[wrong]}`"
        self._faults.add_cell(EVENT_HEADER, message, place, f"begin with `{','.join(COLUMNS)}`")
        return False

    def _blocks(self) -> Generator[EventColumns, None, _Start | None]:
        """Leading rows without a fault, and where there is something that only the reader of rows understands."""
        reader = BatchReader(self._instruments, self._parts)
        position = Position()
        try:
            with open_regular(self._path) as file:
                first = file.readline(LINE_BYTES)
                columns = _HEADERS.get(first.removeprefix(BOM))
                if columns is None:
                    return _Start(position, 0, 0)
                self._columns = columns
                position = Position(len(first), 1)
                while block := file.read(BLOCK_BYTES):
                    block += b"" if block.endswith(b"\n") else file.readline(LINE_BYTES)
                    start = _Start(position, reader.rows, reader.ts_ns)
                    messages = _messages(block, columns, reader)
                    if messages is None:
                        return start
                    position = Position(position.offset + len(block), position.line + block.count(b"\n"))
                    self._read_bytes = position.offset
                    yield messages
        except OSError:
            return _Start(position, reader.rows, reader.ts_ns)  # the reader of rows meets it again and says it
        return None


def _messages(block: bytes, names: tuple[str, ...], reader: BatchReader) -> EventColumns | None:
    """The messages of whole lines; None where Arrow may see other rows than the reader of rows, or one has a fault."""
    if b'"' in block or block.count(b"\r") != block.count(b"\r\n"):
        return None
    try:
        options = pa_csv.ReadOptions(use_threads=False, block_size=2 * BLOCK_BYTES, column_names=names)
        table = pa_csv.read_csv(BytesIO(block), read_options=options, convert_options=_CONVERT).combine_chunks()
    except pa.ArrowInvalid:
        return None
    batch = next(iter(table.to_batches()), None)
    ts_ns = None if batch is None else times_from_texts(batch["ts_ns"])
    if batch is None or ts_ns is None:
        return None
    columns, faulty = reader.read(batch.set_column(0, "ts_ns", ts_ns))
    return None if len(faulty) else columns
