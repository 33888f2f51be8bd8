# SPDX-License-Identifier: Apache-2.0
"""Records of what was set: a file for each run, on disk before the first write, and one hand at a time."""

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fixaccel.files import write_atomically
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.host import Host, Machine, is_root_of_the_machine

FOLDER = "var/lib/fixaccel/tune"
FORMAT = 1
_ID = re.compile(r"[1-9][0-9]{0,8}\Z")

# States of a run.
BEGUN = "begun"  # it may have ended in the middle
UNCONFIRMED = "unconfirmed"
APPLIED = "applied"
TAKEN_BACK = "taken back"
LOST = "lost at boot"

# States of an entry.
PENDING = "pending"
WRITING = "writing"
SET = "set"
CLAMPED = "clamped"
ALREADY = "already"
BACK = "back"
LEFT = "left"

_STATES = {BEGUN, UNCONFIRMED, APPLIED, TAKEN_BACK, LOST}
_DAMAGED = "is damaged, nothing was changed: move it away once you know what it had set"
_ENTRY_STATES = {PENDING, WRITING, SET, CLAMPED, ALREADY, BACK, LEFT}


class RecordError(Exception):
    """A record cannot be written, found or read; the text names it."""


class BusyError(Exception):
    """Another run is at work; the text says which."""


@dataclass
class Entry:
    """One place: what it held, what it was to hold, and what the kernel made of that."""

    knob: str
    place: str
    form: str
    scope: str
    former: str | None
    wanted: str
    state: str = PENDING
    read: str | None = None

    @property
    def ours(self) -> str:
        """The value that we have set."""
        return self.read if self.read is not None else self.wanted


@dataclass
class Record:
    """A run. ``confirm_by`` is a time on the machine's clock at which it is taken back, 0: it stays."""

    id: str
    state: str
    started: str
    kernel: str
    boot: str
    namespace: str
    profile: str
    interface: str | None
    settings: str
    entries: list[Entry] = field(default_factory=list)
    confirm_by: float = 0.0
    format: int = FORMAT


def as_object(record: Record) -> dict[str, Any]:
    """For JSON."""
    return vars(record) | {"entries": [vars(entry) for entry in record.entries]}


def default_folder(host: Host) -> Path:
    """Below the root of a tree; the system's for root, else the user's own."""
    if not isinstance(host, Machine) or is_root_of_the_machine():
        return host.root / FOLDER
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(base) / "fixaccel/tune"


def boot_of(host: Host) -> str:
    """What tells one boot from another; empty where the kernel does not."""
    return (host.text("proc/sys/kernel/random/boot_id") or "").strip()


def kernel_of(host: Host) -> str:
    """The kernel's release."""
    return (host.text("proc/sys/kernel/osrelease") or "").strip()


class Records:
    """The folder of them. Reading needs no lock, changing does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Makes the folder if need be. Raises BusyError, RecordError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RecordError(f"{self.folder}: {error.strerror}; name another folder with --state") from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip()
                raise BusyError(f"another `fixaccel tune` is at work, process {holder or 'unknown'}") from error
            with _told_by_name(self.folder):
                os.truncate(lock, 0)
                os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(lock)

    def new(self, host: Host, profile: str, interface: str | None, entries: list[Entry]) -> Record:
        """One with the next number, which has not begun to write and is not saved. The lock is held."""
        ids = self.ids()
        return Record(
            str(int(ids[-1]) + 1 if ids else 1), BEGUN, datetime.now(UTC).isoformat(timespec="seconds"),
            kernel_of(host), boot_of(host), host.namespace, profile, interface, str(host.settings), entries,
        )  # fmt: skip

    def save(self, record: Record) -> None:
        """Written, and on disk: the file and the name of it. Raises RecordError."""
        path = self._path(record.id)
        with _told_by_name(path):
            write_atomically(path, (json.dumps(as_object(record)) + "\n").encode())
            folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def ids(self) -> list[str]:
        """Oldest first. Raises RecordError where one may not look: that nothing is set would be a guess."""
        try:
            names = os.listdir(self.folder)  # noqa: PTH208 - its errors are wanted
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise RecordError(f"{self.folder}: {error.strerror}") from error
        stems = (name.removesuffix(".json") for name in names if name.endswith(".json"))
        return sorted(filter(_ID.match, stems), key=int)

    def load(self, id_: str) -> Record:
        """Raises RecordError, also for one that is damaged."""
        if not _ID.match(id_):
            raise RecordError(f"`{id_}` is no id of a run")
        path = self._path(id_)
        try:
            found: Any = json.loads(path.read_bytes())
        except FileNotFoundError as error:
            raise RecordError(f"there is no run {id_} in {self.folder}") from error
        except (OSError, ValueError) as error:
            raise RecordError(f"{path} {_DAMAGED} ({error})") from error
        return _checked(found, path)

    def last(self, *states: str) -> Record | None:
        """The youngest in one of these states. Raises RecordError if one that is younger is damaged."""
        for id_ in reversed(self.ids()):
            record = self.load(id_)
            if record.state in states:
                return record
        return None

    def _path(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"


@contextmanager
def _told_by_name(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from error


def _checked(found: object, path: Path) -> Record:
    """A record's places are written to, by root: what is not as it is written here is refused."""
    record = _made(found)
    if record is None or record.id != path.stem:
        raise RecordError(f"{path} {_DAMAGED}")
    return record


def _made(found: Any) -> Record | None:  # noqa: ANN401 - what a file of JSON holds
    try:
        entries = [Entry(**entry) for entry in found["entries"]]
        record = Record(**(found | {"entries": entries}))
    except (TypeError, KeyError):
        return None
    texts: list[Any] = [record.id, record.boot, record.namespace, record.kernel, record.profile, record.settings]
    texts += [text for entry in entries for text in (entry.knob, entry.place, entry.wanted)]
    time_: Any = record.confirm_by
    values = [value for entry in entries for value in (entry.former, entry.read)]
    is_sound = (
        record.format == FORMAT
        and record.state in _STATES
        and isinstance(time_, int | float)
        and all(isinstance(text, str) for text in texts)
        and all(isinstance(value, str | None) for value in [*values, record.interface])
        and all(_is_entry(entry) for entry in entries)
    )
    return record if is_sound else None


def _is_entry(entry: Entry) -> bool:
    """Places come from the catalogue, whatever a file says."""
    knob = catalogue().get(entry.knob)
    if knob is None or not knob.covers(entry.place) or entry.state not in _ENTRY_STATES:
        return False
    return (knob.form, knob.scope) == (entry.form, entry.scope)
