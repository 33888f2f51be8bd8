# SPDX-License-Identifier: Apache-2.0
"""A count that is shared out: units to whoever works, what they find put together in the order of the files.

The result is that of one process: where two units turn out to be of one day they are counted once more, as one.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from fixaccel.cluster.checkpoint import Checkpoint
from fixaccel.cluster.faulty import FaultyEventsError
from fixaccel.cluster.units import Group, Unit, share_out
from fixaccel.cluster.work import Found, Job
from fixaccel.diagnostics.checked import Checked
from fixaccel.events.file import open_events
from fixaccel.image.software.table import all_columns
from fixaccel.language.rules import Strategy
from fixaccel.simulate.counting import Counts, Fresh, Tally


class Workers(Protocol):
    """Whoever works. Each raises ClusterError, LibraryError, TableError."""

    def groups(self, paths: Sequence[str]) -> list[list[Group] | None]:
        """`groups_of` each file."""

    def count(self, job: Job, units: Sequence[Unit]) -> Iterable[tuple[int, Found]]:
        """What came of each unit, by its place, as it comes."""


def count_shared(
    strategy: Strategy,
    paths: Sequence[Path],
    fresh: Fresh,
    workers: Workers,
    progress: Callable[[float], None],
    checkpoint: Checkpoint | None = None,
) -> Counts:
    """Counts over the files. ``progress`` is called with the part that is done.

    Raises ValueError where nothing can be shared out, FaultyEventsError, CheckpointError and what workers raise.
    """
    venue = strategy.venue
    zone = ZoneInfo(venue.time_zone)
    places = [str(path.absolute()) for path in paths]
    job = Job.of(all_columns(strategy), tuple(venue.instruments), venue.time_zone, fresh)
    groups = workers.groups(places) if fresh is Fresh.DAY else [None] * len(places)
    units = share_out([Path(place) for place in places], groups, fresh, zone)
    if checkpoint:
        checkpoint.open(job, places)
    found = _all(job, units, workers, progress, checkpoint)
    while seams := _seams(units, found, fresh):
        units, found = _without(seams, units, found)
        missing = [unit for unit, one in zip(units, found, strict=True) if one is None]
        again = iter(_all(job, missing, workers, progress, checkpoint))
        found = [next(again) if one is None else one for one in found]
    whole = Tally()
    for one in found:
        assert one is not None
        whole.add(one)
    return Counts(strategy, whole)


def _all(
    job: Job,
    units: Sequence[Unit],
    workers: Workers,
    progress: Callable[[float], None],
    checkpoint: Checkpoint | None,
) -> list[Tally | None]:
    """What was found in each unit, now or before."""
    tallies = [checkpoint.known(unit) if checkpoint else None for unit in units]
    left = [number for number, tally in enumerate(tallies) if tally is None]
    faulty: list[str] = []
    done = len(units) - len(left)
    for place, found in workers.count(job, [units[number] for number in left]):
        number = left[place]
        faulty += found.faulty
        tallies[number] = found.tally
        if checkpoint and not found.faulty:
            checkpoint.keep(units[number], found.tally)
        done += 1
        progress(done / len(units))
    if faulty:
        names = [slice_.path for unit in units for slice_ in unit.slices]
        raise FaultyEventsError(_faults_of(sorted(set(faulty), key=names.index), job))
    return tallies


def _faults_of(paths: Sequence[str], job: Job) -> Checked:
    """Read here, from beginning to end: so they are told as without workers. Raises ValueError where there are none."""
    checked = []
    for path in paths:
        file = open_events(Path(path), job.instruments)
        for _ in file.batches():
            pass
        checked.append(file.checked())
    merged = Checked.merge(checked)
    if not merged.failed:
        raise ValueError(
            f"a worker finds faults in {', '.join(paths)}, and there are none here: is it the same file there?"
        )
    return merged


def _seams(units: Sequence[Unit], found: Sequence[Tally | None], fresh: Fresh) -> list[int]:
    """Units that go on with the day of the one ahead of them, but for those in which nothing was."""
    if fresh is not Fresh.DAY:
        return []
    seams, last = [], None
    for number, (_, tally) in enumerate(zip(units, found, strict=True)):
        assert tally is not None
        if tally.first is None:
            continue
        if tally.first == last:
            seams.append(number)
        last = tally.last
    return seams


def _without(
    seams: Sequence[int], units: Sequence[Unit], found: Sequence[Tally | None]
) -> tuple[list[Unit], list[Tally | None]]:
    """The units with those at ``seams`` joined to what is ahead of them, whose tallies are open again."""
    new_units: list[Unit] = []
    new_found: list[Tally | None] = []
    last_with_messages = -1
    for number, (unit, tally) in enumerate(zip(units, found, strict=True)):
        assert tally is not None
        if number in seams:
            # All between them is empty, and goes along.
            for between in new_units[last_with_messages + 1 :]:
                new_units[last_with_messages] = new_units[last_with_messages].joined(between)
            del new_units[last_with_messages + 1 :], new_found[last_with_messages + 1 :]
            new_units[last_with_messages] = new_units[last_with_messages].joined(unit)
            new_found[last_with_messages] = None
            continue
        new_units.append(unit)
        new_found.append(tally)
        if tally.first is not None:
            last_with_messages = len(new_units) - 1
    return new_units, new_found
