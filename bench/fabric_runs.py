# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks of the fabric play to it: few and many triggers, messages of one shape and of any."""

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


def play(run: Run, folder: Path) -> None:
    """Plays it to the Verilated fabric; what went in and came out is in ``folder``, as `RtlEngine` keeps it."""
    subject = market.strategy(folder, run.instruments, run.stops)
    engine = RtlEngine(market.image_of(subject), subject, market.board(), market.HWMAP, run.shape, folder)
    engine.run(market.touches(subject, min(run.stops, _MOST_ROUNDS)), lambda _: None)
