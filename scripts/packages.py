# SPDX-License-Identifier: Apache-2.0
"""What makes packages has in common: tools that fail in words, and of when the source is."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class PackagingError(Exception):
    """The package cannot be made; the text says why."""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Standard output. Raises PackagingError with what it said if it fails or is not there."""
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=cwd)
    except FileNotFoundError:
        raise PackagingError(f"{command[0]} is missing: `make setup` installs what it needs") from None
    if done.returncode:
        raise PackagingError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def source_date() -> str:
    """SOURCE_DATE_EPOCH, else that of the last commit: what is built twice is the same. Raises PackagingError."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given:
        try:
            return run("git", "log", "-1", "--format=%ct").strip()
        except PackagingError as error:
            raise PackagingError(f"{error}\nwithout git, SOURCE_DATE_EPOCH is to say of when the source is") from None
    if not given.isascii() or not given.isdecimal():
        raise PackagingError(f"SOURCE_DATE_EPOCH={given} is no whole number of seconds")
    return given
