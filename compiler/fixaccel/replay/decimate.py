# SPDX-License-Identifier: Apache-2.0
"""Fewer points for a line that looks the same: first, last, least and greatest of each stretch of time."""

from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.replay.market import Places
from fixaccel.tick_arrays import Flags

Floats = npt.NDArray[np.float64]
Columns = dict[str, Any]  # numbers and texts by name, all of one length

# First, last, least, greatest, and the first that is unknown.
POINTS_OF_A_BUCKET = 5


def changes(values: Floats) -> Places:
    """Where a line of steps has a new value; NaN, where it is broken, is one value."""
    if not len(values):
        return np.zeros(0, np.int64)
    same = (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    return np.concatenate([[0], np.flatnonzero(~same) + 1]).astype(np.int64)


def thinned(ts_ns: Places, values: Floats, buckets: int, keep: Flags | None = None) -> Places:
    """Which of n points, in order of time, to draw: a few of each of ``buckets`` equal stretches of time.

    Those in ``keep`` come beside them. No extreme is lost: the least and the greatest of all are those of some bucket.
    """
    count = len(values)
    if count <= buckets * POINTS_OF_A_BUCKET:
        return np.arange(count, dtype=np.int64)
    begin, end = int(ts_ns[0]), int(ts_ns[-1])
    bucket = np.minimum((ts_ns - begin) / max(end - begin, 1) * buckets, buckets - 1).astype(np.int64)
    unknown = np.isnan(values)
    chosen = np.zeros(count, bool) if keep is None else keep.copy()
    places = np.arange(count, dtype=np.int64)
    chosen[_firsts(bucket, places)] = True
    chosen[_lasts(bucket, places)] = True
    chosen[_firsts(bucket[unknown], places[unknown])] = True
    known = places[~unknown]
    rising = known[np.lexsort((values[known], bucket[known]))]
    chosen[_firsts(bucket[rising], rising)] = True
    chosen[_lasts(bucket[rising], rising)] = True
    return np.flatnonzero(chosen).astype(np.int64)


def _firsts(bucket: Places, places: Places) -> Places:
    """The first of each run of one bucket."""
    return places[np.concatenate([[True], np.diff(bucket) != 0])] if len(bucket) else places


def _lasts(bucket: Places, places: Places) -> Places:
    """The last of each run of one bucket."""
    return places[np.concatenate([np.diff(bucket) != 0, [True]])] if len(bucket) else places
