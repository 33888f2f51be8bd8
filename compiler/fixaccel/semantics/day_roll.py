# SPDX-License-Identifier: Apache-2.0
"""When a venue's day rolls: what limits count begins anew."""

from datetime import UTC, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from fixaccel.semantics.calendar import NS_PER_S

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def next_roll(second: int, time_zone: str, now_ns: int) -> int:
    """The first roll after ``now_ns``, in nanoseconds since the epoch.

    A day rolls when the clocks of ``time_zone`` first show its ``second`` or a later one: of a time that they show
    twice at the first, of one that they are put forward over when they are.
    """
    zone = ZoneInfo(time_zone)
    today = datetime.fromtimestamp(now_ns // NS_PER_S, zone).date()
    clock = time(second // 3600, second // 60 % 60, second % 60)
    # The roll of a day that the clocks are put forward over comes on the next one.
    for days in count(-1):
        moment = _first_shown(datetime.combine(today + timedelta(days=days), clock), zone) * NS_PER_S
        if moment > now_ns:
            return moment
    raise AssertionError


def _first_shown(local: datetime, zone: ZoneInfo) -> int:
    """The first UTC second at which clocks show ``local`` or later."""
    # Of a time that is left out fold 1 goes by the offset behind the change, which makes it a moment before.
    first, second = (_utc_second(local.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
    if _shown(first, zone) == local:
        return first
    early, late = second, first
    while late - early > 1:
        middle = (early + late) // 2
        if _shown(middle, zone) < local:
            early = middle
        else:
            late = middle
    return late


def _utc_second(local: datetime) -> int:
    return (local.astimezone(UTC) - _EPOCH) // timedelta(seconds=1)


def _shown(utc_s: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(utc_s, zone).replace(tzinfo=None, fold=0)
