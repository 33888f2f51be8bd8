# SPDX-License-Identifier: Apache-2.0
"""Trades in CSV with the columns `DateTime,Price,Volume`, times of day of the exchange."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from fixaccel.events.write import Event
from fixaccel.simulate.convert.reading import Input

COLUMNS = ("DateTime", "Price", "Volume")

_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?", re.ASCII)
_SECOND = 10**9
_LATEST = 2**63 - 60 * _SECOND
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read(source: Input) -> Iterator[Event]:
    """One update with `last` for each trade. Of a time that a change of clocks repeats, it takes the first."""
    table = source.table(COLUMNS)
    for when, price, volume in table.rows():
        ts_ns = _ts_ns(when.text, source.zone)
        if ts_ns is None:
            table.wrong(when, "is no date and time", "write `YYYY-MM-DD HH:MM:SS[.fraction]`, from 1970 to 2262")
        last, size = table.price(price), table.number(volume)
        if ts_ns is not None and last is not None and size is not None:
            yield Event(ts_ns, source.instrument, last=last, last_size=size)


def _ts_ns(text: str, zone: ZoneInfo) -> int | None:
    """Nanoseconds since the epoch."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    date, hour, minute, second, fraction = match.groups(default="")
    start = _minute(date, int(hour), int(minute), zone)
    if start is None or not 0 <= start < _LATEST or int(second) > 59:
        return None
    return start + int(second) * _SECOND + int(fraction.ljust(9, "0"))


@lru_cache(maxsize=4)
def _minute(date: str, hour: int, minute: int, zone: ZoneInfo) -> int | None:
    """Where a minute of the zone's clock begins; trades of one minute stand together."""
    try:
        local = datetime.fromisoformat(date).replace(hour=hour, minute=minute, tzinfo=zone)
        return (local - _EPOCH) // timedelta(seconds=1) * _SECOND
    except (ValueError, OverflowError):
        return None
