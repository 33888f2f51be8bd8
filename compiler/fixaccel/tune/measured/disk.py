# SPDX-License-Identifier: Apache-2.0
"""How long the journal's disk takes until a record is on it."""

import os
import re
import tempfile
import time
from pathlib import Path

import numpy as np

from fixaccel.tune.measured.figures import Figure, figure
from fixaccel.tune.measured.scene import MeasureError

_COUNT = 200
_RECORD = bytes(256)
_IN_MEMORY = {"tmpfs", "ramfs"}


def syncs(folder: Path) -> Figure:
    """`fdatasync` behind each of many records that are added to a file. Raises MeasureError."""
    found = np.empty(_COUNT)
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            for number in range(_COUNT):
                file.write(_RECORD)
                started = time.perf_counter_ns()
                os.fdatasync(file.fileno())
                found[number] = (time.perf_counter_ns() - started) / 1000
    except OSError as error:
        raise MeasureError(f"{folder}: {error.strerror}; name the journal's folder with --journal") from error
    kind = kind_of(folder)
    lost = ", not durable" if kind in _IN_MEMORY else ""
    return figure("fdatasync", [found], f"{folder}, {kind or 'of a kind that is not known'}{lost}")


def kind_of(folder: Path) -> str:
    """The kind of its file system, empty where the kernel does not say."""
    found = folder.stat().st_dev
    wanted = f"{os.major(found)}:{os.minor(found)}"
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    for line in lines:
        before, _, behind = line.partition(" - ")
        if wanted in before.split()[2:3]:
            return behind.split()[0] if re.match(r"\S", behind) else ""
    return ""
