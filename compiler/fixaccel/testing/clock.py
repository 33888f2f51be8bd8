# SPDX-License-Identifier: Apache-2.0
"""When the events of a test happen: a fixed morning, a second apart, unless they say otherwise."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SECOND = 10**9
STEP_NS = SECOND

# A Monday, and a time at which most venues trade: a rule with `during` can be tested without a word about time.
FIRST_DATE = date(2026, 1, 5)
FIRST_TIME = time(10, 0)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_NS = 2**63 - 1
_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND}
_AFTER = re.compile(r"\+([0-9]{1,12})(ns|us|ms|s|m|h)\Z")
_TIME = re.compile(
    r"(?:(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})T)?(?P<minute>[0-9]{2}:[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:\.(?P<part>[0-9]{1,9}))?)?(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})?\Z"
)


class TimeError(ValueError):
    """A time that cannot be; the text says why, ``help`` what to write."""

    def __init__(self, message: str, way_out: str | None = None) -> None:
        super().__init__(message)
        self.help = way_out


class Clock:
    """Gives each event of one test its time. ``zone`` is the venue's."""

    def __init__(self, zone: str) -> None:
        self._zone = ZoneInfo(zone)
        self._now: int | None = None  # time of the event before, in nanoseconds since the epoch

    def next(self, text: str | None) -> int:
        """Nanoseconds since the epoch of the next event, written ``@text`` or without a time. Raises TimeError."""
        found = self._default() if text is None else self._read(text)
        if not 0 <= found <= _LAST_NS:
            raise TimeError(f"`@{text}` is not a time that the board's clock can show")
        if self._now is not None and found < self._now:
            raise TimeError(f"`@{text}` lies before the event before it", "events stand in the order of time")
        self._now = found
        return found

    def _default(self) -> int:
        if self._now is not None:
            return self._now + STEP_NS
        return _nanoseconds(datetime.combine(FIRST_DATE, FIRST_TIME, self._zone))

    def _read(self, text: str) -> int:
        after = _AFTER.match(text)
        if after:
            return (self._default() - STEP_NS if self._now is None else self._now) + int(after[1]) * _UNITS[after[2]]
        match = _TIME.match(text)
        if match is None or (match["zone"] and not match["date"]):
            raise TimeError(f"`@{text}` is not a time", "write @09:30, @09:30:00.250, @+5s or @2026-01-05T09:30:00")
        part = int((match["part"] or "").ljust(9, "0"))
        try:
            day = date.fromisoformat(match["date"]) if match["date"] else self._today()
            clock = time.fromisoformat(f"{match['minute']}:{match['second'] or '00'}")
            zone = datetime.fromisoformat(f"2000-01-01T00:00{match['zone']}").tzinfo if match["zone"] else self._zone
            found = _nanoseconds(datetime.combine(day, clock, zone)) + part
            if not match["date"] and self._now is not None and found < self._now:
                found = _nanoseconds(datetime.combine(day + timedelta(days=1), clock, zone)) + part
        except (ValueError, OverflowError):
            raise TimeError(f"`@{text}` is not a time of day or a date that there is") from None
        return found

    def _today(self) -> date:
        if self._now is None:
            return FIRST_DATE
        return (_EPOCH + timedelta(seconds=self._now // SECOND)).astimezone(self._zone).date()


def _nanoseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(seconds=1) * SECOND
