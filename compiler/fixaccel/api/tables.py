# SPDX-License-Identifier: Apache-2.0
"""Events that lie in memory as Arrow columns, read where they lie."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from fixaccel.diagnostics.codes.events import EVENT_COLUMN, TOO_MANY_FAULTS
from fixaccel.events.arrow import NotEmptyError
from fixaccel.events.parquet import BATCH_ROWS, ParquetEvents
from fixaccel.events.part_book import PartBook
from fixaccel.events.rows import MOST_FAULTS

# What a table may leave out, beside the sizes: its messages are updates, and carry no such price.
_LEFT_OUT = ("kind", "bid", "ask", "last")
_SMALL_ROWS = 1 << 12


class TableEvents(ParquetEvents):
    """Events of a stream of record batches, with the columns, the types and the faults of a Parquet file.

    ``parts`` knows the rules that rows of own orders name. ``name`` stands in diagnostics where a file has its path;
    ``rows`` is None where nobody knows how many come. Columns of types that are those of a file in another form are
    converted, a batch at a time; nothing else is copied here.
    """

    def __init__(
        self,
        reader: pa.RecordBatchReader,
        instruments: Collection[str],
        parts: PartBook,
        name: str,
        rows: int | None,
    ) -> None:
        super().__init__(Path(name), instruments, parts)
        self._reader = reader
        self._rows = rows or 0
        self._done = False

    @property
    def part_read(self) -> float:
        """How much has been read, from 0 to 1; of a stream without a known end 0 until it is there."""
        if self._done:
            return 1.0
        return min(self._rows_read / self._rows, 1) if self._rows else 0.0

    def _batches(self) -> Iterator[pa.RecordBatch]:
        schema = self._reader.schema
        kinds = [_same(field.type) for field in schema]
        missing = [name for name in _LEFT_OUT if name not in schema.names]
        fields = [*zip(schema.names, kinds, strict=True), *((name, pa.null()) for name in missing)]
        if not self._check_schema(pa.schema(fields)):
            return
        try:
            for batch in self._converted(kinds, missing):
                yield from self._pieces(batch)
                if self._faults.count >= MOST_FAULTS:
                    message = f"{MOST_FAULTS} faults, reading stops here"
                    self._faults.add(TOO_MANY_FAULTS, message, self._rows_read, 1)
                    return
        except NotEmptyError as error:
            self._faults.add(EVENT_COLUMN, str(error), 1, 1, way_out="write text")
        except (pa.ArrowException, UnicodeDecodeError) as error:
            reason = str(error).partition("\n")[0]
            self._faults.add(EVENT_COLUMN, f"{self._faults.name} cannot be read: {reason}", self._rows_read + 1, 1)
        self._done = True

    def _converted(self, kinds: Sequence[pa.DataType], missing: Sequence[str]) -> Iterator[pa.RecordBatch]:
        names = [*self._reader.schema.names, *missing]
        for batch in _joined(self._reader):
            columns = [
                column if column.type == kind else column.cast(kind)
                for column, kind in zip(batch.columns, kinds, strict=True)
            ]
            yield pa.RecordBatch.from_arrays([*columns, *(pa.nulls(len(batch)) for _ in missing)], names)

    def _pieces(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Views of so many rows as a file's batches have: progress is told between them."""
        for start in range(0, len(batch), BATCH_ROWS):
            piece = batch.slice(start, BATCH_ROWS)
            self._rows_read += len(piece)
            yield self._without_empty(piece)


def _joined(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows, looked through: another library made them.

    Small batches, of a table put together row by row, become larger ones: each batch has its price.
    """
    small: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        if len(batch) < _SMALL_ROWS:
            small.append(batch)
            rows += len(batch)
        if small and (len(batch) >= _SMALL_ROWS or rows >= _SMALL_ROWS or len(small) >= _SMALL_ROWS):
            yield _one(small)
            small, rows = [], 0
        if len(batch) >= _SMALL_ROWS:
            yield _one([batch])
    if small:
        yield _one(small)


def _one(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    table = pa.Table.from_batches(batches)
    table.validate(full=True)
    if len(batches) == 1:
        return batches[0]
    table = table.unify_dictionaries()
    return pa.RecordBatch.from_arrays([column.combine_chunks() for column in table.columns], table.column_names)


def _same(kind: pa.DataType) -> pa.DataType:
    """The type of a file's column that says the same as one of ``kind``; mostly that itself."""
    if pa.types.is_timestamp(kind) and kind.tz and (kind.unit != "ns" or kind.tz != "UTC"):
        return pa.timestamp("ns", "UTC")  # a moment is the same in every zone
    if pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        return pa.dictionary(kind.index_type, pa.string())
    if pa.types.is_decimal32(kind) or pa.types.is_decimal64(kind):
        return pa.decimal128(kind.precision, kind.scale)
    return kind
