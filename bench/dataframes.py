# SPDX-License-Identifier: Apache-2.0
"""Observations a second of `Strategy.simulate` on tables in memory, against the command on the same rows in Parquet."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import fixaccel
import market
from fixaccel.api.events import Events
from report import Figure, figure

ROWS = 1_000_000
_INSTRUMENTS = 50
_SAMPLES = 5
_MILLION = 1e6

NOTE = (
    f"Millions of observations a second, engine image: {ROWS:,} rows over {_INSTRUMENTS} instruments, bid, ask and "
    "last in each, 150 stops, from the table to the fires. `command` is the whole process. The ratio is to the command "
    "on text."
)


def measure() -> list[Figure]:
    """One row for each kind of table, and for the files."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        folder = Path(name)
        market.strategy(folder, _INSTRUMENTS, 3)
        path = folder / "bench.yaml"
        strategy = fixaccel.load(path)
        frame = _frame()
        floats = pa.Table.from_pandas(frame, preserve_index=False).append_column("kind", pa.nulls(ROWS, pa.string()))
        text = _as_text(floats)
        files = {"text": folder / "text.parquet", "floats": folder / "floats.parquet"}
        pq.write_table(text, files["text"])
        pq.write_table(floats, files["floats"])
        figures: list[Figure] = []
        for form, file in files.items():
            samples = [_command(path, file) for _ in range(_SAMPLES)]
            figures.append(figure(f"command, Parquet of {form}", "M obs/s", samples, figures[0] if figures else None))
        subjects: dict[str, Events] = {
            "Parquet of text": files["text"],
            "Parquet of floats": files["floats"],
            "DataFrame": frame,
            "DataFrame, symbols as categories": frame.assign(instrument=frame["instrument"].astype("category")),
            "Arrow, floats": floats,
            "Arrow, text by dictionary": text,
            "polars": pl.from_pandas(frame),
        }
        for kind, events in subjects.items():
            samples = [_run(strategy, events) for _ in range(_SAMPLES)]
            figures.append(figure(kind, "M obs/s", samples, figures[0]))
    return figures


def _frame() -> pd.DataFrame:
    """A random walk above all stops, a microsecond a message."""
    draw = np.random.default_rng(1)
    cents = 200_000 + np.cumsum(draw.integers(-1, 2, ROWS))
    names = np.array(market.symbols(_INSTRUMENTS), dtype=object)
    return pd.DataFrame(
        {
            "ts_ns": 1_700_000_000 * 10**9 + np.arange(ROWS) * 1000,
            "instrument": names[draw.integers(0, _INSTRUMENTS, ROWS)],
            "bid": (cents - 1) / 100,
            "ask": (cents + 1) / 100,
            "last": cents / 100,
        }
    )


def _as_text(table: pa.Table) -> pa.Table:
    """All of it text by dictionary but the time."""
    columns = {
        name: table[name] if name == "ts_ns" else table[name].cast(pa.string()).dictionary_encode()
        for name in table.column_names
    }
    return pa.table(columns)


def _run(strategy: fixaccel.Strategy, events: Events) -> float:
    start = time.perf_counter()
    run = strategy.simulate(events, engine="image")
    seconds = time.perf_counter() - start
    assert run.summary.observations == 3 * ROWS
    assert not run.summary.invalid_prices
    return run.summary.observations / seconds / _MILLION


def _command(strategy: Path, events: Path) -> float:
    command = [sys.executable, "-m", "fixaccel", "simulate", str(strategy), "--events", str(events)]
    start = time.perf_counter()
    subprocess.run([*command, "--engine", "image"], check=True, capture_output=True)
    return 3 * ROWS / (time.perf_counter() - start) / _MILLION
