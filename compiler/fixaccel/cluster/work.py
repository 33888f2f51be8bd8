# SPDX-License-Identifier: Apache-2.0
"""What a worker does: it counts a unit with the columns that it was given, and says whose library it has."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

from fixaccel.cluster.units import Group, Slice, Unit, groups_of
from fixaccel.events.file import EventFile, open_events
from fixaccel.events.parquet import ParquetEvents
from fixaccel.image.software.columns import Array, PartColumns
from fixaccel.native.library import LibraryError, find_library
from fixaccel.simulate.counting import Counting, Fresh, Tally
from fixaccel.simulate.days import by_day


@dataclass(frozen=True)
class Job:
    """A strategy as columns, never as code, and what its events are read with."""

    columns: Mapping[str, Array]
    digest: str  # of the columns
    instruments: tuple[str, ...]
    zone: str
    fresh: str

    @classmethod
    def of(cls, columns: PartColumns, instruments: tuple[str, ...], zone: str, fresh: Fresh) -> "Job":
        """With the hash of the columns."""
        return cls(dict(columns.columns), digest_of(columns.columns), instruments, zone, fresh.value)


@dataclass(frozen=True)
class Found:
    """What came of a unit. ``faulty`` are files with something to tell: then the tally counts for nothing."""

    tally: Tally
    faulty: tuple[str, ...] = ()


def digest_of(columns: Mapping[str, Array]) -> str:
    """SHA-256 of names, types, shapes and values."""
    found = sha256()
    for name, array in sorted(columns.items()):
        found.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def identity() -> tuple[str, str]:
    """Version of the package and SHA-256 of the table interpreter's library; why there is none, in its place."""
    try:
        return version("fixaccel"), sha256(find_library().read_bytes()).hexdigest()
    except (LibraryError, OSError) as error:
        return version("fixaccel"), str(error)


def groups_at(path: str) -> list[Group] | None:
    """`groups_of` a file where the worker is."""
    return groups_of(Path(path))


def held(job: Job) -> Job:
    """The same, in the memory of a worker."""
    return job


def count_unit(job: Job, unit: Unit) -> Found:
    """Counts one unit. Raises LibraryError, TableError, and ValueError for columns that are not what was sent."""
    if digest_of(job.columns) != job.digest:
        raise ValueError("the columns are not those that were sent")
    counting = Counting(PartColumns(job.columns), ZoneInfo(job.zone), Fresh(job.fresh))
    faulty = []
    for slice_ in unit.slices:
        counting.next_file()
        file = _open(slice_, job.instruments)
        for batch in file.batches():
            for day, part in by_day(batch, counting.zone):
                if (slice_.after is None or day > slice_.after) and (slice_.until is None or day <= slice_.until):
                    counting.feed(day, part)
        if file.checked().diagnostics:
            faulty.append(slice_.path)
    return Found(counting.close(), tuple(faulty))


def _open(slice_: Slice, instruments: tuple[str, ...]) -> EventFile:
    path = Path(slice_.path)
    return (
        open_events(path, instruments)
        if slice_.groups is None
        else ParquetEvents(path, instruments, groups=slice_.groups)
    )
