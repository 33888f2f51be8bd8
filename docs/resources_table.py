# SPDX-License-Identifier: Apache-2.0
"""Makes the table of what each module takes, from the figures that `make synth ARGS=--publish` has written."""

import json
from pathlib import Path
from typing import Any

from fixaccel.language.terms import Board

_FIGURES = "docs/figures/resources.json"
_COLUMNS = {"lut": "LUT", "lutram": "LUTRAM", "ff": "FF", "bram36": "BRAM36", "dsp": "DSP"}


def table(root: Path, board: Board) -> str:
    """Each module, the largest first, then all of them. Raises ValueError if the figures are another board's."""
    content: dict[str, Any] = json.loads((root / _FIGURES).read_text(encoding="utf-8"))
    if content["part"] != board.part or content["capacity"] != dict(board.capacity):
        raise ValueError(f"{_FIGURES} is of another board: make synth ARGS='--no-route --publish'")
    largest = sorted(content["modules"].items(), key=lambda item: -item[1]["lut"] - item[1]["lutram"])
    rows = [_row(_name(name, figures["instances"]), figures) for name, figures in largest]
    rows.append(_row("**all**", content["all"]))
    if flattened := content["flattened"]:
        rows.append(_row("all, simplified across modules", flattened))
    both = content["all"]["lut"] + content["all"]["lutram"]
    budget = {"lut": f"{both:,} of {board.budget['lut']:,}", "bram36": f"of {board.budget['bram36']}"}
    rows.append(_row("budget, LUTs of both kinds", budget))
    return _head("module") + "".join(rows)


def unit(root: Path, name: str) -> str:
    """All of a unit that is no part of the core, module by module and simplified across them."""
    content: dict[str, Any] = json.loads((root / _FIGURES).read_text(encoding="utf-8"))[name]
    rows = [_row("the modules", content)]
    if flattened := content["flattened"]:
        rows.append(_row("simplified across modules", flattened))
    return _head(f"`{name}`") + "".join(rows)


# Table 6 of the base paper, of its whole design placed and routed by Vivado at 50 MHz: used, available.
_PAPER = {"lut": (11650, 53200), "lutram": (125, 17400), "ff": (18737, 106400), "bram36": (32, 140)}


def compared(root: Path) -> str:
    """Table 6 of the base paper, beside it both interfaces of this fabric."""
    content: dict[str, Any] = json.loads((root / _FIGURES).read_text(encoding="utf-8"))
    wire, port = content["all"], content["gem_port"]
    rows = []
    for key, (used, available) in _PAPER.items():
        cells = [f"{available:,}"]
        for figure in (used, wire[key], wire[key] + port[key]):
            cells += [f"{figure:,g}" if figure < 1000 else f"{figure:,.0f}", f"{100 * figure / available:.2f}"]
        rows.append(f"| {_COLUMNS[key]} | {' | '.join(cells)} |\n")
    head = "| resource | available | base paper | % | `wire` | % | `gem-bram` | % |\n| --- |" + " ---: |" * 7 + "\n"
    return head + "".join(rows)


def _head(of: str) -> str:
    return f"| {of} | {' | '.join(_COLUMNS.values())} |\n| --- |{' ---: |' * len(_COLUMNS)}\n"


def _name(module: str, instances: int) -> str:
    return f"`{module}`" if instances == 1 else f"`{module}`, {instances} of them"


def _row(name: str, figures: dict[str, Any]) -> str:
    cells = (figures.get(key, "") for key in _COLUMNS)
    texts = (cell if isinstance(cell, str) else f"{cell:,g}" if cell < 1000 else f"{cell:,.0f}" for cell in cells)
    return f"| {name} | {' | '.join(texts)} |\n"
