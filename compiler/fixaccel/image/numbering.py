# SPDX-License-Identifier: Apache-2.0
"""Numbers for equal rows, and one sortable key for several columns; rows in stretches and in several sets."""

from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.int64]

_KEY_RANGE = 1 << 62


def one_key(*columns: npt.NDArray[Any]) -> Keys | None:
    """A key for each row that sorts as the columns do, the first being the most significant; None if it has no room.

    Columns hold whole numbers and have a row at least.
    """
    key, range_ = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        low, high = int(column.min()), int(column.max())
        range_ *= high - low + 1
        if range_ > _KEY_RANGE:
            return None
        key = key * (high - low + 1) + (column.astype(np.int64) - low)
    return key


def sorting(*columns: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Rows in the order of the columns, the first being the most significant, equal ones in their own order."""
    if not len(columns[0]):
        return np.zeros(0, np.intp)
    key = one_key(*columns)
    return np.lexsort(columns[::-1]) if key is None else np.argsort(key, kind="stable")


def by_first_use(*columns: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Numbers rows from 0 in the order in which they first occur, equal rows alike.

    Returns the number of each row and the first row of each number.
    """
    rows = len(columns[0])
    if not rows:
        return np.zeros(0, np.int32), np.zeros(0, np.intp)
    key = one_key(*columns)
    if key is None:
        # Numbers instead of values: there are no more of them than rows, so that two columns always have room.
        key = columns[0]
        for column in columns[1:]:
            key = one_key(_ranks(key), _ranks(column))
            assert key is not None
    order = np.argsort(key)
    starts = np.flatnonzero(np.diff(key[order], prepend=key[order[0]] - 1))
    first = np.minimum.reduceat(order, starts)  # the sort need not be stable
    number = np.empty(len(first), np.int32)
    rising = np.argsort(first)
    number[rising] = np.arange(len(first), dtype=np.int32)
    numbers = np.empty(rows, np.int32)
    numbers[order] = np.repeat(number, np.diff(starts, append=rows))
    return numbers, first[rising]


def stretches(first: npt.NDArray[Any], count: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The numbers ``first``, ``first + 1``, ..., ``count`` of them for each row, one row behind the other."""
    before: npt.NDArray[np.int64] = np.repeat(first - (np.cumsum(count) - count), count)
    return np.arange(int(count.sum())) + before


class Memberships:
    """Which of several sets each row is in. ``of_row`` numbers ``sets``, the sets' numbers together; 0: in none."""

    def __init__(self, rows: int) -> None:
        self.of_row = np.zeros(rows, np.int32)
        self.sets: list[tuple[int, ...]] = [()]
        self._joined: dict[tuple[int, int], int] = {}

    def add(self, number: int, rows: slice | npt.NDArray[Any]) -> None:
        """Puts ``rows``, no two alike, into the set ``number``, which rises from call to call or stays."""
        before, place = np.unique(self.of_row[rows], return_inverse=True)
        self.of_row[rows] = np.array([self._with(one, number) for one in before.tolist()], np.int32)[place]

    def _with(self, one: int, number: int) -> int:
        if (one, number) not in self._joined:
            self._joined[one, number] = len(self.sets)
            self.sets.append((*self.sets[one], number))
        return self._joined[one, number]


def _ranks(values: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    return np.unique(values, return_inverse=True)[1]
