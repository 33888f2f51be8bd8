# SPDX-License-Identifier: Apache-2.0
"""What a sweep found: as a table, CSV, JSON, a heat map and a page."""

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import jinja2
from rich.console import Console
from rich.table import Table

from fixaccel.data import data_path
from fixaccel.sweep.run import Outcome
from fixaccel.sweep.settings import Setting, Variant

# What can be compared, and how a column of it is headed.
METRICS: Mapping[str, Callable[[Outcome], int]] = {
    "fires": lambda outcome: outcome.fires,
    "sent": lambda outcome: outcome.sent,
    "rejected": lambda outcome: sum(outcome.rejected.values()),
    "buy": lambda outcome: outcome.buy,
    "sell": lambda outcome: outcome.sell,
}
_SHADES = ("", "on #12304f", "on #174a7c", "on #1c65a8", "on #2a7fcf")


@dataclass(frozen=True)
class Sweep:
    """All variants with what they came to, in order; ``clock`` writes a time of day of the venue."""

    name: str
    settings: Sequence[Setting]
    variants: Sequence[Variant]
    outcomes: Sequence[Outcome]
    clock: Callable[[int], str]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each variant, by column."""
        return [self._row(variant, outcome) for variant, outcome in zip(self.variants, self.outcomes, strict=True)]

    def _row(self, variant: Variant, outcome: Outcome) -> dict[str, Any]:
        paths = (setting.path for setting in self.settings)
        row: dict[str, Any] = dict(zip(paths, variant.values, strict=True))
        if outcome.errors:
            return row | dict.fromkeys([*METRICS, "first_fire"]) | {"error": outcome.errors[0]}
        first = None if outcome.first_ns is None else self.clock(outcome.first_ns)
        return (
            row | {name: measure(outcome) for name, measure in METRICS.items()} | {"first_fire": first, "error": None}
        )

    def grid(self, metric: str) -> list[list[int | None]]:
        """A metric of two settings, a row for each value of the first; None where the variant has errors."""
        width = len(self.settings[1])
        cells = [None if outcome.errors else METRICS[metric](outcome) for outcome in self.outcomes]
        return [cells[start : start + width] for start in range(0, len(cells), width)]


def as_csv(sweep: Sweep) -> str:
    """One line for each variant."""
    rows = sweep.rows()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_json(sweep: Sweep) -> str:
    """All of it, rejected orders by limit."""
    variants = []
    for variant, outcome in zip(sweep.variants, sweep.outcomes, strict=True):
        paths = [setting.path for setting in sweep.settings]
        found = {name: getattr(outcome, name) for name in ("fires", "sent", "rejected", "first_ns", "buy", "sell")}
        told = {"errors": list(outcome.errors)} if outcome.errors else found
        variants.append({"values": dict(zip(paths, variant.values, strict=True)), "set": variant.texts, **told})
    return json.dumps({"strategy": sweep.name, "variants": variants}, indent=2) + "\n"


def as_table(sweep: Sweep) -> str:
    """For people."""
    table = Table(box=None, pad_edge=False)
    rows = sweep.rows()
    shown = [name for name in rows[0] if name != "error"]
    for name in shown:
        table.add_column(name.replace("_", " "), justify="right", overflow="fold")
    for row in rows:
        if row["error"]:
            table.add_row(*(str(row[setting.path]) for setting in sweep.settings), "has errors")
        else:
            table.add_row(*("-" if row[name] is None else _text(row[name]) for name in shown))
    return _print(table, colour=False)


def heat_map(sweep: Sweep, metric: str, *, colour: bool) -> str:
    """Two settings against each other, for a terminal; the figures say it all, colours only help."""
    down, across = sweep.settings
    grid = sweep.grid(metric)
    most = max((cell for row in grid for cell in row if cell is not None), default=0)
    table = Table(box=None)
    table.add_column("", justify="right", style="bold")
    for value in across.values:
        table.add_column(value, justify="right")
    for value, row in zip(down.values, grid, strict=True):
        table.add_row(value, *(_cell(cell, most) for cell in row))
    return f"{metric}: {down.path} down, {across.path} across\n{_print(table, colour=colour)}"


def page(sweep: Sweep, metric: str) -> str:
    """One HTML file that needs no network: the table and, of two settings, the heat map of each metric."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([data_path("templates") / "sweep", data_path("templates") / "replay"]),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    grids = {name: _shaded(sweep.grid(name)) for name in METRICS} if len(sweep.settings) == 2 else {}
    rows = sweep.rows()
    return environment.get_template("page.html.j2").render(
        name=sweep.name,
        settings=sweep.settings,
        metric=metric,
        grids=grids,
        columns=[name for name in rows[0] if name != "error"],
        rows=rows,
    )


def _shaded(grid: list[list[int | None]]) -> list[list[tuple[int | None, int]]]:
    """Each figure with its share of the greatest, in hundredths."""
    most = max((cell for row in grid for cell in row if cell is not None), default=0)
    return [[(cell, round(100 * cell / most) if cell and most else 0) for cell in row] for row in grid]


def _cell(value: int | None, most: int) -> str:
    if value is None:
        return "[red]error[/]"
    shade = _SHADES[-(-value * (len(_SHADES) - 1) // most) if most else 0]
    return f"[white {shade}]{value:,}[/]" if shade else f"{value:,}"


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _print(table: Table, *, colour: bool) -> str:
    text = io.StringIO()
    width = max(shutil.get_terminal_size().columns if sys.stdout.isatty() else 160, 80)
    shades: Literal["truecolor"] | None = "truecolor" if colour else None
    Console(file=text, width=width, force_terminal=colour, color_system=shades, highlight=False).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"
