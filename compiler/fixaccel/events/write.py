# SPDX-License-Identifier: Apache-2.0
"""Event files written: CSV or Parquet, as the suffix says."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from fixaccel.events.row_reader import RULE, WITH_RULE
from fixaccel.files import replacing

# Prices stay the text that was recorded.
_SCHEMA = pa.schema([(name, pa.int64() if name == "ts_ns" else pa.string()) for name in WITH_RULE])
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
    rule: str = ""


def write_events(path: Path, events: Iterable[Event], *, own_orders: bool = False) -> int:
    """Writes an event file in bounded memory and returns its rows; it is there when all went well. Raises OSError.

    ``own_orders``: rows may be about orders of a strategy, so there is a column for their rules.
    """
    rows = 0
    schema = _SCHEMA if own_orders else _SCHEMA.remove(_SCHEMA.get_field_index(RULE))
    with replacing(path) as file, _writer(path, file, schema) as writer:
        for batch in _batches(events, schema):
            writer.write_batch(batch)
            rows += len(batch)
    return rows


def _writer(path: Path, file: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter | pa_csv.CSVWriter:
    if path.suffix == _PARQUET:
        return pq.ParquetWriter(file, schema)
    # Arrow would put the column names in quotes.
    file.write((",".join(schema.names) + "\n").encode("ascii"))
    return pa_csv.CSVWriter(file, schema, write_options=pa_csv.WriteOptions(include_header=False, quoting_style="none"))


def _batches(events: Iterable[Event], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    left = iter(events)
    while rows := list(islice(left, _BATCH_ROWS)):
        # Without a column for rules, no row says one.
        columns = zip(schema, zip(*rows, strict=True), strict=False)
        yield pa.record_batch([pa.array(cells, field.type) for field, cells in columns], schema=schema)
