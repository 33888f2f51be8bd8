# SPDX-License-Identifier: Apache-2.0
"""Knobs that are set and set back in turn, as a part of one run of the records."""

from collections.abc import Callable

from fixaccel.tune.host import Host, NeedsError, NotHereError
from fixaccel.tune.record import ALREADY, BACK, CLAMPED, PENDING, SET, WRITING, Entry, Record, Records
from fixaccel.tune.survey import Outcome, Step
from fixaccel.tune.take_back import Back, back, is_ours
from fixaccel.tune.writing import WriteError, write


class SwitchError(Exception):
    """A value cannot be set, or set back; the text says which and what to do."""


class Switch:
    """``entries`` are those that can be set. The record says what was there before, from ahead of the first write on.

    In between it has them as set, whichever way they are: `rollback` takes back either.
    """

    def __init__(self, host: Host, records: Records, record: Record, entries: list[Entry]) -> None:
        self._host, self._records, self._record = host, records, record
        self.entries = entries

    def begin(self) -> list[str]:
        """Sets all for the first time; returns what could not be. Raises SwitchError, RecordError."""
        for entry in self.entries:
            # What was there when the run began may have changed while it asked and measured.
            entry.former = self._now(entry)
        self._record.entries += self.entries
        refused = []
        for entry in self.entries:
            entry.state = WRITING
            self._records.save(self._record)
            written = self._write(entry)
            if entry.state == PENDING:
                refused.append(f"{entry.knob}: {written}")
        self._records.save(self._record)
        self.entries = [entry for entry in self.entries if entry.state != PENDING]
        return refused

    def on(self) -> None:
        """Raises SwitchError, also for what others have changed meanwhile."""
        for entry in self.entries:
            now = self._now(entry)
            if not is_ours(entry, now):
                raise _changed(entry, f"it is {now}")
            refused = self._write(entry)
            if entry.state == PENDING:
                raise SwitchError(f"{entry.knob}: it was set before, and no longer can be: {refused}")

    def off(self) -> None:
        """Last first. Raises SwitchError, also for what others have changed meanwhile."""
        for entry in reversed(self.entries):
            self._take_back(entry)

    def end(self, keeps: Callable[[Entry], bool]) -> None:
        """Sets what is kept, and the others back for good. Raises SwitchError, RecordError."""
        for entry in reversed(self.entries):
            if not keeps(entry):
                self._take_back(entry)
        for entry in self.entries:
            if keeps(entry):
                self._write(entry)
            else:
                entry.state = BACK
        self._records.save(self._record)

    def _write(self, entry: Entry) -> str:
        try:
            written = write(entry, self._host)
        except WriteError as error:
            raise SwitchError(f"{error}; `--skip {entry.knob}` leaves it alone") from error
        is_needed = written.outcome is Outcome.NEEDS
        return f"needs {written.detail}" if is_needed else written.detail

    def _take_back(self, entry: Entry) -> None:
        backed = back(entry, self._host)
        if not backed.outcome.is_done:
            raise _changed(entry, backed.detail, backed.outcome)

    def _now(self, entry: Entry) -> str | None:
        try:
            return self._host.read(entry.place, entry.form)
        except (NotHereError, NeedsError, OSError) as error:
            raise SwitchError(f"{entry.knob}: it was there, and no longer is: {error}") from error


def _changed(entry: Entry, detail: str, outcome: Back = Back.CHANGED) -> SwitchError:
    if outcome is Back.FAILED:
        return SwitchError(f"{entry.knob}: {entry.place}: it cannot be set back: {detail}")
    said = f"{outcome.value}, {detail}" if detail else outcome.value
    return SwitchError(f"{entry.knob}: {said}: is something else tuning this machine?")


def entry_of(step: Step) -> Entry:
    """As the record has it."""
    assert step.wanted is not None
    state = ALREADY if step.outcome is Outcome.ALREADY else PENDING
    return Entry(step.knob.id, step.place, step.knob.form, step.knob.scope, step.now, step.wanted, state)


def is_held(entry: Entry) -> bool:
    """Whether a run has changed a value and left it so."""
    return entry.state in {SET, CLAMPED}
