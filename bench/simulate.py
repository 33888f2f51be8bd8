# SPDX-License-Identifier: Apache-2.0
"""Observations a second of `fixaccel simulate --engine image` on Parquet, by the number of triggers loaded."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import market
from fixaccel.events.file import open_events
from fixaccel.events.row_reader import COLUMNS
from fixaccel.image.software.table import all_columns
from fixaccel.pipeline import load_strategy
from fixaccel.simulate.progress import ProgressBar
from fixaccel.simulate.summary import Watched
from fixaccel.simulate.table_run import TableEngine
from report import Figure, figure

EVENTS = 10_000_000
# Instruments that have triggers, and triggers of each.
TRIGGERS = ((1, 1), (1000, 1), (1000, 100), (1000, 1000))
# So many rules of one form on one price, over so many of its observations; none of them fires.
FORMS = {
    "when": "when: last <= {away:.2f}",
    "confirm": "when: last <= {away:.2f}, confirm: 2",
    "wait": "when: last <= {away:.2f}, if_already_through: wait",
    "during": "when: last >= {away:.2f}, during: [22:00-23:00]",
    "trail": "trail: {{source: last, by: {away:.2f}}}",
    "decide": "decide: {{source: last, intervals: [{{from: {away:.2f}, to: {away:.2f}}}]}}",
    "at": "at: 23:59:59",
    "exit": "when: last >= {away:.2f}, armed_by: {{rule: entry, on: first-fill}}",
}
_ON_ONE_PRICE = 3000
_OBSERVATIONS = 200_000
_INSTRUMENTS = 1000
_SAMPLES = 3
_GROUP = 1 << 20
_MILLION = 1e6
_LOW, _HIGH = 1000, 1040  # where the market is; every trigger lies outside

# A template for each instrument.
_BOARD = """fixaccel-board: 1
name: bench
part: xc7z020clg400-1
clock: 125MHz
interface: wire
bytes_per_beat: 1
capacity: {instruments: 1024, triggers: 16384, intervals: 4096, orders: 4096, templates: 1024, groups: 1024}
"""

NOTE = (
    f"Millions of observations a second on one core: {EVENTS:,} events over {_INSTRUMENTS:,} instruments, each with "
    "bid, ask and last as text, from the Parquet file to the fires. `command` is the whole process, with reading and "
    "compiling the strategy. The ratio is to one trigger. "
    f"`{_ON_ONE_PRICE:,} x FORM` is so many rules of one form on the last price of one instrument, by processor time."
)


def measure() -> list[Figure]:
    """One row for each number of triggers, and one for the command."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name, _one_core():
        folder = Path(name)
        events = folder / "events.parquet"
        _write_events(events)
        with ProgressBar("simulate", len(TRIGGERS) * _SAMPLES) as progress:
            for number, (instruments, each) in enumerate(TRIGGERS):
                path = _write_strategy(folder, instruments, each)
                engine, symbols = _engine(path)
                runs = range(number * _SAMPLES, (number + 1) * _SAMPLES)
                samples = [_run(engine, symbols, events, _after(done, progress)) for done in runs]
                first = figures[0] if figures else None
                figures.append(figure(f"{instruments * each:,} triggers", "M obs/s", samples, first))
        path = _write_strategy(folder, 1000, 1)
        figures.append(figure("command, 1,000 triggers", "M obs/s", [_command(path, events)], figures[0]))
        figures += [_form(folder, form, figures[0]) for form in FORMS]
    return figures


