# SPDX-License-Identifier: Apache-2.0
"""`fixaccel replay`: a recorded day as a page."""

import sys
from pathlib import Path

import click

from fixaccel.cli.output import refuse_input, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.events.columns import EventColumns
from fixaccel.events.file import open_events
from fixaccel.events.part_book import PartBook
from fixaccel.events.unmatched import unmatched_warnings
from fixaccel.files import write_atomically
from fixaccel.language.rules import Strategy
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.pipeline import load_strategy
from fixaccel.replay.fills import RECORDED, TOUCH, recorded_fills
from fixaccel.replay.record import record
from fixaccel.simulate.engines import EngineError
from fixaccel.simulate.progress import ProgressBar
from fixaccel.simulate.summary import Watched


@click.command()
@click.argument("strategy", type=click.Path(path_type=Path))
@click.option(
    "--events", "-e", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Events, CSV or Parquet."
)
@click.option(
    "--fills",
    type=click.Choice([TOUCH]),
    help="Fill orders by a model: whole, once an observation is at or through their price.",
)
@click.option("--html", metavar="FILE", required=True, type=click.Path(path_type=Path), help="The page to write.")
def replay(strategy: Path, events: Path, fills: str | None, html: Path) -> None:
    """Write a page that shows what the rules of STRATEGY did on the market data in FILE.

    The page is one file that needs no network: prices and quotes over time, thresholds and stops as they moved, each
    fire with its reason and the book at that moment, and the rules that came near. With fills, from rows of the file
    or from the model of `--fills`, position and result stand beside them. Exit code 1: the strategy or the
    events have errors; 2: a file cannot be read or written, the table interpreter cannot run, or Bokeh is missing.

    \b
    Examples:
      fixaccel replay strategies/quickstart.yaml --events day.csv --html day.html
      fixaccel replay strategies/trailing-stops.yaml -e day.parquet --fills touch --html build/day.html
    """
    try:
        # Draws with a library that only this command needs; said before the work, not after it.
        from fixaccel.replay.page import write_page  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "bokeh":
            raise
        click.echo(
            "Error: the page is drawn with Bokeh, which is not installed: pip install 'fixaccel[replay]'", err=True
        )
        sys.exit(2)
    loaded = load_strategy(strategy)
    refuse_input(html, [events, *loaded.files])
    if loaded.strategy is None:
        _end(loaded)
    assert loaded.strategy is not None
    watched = _events(loaded.strategy, events, fills)
    try:
        with ProgressBar("replay", 1) as progress:
            batches = []
            for batch in watched.batches():
                batches.append(batch)
                progress(0.3 * watched.file.part_read)
            checked = Checked.merge([loaded, watched.file.checked()])
            if not checked.failed:
                columns = EventColumns.concatenate(batches) if batches else EventColumns.empty(0)
                told = RECORDED if columns.has_executions else None
                own = recorded_fills(loaded.strategy, _events(loaded.strategy, events).messages()) if told else []
                day = record(loaded.strategy, columns, lambda part: progress(0.3 + 0.5 * part), own, fills or told)
                written = write_page(day, columns, events.name)
                checked = checked.plus(unmatched_warnings(events, day.course.unmatched))
    except (EngineError, LibraryError, TableError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if checked.failed:
        _end(checked)
    write_atomically(html, written.html.encode("utf-8"))
    show(checked, "full", err=True)
    part = "" if written.drawn == written.changed else f"; {written.drawn:,} of {written.changed:,} price changes drawn"
    size = len(written.html) / 1e6
    click.echo(f"{day.events:,} events, {len(day.course.fires):,} fires, {size:.1f} MB{part}", err=True)


def _events(strategy: Strategy, events: Path, fills: str | None = None) -> Watched:
    """The event file; rows about own orders are refused where a model makes the fills."""
    return Watched(open_events(events, strategy.venue.instruments, PartBook(strategy)), touch=bool(fills))


def _end(checked: Checked) -> None:
    show(checked, "full", err=True)
    sys.exit(2 if any(d.code is CANNOT_READ for d in checked.diagnostics) else 1)
