# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks of the fabric play to it: few and many triggers, messages of one shape and of any."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import market
from fixaccel.simulate.rtl.run import RtlEngine

_MOST_ROUNDS = 3


@dataclass(frozen=True)
class Run:
    """``shape`` None: a message a segment; a number: messages of any length, anywhere in segments, several in one."""

    name: str
    instruments: int
    stops: int
    shape: int | None = None


RUNS = (
    Run("1 trigger", 1, 1),
    Run("300 triggers", 100, 3),
    Run("16,000 triggers", 128, 125),
    Run("300 triggers, any length and position", 100, 3, shape=7),
)


@contextmanager
def played(run: Run) -> Iterator[Path]:
    """It has been played to the Verilated fabric: a folder of what went in and came out, as `RtlEngine` keeps it."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        folder = Path(name)
        subject = market.strategy(folder, run.instruments, run.stops)
        engine = RtlEngine(market.image_of(subject), subject, market.board(), market.HWMAP, run.shape, folder)
        engine.run(market.touches(subject, min(run.stops, _MOST_ROUNDS)), lambda _: None)
        yield folder


def json_lines(file: Path) -> list[dict[str, int]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
