# SPDX-License-Identifier: Apache-2.0
"""Moments as the page shows them: on the venue's clocks, which stay as they were at the first message."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

_NS_PER_S = 10**9
_NS_PER_MS = 10**6


class Clock:
    """Nanoseconds since the epoch on the clocks of a zone, with the difference to UTC of one moment throughout.

    A drawing's axis has one scale; where clocks change during the day, `name` says which side is meant.
    """

    def __init__(self, time_zone: str, ts_ns: int) -> None:
        local = datetime.fromtimestamp(ts_ns // _NS_PER_S, ZoneInfo(time_zone))
        self._offset = local.utcoffset() or timedelta()
        self.name = f"{time_zone}, UTC{local:%z}"

    def axis(self, ts_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Milliseconds as a browser's time axis takes them."""
        return ts_ns / _NS_PER_MS + self._offset.total_seconds() * 1000

    def place(self, ts_ns: int) -> float:
        """The same for one moment."""
        return float(self.axis(np.array([ts_ns], np.int64))[0])

    def text(self, ts_ns: int) -> str:
        """Time of day, to the millisecond or, where it takes more, to the nanosecond."""
        seconds, rest = divmod(ts_ns, _NS_PER_S)
        moment = datetime.fromtimestamp(seconds, UTC) + self._offset
        fraction = f".{rest:09}" if rest % _NS_PER_MS else f".{rest // _NS_PER_MS:03}"
        return f"{moment:%H:%M:%S}{fraction}"

    def day(self, ts_ns: int) -> str:
        """The date."""
        return f"{datetime.fromtimestamp(ts_ns // _NS_PER_S, UTC) + self._offset:%Y-%m-%d}"
