# SPDX-License-Identifier: Apache-2.0
"""Whatever files are cut into, what is shared out counts the same as one process: without a cluster, in this one."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from day_files import DayFile, strategy_in
from hypothesis import given, settings
from hypothesis import strategies as st

from fixaccel.cluster.checkpoint import Checkpoint, CheckpointError
from fixaccel.cluster.faulty import FaultyEventsError
from fixaccel.cluster.share import count_shared
from fixaccel.cluster.units import Group, Unit
from fixaccel.cluster.work import Found, Job, count_unit, groups_at
from fixaccel.events.file import open_events
from fixaccel.language.rules import Strategy
from fixaccel.pipeline import load_strategy
from fixaccel.simulate.counting import Counts, Fresh, count


class Here:
    """Works in this process, and counts what it did."""

    def __init__(self) -> None:
        self.counted = 0

    def groups(self, paths: Sequence[str]) -> list[list[Group] | None]:
        return [groups_at(path) for path in paths]

    def count(self, job: Job, units: Sequence[Unit]) -> Iterator[tuple[int, Found]]:
        for number in reversed(range(len(units))):  # as they come, in no order
            self.counted += 1
            yield number, count_unit(job, units[number])


ROWS = st.lists(
    st.tuples(
        st.floats(0, 80, allow_nan=False, width=32),
        st.sampled_from(["MSFT", "IBM"]),
        st.sampled_from(["bid", "last"]),
        st.integers(60, 220),
    ),
    max_size=12,
)
FILES = st.lists(
    st.builds(
        lambda rows, in_order, shift, group_rows: DayFile(
            [(hours + shift, *rest) for hours, *rest in (sorted(rows) if in_order else rows)], group_rows
        ),
        ROWS,
        st.booleans(),
        st.sampled_from([0.0, 12.0, 24.0, 60.0]),
        st.sampled_from([None, 1, 2, 3, 100]),
    ),
    min_size=1,
    max_size=5,
)


def loaded(folder: Path) -> Strategy:
    strategy = load_strategy(strategy_in(folder)).strategy
    assert strategy is not None
    return strategy


def alone(strategy: Strategy, paths: list[Path], fresh: Fresh) -> Counts:
    files = [open_events(path, strategy.venue.instruments) for path in paths]
    found = count(strategy, files, fresh, lambda _: None)
    assert not any(file.checked().diagnostics for file in files)
    return found


def same(one: Counts, other: Counts) -> None:
    assert one.tally == other.tally
    assert list(one.tally.cells) == list(other.tally.cells), "the order of days is what is printed"
    for by in ("rule", "part", None):
        for days in (True, False):
            assert one.rows(by=by, days=days) == other.rows(by=by, days=days)


@given(FILES, st.sampled_from([Fresh.DAY, Fresh.FILE]))
@settings(max_examples=60, deadline=None)
def test_it_counts_what_one_process_counts(files: list[DayFile], fresh: Fresh) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        strategy = loaded(folder)
        paths = [file.write(folder, number) for number, file in enumerate(files)]
        same(count_shared(strategy, paths, fresh, Here(), lambda _: None), alone(strategy, paths, fresh))


def hours(*of_files: Sequence[float], group_rows: int | None) -> list[DayFile]:
    """A file for each, with a price at each of these hours; every second one satisfies a rule."""
    return [
        DayFile([(hour, "MSFT", "last", 99 if hour % 2 else 101) for hour in each], group_rows) for each in of_files
    ]


def test_a_day_of_a_file_is_a_unit(tmp_path: Path) -> None:
    workers = Here()
    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, n) for n, file in enumerate(hours([1, 2, 25, 26, 49], [73, 97], group_rows=1))]
    counts = count_shared(strategy, paths, Fresh.DAY, workers, lambda _: None)
    assert (workers.counted, counts.tally.loads) == (5, 5)


@pytest.mark.parametrize(("group_rows", "counted"), [(2, 2), (None, 5)])
def test_a_day_in_several_files_is_loaded_once(tmp_path: Path, group_rows: int | None, counted: int) -> None:
    """Parquet says ahead of the count that the day goes on; what CSV has is known behind it, and counted again."""
    workers = Here()
    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, n) for n, file in enumerate(hours([1, 2], [3, 4], [5, 25], group_rows=group_rows))]
    counts = count_shared(strategy, paths, Fresh.DAY, workers, lambda _: None)
    same(counts, alone(strategy, paths, Fresh.DAY))
    assert counts.tally.loads == 2
    assert workers.counted <= counted


def test_never_fresh_is_not_shared_out(tmp_path: Path) -> None:
    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, n) for n, file in enumerate(hours([1], [2], group_rows=1))]
    with pytest.raises(ValueError, match="one process does it"):
        count_shared(strategy, paths, Fresh.NEVER, Here(), lambda _: None)
    same(
        count_shared(strategy, paths[:1], Fresh.NEVER, Here(), lambda _: None), alone(strategy, paths[:1], Fresh.NEVER)
    )


def test_faults_of_files_are_told_as_without_workers(tmp_path: Path) -> None:
    strategy = loaded(tmp_path)
    (path,) = [file.write(tmp_path, 0) for file in hours([1, 2, 25], group_rows=None)]
    path.write_text(path.read_text(encoding="utf-8") + "x,MSFT,,,,,,1,\n", encoding="utf-8")
    with pytest.raises(FaultyEventsError) as told:
        count_shared(strategy, [path], Fresh.DAY, Here(), lambda _: None)
    file = open_events(path, strategy.venue.instruments)
    for _ in file.batches():
        pass
    assert [d.message for d in told.value.checked.diagnostics] == [d.message for d in file.checked().diagnostics]


def test_faults_of_two_files_of_one_day_are_both_told(tmp_path: Path) -> None:
    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, n) for n, file in enumerate(hours([1, 2], [3, 4], group_rows=2))]
    for path in paths:
        table = pq.read_table(path)
        wrong = pa.array(["NOBODY"] * len(table))
        pq.write_table(table.set_column(table.schema.get_field_index("instrument"), "instrument", wrong), path)
    with pytest.raises(FaultyEventsError) as told:
        count_shared(strategy, paths, Fresh.DAY, Here(), lambda _: None)
    assert {d.span.file for d in told.value.checked.diagnostics} == {str(path) for path in paths}


def test_faults_that_only_a_worker_sees_are_said(tmp_path: Path) -> None:
    class Elsewhere(Here):
        def count(self, job: Job, units: Sequence[Unit]) -> Iterator[tuple[int, Found]]:
            for number, found in super().count(job, units):
                yield number, Found(found.tally, (units[number].slices[0].path,))

    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, 0) for file in hours([1], group_rows=1)]
    with pytest.raises(ValueError, match="is it the same file there"):
        count_shared(strategy, paths, Fresh.DAY, Elsewhere(), lambda _: None)


class Broken(Here):
    """Ends behind some units."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after = after

    def count(self, job: Job, units: Sequence[Unit]) -> Iterator[tuple[int, Found]]:
        for done, found in enumerate(super().count(job, units)):
            if done == self._after:
                raise KeyboardInterrupt
            yield found


