# SPDX-License-Identifier: Apache-2.0
"""Windows of time (`during`) that the fabric's chains name by number; 0 is always open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.language.rules import Strategy, Window

ALWAYS = 0


@dataclass(frozen=True, eq=False)
class Windows:
    """Window n is ``listed[n - 1]``; ``number`` is that of each block, -1 where the fabric runs none of its parts."""

    number: npt.NDArray[np.int32]
    listed: tuple[tuple[Window, ...], ...]


def number_windows(strategy: Strategy, blocks: npt.NDArray[Any]) -> Windows:
    """The windows of ``blocks`` (places in `Strategy.blocks`), numbered in the order of those."""
    numbers: dict[tuple[Window, ...], int] = {(): ALWAYS}
    number = np.full(len(strategy.blocks), -1, np.int32)
    for place in np.unique(blocks).tolist():
        number[place] = numbers.setdefault(strategy.blocks[place].times, len(numbers))
    return Windows(number, tuple(numbers)[1:])


def written(windows: Windows) -> list[list[list[int]]]:
    """As the manifest has them: start and end of each, in minutes of the venue's day."""
    return [[[window.start, window.end] for window in during] for during in windows.listed]


def schedule_columns(listed: Sequence[Sequence[Sequence[int]]]) -> dict[str, npt.NDArray[np.int32]]:
    """The table interpreter's schedules of windows as written: window n is schedule n - 1."""
    rows = np.array([window for during in listed for window in during], np.int32).reshape(-1, 2)
    count = np.array([len(during) for during in listed], np.int32)
    return {
        "schedule.first": np.cumsum(count, dtype=np.int32) - count,
        "schedule.count": count,
        "window.start": rows[:, 0],
        "window.end": rows[:, 1],
    }
