# SPDX-License-Identifier: Apache-2.0
"""A time zone as a list of offsets, for engines that know no time zones."""

from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

# All instants that 63 bits of nanoseconds since the epoch can name.
_LAST_S = 2**63 // 10**9
# No zone has changed its offset twice within six days since 1970: Noronha did within 6.96 in 2000, and Gaza will.
_STEP_S = 5 * 86_400


@lru_cache(maxsize=64)
def offsets(time_zone: str) -> tuple[tuple[int, int], ...]:
    """(UTC second from which it holds, seconds ahead of UTC), rising, from the epoch on."""
    zone = ZoneInfo(time_zone)
    found = [(0, _offset(0, zone))]
    for second in range(_STEP_S, _LAST_S + _STEP_S, _STEP_S):
        offset = _offset(second, zone)
        if offset != found[-1][1]:
            found.append((_change(second - _STEP_S, second, zone), offset))
    return tuple(found)


def _offset(second: int, zone: ZoneInfo) -> int:
    return int((datetime.fromtimestamp(second, zone).utcoffset() or timedelta()).total_seconds())


def _change(before: int, after: int, zone: ZoneInfo) -> int:
    """The first second of the offset that holds at ``after``, but not yet at ``before``."""
    offset = _offset(after, zone)
    while after - before > 1:
        middle = (before + after) // 2
        if _offset(middle, zone) == offset:
            after = middle
        else:
            before = middle
    return after
