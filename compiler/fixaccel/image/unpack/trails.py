# SPDX-License-Identifier: Apache-2.0
"""Trails read back: the list of each instrument, and the stops at load."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.software.columns import DISTANCES, Array
from fixaccel.image.unpack.read_error import require
from fixaccel.language.codes import DIRECTIONS, SOURCES
from fixaccel.language.terms import Direction, Source

Fields = dict[str, Array]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ReadTrails:
    """A row for each trail, in the order of instruments and of their lists; ``tables`` are the columns of `trail`."""

    trigger: Numbers
    instrument: Numbers  # the fabric's index
    source: npt.NDArray[np.uint8]
    window: Numbers  # of time
    sells: npt.NDArray[np.bool_]
    arms: npt.NDArray[np.bool_]
    tables: dict[str, Array]

    def __len__(self) -> int:
        return len(self.trigger)


def read_trails(records: Mapping[str, Fields], layout: Layout) -> ReadTrails:
    """All trails of a bundle. Raises ImageReadError."""
    lists, trail, stop = records["trail_list"], records["trail"], records["stop"]
    used, count = np.flatnonzero(lists["valid"]), len(trail["trigger"])
    require(count <= layout.depth("trail") >> layout.banked, "more trails than the board holds")
    ends = np.flatnonzero(trail["more"] == 0)
    require(count == 0 or (len(ends) > 0 and ends[-1] == count - 1), "a list of trails does not end")
    first = lists["first"][used]
    heads = np.append(0, ends + 1)[: len(ends)]
    require(
        len(first) == len(heads) and (np.sort(first) == heads).all(), "trails that no list or more than one reaches"
    )
    lengths = dict(zip(heads.tolist(), np.diff(heads, append=count).tolist(), strict=True))
    length = np.array([lengths[one] for one in first.tolist()], np.int64)
    most = layout.constant("trails_an_instrument")
    require((length <= most).all(), "an instrument has more trails than the fabric looks at")
    rows = np.concatenate(
        [np.zeros(0, np.int64), *(np.arange(at, at + n) for at, n in zip(first, length, strict=True))]
    )
    own = {name: column[rows] for name, column in trail.items()}
    instrument = np.repeat(used, length)
    require(len(stop["price"]) == count and (np.sort(own["stop"]) == np.arange(count)).all(), "trails share a stop")
    stops = {name: column[own["stop"]] for name, column in stop.items()}
    require(not stops["set"].any(), "a stop is set at load")
    waits = stops["active"] == 0
    require(not stops["price"][~waits].any(), "a stop that is not set has a price")
    require((own["distance"] > 0).all(), "a stop stands at the extreme")
    codes = {layout.source(source): SOURCES.index(source) for source in Source}
    directions = {layout.constant(f"direction_{one.name.lower()}"): DIRECTIONS.index(one) for one in Direction}
    source = np.array([codes[one] for one in own["source"].tolist()], np.uint8)
    key = np.stack([instrument, source, records["trigger"]["rule"][own["trigger"]]]) if count else np.zeros((3, 0))
    rises = np.lexsort(key[::-1])
    require((rises == np.arange(count)).all(), "the trails of an instrument are not in firing order")
    return ReadTrails(
        trigger=own["trigger"],
        instrument=instrument,
        source=source,
        window=own["window"],
        sells=own["sell"] == 1,
        arms=own["arms"] == 1,
        tables={
            "trail.kind": np.full(count, DISTANCES.index("price")),
            "trail.value": own["distance"],
            "trail.relative": np.zeros(count, np.uint8),
            "trail.ticks": np.zeros(count, np.int32),
            "trail.waits": waits.astype(np.uint8),
            "trail.source": np.where(waits, [codes[one] for one in own["wait_source"].tolist()], 0),
            "trail.direction": np.where(waits, [directions[one] for one in own["wait_direction"].tolist()], 0),
            "trail.threshold": np.where(waits, stops["price"], 0),
        },
    )
