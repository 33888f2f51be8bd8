# SPDX-License-Identifier: Apache-2.0
"""Reader of the daemon's journal: ``<crc32 of the JSON, 8 hex digits> <JSON object>``, one a line."""

import json
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = "journal.log"
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


def read(folder: Path, *, follow: bool = False) -> Iterator[Record]:
    """All records of the journal in ``folder``, oldest first; with ``follow`` it waits for more for ever.

    A damaged line ends as ``{"type": "damaged", "line": number}``; at the end of the file that is what a crash leaves,
    or a record that is being written. Raises JournalError.
    """
    path = folder / FILE
    try:
        with path.open("rb") as lines:
            yield from _read(lines, follow=follow)
    except OSError as error:
        raise JournalError(f"cannot read {path}: {error.strerror or error}") from error


def _read(lines: Any, *, follow: bool) -> Iterator[Record]:  # noqa: ANN401 - a binary file
    number, rest = 0, b""
    while True:
        piece = lines.readline()
        if not piece and not follow:
            break
        rest += piece
        if not rest.endswith(b"\n"):
            if follow:
                time.sleep(_FOLLOW_S)
            continue
        number += 1
        yield parse_line(rest[:-1]) or {"type": "damaged", "line": number}
        rest = b""
    if rest:
        yield {"type": "damaged", "line": number + 1}
