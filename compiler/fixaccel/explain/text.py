# SPDX-License-Identifier: Apache-2.0
"""What is told of a strategy, as text with colour codes and as plain data."""

import textwrap
from collections.abc import Sequence
from typing import Any

import click

from fixaccel.diagnostics.text import printable
from fixaccel.explain.describe import Told
from fixaccel.exposure.worst_case import WorstCase
from fixaccel.language.placements import placed
from fixaccel.language.rules import Strategy

_WIDTH = 100


def head_text(strategy: Strategy) -> str:
    """How many rules there are, and where they run."""
    count, parts = len(strategy.blocks), len(strategy.rules)
    symbols = {block.instrument.symbol for block in strategy.blocks}
    rules = f"{count:,} rule{'s' if count != 1 else ''}" + ("" if parts == count else f" of {parts:,} parts")
    where = placed(strategy.placement)
    instruments = f"{len(symbols)} instrument{'s' if len(symbols) != 1 else ''} of {strategy.venue.name}"
    return (
        f"{click.style(strategy.name, bold=True)}: {rules} on {instruments}; "
        f"{where['fabric']:,} in the fabric, {where['runtime']:,} in the runtime"
    )


def told_text(told: Told) -> str:
    """One rule: its sentence, and a line for each fact."""
    width = max((len(name) for name, _ in told.facts), default=0)
    lines = [f"{click.style(told.id, bold=True)}  {click.style(printable(told.place), dim=True)}"]
    lines += textwrap.wrap(told.sentence, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    for name, text in told.facts:
        lines.append(f"    {click.style(name.ljust(width), fg='cyan')}  {printable(text)}")
    return "\n".join(lines)


def worst_text(lines: Sequence[str]) -> str:
    """The worst case, of which ``lines`` tell."""
    head = click.style("Worst case, if everything armed fires", bold=True)
    return "\n".join([head, *(f"  {line}" for line in lines)])


def told_data(strategy: Strategy, told: Sequence[Told], worst: WorstCase | None) -> dict[str, Any]:
    """All of it for JSON."""
    return {
        "strategy": strategy.name,
        "venue": strategy.venue.name,
        "rules": [
            {
                "id": entry.id,
                "at": entry.place,
                "instrument": entry.instrument,
                "parts": entry.parts,
                "sentence": entry.sentence,
                "facts": [{"name": name, "text": text} for name, text in entry.facts],
            }
            for entry in told
        ],
        "worst_case": worst
        and {
            "entries": [entry.as_data() for entry in worst.entries],
            "total": worst.total.as_data(),
            "method": worst.method,
        },
    }
