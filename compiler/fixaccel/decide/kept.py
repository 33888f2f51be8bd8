# SPDX-License-Identifier: Apache-2.0
"""Answers that are kept for the day: by the function's file, what it was asked, and all files that it read.

`XDG_CACHE_HOME` says where. What cannot be kept or read back is asked anew.
"""

import hashlib
import json
import os
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np

from fixaccel.decide.request import Outcome, Request
from fixaccel.files import write_atomically

_DAY_S = 86_400


def find(request: Request) -> Outcome | None:
    """The outcome as it was, if all files are as they were."""
    try:
        content = json.loads(_place(request).read_bytes())
        if all(digest_of(file) == digest for file, digest in content["read"].items()):
            return Outcome.of_json(json.dumps(content["outcome"]), "")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    return None


def keep(request: Request, outcome: Outcome) -> None:
    """Keeps what came without a failure or a word, of a function that depends on nothing but files."""
    if outcome.failure or outcome.printed or not outcome.repeatable:
        return
    read = {file: digest_of(file) for file in (request.file, *outcome.read)}
    content = {"read": read, "outcome": json.loads(outcome.as_json())}
    with suppress(OSError, ValueError):
        place = _place(request)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for old in place.parent.glob("*.json"):
            if time.time() - old.stat().st_mtime > _DAY_S:
                old.unlink(missing_ok=True)
        write_atomically(place, json.dumps(content).encode())


def digest_of(file: str) -> str | None:
    """SHA-256 of a file; None if it is not there, which may matter just as well."""
    try:
        with Path(file).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def _place(request: Request) -> Path:
    # A function may ask what day it is.
    today = datetime.now(UTC).date().isoformat()
    key = hashlib.sha256(f"{request.as_json()}\n{today}\n{sys.version}\n{np.__version__}\n{_ours()}".encode())
    # No home, no folder: then an error says so.
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "fixaccel" / "decide" / f"{key.hexdigest()}.json"


@cache
def _ours() -> str:
    """What turns answers into outcomes is part of them."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return "".join(str(digest_of(str(file))) for file in files)
