# SPDX-License-Identifier: Apache-2.0
"""Result files: one row a fire, in CSV or Parquet."""

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fixaccel.files import replacing, write_atomically
from fixaccel.semantics.messages import Fire

COLUMNS = tuple(field.name for field in fields(Fire))

_PARQUET = ".parquet"
_NUMBERS = {"ts_ns", "event", "qty"}
_SCHEMA = pa.schema([(name, pa.int64() if name in _NUMBERS else pa.string()) for name in COLUMNS])


def results_csv(fires: Sequence[Fire]) -> str:
    """The text of a result file, lines ended by a line feed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(fire) for fire in fires)
    return text.getvalue()


def write_results(path: Path, fires: Sequence[Fire]) -> None:
    """Writes a result file, Parquet if its suffix says so. Raises OSError."""
    if path.suffix == _PARQUET:
        columns = {name: [getattr(fire, name) for fire in fires] for name in COLUMNS}
        with replacing(path) as file:
            pq.write_table(pa.table(columns, schema=_SCHEMA), file)
        return
    write_atomically(path, results_csv(fires).encode("ascii"))
