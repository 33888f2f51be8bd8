# SPDX-License-Identifier: Apache-2.0
"""Messages a second of the exchange simulator without its wires: requests as clients write them, executions out."""

import json
import os
import subprocess
from pathlib import Path

from fixaccel.simulate.progress import ProgressBar
from matching import SIZES
from report import Figure, figure

PROGRAM = Path(__file__).resolve().parents[1] / "build/release/exchange-sim/exchange-sim-exchange-bench"
_SAMPLES = 5
_MESSAGES = 200_000

NOTE = (
    "Millions of messages a second of processor time, one thread, of the venue without its wires: orders, cancels and "
    "replacements as texts in, executions out, 20,000 orders that are over kept whole, every ClOrdID kept as a hash. "
    f"A sample is {_MESSAGES:,} messages of the flow that the matching engine is measured with, 256 at a time, and "
    "makes the same trades. 'logged': each input written to memory besides, as a store needs it."
)


def measure() -> list[Figure]:
    """A row for each number of resting orders, without and with the log of inputs."""
    folder = os.environ.get("FIXACCEL_BUILD")
    program = Path(folder) / "exchange-sim" / PROGRAM.name if folder else PROGRAM
    figures: list[Figure] = []
    with ProgressBar("exchange", len(SIZES)) as progress:
        for number, (resting, instruments) in enumerate(SIZES):
            command = [program, resting, instruments, _MESSAGES, _SAMPLES]
            # Exit status 1: its trades are not the engine's, and the figures mean nothing.
            run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
            samples = json.loads(run.stdout)
            figures += [
                figure(f"{resting:,} resting", "M/s", samples["exchange"]),
                figure(f"{resting:,} resting, logged", "M/s", samples["logged"]),
            ]
            progress(number + 1)
    return figures
