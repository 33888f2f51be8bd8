# SPDX-License-Identifier: Apache-2.0
"""How event files are shared out: units of work that need nothing of each other, in the order of the files.

A unit is whatever lies between two fresh loads: a day, or a file. Days are found in the footer of a Parquet file; a CSV
file has none, and is one unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.parquet as pq

from fixaccel.events.file import PARQUET
from fixaccel.files import open_regular
from fixaccel.simulate.counting import Fresh
from fixaccel.simulate.days import day_of


@dataclass(frozen=True)
class Group:
    """The earliest and the latest time in a row group."""

    earliest_ns: int
    latest_ns: int


@dataclass(frozen=True)
class Slice:
    """A part of a file: its days behind ``after`` up to ``until``, which lie in ``groups``; None is no bound."""

    path: str
    groups: range | None = None
    after: date | None = None
    until: date | None = None


@dataclass(frozen=True)
class Unit:
    """Slices that are counted one behind the other, from a fresh load on."""

    slices: tuple[Slice, ...]

    def joined(self, later: "Unit") -> "Unit":
        """Both, the later one behind it."""
        return Unit(self.slices + later.slices)


def groups_of(path: Path) -> list[Group] | None:
    """The row groups of a file; None where it tells nothing of their times, or cannot be read.

    The library may end the process over a footer that is damaged on purpose.
    """
    if path.suffix != PARQUET:
        return None
    try:
        with open_regular(path) as opened:
            metadata = pq.ParquetFile(opened).metadata
            found = [_group(metadata.row_group(number)) for number in range(metadata.num_row_groups)]
    except (pa.ArrowException, OSError, ValueError):
        return None  # whoever reads the rows says what is wrong
    told = [group for group in found if group]
    return told if told and len(told) == len(found) else None


def _group(group: pq.RowGroupMetaData) -> Group | None:
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema != "ts_ns":
            continue
        statistics = column.statistics
        if statistics is None or not statistics.has_min_max or statistics.physical_type != "INT64":
            return None
        earliest, latest = statistics.min_raw, statistics.max_raw
        return Group(earliest, latest) if 0 <= earliest <= latest else None
    return None


def share_out(
    paths: Sequence[Path], groups: Sequence[Sequence[Group] | None], fresh: Fresh, zone: ZoneInfo
) -> list[Unit]:
    """Units for all files, ``groups`` as `groups_of` found them. Raises ValueError where nothing can be shared out."""
    if fresh is Fresh.NEVER and len(paths) > 1:
        raise ValueError(
            "with `--fresh never` each file goes on from the state that the one before left: one process does it"
        )
    if fresh is not Fresh.DAY:
        return [Unit((Slice(str(path)),)) for path in paths]
    units: list[Unit] = []
    last: date | None = None
    for path, told in zip(paths, groups, strict=True):
        if told is None:
            units.append(Unit((Slice(str(path)),)))
            last = None
            continue
        mine = [Unit((one,)) for one in _by_days(str(path), told, zone)]
        if last is not None and last == day_of(told[0].earliest_ns, zone):
            # Most likely the same day goes on: then no fresh load is between them.
            units[-1] = units[-1].joined(mine.pop(0))
        units += mine
        last = day_of(max(group.latest_ns for group in told), zone)
    return units


def _by_days(path: str, groups: Sequence[Group], zone: ZoneInfo) -> list[Slice]:
    """Slices of a file that end with the last day of a row group."""
    latest: list[int] = []  # of all up to there: a row that is earlier counts as no earlier
    for group in groups:
        latest.append(max([group.latest_ns, *latest[-1:]]))
    ends = [day_of(ts_ns, zone) for ts_ns in latest]
    found: list[Slice] = []
    after: date | None = None
    for until in dict.fromkeys(ends):
        first = next(number for number, end in enumerate(ends) if after is None or end > after)
        stop = next((number for number, end in enumerate(ends) if end > until), len(ends) - 1) + 1
        # An earlier row behind a later one is of that one's day: so none of these days is behind `stop`, and of what is
        # ahead of `first` nothing has to be known.
        found.append(Slice(path, range(first, stop), after, None if until == ends[-1] else until))
        after = until
    return found
