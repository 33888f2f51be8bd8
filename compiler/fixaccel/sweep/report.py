# SPDX-License-Identifier: Apache-2.0
"""What a sweep found: as a table, CSV, JSON, a heat map and a page."""

import csv
import io
import json
import math
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import jinja2
from rich.console import Console
from rich.table import Table

from fixaccel.data import data_path
from fixaccel.replay.fills import ASSUMES
from fixaccel.sweep.run import Outcome
from fixaccel.sweep.settings import Setting, Variant

# What can be compared, and how a column of it is headed.
METRICS: Mapping[str, Callable[[Outcome], float]] = {
    "fires": lambda outcome: outcome.fires,
    "sent": lambda outcome: outcome.sent,
    "rejected": lambda outcome: sum(outcome.rejected.values()),
    "buy": lambda outcome: outcome.buy,
    "sell": lambda outcome: outcome.sell,
}
# Those that a model of fills adds.
FILL_METRICS: Mapping[str, Callable[[Outcome], float]] = {
    "filled": lambda outcome: outcome.filled,
    "result": lambda outcome: round(outcome.result or 0.0, 6),
}
_SHADES = ("", "on #12304f", "on #174a7c", "on #1c65a8", "on #2a7fcf")


@dataclass(frozen=True)
class Sweep:
    """All variants with what they came to, in order; ``clock`` writes a time of day of the venue.

    ``model`` names what filled the orders, if anything.
    """

    name: str
    settings: Sequence[Setting]
    variants: Sequence[Variant]
    outcomes: Sequence[Outcome]
    clock: Callable[[int], str]
    model: str | None = None

    @property
    def metrics(self) -> Mapping[str, Callable[[Outcome], float]]:
        """What can be compared."""
        return METRICS if self.model is None else {**METRICS, **FILL_METRICS}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each variant, by column."""
        return [self._row(variant, outcome) for variant, outcome in zip(self.variants, self.outcomes, strict=True)]

    def _row(self, variant: Variant, outcome: Outcome) -> dict[str, Any]:
        paths = (setting.path for setting in self.settings)
        row: dict[str, Any] = dict(zip(paths, variant.values, strict=True))
        if outcome.errors:
            return row | dict.fromkeys([*self.metrics, "first_fire"]) | {"error": outcome.errors[0]}
        first = None if outcome.first_ns is None else self.clock(outcome.first_ns)
        return (
            row
            | {name: measure(outcome) for name, measure in self.metrics.items()}
            | {"first_fire": first, "error": None}
        )

    def grid(self, metric: str) -> list[list[float | None]]:
        """A metric of two settings, a row for each value of the first; None where the variant has errors."""
        width = len(self.settings[1])
        cells = [None if outcome.errors else self.metrics[metric](outcome) for outcome in self.outcomes]
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
        names = ["fires", "sent", "rejected", "first_ns", "buy", "sell", *(["filled", "result"] if sweep.model else [])]
        found = {name: getattr(outcome, name) for name in names}
        told = {"errors": list(outcome.errors)} if outcome.errors else found
        variants.append({"values": dict(zip(paths, variant.values, strict=True)), "set": variant.texts, **told})
    return json.dumps({"strategy": sweep.name, "fills": sweep.model, "variants": variants}, indent=2) + "\n"


def as_table(sweep: Sweep) -> str:
    """For people."""
    table = Table(box=None, pad_edge=False)
    rows = sweep.rows()
    shown = [name for name in rows[0] if name != "error"]
    paths = {setting.path for setting in sweep.settings}
    for name in shown:
        title = name if name in paths else name.replace("_", " ")
        table.add_column(title, justify="right", overflow="fold")
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
    least, most = _ends(grid)
    table = Table(box=None)
    table.add_column("", justify="right", style="bold")
    for value in across.values:
        table.add_column(value, justify="right")
    for value, row in zip(down.values, grid, strict=True):
        table.add_row(value, *(_cell(cell, least, most) for cell in row))
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
    grids = {name: _shaded(sweep.grid(name)) for name in sweep.metrics} if len(sweep.settings) == 2 else {}
    rows = sweep.rows()
    return environment.get_template("page.html.j2").render(
        name=sweep.name,
        settings=sweep.settings,
        metric=metric,
        model=sweep.model,
        assumes=ASSUMES.get(sweep.model or "", ""),
        grids=grids,
        columns=[name for name in rows[0] if name != "error"],
        rows=rows,
    )


def _ends(grid: list[list[float | None]]) -> tuple[float, float]:
    """The least, at most 0, and the greatest: what shades lie between."""
    cells = [cell for row in grid for cell in row if cell is not None]
    return min([0, *cells]), max([0, *cells])


def _shaded(grid: list[list[float | None]]) -> list[list[tuple[str | None, int]]]:
    """Each figure with its distance from 0, in hundredths of the longest; below 0 these are negative."""
    longest = max(map(abs, _ends(grid))) or 1
    return [[(None, 0) if cell is None else (_text(cell), round(100 * cell / longest)) for cell in row] for row in grid]


def _share(value: float, least: float, most: float) -> float:
    return (value - least) / (most - least) if most > least else 0.0


def _cell(value: float | None, least: float, most: float) -> str:
    if value is None:
        return "[red]error[/]"
    shade = _SHADES[math.ceil(_share(value, least, most) * (len(_SHADES) - 1))]
    return f"[white {shade}]{_text(value)}[/]" if shade else _text(value)


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _print(table: Table, *, colour: bool) -> str:
    text = io.StringIO()
    width = max(shutil.get_terminal_size().columns if sys.stdout.isatty() else 160, 80)
    shades: Literal["truecolor"] | None = "truecolor" if colour else None
    Console(file=text, width=width, force_terminal=colour, color_system=shades, highlight=False).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"
