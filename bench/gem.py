# SPDX-License-Identifier: Apache-2.0
"""Cycles from a frame that is ready to its order through the Ethernet controller, as the base paper counts them."""

import subprocess

from fabric_runs import RUNS, Run, json_lines, played
from fixaccel.simulate.rtl.run import find_rtlsim
from report import Figure, figure

NOTE = (
    "Verilated gem_port and core, one byte a beat behind a FIFO, 8 ns a cycle at 125 MHz; DMA of the model, of whose "
    "bursts the phase is another one with each seed. Frame ready: the write-back of the receive descriptor. First "
    "word: it is readable; start_tx: its write is on the bus; whole: every word of the order's frame is readable, "
    "which is the base paper's definition: 25 / 32 / 39 cycles at 50 MHz there, 500 / 640 / 780 ns."
)
_SEEDS = range(1, 6)  # phases of the bursts


def _lines(run: Run) -> list[dict[str, int]]:
    """What was measured of each frame that fired one order."""
    with played(run) as folder:
        lines: list[dict[str, int]] = []
        for seed in _SEEDS:
            figures = folder / f"figures-{seed}.jsonl"
            job = ["--bundle", folder / "bundle", "--in", folder / "frames.pcap", "--figures", figures]
            command = [find_rtlsim(), "--interface", "gem-bram", "--gem-seed", str(seed), *job]
            subprocess.run([str(part) for part in command], check=True, capture_output=True)
            lines += json_lines(figures)
    return [line for line in lines if line["orders"] == 1]


def measure() -> list[Figure]:
    """Rows of each run: the first word, the start, the whole frame; the ratio is to the first run."""
    rows: list[Figure] = []
    for run in RUNS:
        lines = _lines(run)
        for index, (key, what) in enumerate(
            (("first_word", "first word"), ("start_tx", "start_tx"), ("whole", "whole order"))
        ):
            against = None if run is RUNS[0] else rows[index]
            rows.append(figure(f"{run.name}: {what}", "cycles", [float(line[key]) for line in lines], against))
        rows.append(figure(f"{run.name}: order's own length", "cycles", [float(line["length"]) for line in lines]))
    return rows
