# SPDX-License-Identifier: Apache-2.0
"""How late a core is: by a sleep of our own, and by the tools of `rt-tests` where they are installed."""

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from fixaccel.tune.measured.figures import Figure, figure

_SLEEP_S = 0.001
_PACKAGE = "Debian's rt-tests"
_SPARE_S = 20.0  # until a tool that does not end is ended
TOOLS = ("cyclictest", "oslat")


def wake(seconds: float) -> Figure:
    """How much later than asked a sleep of a millisecond ends."""
    count = max(10, round(seconds / _SLEEP_S))
    found = np.empty(count)
    for number in range(count):
        due = time.perf_counter_ns() + int(_SLEEP_S * 1e9)
        time.sleep(_SLEEP_S)
        found[number] = (time.perf_counter_ns() - due) / 1000
    return figure("wake-up", [found], "a sleep of 1 ms, what came on top")


def by_tool(name: str, core: int, seconds: float) -> tuple[Figure | None, str]:
    """The tool's own figures of one core, or why there are none."""
    program = shutil.which(name)
    if program is None:
        return None, f"{name} is not installed: {_PACKAGE}"
    whole = max(1, round(seconds))
    with tempfile.TemporaryDirectory(prefix="fixaccel-") as folder:
        answer = Path(folder) / "answer.json"
        words = {
            "cyclictest": ["-q", "-m", "-t1", "-a", str(core), "-i", "1000", "-D", str(whole)],
            "oslat": ["-q", "-c", str(core), "-D", str(whole)],
        }[name]
        words = [program, *words, f"--json={answer}"]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=whole + _SPARE_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, f"{name} did not come to its end: {error}"
        try:
            found = json.loads(answer.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            told = done.stderr.strip().splitlines()
            return None, f"{name} failed: {told[-1] if told else f'exit code {done.returncode}'}"
    return _figure(name, core, found)


def _figure(name: str, core: int, found: Any) -> tuple[Figure | None, str]:  # noqa: ANN401 - what a tool has written
    try:
        thread = next(iter(found["thread"].values()))
        least, mean, most = (float(thread[key]) for key in ("min", "avg", "max"))
        count = int(thread.get("cycles", 0))
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError):
        return None, f"{name} has answered in a form that is not known here"
    p50, p99, p999 = (_percentile(thread.get("histogram"), part) for part in (0.5, 0.99, 0.999))
    return Figure(name, count, least, mean, p50, p99, p999, most, said=f"core {core}"), ""


def _percentile(histogram: object, part: float) -> float | None:
    """Of counts by microseconds; None where there are none."""
    if not isinstance(histogram, dict) or not histogram:
        return None
    rows = sorted((float(value), int(count)) for value, count in histogram.items())
    wanted, seen = part * sum(count for _, count in rows), 0
    for value, count in rows:
        seen += count
        if seen >= wanted:
            return value
    return None
