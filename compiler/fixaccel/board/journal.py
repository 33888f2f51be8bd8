# SPDX-License-Identifier: Apache-2.0
"""Reader of the daemon's journal: segments of lines ``<crc32 of the JSON, 8 hex digits> <JSON object>``.

A segment is named by the number of its first record, so names sort. Snapshots beside them are for the daemon's start.
"""

import json
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SEGMENTS = "journal-*.log"
_SINGLE = "journal.log"  # of a daemon that knew no segments
_CRC_CHARS = 8
_FOLLOW_S = 0.2

Record = dict[str, Any]


class JournalError(Exception):
    """The journal cannot be read; the text names the file."""


def parse_line(line: bytes) -> Record | None:
    """The record of a whole line without its newline; None if the line is damaged or torn."""
    crc, space, text = line[:_CRC_CHARS], line[_CRC_CHARS : _CRC_CHARS + 1], line[_CRC_CHARS + 1 :]
    if space != b" " or crc != f"{zlib.crc32(text):08x}".encode():
        return None
    try:
        record = json.loads(text)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def segments(folder: Path) -> list[Path]:
    """The files of the journal in ``folder``, oldest first."""
    found = sorted(folder.glob(_SEGMENTS), key=lambda path: (len(path.name), path.name))
    single = folder / _SINGLE
    return [single, *found] if single.exists() else found


def read(folder: Path, *, follow: bool = False) -> Iterator[Record]:
    """All records of the journal in ``folder``, oldest first; with ``follow`` it waits for more for ever.

    A damaged line ends as ``{"type": "damaged", "file": name, "line": number}``; at the end of the last file that is
    what a crash leaves, or a record that is being written. Raises JournalError.
    """
    if not segments(folder):
        raise JournalError(f"cannot read {folder}: there is no journal in it")
    done: set[str] = set()
    while path := next((path for path in segments(folder) if path.name not in done), None):
        try:
            with path.open("rb") as lines:
                yield from _read(path, lines, follow=follow)
        except OSError as error:
            raise JournalError(f"cannot read {path}: {error.strerror or error}") from error
        done.add(path.name)


def _read(path: Path, lines: Any, *, follow: bool) -> Iterator[Record]:  # noqa: ANN401 - a binary file
    number, rest = 0, b""
    while True:
        # Once another one has begun, nothing is written to this one any more.
        last = segments(path.parent)[-1].name == path.name if follow else False
        piece = lines.readline()
        if not piece and not last:
            break
        rest += piece
        if not rest.endswith(b"\n"):
            if follow:
                time.sleep(_FOLLOW_S)
            continue
        number += 1
        yield parse_line(rest[:-1]) or {"type": "damaged", "file": path.name, "line": number}
        rest = b""
    if rest:
        yield {"type": "damaged", "file": path.name, "line": number + 1}
