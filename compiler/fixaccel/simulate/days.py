# SPDX-License-Identifier: Apache-2.0
"""Messages by the day of a venue."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from fixaccel.simulate.columns import EventColumns

_SECOND = 10**9


def by_day(events: EventColumns, zone: ZoneInfo) -> Iterator[tuple[date, EventColumns]]:
    """The messages of each day of ``zone``, in order."""
    start = 0
    while start < len(events):
        day = datetime.fromtimestamp(int(events.ts_ns[start]) // _SECOND, UTC).astimezone(zone).date()
        stop = int(np.searchsorted(events.ts_ns, _start(day + timedelta(days=1), zone)))
        yield day, events[start:stop]
        start = stop


def _start(day: date, zone: ZoneInfo) -> int:
    """Where a day begins, in nanoseconds; where clocks skip midnight, at the first moment after it."""
    return int(datetime.combine(day, time(), zone).timestamp()) * _SECOND
