# SPDX-License-Identifier: Apache-2.0
"""Sets knobs: the record first, each value read back, and all of a run taken back if one write fails."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from fixaccel.tune.bind import Bound
from fixaccel.tune.host import Host, NeedsError, NotHereError
from fixaccel.tune.record import (
    APPLIED,
    BEGUN,
    PENDING,
    UNCONFIRMED,
    WRITING,
    Entry,
    Record,
    RecordError,
    Records,
)
from fixaccel.tune.survey import Circumstances, Outcome, Step, survey
from fixaccel.tune.switch import entry_of
from fixaccel.tune.take_back import Backed, take_back
from fixaccel.tune.writing import WriteError, write


@dataclass(frozen=True)
class Applied:
    """What came of it. ``record`` is None if nothing had to be recorded; ``failure`` says what went wrong.

    ``finished`` is an earlier run that had ended in the middle, and ``earlier`` what was taken back of it; ``backed``
    what was taken back of this one.
    """

    steps: list[Step]
    record: Record | None = None
    failure: str = ""
    backed: list[Backed] = field(default_factory=list)
    finished: Record | None = None
    earlier: list[Backed] = field(default_factory=list)


def apply(
    bound: Bound,
    around: Circumstances,
    records: Records,
    only: frozenset[str] = frozenset(),
    confirm_s: float = 0,
    watch: Callable[[Record], object] = lambda _: None,
) -> Applied:
    """Sets what the plan asks for. The caller holds the lock. Raises RecordError while nothing is written.

    With ``confirm_s`` the run stays unconfirmed; ``watch`` is called before the first write, to take it back in time.
    """
    finished, earlier = finish(records, bound.host, around.session)
    waiting = records.last(UNCONFIRMED, APPLIED)
    if waiting and waiting.state == UNCONFIRMED:
        raise RecordError(f"run {waiting.id} waits to be confirmed: `fixaccel tune confirm`, or `rollback`")
    steps = survey(bound, around, only)
    if not any(step.outcome is Outcome.WOULD_SET for step in steps) and _is_recorded(records, steps):
        return Applied(steps, records.last(APPLIED, UNCONFIRMED), finished=finished, earlier=earlier)
    run = _Run(bound, records, steps)
    if not run.record.entries:
        return Applied(steps, finished=finished, earlier=earlier)
    record = run.record
    if confirm_s:
        record.confirm_by = time.time() + confirm_s
    records.save(record)
    if confirm_s:
        watch(record)
    try:
        failure = run.write_all()
        if not failure:
            record.state = UNCONFIRMED if confirm_s else APPLIED
            records.save(record)
    except RecordError as error:
        failure = str(error)
    except KeyboardInterrupt:
        _undo(run, around)
        raise
    backed = _undo(run, around) if failure else []
    return Applied(run.steps, record, failure, backed, finished, earlier)


def finish(records: Records, host: Host, session: str = "") -> tuple[Record | None, list[Backed]]:
    """Takes back a run that ended in the middle, or that nobody has confirmed in time."""
    record = records.last(BEGUN, UNCONFIRMED, APPLIED)
    if record is None or record.state == APPLIED:
        return None, []
    if record.state == UNCONFIRMED and time.time() < record.confirm_by:
        return None, []
    backed = take_back(record, host, session=session)
    records.save(record)
    return record, backed


class _Run:
    def __init__(self, bound: Bound, records: Records, steps: list[Step]) -> None:
        self.host = bound.host
        self.records = records
        self.steps = list(steps)
        self._places = [n for n, step in enumerate(steps) if step.outcome in {Outcome.WOULD_SET, Outcome.ALREADY}]
        entries = [entry_of(steps[n]) for n in self._places]
        self.record = records.new(bound.host, bound.plan.profile, bound.interface, entries)

    def write_all(self) -> str:
        """Why it failed, empty if it did not. Raises RecordError."""
        for n, entry in zip(self._places, self.record.entries, strict=True):
            if entry.state != PENDING or not self._is_known(n, entry):
                continue
            entry.state = WRITING
            self.records.save(self.record)
            failure = self._write(n, entry)
            if failure:
                return failure
        return ""

    def _is_known(self, n: int, entry: Entry) -> bool:
        """Whether it is known what was there before, which in a group that was just made is seen only now."""
        if entry.former is not None:
            return True
        folder = entry.place.rpartition("/")[0]
        # All of the group at once: so it is known whether others have changed what was not reached.
        pending = [one for one in self.record.entries if one.state == PENDING and one.former is None]
        together = [one for one in pending if one.place.startswith(folder + "/")]
        try:
            for one in together:
                one.former = self.host.read(one.place, one.form)
        except (NotHereError, NeedsError, OSError) as error:
            self.steps[n] = replace(self.steps[n], outcome=Outcome.NOT_HERE, detail=str(error))
            return False
        return True

    def _write(self, n: int, entry: Entry) -> str:
        step = self.steps[n]
        try:
            written = write(entry, self.host)
        except WriteError as error:
            return str(error)
        is_there = written.outcome in {Outcome.SET, Outcome.CLAMPED}
        self.steps[n] = replace(
            step,
            now=entry.read if is_there else step.now,
            outcome=written.outcome,
            detail=f"was {step.now}" if written.outcome is Outcome.SET else written.detail,
        )
        return ""


def _undo(run: _Run, around: Circumstances) -> list[Backed]:
    backed = take_back(run.record, run.host, session=around.session)
    places = {one.entry.place for one in backed}
    run.steps = [
        replace(step, now=None, outcome=Outcome.WOULD_SET, detail="") if step.place in places else step
        for step in run.steps
    ]
    # Where it cannot be saved, the next run finds this one unfinished, and nothing of it left to take back.
    with suppress(RecordError):
        run.records.save(run.record)
    return backed


def _is_recorded(records: Records, steps: list[Step]) -> bool:
    """Whether the run that is in force wanted the same."""
    record = records.last(APPLIED, UNCONFIRMED)
    known = {(entry.place, entry.wanted) for entry in record.entries} if record else set()
    asked = {(step.place, step.wanted) for step in steps if step.outcome is Outcome.ALREADY}
    return record is not None and asked <= known
