# SPDX-License-Identifier: Apache-2.0
"""What paths on a command line stand for: files, folders of them, and standard input."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from fixaccel.language.text.files import FILE_BYTES, read_bytes

STDIN = Path("-")
STDIN_NAME = "<stdin>"  # in diagnostics; what it names is looked for in the working folder
_OURS = re.compile(r"^(fixaccel|fixaccel-venue|fixaccel-board|tests) *:", re.MULTILINE)
_HEAD = 1 << 16


def our_files(paths: Iterable[Path]) -> list[Path]:
    """Files as named, each once; of folders those in and below that say that they are ours. Raises UsageError."""
    found: dict[Path, None] = {}
    paths = list(paths)
    for path in paths:
        if _is_folder(path):
            found.update(dict.fromkeys(file for file in sorted(path.rglob("*.yaml")) if _is_ours(file)))
        else:
            found[path] = None
    if not found:
        raise click.UsageError(f"there is no file of fixaccel's in {', '.join(map(str, paths))}")
    return list(found)


def read_stdin() -> bytes:
    """Standard input, no more of it than tells that it is too large."""
    return sys.stdin.buffer.read(FILE_BYTES + 1)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long is reported when it is read
        return False


def _is_ours(path: Path) -> bool:
    try:
        return bool(_OURS.search(read_bytes(path, _HEAD).decode("utf-8", "replace")))
    except OSError:
        return True  # reported when it is read
    except ValueError:  # a pipe, or a folder of that name
        return False
