# SPDX-License-Identifier: Apache-2.0
"""Changes of limits for a time, as people write them."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

_SPAN = re.compile(r"(\d{1,6})(ms|s|m|h)")
_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_CLOCK = re.compile(r"(\d\d):(\d\d)(?::(\d\d))?")
_NS_PER_MS = 1_000_000


def span_ms(text: str) -> int:
    """Milliseconds of `30m`, `1h30m`, `90s`. Raises ValueError."""
    spans = _SPAN.findall(text)
    if not spans or "".join(number + unit for number, unit in spans) != text:
        raise ValueError(f"{text} is no time such as 30m, 2h or 1h30m")
    return sum(int(number) * _MS[unit] for number, unit in spans)


def next_time(text: str, now: datetime) -> datetime:
    """When the clock of ``now`` shows `16:00` or `16:00:30` next. Raises ValueError."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no time of day such as 16:00 or 16:00:30")
    hour, minute, second = (int(part or 0) for part in match.groups())
    time = now.replace(hour=hour, minute=minute, second=second, microsecond=0)
    return time if time > now else time + timedelta(days=1)


def limit_name(limit: Mapping[str, Any]) -> str:
    """`total_qty MSFT`, or `repeat of rule entry`, of an answer, an event or a record of the daemon."""
    name = str(limit["limit"])
    if limit.get("instrument"):
        name += f" {limit['instrument']}"
    return f"{name} of rule {limit['rule']}" if limit.get("rule") else name


def written_value(limit: str, value: int) -> str:
    """A value of the journal as a strategy has it."""
    if limit == "collar":
        return f"{value / 100:g}%"
    return f"{value // _NS_PER_MS}ms" if limit == "repeat" else str(value)