def _after(done: int, progress: ProgressBar) -> Callable[[float], None]:
    return lambda part: progress(done + part)


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    """Keeps Arrow and everything that is started within one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    threads = pa.cpu_count(), pa.io_thread_count()
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
        pa.set_cpu_count(threads[0])
        pa.set_io_thread_count(threads[1])


def _run(engine: TableEngine, symbols: list[str], events: Path, progress: Callable[[float], None]) -> float:
    start = time.perf_counter()
    watched = Watched(open_events(events, symbols))
    watched.run(engine, progress)
    seconds = time.perf_counter() - start
    assert watched.events == EVENTS
    assert not watched.file.checked().failed
    return watched.observations / seconds / _MILLION


def _form(folder: Path, form: str, first: Figure) -> Figure:
    """Many rules of one form on one price that fires none of them."""
    symbol = market.symbols(1)[0]
    market.venue(folder / "venue.yaml", [symbol])
    entry = f'  - {{id: entry, instrument: "{symbol}", when: last <= 1, order: {{side: buy, qty: 1, type: market}}}}\n'
    rules = entry + "".join(
        f'  - {{id: r{number}, instrument: "{symbol}", order: {{side: sell, qty: 1, type: market}}, '
        f"{FORMS[form].format(away=500 + number / 100)}}}\n"
        for number in range(_ON_ONE_PRICE)
    )
    path = folder / f"{form}.yaml"
    path.write_text(f"fixaccel: 1\nvenue: venue.yaml\nrules:\n{rules}", encoding="utf-8")
    draw = np.random.default_rng(2)
    prices = (_LOW + _HIGH) / 2 + np.cumsum(draw.integers(-1, 2, _OBSERVATIONS)) / 100
    events = folder / "one.csv"
    rows = (f"{time_ns},{symbol},,,,,,{price:.2f},\n" for time_ns, price in enumerate(prices, start=1))
    events.write_text(",".join(COLUMNS) + "\n" + "".join(rows), encoding="ascii")
    engine, symbols = _engine(path)
    samples = []
    for _ in range(_SAMPLES):
        start = time.process_time()
        fires = Watched(open_events(events, symbols)).run(engine, lambda _: None)
        samples.append(_OBSERVATIONS / (time.process_time() - start) / _MILLION)
        assert not fires
    return figure(f"{_ON_ONE_PRICE:,} x {form}", "M obs/s", samples, first)


def _command(strategy: Path, events: Path) -> float:
    board = strategy.with_name("board.yaml")
    board.write_text(_BOARD, encoding="utf-8")
    command = [sys.executable, "-m", "fixaccel", "simulate", str(strategy), "--events", str(events)]
    command += ["--board", str(board)]
    start = time.perf_counter()
    subprocess.run([*command, "--engine", "image"], check=True, capture_output=True)
    return 3 * EVENTS / (time.perf_counter() - start) / _MILLION


def _engine(path: Path) -> tuple[TableEngine, list[str]]:
    strategy = load_strategy(path).strategy
    assert strategy is not None
    return TableEngine(strategy, all_columns(strategy)), list(strategy.venue.instruments)


def _write_strategy(folder: Path, instruments: int, each: int) -> Path:
    """``each`` triggers on every one of so many instruments, below and above the market, on all three sources."""
    names = market.symbols(_INSTRUMENTS)
    market.venue(folder / "venue.yaml", names)
    rows = ["when,side,price"]
    for number in range(each):
        source = ("bid", "ask", "last")[number % 3]
        rows.append(f"{source} <= {_LOW - 1 - number / 100:.2f},sell,1")
        rows.append(f"{source} >= {_HIGH + 1 + number / 100:.2f},buy,9999")
    (folder / "grid.csv").write_text("\n".join(rows[: each + 1]) + "\n", encoding="utf-8")
    quoted = ", ".join(f'"{name}"' for name in names[:instruments])
    path = folder / "grid.yaml"
    path.write_text(
        f"fixaccel: 1\nvenue: venue.yaml\nrules:\n  - {{id: grid, instrument: [{quoted}], table: grid.csv,"
        " order: {qty: 1, type: limit}}\n",
        encoding="utf-8",
    )
    return path


def _write_events(path: Path) -> None:
    """A random walk of each instrument within the market's range, a microsecond an event."""
    draw = np.random.default_rng(1)
    cents = np.arange(_LOW * 100, _HIGH * 100 + 2)
    texts = pa.array([f"{value / 100:.2f}" for value in cents])
    names = pa.array(market.symbols(_INSTRUMENTS))
    schema = pa.schema(
        [("ts_ns", pa.int64()), *((name, pa.string()) for name in ("instrument", "kind", "bid", "ask", "last"))]
    )
    with ProgressBar("write events", EVENTS) as progress, pq.ParquetWriter(path, schema) as writer:
        for start in range(0, EVENTS, _GROUP):
            rows = min(_GROUP, EVENTS - start)
            place = np.cumsum(draw.integers(-1, 2, rows)) % (len(cents) - 1)
            chosen = pa.array(draw.integers(0, _INSTRUMENTS, rows))
            bid, ask = texts.take(pa.array(place)), texts.take(pa.array(place + 1))
            time_ns = pa.array(1_700_000_000 * 10**9 + (start + np.arange(rows)) * 1000)
            columns = [time_ns, names.take(chosen), pa.nulls(rows, pa.string()), bid, ask, bid]
            writer.write_batch(pa.record_batch(columns, schema=schema))
            progress(start + rows)