def test_a_run_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    strategy = loaded(tmp_path)
    files = hours([1, 2, 25, 26], [49, 73, 97], group_rows=1)
    paths = [file.write(tmp_path, n) for n, file in enumerate(files)]
    kept = tmp_path / "done"
    with Checkpoint(kept) as checkpoint, pytest.raises(KeyboardInterrupt):
        count_shared(strategy, paths, Fresh.DAY, Broken(3), lambda _: None, checkpoint)
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"unit": "torn')
    workers = Here()
    with Checkpoint(kept) as checkpoint:
        counts = count_shared(strategy, paths, Fresh.DAY, workers, lambda _: None, checkpoint)
    same(counts, alone(strategy, paths, Fresh.DAY))
    assert workers.counted == 5 - 3
    with Checkpoint(kept) as checkpoint:
        again = Here()
        same(count_shared(strategy, paths, Fresh.DAY, again, lambda _: None, checkpoint), counts)
    assert again.counted == 0


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, n) for n, file in enumerate(hours([1, 25], [49], group_rows=1))]
    kept = tmp_path / "done"
    with Checkpoint(kept) as checkpoint:
        count_shared(strategy, paths, Fresh.DAY, Here(), lambda _: None, checkpoint)
    for others, fresh in ((paths[:1], Fresh.DAY), (paths, Fresh.FILE)):
        with Checkpoint(kept) as checkpoint, pytest.raises(CheckpointError, match="of another strategy"):
            count_shared(strategy, others, fresh, Here(), lambda _: None, checkpoint)
    paths[0].touch()
    with Checkpoint(kept) as checkpoint, pytest.raises(CheckpointError, match="as they were before"):
        count_shared(strategy, paths, Fresh.DAY, Here(), lambda _: None, checkpoint)
    kept.write_text('{"format": 1}\nno JSON\n', encoding="utf-8")
    with Checkpoint(kept) as checkpoint, pytest.raises(CheckpointError):
        count_shared(strategy, paths, Fresh.DAY, Here(), lambda _: None, checkpoint)
    kept.write_text("a file of somebody, without a line", encoding="utf-8")
    with Checkpoint(kept) as checkpoint, pytest.raises(CheckpointError, match="is no checkpoint"):
        count_shared(strategy, paths, Fresh.DAY, Here(), lambda _: None, checkpoint)
    assert kept.read_text(encoding="utf-8") == "a file of somebody, without a line"
    kept.write_text("[1, 2]\n", encoding="utf-8")
    with Checkpoint(kept) as checkpoint, pytest.raises(CheckpointError, match="is no checkpoint"):
        count_shared(strategy, paths, Fresh.DAY, Here(), lambda _: None, checkpoint)


def test_columns_that_were_changed_on_the_way_are_refused(tmp_path: Path) -> None:
    class Changing(Here):
        def count(self, job: Job, units: Sequence[Unit]) -> Iterator[tuple[int, Found]]:
            changed = {name: array.copy() for name, array in job.columns.items()}
            changed["order.qty"] = changed["order.qty"] + 1
            return super().count(Job(changed, job.digest, job.instruments, job.zone, job.fresh), units)

    strategy = loaded(tmp_path)
    paths = [file.write(tmp_path, 0) for file in hours([1], group_rows=1)]
    with pytest.raises(ValueError, match="not those that were sent"):
        count_shared(strategy, paths, Fresh.DAY, Changing(), lambda _: None)
