# SPDX-License-Identifier: Apache-2.0
"""The link between two boards: cycles of a record, and the share of the wire that records have."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from fixaccel.hwmap import load_window
from report import Figure

ROOT = Path(__file__).resolve().parents[1]
LINK = load_window("link")
NOTE = (
    "Two Verilated link_units back to back, a byte a cycle of 8 ns, MAC and PHY not included: cycles of simulation, "
    "not of silicon. Cycles: from the last word of a record that the unit takes. Goodput: bytes of records that were "
    "acknowledged, of all bytes' times of the wire, preamble and least gap among them; the ratio is to what one record "
    "a frame can have at most. Loss: that share of frames either way; the ratio is to the same without loss."
)
_RECORDS = (3, 9, 30, 60)  # words
_FRAMES = (3, 16, 64, 184, 496)  # words
_BETWEEN = 20  # bytes' times: preamble and the least gap
_AROUND = LINK.constant("ethernet_bytes") + LINK.constant("header_bytes") + 4 + _BETWEEN  # with the FCS
_LEAST = 64 + _BETWEEN
_LONGEST, _COUNT = 496, 2000
_LOSSES = (0.001, 0.01, 0.05)


def run(*words: object) -> dict[str, Any]:
    """What fixaccel-link-pair found."""
    build = Path(os.environ.get("FIXACCEL_BUILD", ROOT / "build" / "release"))
    command = [build / "runtime" / "link" / "fixaccel-link-pair", *words]
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def most(words: int) -> float:
    """The share that records of so many words, each in a frame of its own, can have."""
    return 8 * words / max(_LEAST, 8 * words + _AROUND)


def _share(name: str, value: float, against: float) -> Figure:
    return Figure(name, "share", _COUNT, None, value, None, None, None, value / against)


def measure() -> list[Figure]:
    """Rows of cycles, then of goodput."""
    rows = []
    for words in _RECORDS:
        found = run("latency", "--words", words, "--count", _COUNT)
        for key, what in (("first_byte", "first byte"), ("there", "given on"), ("acknowledged", "acknowledged")):
            low, median, high = (found[key][name] for name in ("min", "median", "max"))
            rows.append(Figure(f"{8 * words} bytes: {what}", "cycles", _COUNT, low, median, None, None, high))
    for words in _FRAMES:
        value = run("goodput", "--words", words, "--count", _COUNT)["goodput"]
        rows.append(_share(f"goodput, {8 * words} bytes a frame", value, most(words)))
    lossless = run("goodput", "--words", _LONGEST, "--count", _COUNT)["goodput"]
    both = run("goodput", "--words", _LONGEST, "--count", _COUNT, "--both")["goodput"]
    rows.append(_share(f"goodput, {8 * _LONGEST} bytes a frame, both ways at once", both, most(_LONGEST)))
    for loss in _LOSSES:
        value = run("goodput", "--words", _LONGEST, "--count", _COUNT, "--loss", loss)["goodput"]
        rows.append(_share(f"goodput, {8 * _LONGEST} bytes a frame, {100 * loss:g} % lost", value, lossless))
    return rows
