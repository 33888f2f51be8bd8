# SPDX-License-Identifier: Apache-2.0
"""Cycles from the trigger to the order's first byte, counted by the fabric itself."""

from collections.abc import Sequence
from itertools import pairwise

from fabric_runs import RUNS, Run, json_lines, played
from report import Figure, figure

NOTE = (
    "Verilated fabric, one byte a cycle, 8 ns a cycle at 125 MHz. Frame: last byte of the frame that completes the "
    "trigger message, FCS included, to the order's first byte. Message: from that message's last byte; its frame's FCS "
    "lies between. Line: an order that waited for the one before it, from that one's last byte, 20 byte times of gap "
    "and preamble included."
)
_CYCLE_WRAP = 2**32


def _records(run: Run) -> list[dict[str, int]]:
    """Ring records of the orders that were sent, in order."""
    with played(run) as folder:
        return [record for record in json_lines(folder / "ring.jsonl") if record["length"]]


def _split(records: Sequence[dict[str, int]]) -> tuple[list[float], list[float], list[float]]:
    """Cycles of frame, message and line."""
    frame, message, line = [], [], []
    for before, record in pairwise([{}, *records]):
        waited = before and _between(record["frame_end_cycle"], before["last_byte_cycle"]) < _CYCLE_WRAP // 2
        if waited:
            line.append(_between(before["last_byte_cycle"], record["first_byte_cycle"]))
        else:
            frame.append(_between(record["frame_end_cycle"], record["first_byte_cycle"]))
            message.append(_between(record["message_end_cycle"], record["first_byte_cycle"]))
    return frame, message, line


def _between(start: int, end: int) -> float:
    return float((end - start) % _CYCLE_WRAP)


def measure() -> list[Figure]:
    """Rows of each run; the ratio is to the first run."""
    figures: list[Figure] = []
    for run in RUNS:
        frame, message, line = _split(_records(run))
        figures.append(figure(f"{run.name}: frame", "cycles", frame, figures[0] if figures else None))
        if run.shape is None:
            figures.append(figure(f"{run.name}: message", "cycles", message, figures[1] if len(figures) > 1 else None))
        if line:
            figures.append(figure(f"{run.name}: line", "cycles", line))
    return figures
