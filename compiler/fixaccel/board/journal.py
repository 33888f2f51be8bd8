# SPDX-License-Identifier: Apache-2.0
"""Reader of the daemon's journal: segments of lines ``<crc32 of the JSON, 8 hex digits> <JSON object>``.

A segment is named by the number of its first record, so names sort. Snapshots beside them are for the daemon's start.
"""

import json
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

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
    if not isinstance(record, dict):
        return None
    record.pop("after", None)  # the hash of the line before: board/audit.py follows it
    return record


def segments(folder: Path) -> list[Path]:
    """The files of the journal in ``folder``, oldest first."""
    found = sorted(folder.glob(_SEGMENTS), key=lambda path: (len(path.name), path.name))
    single = folder / _SINGLE
    return [single, *found] if single.exists() else found


def first_record(segment: Path) -> int:
    """The number of its first record, counted over all segments."""
    digits = segment.stem.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 1


def read(folder: Path, *, follow: bool = False) -> Iterator[Record]:
    """All records of the journal in ``folder``, oldest first; with ``follow`` it waits for more for ever.

    A damaged line ends as ``{"type": "damaged", "file": name, "line": number}``; at the end of the last file that is
    what a crash leaves, or a record that is being written, and with ``follow`` it is waited for what becomes of it.
    Where a segment is not there it says ``{"type": "missing", "from": number, "to": number}``. Raises JournalError.
    """
    found = segments(folder)
    if not found:
        raise JournalError(f"cannot read {folder}: there is no journal in it")
    segment = _Segment(found[0])
    while True:
        # Once another one has begun, nothing is written to this one any more.
        behind = [path for path in segments(folder) if first_record(path) > segment.first]
        yield from segment.more(at_end=follow and not behind)
        if behind:
            if first_record(behind[0]) > segment.next:
                yield {"type": "missing", "from": segment.next, "to": first_record(behind[0]) - 1}
            segment = _Segment(behind[0])
        elif not follow:
            return
        else:
            time.sleep(_FOLLOW_S)


class _Segment:
    """One file of the journal, read as far as it is whole."""

    def __init__(self, path: Path) -> None:
        self._path, self.first = path, first_record(path)
        self.next = self.first
        self._offset = self._line = 0  # behind the last whole record

    def more(self, *, at_end: bool) -> Iterator[Record]:
        """What has come since. ``at_end``: a daemon that starts may cut damaged lines at its end off and go on there.

        Raises JournalError.
        """
        try:
            with self._path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    raise JournalError(f"cannot follow {self._path}: it has become shorter than it was")
                file.seek(self._offset)
                yield from self._records(file, at_end=at_end)
        except OSError as error:
            raise JournalError(f"cannot read {self._path}: {error.strerror or error}") from error

    def _records(self, file: BinaryIO, *, at_end: bool) -> Iterator[Record]:
        offset, number = self._offset, self._line
        damaged: list[Record] = []
        for line in file:
            offset, number = offset + len(line), number + 1
            record = parse_line(line[:-1]) if line.endswith(b"\n") else None
            if record is None:
                damaged.append({"type": "damaged", "file": self._path.name, "line": number})
                if line.endswith(b"\n"):
                    continue
                break  # what is written behind it meanwhile is its rest
            yield from damaged
            damaged.clear()
            self._offset, self._line, self.next = offset, number, self.next + 1
            yield record
        if not at_end:
            yield from damaged
