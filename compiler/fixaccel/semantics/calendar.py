# SPDX-License-Identifier: Apache-2.0
"""Times of day: whether a rule's `during` holds at an instant."""

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from fixaccel.language.rules import Window

NS_PER_S = 10**9


def minute_of_day(ts_ns: int, time_zone: str) -> int:
    """Minutes since midnight on the wall clocks of ``time_zone``."""
    local = datetime.fromtimestamp(ts_ns // NS_PER_S, ZoneInfo(time_zone))
    return local.hour * 60 + local.minute


def time_text(second: int) -> str:
    """A second of the day as files write it: `HH:MM`, or `HH:MM:SS`."""
    hour, minute, rest = second // 3600, second // 60 % 60, second % 60
    return f"{hour:02}:{minute:02}" + (f":{rest:02}" if rest else "")


def within(minute: int, window: Window) -> bool:
    """Whether a minute of the day lies in [start, end); an end before the start crosses midnight."""
    if window.start < window.end:
        return window.start <= minute < window.end
    return minute >= window.start or minute < window.end


def in_session(during: Iterable[Window], ts_ns: int, time_zone: str) -> bool:
    """Whether a rule with these windows looks at the market at that instant; without windows it always does."""
    windows = tuple(during)
    return not windows or any(within(minute_of_day(ts_ns, time_zone), window) for window in windows)
