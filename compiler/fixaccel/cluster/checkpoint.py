# SPDX-License-Identifier: Apache-2.0
"""What was counted so far, in a file: a run that was broken off goes on from there.

Lines of JSON: the first says what is counted, each other one unit. A line that is not whole was being written.
"""

import json
import os
from collections import Counter
from datetime import date
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from fixaccel.cluster.units import Unit
from fixaccel.cluster.work import Job, identity
from fixaccel.simulate.counting import Tally

FORMAT = 1


class CheckpointError(Exception):
    """The file is of another run, or cannot be read or written; the text says which."""


class Checkpoint:
    """The file at ``path``, made where there is none. Enter it, then `open` it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self._known: dict[str, Tally] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def open(self, job: Job, paths: list[str]) -> None:
        """Of what is counted now. Raises CheckpointError where the file is of something else."""
        wanted = {
            "format": FORMAT,
            "counted_by": list(identity()),
            "columns": job.digest,
            "fresh": job.fresh,
            "zone": job.zone,
            "files": _files(paths),
        }
        try:
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
            whole = text[: text.rfind("\n") + 1]
            lines = whole.splitlines()
            if text and not lines and not json.dumps(wanted).startswith(text):
                raise ValueError("not the beginning of a head that was being written")
            if lines and _parsed(lines[0]) != wanted:
                raise CheckpointError(
                    f"{self._path} is of another strategy, of another version, or of other event files, or of those as "
                    "they were before: name another file, or remove it to begin anew"
                )
            for line in lines[1:]:
                entry = _parsed(line)
                self._known[str(entry["unit"])] = _tally(entry)
            self._file = self._path.open("a", encoding="utf-8")
            self._file.truncate(len(whole.encode()))
            if not lines:
                self._write(wanted)
        except OSError as error:
            raise CheckpointError(f"{self._path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise CheckpointError(f"{self._path} is no checkpoint, or damaged: remove it to begin anew") from error

    def known(self, unit: Unit) -> Tally | None:
        """What was found in it before."""
        return self._known.get(_key(unit))

    def keep(self, unit: Unit, tally: Tally) -> None:
        """It is on disk when this returns. Raises CheckpointError."""
        try:
            self._write({"unit": _key(unit)} | _object(tally))
        except OSError as error:
            raise CheckpointError(f"{self._path}: {error.strerror}") from error

    def _write(self, line: dict[str, Any]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _files(paths: list[str]) -> list[list[Any]]:
    """As far as this machine sees them."""
    found: list[list[Any]] = []
    for path in paths:
        try:
            stat = Path(path).stat()
            found.append([path, stat.st_size, stat.st_mtime_ns])
        except OSError:
            found.append([path, None, None])
    return found


def _key(unit: Unit) -> str:
    return sha256(repr(unit).encode()).hexdigest()


def _parsed(line: str) -> dict[str, Any]:
    found = json.loads(line)
    if not isinstance(found, dict):
        raise TypeError("a line is no object")
    return found


def _object(tally: Tally) -> dict[str, Any]:
    return {
        "counts": [tally.events, tally.observations, tally.invalid_prices, tally.loads],
        "days": [day.isoformat() if day else None for day in (tally.first, tally.last)],
        "cells": [
            [day.isoformat(), [[part, outcome, count] for (part, outcome), count in cells.items()]]
            for day, cells in tally.cells.items()
        ],
    }


def _tally(entry: dict[str, Any]) -> Tally:
    first, last = (date.fromisoformat(day) if day else None for day in entry["days"])
    cells = {
        date.fromisoformat(day): Counter({(int(part), int(outcome)): int(count) for part, outcome, count in each})
        for day, each in entry["cells"]
    }
    events, observations, invalid_prices, loads = map(int, entry["counts"])
    return Tally(events, observations, invalid_prices, loads, first, last, cells)
