# SPDX-License-Identifier: Apache-2.0
"""Finds and runs `fixaccel-exchange`, the exchange simulator's program."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fixaccel.built import find_built

PROGRAM_VARIABLE = "FIXACCEL_EXCHANGE"
_NAME = "fixaccel-exchange"
_BUILT = f"build/release/exchange-sim/{_NAME}"


class ExchangeError(Exception):
    """The program is not there, or cannot do what it is asked; the text is for the user."""


def find_program() -> Path:
    """Where the program lies: as the environment names it, as it was built, or on the path. Raises ExchangeError."""
    try:
        return find_built(_BUILT, PROGRAM_VARIABLE, "demo")
    except FileNotFoundError as error:
        raise ExchangeError(str(error)) from None


def replay_record(record: Path, venue: Path | None = None, events: Path | None = None) -> Mapping[str, Any]:
    """Does again what ``record`` holds, and says what is different, as the program's JSON does.

    ``venue`` is taken in place of the record's own; what happened is written to ``events``, an event file in CSV.
    Raises ExchangeError with the program's own words.
    """
    command: list[str | Path] = [find_program(), "--replay", record]
    command += ["--venue", venue] if venue else []
    command += ["--events", events] if events else []
    done = _run(command)
    if done.returncode not in {0, 1} or not done.stdout:
        raise ExchangeError(done.stderr.strip() or f"{_NAME} ended with exit code {done.returncode}")
    answer: Mapping[str, Any] = json.loads(done.stdout)
    return answer


def _run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise ExchangeError(f"{command[0]} cannot be run: {error.strerror or error}") from None
