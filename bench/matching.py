# SPDX-License-Identifier: Apache-2.0
"""Messages a second of the exchange simulator's matching engine alone, by how many orders rest."""

import json
import os
import subprocess
from pathlib import Path

from fixaccel.simulate.progress import ProgressBar
from report import Figure, figure

PROGRAM = Path(__file__).resolve().parents[1] / "build/release/exchange-sim/exchange-sim-matching-bench"
# Resting orders, instruments.
SIZES = ((1_000, 1), (10_000, 10), (100_000, 100), (1_000_000, 1_000))
_SAMPLES = 5
_MESSAGES = 1_000_000
_NAMES = {
    "engine": "256 at a time",
    "one at a time": "one at a time",
    "containers": "standard containers",
}

NOTE = (
    "Millions of messages a second of processor time, one thread, events read, nothing recorded; a sample is "
    f"{_MESSAGES:,} messages: 42 % adds that rest, 42 % cancels of any order, 10 % replaces, 6 % that take, over all "
    "instruments alike; up to 1,000 orders an instrument. All three make the same trades. The ratio is to the map of "
    "lists with a table of iterators."
)


def measure() -> list[Figure]:
    """A row for each number of resting orders, and each way to match them."""
    folder = os.environ.get("FIXACCEL_BUILD")
    program = Path(folder) / "exchange-sim" / PROGRAM.name if folder else PROGRAM
    figures: list[Figure] = []
    with ProgressBar("matching", len(SIZES)) as progress:
        for number, (resting, instruments) in enumerate(SIZES):
            command = [program, resting, instruments, _MESSAGES, _SAMPLES]
            # Exit status 1: their trades differ, and the figures mean nothing.
            run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
            samples = json.loads(run.stdout)
            against = figure("", "", samples["containers"])
            figures += [
                figure(f"{resting:,} resting, {title}", "M/s", samples[name], None if name == "containers" else against)
                for name, title in _NAMES.items()
            ]
            progress(number + 1)
    return figures
