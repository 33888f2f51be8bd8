# SPDX-License-Identifier: Apache-2.0
"""What the table interpreter is handed is the caller's memory, where a column is right."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fixaccel.simulate import table_run

INT64 = pa.int64()
ROWS = 5
PRICES = [1185.0, 1184.0, 1183.0, 1182.0, 1174.0]


@pytest.fixture
def handed(monkeypatch):
    """Addresses of times and instruments of each batch that the library was handed."""
    found = []

    class Seen(table_run.TableInterpreter):
        def run(self, events):
            found.append((events.ts_ns.ctypes.data, events.instrument.ctypes.data))
            return super().run(events)

    monkeypatch.setattr(table_run, "TableInterpreter", Seen)
    return found


def address(column):
    """Where the values of a column without pieces lie; of a dictionary its indices."""
    chunk = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    return (chunk.indices if pa.types.is_dictionary(chunk.type) else chunk).buffers()[1].address


def columns(symbols, ts_ns):
    instrument = pa.DictionaryArray.from_arrays(pa.array([0] * ROWS, pa.int32()), symbols)
    return pa.table({"ts_ns": ts_ns, "instrument": instrument, "last": pa.array(PRICES)})


@pytest.mark.parametrize("kind", [pa.int64(), pa.timestamp("ns", "UTC"), pa.timestamp("ns", "America/New_York")])
def test_times_and_instruments_of_arrow(quickstart, handed, kind):
    table = columns(list(quickstart.instruments), pa.array(range(ROWS), INT64).cast(kind))
    assert len(quickstart.simulate(table, engine="image").fires) == 2
    assert handed == [(address(table["ts_ns"]), address(table["instrument"]))]


def test_pieces_are_views(quickstart, handed, monkeypatch):
    monkeypatch.setattr("fixaccel.api.tables.BATCH_ROWS", 2)
    table = columns(list(quickstart.instruments), pa.array(range(ROWS), INT64))
    quickstart.simulate(table.to_reader(), engine="image")
    times, instruments = address(table["ts_ns"]), address(table["instrument"])
    assert handed == [(times + 8 * row, instruments + 4 * row) for row in (0, 2, 4)]


def test_times_of_a_frame(quickstart, handed):
    ts_ns = np.arange(ROWS)
    quickstart.simulate(
        pd.DataFrame({"ts_ns": ts_ns, "instrument": "MSFT", "last": PRICES}, copy=False), engine="image"
    )
    assert handed[0][0] == ts_ns.ctypes.data


def test_times_of_polars(quickstart, handed):
    frame = pl.DataFrame({"ts_ns": range(ROWS), "instrument": ["MSFT"] * ROWS, "last": PRICES})
    quickstart.simulate(frame, engine="image")
    assert handed[0][0] == frame["ts_ns"].to_numpy(allow_copy=False).ctypes.data


def test_what_must_be_converted_is(quickstart, handed):
    """Symbols in another order, and times that fall."""
    table = columns(["ESZ6", "MSFT"], pa.array([5, 4, 3, 2, 1], INT64))
    assert quickstart.simulate(table, engine="image").summary.observations == ROWS
    assert handed[0][0] != address(table["ts_ns"])
    assert handed[0][1] != address(table["instrument"])
    assert table["ts_ns"].to_pylist() == [5, 4, 3, 2, 1]
