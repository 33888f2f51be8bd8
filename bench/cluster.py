# SPDX-License-Identifier: Apache-2.0
"""`fixaccel count` of ten million events in one process, and on workers of this machine."""

import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.events.row_reader import COLUMNS
from report import Figure, figure

NOTE = (
    "`fixaccel count` of the quickstart over ten days of a million events each, a Parquet file, ten row groups a day. "
    "Whole commands in one process with what they start: Python, workers, what they send to and fro."
)
_DAYS, _EACH, _GROUPS = 10, 1_000_000, 10
_BEGIN_NS = int(datetime(2026, 1, 5, 8, tzinfo=UTC).timestamp()) * 10**9
_DAY_NS = 86_400 * 10**9
_TIMES = 3
_STRATEGY = Path(__file__).resolve().parents[1] / "strategies" / "quickstart.yaml"


def _write(path: Path) -> None:
    """A price that walks by a cent, bid and ask around it."""
    chance = np.random.default_rng(1)
    size = _EACH // _GROUPS
    names = [name for name in COLUMNS if not name.endswith("_size")]
    schema = pa.schema([(name, pa.int64() if name == "ts_ns" else pa.string()) for name in names])
    cents = 118_500
    with pq.ParquetWriter(path, schema) as writer:
        for day in range(_DAYS):
            for group in range(_GROUPS):
                walk = cents + np.cumsum(chance.integers(-1, 2, size))
                cents = int(np.clip(walk[-1], 110_000, 125_000))
                at = _BEGIN_NS + day * _DAY_NS + (group * size + np.arange(size)) * 20_000_000
                prices = {name: _text(walk + off) for name, off in (("bid", -1), ("ask", 1), ("last", 0))}
                symbols, kinds = pa.array(["MSFT"] * size), pa.nulls(size, pa.string())
                columns = {"ts_ns": pa.array(at), "instrument": symbols, "kind": kinds} | prices
                writer.write_table(pa.table({name: columns[name] for name in names}, schema=schema))


def _text(cents: npt.NDArray[np.int64]) -> pa.Array:
    told, places = np.unique(cents, return_inverse=True)
    texts = pa.array([f"{value // 100}.{value % 100:02}" for value in told.tolist()])
    return texts.take(pa.array(places))


def _takes(path: Path, *options: str) -> tuple[float, str]:
    started = time.monotonic()
    done = CliRunner().invoke(cli, ["count", str(_STRATEGY), "--events", str(path), "--format", "csv", *options])
    if done.exit_code:
        raise RuntimeError(done.stderr)
    return time.monotonic() - started, done.stdout


def measure() -> Sequence[Figure]:
    """In turn, so that what the machine does besides is in both. Raises RuntimeError where the counts differ."""
    alone: list[float] = []
    shared: list[float] = []
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        path = Path(name) / "days.parquet"
        _write(path)
        for _ in range(_TIMES):
            for took, options in ((alone, ()), (shared, ("--cluster", "local:2"))):
                seconds, said = _takes(path, *options)
                took.append(seconds)
                if took is alone:
                    wanted = said
                elif said != wanted:
                    raise RuntimeError("two workers count otherwise than one process")
    one = figure("one process", "s", alone)
    return [one, figure("two workers", "s", shared, one)]
