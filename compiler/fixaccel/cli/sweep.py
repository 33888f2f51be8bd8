# SPDX-License-Identifier: Apache-2.0
"""`fixaccel sweep`: a strategy with other values, many times over one day."""

import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from fixaccel.cli.output import refuse_input, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.report import Report
from fixaccel.events.columns import EventColumns
from fixaccel.events.file import open_events
from fixaccel.files import write_atomically
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.pipeline import load_strategy
from fixaccel.replay.clock import Clock
from fixaccel.replay.fills import TOUCH
from fixaccel.simulate.progress import ProgressBar
from fixaccel.sweep import report
from fixaccel.sweep.run import SweepError, run_all
from fixaccel.sweep.settings import Setting, SettingError, parse_setting, variants
from fixaccel.sweep.text import Places

_MOST = 1000
_SHOWN_ERRORS = 20


@click.command()
@click.argument("strategy", type=click.Path(path_type=Path))
@click.option(
    "--events", "-e", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Events, CSV or Parquet."
)
@click.option(
    "--set",
    "written",
    metavar="PATH=VALUES",
    required=True,
    multiple=True,
    help="A value of the strategy and what it takes in turn; may be given more than once, for all combinations.",
)
@click.option("--most", metavar="N", type=click.IntRange(1), default=_MOST, show_default=True, help="Variants allowed.")
@click.option(
    "--fills",
    type=click.Choice([TOUCH]),
    help="Fill orders by a model: whole, once an observation is at or through their price.",
)
@click.option(
    "--metric",
    type=click.Choice([*report.METRICS, *report.FILL_METRICS]),
    default="sent",
    show_default=True,
    help="What a heat map shows.",
)
@click.option("--html", metavar="FILE", type=click.Path(path_type=Path), help="Write a page as well.")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True, help="Output."
)
def sweep(
    strategy: Path,
    events: Path,
    written: tuple[str, ...],
    most: int,
    fills: str | None,
    metric: str,
    html: Path | None,
    form: str,
) -> None:
    """Run STRATEGY over the market data in FILE with other values, one variant after another on all cores.

    PATH leads to a value that the strategy file has: `rules.ID.KEY`, `limits.KEY`, `defaults.order.KEY`. VALUES is its
    text with `{LO..HI step S}` or `{A, B, C}` for what varies. Each variant is checked like a file of its own. With
    `--fills touch` a model fills the orders, and the result at the last prices is compared too. Exit
    code 1: the strategy, a variant or the events have errors; 2: a file cannot be read or written, or the table
    interpreter cannot run.

    \b
    Examples:
      fixaccel sweep desk.yaml -e day.csv --set 'rules.stop.when=last <= {1170..1190 step 5}'
      fixaccel sweep desk.yaml -e day.csv --set 'rules.stop.order.qty={1, 2, 5}' --format csv
      fixaccel sweep desk.yaml -e day.csv --set 'rules.a.trail.by={5..9}' --set 'limits.collar={1%, 5%}' --html a.html
    """
    if metric in report.FILL_METRICS and not fills:
        raise click.UsageError(f"--metric {metric} goes with --fills")
    loaded = load_strategy(strategy)
    if html:
        refuse_input(html, [events, *loaded.files])
    if loaded.strategy is None:
        _end(loaded)
    assert loaded.strategy is not None
    try:
        settings = [parse_setting(text) for text in written]
        count = math.prod(map(len, settings))
        if count > most:
            raise SettingError(f"{count:,} variants are more than {most:,}; allow them with --most {count}")
        texts = list(_texts(strategy, settings))
    except SettingError as error:
        raise click.UsageError(str(error)) from None
    file = open_events(events, loaded.strategy.venue.instruments)
    batches = list(file.batches())
    if file.checked().failed:
        _end(Checked.merge([loaded, file.checked()]))
    columns = EventColumns.concatenate(batches) if batches else EventColumns.empty(0)
    try:
        with ProgressBar("sweep", count) as progress:
            outcomes = run_all(strategy, texts, columns, progress, touch=fills == TOUCH)
    except SweepError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    clock = Clock(loaded.strategy.venue.time_zone, int(columns.ts_ns[0]) if len(columns) else 0)
    found = report.Sweep(loaded.strategy.name, settings, list(variants(settings)), outcomes, clock.text, fills)
    _show(found, metric, form)
    if html:
        write_atomically(html, report.page(found, metric).encode("utf-8"))
    if _tell_errors(found):
        sys.exit(1)


def _texts(path: Path, settings: Sequence[Setting]) -> Iterator[str]:
    """The text of each variant. Raises SettingError for a path that the file does not have."""
    source = read_source(path, str(path), Report(), {})
    tree = read_tree(source, Report()) if source else None
    assert source is not None, "it was loaded a moment ago"
    assert tree is not None
    places = Places(source, tree, [setting.path for setting in settings])
    for variant in variants(settings):
        yield places.with_values(variant.texts)


def _show(found: report.Sweep, metric: str, form: str) -> None:
    if form != "table":
        click.echo({"csv": report.as_csv, "json": report.as_json}[form](found), nl=False)
        return
    click.echo(report.as_table(found), nl=False)
    if len(found.settings) == 2:
        colour = sys.stdout.isatty() and click.get_current_context().color is not False
        click.echo("\n" + report.heat_map(found, metric, colour=colour and not os.environ.get("NO_COLOR")), nl=False)


def _tell_errors(found: report.Sweep) -> int:
    """What is wrong with variants, each with its values; returns how many have errors."""
    wrong = [(v, o) for v, o in zip(found.variants, found.outcomes, strict=True) if o.errors]
    for variant, outcome in wrong[:_SHOWN_ERRORS]:
        values = ", ".join(f"{path}={text}" for path, text in variant.texts.items())
        for line in outcome.errors:
            click.echo(f"{values}: {line}", err=True)
    if len(wrong) > _SHOWN_ERRORS:
        click.echo(f"... and {len(wrong) - _SHOWN_ERRORS:,} more variants with errors", err=True)
    return len(wrong)


def _end(checked: Checked) -> None:
    show(checked, "full", err=True)
    sys.exit(2 if any(d.code is CANNOT_READ for d in checked.diagnostics) else 1)
