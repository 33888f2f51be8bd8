# SPDX-License-Identifier: Apache-2.0
"""Whether a journal is as it was written: each record names the SHA-256 of the line before it.

Who may write to the journal's folder can write all of it anew. So the number and the hash of a late record are kept
elsewhere, as the daemon tells them in its log and status: a journal that holds that record holds all before it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fixaccel.board.journal import JournalError, Record, first_record, parse_line, segments

_AFTER = "after"
_CRC_CHARS = 8


@dataclass(frozen=True)
class Line:
    """A line of the journal: where it stands, its number, its record, its hash, and the hash that it is behind."""

    file: Path
    line: int
    number: int
    record: Record | None  # None: damaged
    hash: str
    after: str  # empty: it names none


@dataclass
class Report:
    """What was found. ``faults``: places and what is wrong there; none: the journal is as it was written."""

    first: int = 0
    last: int = 0
    head: str = ""
    unchained: int = 0  # records at its beginning that name none, of a daemon that did not yet
    faults: list[str] = field(default_factory=list)


def lines(folder: Path) -> Iterator[Line]:
    """All whole lines of the journal in ``folder``, oldest first. Raises JournalError."""
    found = segments(folder)
    if not found:
        raise JournalError(f"cannot read {folder}: there is no journal in it")
    for path in found:
        number = first_record(path)
        try:
            text = path.read_bytes()
        except OSError as error:
            raise JournalError(f"cannot read {path}: {error.strerror or error}") from error
        *whole, rest = text.split(b"\n")
        for at, line in enumerate([*whole, rest] if rest else whole, 1):
            record = parse_line(line) if at <= len(whole) else None
            after = json.loads(line[_CRC_CHARS + 1 :]).get(_AFTER, "") if record is not None else ""
            yield Line(path, at, number, record, sha256(line).hexdigest(), str(after))
            number += 1


def verify(folder: Path, kept: tuple[int, str] | None = None) -> Report:
    """Follows the chain of the journal in ``folder``. ``kept``: number and hash of a record, noted elsewhere.

    Raises JournalError if it cannot be read.
    """
    report = Report()
    before: Line | None = None
    seen_kept = kept is None
    for line in lines(folder):
        place = f"{line.file.name}:{line.line}"
        if before is None:
            report.first = line.number
        elif line.number != before.number + 1:
            report.faults.append(f"{place}: records {before.number + 1} to {line.number - 1} are missing before it")
        if line.record is None:
            report.faults.append(f"{place}: record {line.number} is damaged, or was not written to its end")
        elif not line.after and before is not None and before.after:
            report.faults.append(f"{place}: record {line.number} does not say what it is behind")
        elif line.after and before is not None and line.number == before.number + 1 and line.after != before.hash:
            report.faults.append(f"{place}: record {line.number} is not behind the one that stands before it")
        if not line.after and not (before and before.after):
            report.unchained += line.record is not None
        if kept is not None and line.number == kept[0]:
            seen_kept = True
            if line.hash != kept[1]:
                report.faults.append(f"{place}: record {line.number} is not the one whose hash was kept")
        before = line
    if report.first == report.unchained == 1:
        report.unchained = 0  # the very first, which nothing stands before
    if before is not None:
        report.last, report.head = before.number, before.hash
    if kept is not None and not seen_kept:
        report.faults.append(f"record {kept[0]}, whose hash was kept, is not there")
    return report
