# SPDX-License-Identifier: Apache-2.0
"""Files that were installed: recorded on disk before the first is written, and taken away only as they were written."""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

from fixaccel.files import write_atomically
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.host import Host, NotHereError
from fixaccel.tune.record import RecordError, Records, boot_of

NAME = "installed.json"
_FORMAT = 1


@dataclass(frozen=True)
class File:
    """One that is to be there, at ``place`` below the root. ``link``: ``text`` is what a symbolic link points at."""

    place: str
    text: str
    link: bool = False


@dataclass(frozen=True)
class Kept:
    """One that is. ``hash`` is SHA-256 of its text."""

    place: str
    hash: str
    link: bool


@dataclass(frozen=True)
class Installation:
    """What was installed in which boot. ``options`` are those that it adds to the boot line.

    ``folders`` were made for it, the outer ones first.
    """

    files: tuple[Kept, ...] = ()
    folders: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    boot: str = ""


class Fate(Enum):
    """How a file ends."""

    WRITTEN = "written"
    ALREADY = "already"
    REMOVED = "removed"
    GONE = "gone"
    CHANGED = "changed by others, left"


class TakenError(Exception):
    """There is a file of others where one is to be; the text names it."""


def load(records: Records) -> Installation:
    """What is installed; nothing where nothing is. Raises RecordError for a record that is damaged."""
    path = records.folder / NAME
    try:
        found: Any = json.loads(path.read_bytes())
        if found["format"] != _FORMAT:
            raise ValueError("it is of another version")
        files = tuple(Kept(str(one["place"]), str(one["hash"]), bool(one["link"])) for one in found["files"])
        folders, options = (tuple(map(str, found[key])) for key in ("folders", "options"))
        known = {knob.where.partition("/")[2] for knob in catalogue().values() if knob.scope == "boot"}
        if not known.issuperset(option.partition("=")[0] for option in options):
            raise ValueError("it names an option that is not known")
        return Installation(files, folders, options, str(found["boot"]))
    except (FileNotFoundError, NotADirectoryError):
        return Installation()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordError(
            f"{path} is damaged, nothing was changed: look at what is installed by hand ({error})"
        ) from error


def install(files: Sequence[File], options: Sequence[str], host: Host, records: Records) -> list[tuple[str, Fate]]:
    """Writes what is not there yet, and takes away what an earlier installation had and this one has not.

    The caller holds the lock. Raises TakenError and RecordError while nothing is written, OSError.
    """
    before = load(records)
    ours = {kept.place: kept for kept in before.files}
    for file in files:
        try:
            host.path(str(PurePosixPath(file.place).parent))
        except NotHereError as error:
            raise TakenError(f"/{file.place}: {error}") from error
        now = _now(host, file.place)
        if now is not None and now != _kept(file) and now != ours.get(file.place):
            raise TakenError(f"/{file.place} is there already, and is not ours: move it away, or take its text over")
    made = {file.place: _kept(file) for file in files}
    folders = tuple(dict.fromkeys([*before.folders, *_missing(host, files)]))
    # Both, until all is done: whatever this run leaves in the middle can be taken away.
    _save(records, Installation((*before.files, *made.values()), folders, tuple(options), boot_of(host)))
    found: list[tuple[str, Fate]] = []
    for file in files:
        is_there = _now(host, file.place) == _kept(file)
        if not is_there:
            _write(host, file)
        found.append((file.place, Fate.ALREADY if is_there else Fate.WRITTEN))
    found += [(kept.place, _remove(host, kept)) for kept in before.files if kept.place not in made]
    # The boot that has them stays the one in which they were first there.
    boot = before.boot if set(options) == set(before.options) and before.boot else boot_of(host)
    _save(records, Installation(tuple(made.values()), folders, tuple(options), boot))
    return found


def uninstall(host: Host, records: Records) -> list[tuple[str, Fate]]:
    """Takes away what is as it was written, last first. The caller holds the lock. Raises RecordError, OSError."""
    before = load(records)
    # One that was changed twice stands here twice: it is gone when its turn comes again.
    found: dict[str, Fate] = {}
    for kept in reversed(before.files):
        fate = _remove(host, kept)
        if found.get(kept.place) is not Fate.REMOVED:
            found[kept.place] = fate
    for folder in reversed(before.folders):
        with suppress(OSError):  # others have put something in, or taken it away
            (host.root / folder).rmdir()
    left = tuple(kept for kept in before.files if found[kept.place] is Fate.CHANGED)
    if left:
        _save(records, Installation(left, before.folders, (), before.boot))
    else:
        (records.folder / NAME).unlink(missing_ok=True)
    return list(found.items())


def _kept(file: File) -> Kept:
    return Kept(file.place, hashlib.sha256(file.text.encode()).hexdigest(), file.link)


def _now(host: Host, place: str) -> Kept | None:
    """What is there; of what is neither a file nor a link the hash of nothing that could be ours."""
    path = host.root / place
    if path.is_symlink():
        return _kept(File(place, os.readlink(path), link=True))  # noqa: PTH115 - its text, not a path
    try:
        return Kept(place, hashlib.sha256(path.read_bytes()).hexdigest(), link=False)
    except FileNotFoundError:
        return None
    except OSError:
        return Kept(place, "", link=False)


def _write(host: Host, file: File) -> None:
    path = host.root / file.place
    path.parent.mkdir(parents=True, exist_ok=True)
    if file.link:
        path.unlink(missing_ok=True)
        path.symlink_to(file.text)
        return
    write_atomically(path, file.text.encode())
    path.chmod(0o644)


def _remove(host: Host, kept: Kept) -> Fate:
    now = _now(host, kept.place)
    if now is None:
        return Fate.GONE
    if now != kept:
        return Fate.CHANGED
    (host.root / kept.place).unlink()
    return Fate.REMOVED


def _missing(host: Host, files: Iterable[File]) -> list[str]:
    """Folders that have to be made, the outer ones first."""
    needed = (folder for file in files for folder in reversed(PurePosixPath(file.place).parents))
    return [str(folder) for folder in dict.fromkeys(needed) if not (host.root / folder).exists()]


def _save(records: Records, made: Installation) -> None:
    path = records.folder / NAME
    text = {"format": _FORMAT} | asdict(made)
    try:
        write_atomically(path, (json.dumps(text) + "\n").encode())
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from error
