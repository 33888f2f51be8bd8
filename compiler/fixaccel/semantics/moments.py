# SPDX-License-Identifier: Apache-2.0
"""Moments at which rules `at` a time fire."""

from datetime import UTC, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from fixaccel.semantics.calendar import NS_PER_S

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def next_moment(second: int, time_zone: str, now_ns: int, *, inclusive: bool) -> int:
    """The first such second of a day of ``time_zone`` after ``now_ns``, or at it; in nanoseconds since the epoch.

    A local time that clocks skip, or show twice, is what `zoneinfo` takes it for with fold 0.
    """
    zone = ZoneInfo(time_zone)
    today = datetime.fromtimestamp(now_ns // NS_PER_S, zone).date()
    clock = time(second // 3600, second // 60 % 60, second % 60, tzinfo=zone)
    # A time of yesterday that was skipped over midnight is one of today.
    for days in count(-1):
        local = datetime.combine(today + timedelta(days=days), clock)
        moment = (local.astimezone(UTC) - _EPOCH) // timedelta(seconds=1) * NS_PER_S
        if moment > now_ns or (inclusive and moment == now_ns):
            return moment
    raise AssertionError
