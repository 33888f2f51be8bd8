# SPDX-License-Identifier: Apache-2.0
"""Event files in Parquet: the columns of the CSV file, a batch of rows at a time."""

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from fixaccel.csv_text.cells import Cell
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.events import EVENT_COLUMN, EVENT_PARQUET, TOO_MANY_FAULTS
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.events.arrow import NotEmptyError, is_number, is_text, may_be_empty, texts, without_cells
from fixaccel.events.batches import BatchReader
from fixaccel.events.columns import EventColumns
from fixaccel.events.part_book import PartBook
from fixaccel.events.row_reader import COLUMNS, RULE, WITH_RULE, RowReader, nearest, shown
from fixaccel.events.rows import MOST_FAULTS, Faults
from fixaccel.files import open_regular
from fixaccel.semantics.messages import Message

BATCH_ROWS = 1 << 18
_BUFFER_BYTES = 1 << 20
_GROUP_BYTES, _ROW_BYTES = 64 << 20, 1 << 10
_UTC = {"UTC", "+00:00", "Etc/UTC"}
_SIZES = {name for name in COLUMNS if name.endswith("_size")}


class ParquetEvents:
    """One event file. What is wrong with it is known once it was read to its end; places are row numbers.

    ``groups`` are those of its row groups that `batches` reads, by itself all; rows are counted from the first of them.
    """

    def __init__(
        self,
        path: Path,
        instruments: Collection[str],
        parts: PartBook | None = None,
        groups: range | None = None,
    ) -> None:
        self._path = path
        self._groups = groups
        self._parts = parts
        self._columns: tuple[str, ...] = COLUMNS
        self._instruments = instruments
        self._faults = Faults(str(path))
        self._rows = 0
        self._rows_read = 0

    @property
    def part_read(self) -> float:
        """How much of the file has been read, from 0 to 1."""
        # A damaged footer may tell of fewer rows than there are.
        return min(self._rows_read / max(self._rows, 1), 1)

    def checked(self) -> Checked:
        """What is wrong with the file."""
        return self._faults.checked()

    def batches(self) -> Iterator[EventColumns]:
        """The messages up to the first fault, in columns."""
        reader = BatchReader(self._instruments, self._parts)
        for batch in self._batches():
            rows = self._row_reader()
            first = reader.rows
            columns, faulty = reader.read(batch)
            if len(faulty):
                for number, cells in self._cells(batch, faulty[:MOST_FAULTS], first):
                    rows.message(number, cells)
            if not self._faults.count:
                yield columns

    def messages(self) -> Iterator[Message]:
        """Those of the rows without a fault."""
        reader, first = None, 0
        for batch in self._batches():
            reader = reader or self._row_reader()
            for number, cells in self._cells(batch, np.arange(len(batch)), first):
                if message := reader.message(number, cells):
                    yield message
                if self._faults.count >= MOST_FAULTS:
                    break
            first += len(batch)

    def _row_reader(self) -> RowReader:
        return RowReader(self._instruments, self._faults, 0, self._parts, self._columns)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        try:
            with open_regular(self._path) as opened:
                schema = pq.read_schema(opened)
                if not self._check_schema(schema):
                    return
                opened.seek(0)
                text = [field.name for field in schema if is_text(field.type)]
                file = pq.ParquetFile(opened, read_dictionary=text, buffer_size=_BUFFER_BYTES)
                self._rows = file.metadata.num_rows
                if not self._check_size(file.metadata):
                    return
                for batch in file.iter_batches(BATCH_ROWS, self._groups, use_threads=False):
                    batch.validate(full=True)  # Arrow itself takes text that is not UTF-8
                    self._rows_read += len(batch)
                    yield self._without_empty(batch)
                    if self._faults.count >= MOST_FAULTS:
                        message = f"{MOST_FAULTS} faults, reading stops here"
                        self._faults.add(TOO_MANY_FAULTS, message, self._rows_read, 1)
                        return
        except NotEmptyError as error:
            self._column(str(error), "write text")
        except (pa.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
            self._fault_of(error)

    def _without_empty(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The batch with nothing in columns of text that were written as numbers, all missing."""
        for field in batch.schema:
            if may_be_empty(field):
                batch = without_cells(batch, field.name)
        return batch

    def _check_size(self, metadata: pq.FileMetaData) -> bool:
        """Refuses cells so large that a batch of them would fill the memory: none of an event file comes near."""
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            # Asking for the columns one by one would end the process where their statistics are damaged.
            if group.total_byte_size > _GROUP_BYTES + _ROW_BYTES * group.num_rows:
                message = f"row group {number} of {self._faults.name} has {group.total_byte_size >> 20} MiB"
                way_out = f"is this an event file? It has {group.num_rows} rows"
                self._faults.add(EVENT_PARQUET, message, 1, 1, way_out=way_out)
                return False
        return True

    def _fault_of(self, error: Exception) -> None:
        """Arrow's own complaints come as `OSError` too, without a number."""
        if isinstance(error, OSError) and error.errno is not None:
            self._faults.add(CANNOT_READ, f"cannot read {self._faults.name}: {error.strerror or error}", 1, 1)
            return
        reason = shown(str(error).partition("\n")[0], 120)
        message = f"{self._faults.name} is no Parquet file, or damaged: {reason}"
        self._faults.add(EVENT_PARQUET, message, 1, 1, way_out="write it again, or give a CSV file the suffix .csv")

    def _check_schema(self, schema: pa.Schema) -> bool:
        names = schema.names
        for name in COLUMNS:
            if name not in names and name not in _SIZES:
                self._column(f"there is no column `{name}`", f"the columns are `{','.join(COLUMNS)}`")
        for name in dict.fromkeys(names):
            if name not in WITH_RULE:
                self._column(f"`{shown(name)}` is no column of an event file", nearest(name, WITH_RULE))
            elif names.count(name) > 1:
                self._column(f"there are {names.count(name)} columns `{name}`", "leave one")
            elif not may_be_empty(schema.field(name)) and (wanted := _wanted(name, schema.field(name).type)):
                kind = shown(str(schema.field(name).type))
                self._column(f"column `{name}` is of type `{kind}`", f"write {wanted}")
        self._columns = WITH_RULE if RULE in names else COLUMNS
        return not self._faults.count

    def _column(self, message: str, way_out: str | None) -> None:
        self._faults.add(EVENT_COLUMN, message, 1, 1, way_out=way_out)

    def _cells(
        self, batch: pa.RecordBatch, rows: npt.NDArray[np.int64], first: int
    ) -> Iterator[tuple[int, list[Cell]]]:
        """Number (from 1, of the file; ``first`` rows before the batch) and cells of some rows."""
        taken = batch.take(pa.array(rows)) if len(rows) < len(batch) else batch
        empty = [""] * len(rows)
        columns = [texts(taken[name]) if name in taken.schema.names else empty for name in self._columns]
        for row, *values in zip(rows.tolist(), *columns, strict=True):
            number = first + row + 1
            cells, at = [], 1
            for value in values:
                width = len(shown(value))
                cells.append(Cell(value, number, at, width))
                at += width + 1
            self._faults.line_text = ",".join(map(shown, values))
            yield number, cells


def _wanted(name: str, kind: pa.DataType) -> str | None:
    """What a column should hold if it is not of type ``kind``."""
    if name == "ts_ns":
        utc = pa.types.is_timestamp(kind) and kind.unit == "ns" and kind.tz in _UTC
        return None if utc or pa.types.is_integer(kind) else "whole numbers, or timestamps in ns and UTC"
    if (pa.types.is_null(kind) and name != "instrument") or is_text(kind):
        return None
    if name in {"instrument", "kind", RULE}:
        return "text"
    return None if is_number(kind) else "text, whole numbers, decimals with at most 18 places, or doubles"
