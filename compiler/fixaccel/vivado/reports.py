# SPDX-License-Identifier: Apache-2.0
"""What Vivado's reports say of a routed design: whether it may become a bitstream."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from fixaccel.language.terms import Board

# Of `report_timing_summary`: the worst slack of each kind, by its column.
_SLACKS = {"WNS(ns)": "setup", "WHS(ns)": "hold", "WPWS(ns)": "pulse width"}
_COLUMNS_APART = re.compile(r"\s{2,}")
# Of `report_utilization`: rows by the resource of the board file that they count.
_ROWS = {"lut": "Slice LUTs", "ff": "Slice Registers", "bram36": "Block RAM Tile", "dsp": "DSPs"}


class ReportError(Exception):
    """A report is missing, or is not one that this program knows; the text says which."""


@dataclass(frozen=True)
class Routed:
    """``slack``: worst in nanoseconds, by kind. ``used``: resources of the design; ``fabric``: of that part of it."""

    slack: Mapping[str, Decimal]
    used: Mapping[str, Decimal]
    fabric: Mapping[str, Decimal]


def read_reports(folder: Path) -> Routed:
    """The reports that build.tcl has left in ``folder``. Raises ReportError."""
    return Routed(
        _timing(folder / "timing.rpt"), _utilisation(folder / "utilization.rpt"), _utilisation(folder / "fabric.rpt")
    )


def faults(routed: Routed, board: Board) -> list[str]:
    """Why it may not become a bitstream, a line each; empty if it may."""
    found = [f"{kind} slack is {slack} ns" for kind, slack in routed.slack.items() if slack < 0]
    for what, used, bound in (
        ("the chip has", routed.used, board.chip),
        ("its budget is", routed.fabric, board.budget),
    ):
        found += [f"{name}: {used[name]} used, {what} {most}" for name, most in bound.items() if used[name] > most]
    return found


def _lines(report: Path) -> list[str]:
    try:
        return report.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ReportError(f"{report}: {error.strerror}") from error


def _timing(report: Path) -> dict[str, Decimal]:
    lines = _lines(report)
    heads = [number for number, line in enumerate(lines) if line.split()[:1] == ["WNS(ns)"]]
    if not heads:
        raise ReportError(f"{report}: no summary of timing")
    names = _COLUMNS_APART.split(lines[heads[0]].strip())
    values = lines[heads[0] + 2].split() if heads[0] + 2 < len(lines) else []
    by_name = dict(zip(names, values, strict=False))
    try:
        return {kind: Decimal(by_name[name]) for name, kind in _SLACKS.items()}
    except (KeyError, ArithmeticError) as error:
        # `NA` stands where nothing is constrained: a design without a clock meets everything.
        raise ReportError(f"{report}: a slack is missing") from error


def _utilisation(report: Path) -> dict[str, Decimal]:
    cells = [[cell.strip() for cell in line.split("|")] for line in _lines(report) if line.startswith("|")]
    rows = {row[1].rstrip("*"): row[2] for row in cells if len(row) > 3}
    try:
        return {name: Decimal(rows[row]) for name, row in _ROWS.items()}
    except (KeyError, ArithmeticError) as error:
        raise ReportError(f"{report}: a resource is missing") from error
