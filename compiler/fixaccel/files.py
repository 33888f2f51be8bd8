# SPDX-License-Identifier: Apache-2.0
"""Files that are there whole or not at all, and never in place of what they were made from."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file, moved to ``path`` where all went well; mode and owner of an older one stay, a link is followed.

    A device or a pipe is written to as it is. Raises OSError, which names ``path``.
    """
    place = Path(os.path.realpath(path))
    with naming(path, place.parent):
        if place.exists() and not place.is_file():
            with place.open("wb") as file:
                yield file
            return
        older = place.stat() if place.exists() else None
        mode = older.st_mode & 0o7777 if older else 0o666 & ~_umask()
        descriptor, name = tempfile.mkstemp(prefix=f".{place.name[:_LONGEST_NAME]}.", dir=place.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if older:
                    # Root writes for others, who are to be able to read it; who is not root has no say.
                    with suppress(OSError):
                        os.fchown(file.fileno(), older.st_uid, older.st_gid)
                os.fchmod(file.fileno(), mode)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def open_regular(path: Path) -> BinaryIO:
    """A file to be read, more than once. Raises OSError, for a pipe too: nobody may ever write to it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ESPIPE, "it is a pipe, and what it brings is read more than once: write it to a file")
    return os.fdopen(descriptor, "rb")


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces the content of ``path``, or makes it, as `replacing` does. Raises OSError."""
    with replacing(path) as file:
        file.write(data)


def same_file(path: Path, others: Iterable[Path]) -> Path | None:
    """The one of ``others`` that ``path`` is too, whatever name, link or hard link leads there; None if none is."""
    return next((other for other in others if path.exists() and other.exists() and path.samefile(other)), None)


@contextmanager
def naming(path: Path, folder: Path | None = None) -> Iterator[None]:
    """Errors of files that are made on the way to ``path``, and that nobody knows, name that.

    With a ``folder`` only those of files in it, and those without a name.
    """
    try:
        yield
    except OSError as error:
        if folder is None or error.filename is None or Path(str(error.filename)).parent == folder:
            error.filename, error.filename2 = str(path), None
        raise


# Of the name of a file, what its new content's name has of it: the whole must stay a name.
_LONGEST_NAME = 200


def _umask() -> int:
    old = os.umask(0)
    os.umask(old)
    return old
