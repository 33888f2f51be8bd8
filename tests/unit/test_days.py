# SPDX-License-Identifier: Apache-2.0
"""Messages by the day of a venue, also where clocks pass midnight twice, or never."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from fixaccel.events.columns import from_messages
from fixaccel.semantics.messages import Kind, Message
from fixaccel.simulate.days import by_day

SECOND = 10**9


def days(zone: str, times: list[datetime], batch: int = 10**6) -> list[tuple[date, int]]:
    messages = [
        Message(n, round(at.timestamp()) * SECOND, "MSFT", Kind.UPDATE, {}, {}) for n, at in enumerate(times, start=1)
    ]
    found: list[tuple[date, int]] = []
    for start in range(0, len(messages), batch):
        columns = from_messages(messages[start : start + batch], ["MSFT"])
        for day, part in by_day(columns, ZoneInfo(zone)):
            found += [(day, int(ts)) for ts in part.ts_ns]
    assert [ts for _, ts in found] == [message.ts_ns for message in messages]
    return found


# Where midnight was passed twice in a night, or was not there at all; and a day that was not.
NIGHTS = [
    ("America/St_Johns", datetime(2010, 11, 7, tzinfo=UTC)),
    ("America/Goose_Bay", datetime(2010, 11, 7, tzinfo=UTC)),
    ("America/Moncton", datetime(2006, 10, 29, tzinfo=UTC)),
    ("Antarctica/Casey", datetime(2010, 3, 5, tzinfo=UTC)),
    ("America/Sao_Paulo", datetime(2018, 11, 4, tzinfo=UTC)),
    ("America/Sao_Paulo", datetime(2018, 2, 18, tzinfo=UTC)),
    ("Africa/Cairo", datetime(2010, 10, 1, tzinfo=UTC)),
    ("Pacific/Apia", datetime(2011, 12, 30, tzinfo=UTC)),
    ("America/New_York", datetime(2026, 11, 1, tzinfo=UTC)),
]


@pytest.mark.parametrize(("zone", "night"), NIGHTS)
@pytest.mark.parametrize("batch", [10**6, 7, 1])
def test_days_rise_however_the_messages_come(zone: str, night: datetime, batch: int) -> None:
    times = [night + timedelta(minutes=10 * n) for n in range(-200, 300)]
    found = days(zone, times, batch)
    assert found == days(zone, times)
    found_days = [day for day, _ in found]
    assert found_days == sorted(found_days)
    for day, ts in found:
        local = datetime.fromtimestamp(ts // SECOND, ZoneInfo(zone))
        assert abs((local.date() - day).days) <= 1


def test_the_hours_that_come_twice_belong_to_the_day_before() -> None:
    """At 00:01 of 7 November 2010 the clocks of Newfoundland went back to 23:01."""
    zone = ZoneInfo("America/St_Johns")
    moments = [
        datetime(2010, 11, 6, 23, 59, tzinfo=zone),
        datetime(2010, 11, 7, 0, 0, 30, tzinfo=zone),
        datetime(2010, 11, 6, 23, 30, fold=1, tzinfo=zone),
        datetime(2010, 11, 7, 0, 0, 0, fold=1, tzinfo=zone),
    ]
    sixth, seventh = date(2010, 11, 6), date(2010, 11, 7)
    assert [day for day, _ in days("America/St_Johns", moments)] == [sixth, sixth, sixth, seventh]


def test_a_midnight_that_is_skipped_begins_its_day_at_one() -> None:
    zone = ZoneInfo("America/Sao_Paulo")
    moments = [datetime(2018, 11, 3, 23, 59, tzinfo=zone), datetime(2018, 11, 4, 1, 0, tzinfo=zone)]
    assert [day for day, _ in days("America/Sao_Paulo", moments)] == [date(2018, 11, 3), date(2018, 11, 4)]
    assert int(np.diff([ts for _, ts in days("America/Sao_Paulo", moments)])[0]) == 60 * SECOND
