# SPDX-License-Identifier: Apache-2.0
"""`fixaccel count`: how often a strategy would have fired."""

import csv
import io
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.table import Table

from fixaccel.cli.cluster import Cluster, cluster_options, count_on_cluster
from fixaccel.cli.output import show
from fixaccel.cluster.faulty import FaultyEventsError
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.events.file import open_events
from fixaccel.events.places import event_files
from fixaccel.native.interpreter import OUTCOMES, TableError
from fixaccel.native.library import LibraryError
from fixaccel.pipeline import load_strategy
from fixaccel.simulate.counting import Counts, Fresh, Row, reasons
from fixaccel.simulate.counting import count as count_fires
from fixaccel.simulate.progress import ProgressBar

# What rows are made of: rule or part, and whether by day.
LEVELS = {
    "rule": ("rule", False),
    "part": ("part", False),
    "day": (None, True),
    "rule,day": ("rule", True),
    "part,day": ("part", True),
}
_MOST_NAMES = 20


def _event_files(_context: click.Context, _parameter: click.Parameter, places: tuple[str, ...]) -> list[Path]:
    try:
        return event_files(places)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.argument("strategy", type=click.Path(path_type=Path))
@click.option(
    "--events",
    "-e",
    metavar="FILE|DIR|GLOB",
    required=True,
    multiple=True,
    callback=_event_files,
    help="Events, CSV or Parquet: a file, all of a folder, or what fits a pattern, by name. May be given more than "
    "once, and is read in that order.",
)
@click.option("--by", type=click.Choice(list(LEVELS)), default="rule,day", show_default=True, help="What a row is.")
@click.option(
    "--fresh",
    type=click.Choice([fresh.value for fresh in Fresh]),
    default=Fresh.DAY.value,
    show_default=True,
    help="When the strategy is loaded afresh: each day of the venue's zone, each file, or only at the start.",
)
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True, help="Output."
)
@cluster_options
def count(
    strategy: Path,
    events: list[Path],
    by: str,
    fresh: str,
    form: str,
    cluster: Cluster | None,
) -> None:
    """Count how often the rules of STRATEGY would have fired on recorded market data.

    A rule fires once for one arming: with `--fresh day` it can fire again every day, and a count by day says on how
    many days it would have. With `--cluster` workers count days, or files, and the result is the same.

    Exit code 1: the strategy or the events have errors; 2: a file cannot be read, the table interpreter cannot run, or
    the cluster cannot be used.

    \b
    Examples:
      fixaccel count strategies/quickstart.yaml --events monday.parquet --events tuesday.parquet
      fixaccel count strategies/quickstart.yaml --events week.parquet --by day --format csv
      fixaccel count strategies/quickstart.yaml --events archive --cluster local --checkpoint archive.done
      fixaccel count strategies/quickstart.yaml --events 'days/2026-*.parquet' --cluster tls://head:8786 \\
        --cert me.pem --key me.key --ca ca.pem
    """
    loaded = load_strategy(strategy)
    if loaded.strategy is None:
        _end(loaded)
    assert loaded.strategy is not None
    checked = [Checked.merge([loaded])]
    try:
        if cluster is not None:
            counts = count_on_cluster(loaded.strategy, events, Fresh(fresh), cluster)
        else:
            files = [open_events(path, loaded.strategy.venue.instruments) for path in events]
            with ProgressBar("count", len(files)) as progress:
                counts = count_fires(loaded.strategy, files, Fresh(fresh), progress)
            checked += [file.checked() for file in files]
    except (LibraryError, TableError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    except FaultyEventsError as error:
        _end(Checked.merge([loaded, error.checked]))
    merged = Checked.merge(checked)
    if merged.failed:
        _end(merged)
    show(merged, "full", err=True)
    level, days = LEVELS[by]
    rows = counts.rows(by=level, days=days)
    click.echo({"csv": _csv, "json": _json, "table": _table}[form](rows, counts), nl=False)
    click.echo(_summary(counts), err=True)


def _end(checked: Checked) -> NoReturn:
    show(checked, "full", err=True)
    sys.exit(2 if any(d.code is CANNOT_READ for d in checked.diagnostics) else 1)


def _summary(counts: Counts) -> str:
    parts = [
        _many(counts.tally.events, "event"),
        _many(counts.tally.observations, "observation"),
        _many(counts.tally.loads, "fresh load"),
    ]
    if counts.tally.invalid_prices:
        parts.append(f"{_many(counts.tally.invalid_prices, 'price')} off the unit or out of range")
    return ", ".join(parts)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _cells(row: Row) -> dict[str, Any]:
    """A row by column; columns that say nothing at this level are left out."""
    cells: dict[str, Any] = {}
    if row.rule is not None:
        cells["rule"] = row.rule
    if row.day is not None:
        cells["day"] = row.day.isoformat()
    cells |= {"parts": row.parts, "fired": row.fired, "fires": row.fires}
    return cells | dict(zip(OUTCOMES, row.outcomes, strict=True))


def _csv(rows: Sequence[Row], counts: Counts) -> str:  # noqa: ARG001 - one form of all formats
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    cells = [_cells(row) for row in rows]
    writer.writerow(cells[0] if cells else ("rule", "day", "parts", "fired", "fires", *OUTCOMES))
    writer.writerows(row.values() for row in cells)
    return text.getvalue()


def _json(rows: Sequence[Row], counts: Counts) -> str:
    found = {
        "events": counts.tally.events,
        "observations": counts.tally.observations,
        "invalid_prices": counts.tally.invalid_prices,
        "fresh_loads": counts.tally.loads,
        "days": [day.isoformat() for day in counts.tally.cells],
        "rows": [_cells(row) for row in rows],
        "never_fired": counts.never_fired(),
    }
    return json.dumps(found, indent=2) + "\n"


def _table(rows: Sequence[Row], counts: Counts) -> str:
    """For people: only limits that refused something, and the rules that never fired below."""
    refused = [name for name in reasons() if any(row.outcomes[OUTCOMES.index(name)] for row in rows)]
    table = Table(box=None, pad_edge=False)
    for name, has in (("rule", any(row.rule for row in rows)), ("day", any(row.day for row in rows))):
        if has:
            table.add_column(name, overflow="fold")
    for name in ("parts", "fired", "fires", "sent", *(f"rejected: {name}" for name in refused)):
        table.add_column(name, justify="right")
    for row in rows:
        names = [str(value) for value in (row.rule, row.day) if value is not None]
        numbers = [row.parts, row.fired, row.fires, row.sent, *(row.outcomes[OUTCOMES.index(name)] for name in refused)]
        table.add_row(*names, *(f"{number:,}" for number in numbers))
    text = io.StringIO()
    Console(file=text, width=max(shutil.get_terminal_size().columns if sys.stdout.isatty() else 120, 80)).print(table)
    lines = "\n".join(line.rstrip() for line in text.getvalue().splitlines())
    never = counts.never_fired()
    more = f" and {len(never) - _MOST_NAMES} more" if len(never) > _MOST_NAMES else ""
    return f"{lines}\n" + (f"Never fired: {', '.join(never[:_MOST_NAMES])}{more}\n" if never else "")
