# SPDX-License-Identifier: Apache-2.0
"""Event files written: CSV or Parquet, as the suffix says."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from fixaccel.events.row_reader import COLUMNS
from fixaccel.files import replacing

# Prices stay the text that was recorded.
SCHEMA = pa.schema([(name, pa.int64() if name == "ts_ns" else pa.string()) for name in COLUMNS])
_BATCH_ROWS = 1 << 16
_PARQUET = ".parquet"


class Event(NamedTuple):
    """One row; a text that is empty is not carried."""

    ts_ns: int
    instrument: str
    kind: str = ""
    bid: str = ""
    bid_size: str = ""
    ask: str = ""
    ask_size: str = ""
    last: str = ""
    last_size: str = ""


def write_events(path: Path, events: Iterable[Event]) -> int:
    """Writes an event file in bounded memory and returns its rows; it is there when all went well. Raises OSError."""
    rows = 0
    with replacing(path) as file, _writer(path, file) as writer:
        for batch in _batches(events):
            writer.write_batch(batch)
            rows += len(batch)
    return rows


def _writer(path: Path, file: BinaryIO) -> pq.ParquetWriter | pa_csv.CSVWriter:
    if path.suffix == _PARQUET:
        return pq.ParquetWriter(file, SCHEMA)
    # Arrow would put the column names in quotes.
    file.write((",".join(COLUMNS) + "\n").encode("ascii"))
    return pa_csv.CSVWriter(file, SCHEMA, write_options=pa_csv.WriteOptions(include_header=False, quoting_style="none"))


def _batches(events: Iterable[Event]) -> Iterator[pa.RecordBatch]:
    left = iter(events)
    while rows := list(islice(left, _BATCH_ROWS)):
        columns = zip(SCHEMA, zip(*rows, strict=True), strict=True)
        yield pa.record_batch([pa.array(cells, field.type) for field, cells in columns], schema=SCHEMA)
