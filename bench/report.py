# SPDX-License-Identifier: Apache-2.0
"""Figures of a benchmark: one JSON file and one table, with the machine and the date of the run."""

import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Figure:
    """Statistics of one measured quantity; ``ratio`` is the median over that of the row it is compared with.

    ``said`` are words on it: a verdict, what the machine did besides. What was not measured is None.
    """

    name: str
    unit: str
    samples: int
    min: float | None
    median: float | None
    p99: float | None
    p999: float | None
    max: float | None
    ratio: float | None = None
    mean: float | None = None
    said: str = ""


def figure(name: str, unit: str, samples: Sequence[float], against: Figure | None = None, said: str = "") -> Figure:
    """Statistics of ``samples``; percentiles are samples (nearest rank). Raises ValueError if there is none."""
    if not samples:
        raise ValueError(f"{name}: nothing was measured")
    ordered = sorted(samples)

    def rank(share: float) -> float:
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

    median = rank(0.5)
    ratio = median / against.median if against and against.median else None
    mean = math.fsum(ordered) / len(ordered)
    return Figure(name, unit, len(ordered), ordered[0], median, rank(0.99), rank(0.999), ordered[-1], ratio, mean, said)


def others(noise: Mapping[str, float | None]) -> str:
    """What else the machine did, in words, of `fixaccel.tune.measured.noise`."""
    return ", ".join(f"{key} {noise[key]:.1f} %" for key in ("pressure", "steal") if noise[key] is not None)


def machine() -> dict[str, str | float]:
    """What the figures depend on besides the code."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.machine(),
        "cores": os.cpu_count() or 0,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def write(name: str, note: str, figures: Sequence[Figure], folder: Path, also: Path | None = None) -> None:
    """Writes ``NAME.json`` and ``NAME.txt`` into ``folder``, the former to ``also`` as well, and prints the table.

    The load is that of its last minute, of the benchmark itself and of whatever else the machine was busy with.
    """
    where, when = machine(), datetime.now(UTC).isoformat(timespec="seconds")
    folder.mkdir(parents=True, exist_ok=True)
    content = {"benchmark": name, "date": when, "machine": where, "note": note, "figures": [asdict(f) for f in figures]}
    for path in (folder / f"{name}.json", also):
        if path is not None:
            path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    title = f"{name}, {when}, {where['cpu']} x {where['cores']}, load {where['load']}"
    table = Table(title=title, caption=note, title_justify="left")
    texts = ("figure", "unit", "")
    for column in ("figure", "unit", "samples", "min", "mean", "median", "p99", "p99.9", "max", "ratio", ""):
        table.add_column(column, justify="left" if column in texts else "right")
    for f in figures:
        ratio = "" if f.ratio is None else f"{f.ratio:.2f}"
        values = map(_text, (f.min, f.mean, f.median, f.p99, f.p999, f.max))
        table.add_row(f.name, f.unit, str(f.samples), *values, ratio, f.said)
    for console in (Console(), Console(file=(folder / f"{name}.txt").open("w", encoding="utf-8"), width=120)):
        console.print(table)
