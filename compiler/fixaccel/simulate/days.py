# SPDX-License-Identifier: Apache-2.0
"""Messages by the day of a venue."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from fixaccel.events.columns import EventColumns

_SECOND = 10**9
_DAY = timedelta(days=1)


def by_day(events: EventColumns, zone: ZoneInfo) -> Iterator[tuple[date, EventColumns]]:
    """The messages of each day of ``zone``, in order. Of two midnights the second begins a day."""
    start = 0
    while start < len(events):
        day = day_of(int(events.ts_ns[start]), zone)
        stop = int(np.searchsorted(events.ts_ns, _start(day + _DAY, zone)))
        yield day, events[start:stop]
        start = stop


def day_of(ts_ns: int, zone: ZoneInfo) -> date:
    """The day of ``zone`` that a moment is in."""
    day = datetime.fromtimestamp(ts_ns // _SECOND, UTC).astimezone(zone).date()
    return day - _DAY if ts_ns < _start(day, zone) else day


def _start(day: date, zone: ZoneInfo) -> int:
    """Where a day begins, in nanoseconds; where clocks skip midnight, at the first moment after it."""
    midnight = datetime.combine(day, time(), zone)
    # The second midnight of two has fold 1; of one that is skipped fold 1 is before the gap, fold 0 behind it.
    return max(int(midnight.replace(fold=fold).timestamp()) for fold in (0, 1)) * _SECOND
