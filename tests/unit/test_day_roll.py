# SPDX-License-Identifier: Apache-2.0
"""When a venue's day rolls, and what of a strategy says so."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from fixaccel.semantics.day_roll import next_roll

S = 10**9


def utc(text: str) -> int:
    """Nanoseconds since the epoch."""
    return int(datetime.fromisoformat(text).timestamp()) * S


@pytest.mark.parametrize(
    ("time_zone", "second", "now", "then"),
    [
        ("UTC", 17 * 3600, "2026-01-05T16:59:59Z", "2026-01-05T17:00:00Z"),
        ("UTC", 17 * 3600, "2026-01-05T17:00:00Z", "2026-01-06T17:00:00Z"),
        ("UTC", 0, "2026-01-05T23:59:59Z", "2026-01-06T00:00:00Z"),
        ("Asia/Tokyo", 17 * 3600 + 30, "2026-01-05T00:00:00Z", "2026-01-05T08:00:30Z"),
        # A day of 25 hours, and one of 23.
        ("America/New_York", 17 * 3600, "2026-10-31T21:00:00Z", "2026-11-01T22:00:00Z"),
        ("America/New_York", 17 * 3600, "2026-03-07T22:00:00Z", "2026-03-08T21:00:00Z"),
        # Shown twice: the first.
        ("America/New_York", 5400, "2026-11-01T04:00:00Z", "2026-11-01T05:30:00Z"),
        ("America/New_York", 5400, "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"),
        # Put forward over, from 02:00 to 03:00: when they are.
        ("America/New_York", 9000, "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"),
        ("America/New_York", 9000, "2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"),
        # At 00:01 back to 23:01 of the day before: its midnight comes twice.
        ("America/St_Johns", 0, "2010-11-07T02:00:00Z", "2010-11-07T02:30:00Z"),
        ("America/St_Johns", 0, "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z"),
        # Midnight is left out.
        ("America/Santiago", 0, "2022-09-11T03:59:59Z", "2022-09-11T04:00:00Z"),
        # So is a whole day: that of 30 December rolls when the 31st begins.
        ("Pacific/Apia", 17 * 3600, "2011-12-30T03:00:00Z", "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", 17 * 3600, "2011-12-30T10:00:00Z", "2011-12-31T03:00:00Z"),
    ],
)
def test_a_day_rolls_when_clocks_first_show_the_time(time_zone: str, second: int, now: str, then: str) -> None:
    assert next_roll(second, time_zone, utc(now)) == utc(then)
    assert next_roll(second, time_zone, utc(then) - 1) == utc(then), "to the nanosecond"


@pytest.mark.parametrize("time_zone", ["America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Beirut"])
def test_rolls_come_once_a_day(time_zone: str) -> None:
    moment, zone = utc("2010-01-01T00:00:00Z"), ZoneInfo(time_zone)
    for second in (0, 5430):
        days = []
        for _ in range(400):
            moment = next_roll(second, time_zone, moment)
            days.append(datetime.fromtimestamp(moment // S, zone).date().toordinal())
        assert days == list(range(days[0], days[0] + len(days)))
