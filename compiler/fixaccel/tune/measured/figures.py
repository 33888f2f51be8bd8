# SPDX-License-Identifier: Apache-2.0
"""What a measurement is once its samples are gone: figures, and where and when they are of."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from fixaccel.tune.measured.effect import STATISTICS, Samples
from fixaccel.tune.measured.noise import Noise
from fixaccel.tune.measured.pingpong import Pace

FORMAT = 1
# What is measured, for the reference.
MEASURED = {
    "round trip, 50/s": "128 bytes there and back over TCP, each due at its own time and measured from then",
    "round trip, as fast as it goes": "the same, the next due when the last is back",
    "wake-up": "a sleep of 1 ms, what came on top",
    "cyclictest, oslat": "the tool's own figures of the daemon's core, where Debian's `rt-tests` is installed",
    "fdatasync": "behind each of 200 records that are added to a file in the journal's folder",
}


@dataclass(frozen=True)
class Figure:
    """Of one thing, in microseconds. ``blocks`` are p50 and p99 of each part that was measured on its own.

    A percentile that a tool does not tell is None.
    """

    name: str
    count: int
    min: float
    mean: float
    p50: float | None
    p99: float | None
    p999: float | None
    max: float
    blocks: list[dict[str, float]] = field(default_factory=list)
    said: str = ""


@dataclass
class Measurement:
    """All of a time. ``kind`` is baseline, measure or run; ``way`` how round trips were made, ``notes`` what lacked."""

    kind: str
    started: str
    kernel: str
    boot: str
    machine: dict[str, Any]
    way: str = ""
    figures: list[Figure] = field(default_factory=list)
    noise: Noise = field(default_factory=Noise)
    notes: list[str] = field(default_factory=list)
    id: str = ""
    format: int = FORMAT

    def blocks(self) -> dict[str, list[dict[str, float]]]:
        """By the name of a figure."""
        return {figure.name: figure.blocks for figure in self.figures if figure.blocks}


def figure(name: str, blocks: Sequence[Samples], said: str = "") -> Figure:
    """Of samples in microseconds."""
    all_ = np.concatenate(blocks)
    p50, p99, p999 = (float(value) for value in np.percentile(all_, [50, 99, 99.9]))
    parts = [
        {key: float(np.percentile(block, percent)) for key, percent in STATISTICS.items()}
        for block in (blocks if len(blocks) > 1 else ())
    ]
    return Figure(
        name, len(all_), float(all_.min()), float(all_.mean()), p50, p99, p999, float(all_.max()), parts, said
    )


def pace_name(pace: Pace) -> str:
    """What the figure of a pace is called."""
    return f"round trip, {pace.rate}/s" if pace.rate else "round trip, as fast as it goes"


def as_object(measurement: Measurement) -> dict[str, Any]:
    """For JSON."""
    return asdict(measurement)
