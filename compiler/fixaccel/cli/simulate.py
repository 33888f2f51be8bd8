# SPDX-License-Identifier: Apache-2.0
"""`fixaccel simulate`: a strategy over recorded market data."""

import json
import sys
import time
from pathlib import Path

import click

from fixaccel.cli.output import engine_option, format_option, refuse_input, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.render import render
from fixaccel.events.file import open_events
from fixaccel.events.part_book import PartBook
from fixaccel.events.unmatched import unmatched_warnings
from fixaccel.hwmap import load_hwmap
from fixaccel.image.image import ImageError
from fixaccel.image.pack.pack import build_image
from fixaccel.language.rules import Strategy
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Fire
from fixaccel.simulate.engines import Engine, EngineError, ImageEngine, RulesEngine
from fixaccel.simulate.progress import ProgressBar
from fixaccel.simulate.results import results_csv, write_results
from fixaccel.simulate.rtl.run import RtlEngine, find_rtlsim, not_of_a_run
from fixaccel.simulate.summary import Summary, Watched


@click.command()
@click.argument("strategy", type=click.Path(path_type=Path))
@click.option(
    "--events", "-e", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Events, CSV or Parquet."
)
@engine_option
@click.option("-o", "--output", metavar="FILE", default="-", help="Fires, CSV or Parquet [default: CSV on stdout].")
@click.option("--board", metavar="FILE", type=click.Path(path_type=Path), help="Board file [default: PYNQ-Z1].")
@click.option("--rtl-shape", metavar="SEED", type=int, help="Vary frames of `--engine rtl`; damaged ones come again.")
@click.option(
    "--rtl-files",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep bundle, frames and orders.",
)
@click.option(
    "--fills",
    type=click.Choice(["touch"]),
    help="Fill orders by a model: whole, once an observation is at or through their price.",
)
@format_option
def simulate(  # noqa: PLR0917 - click passes by name
    strategy: Path,
    events: Path,
    engine: str,
    output: str,
    board: Path | None,
    rtl_shape: int | None,
    rtl_files: Path | None,
    fills: str | None,
    form: str,
) -> None:
    """Run STRATEGY over the market data in FILE and write one row for each order that would have left.

    All engines give the same rows; a file whose name ends with `.parquet` is Parquet, any other CSV. A summary goes to
    standard error, with `--format json` as part of the diagnostics.

    What became of the orders that were sent stands in the file too, in rows `fill`, `done` and `reject` with a last
    column `rule`; or `--fills touch` makes it up: a limit order fills whole at its price once an observation of the
    other side's quote, or of `last`, is at or through it, a market order at once at the other side's quote, else at
    `last`.

    Exit code 1: the strategy, the board or the events
    have errors; 2: a file cannot be read or written, or the engine cannot run.

    \b
    Examples:
      fixaccel simulate strategies/quickstart.yaml --events day.csv
      fixaccel simulate strategies/quickstart.yaml --events day.parquet --engine image -o fires.parquet
      fixaccel simulate strategies/quickstart.yaml --events day.csv --engine rtl -o fires.csv
      fixaccel simulate strategies/exits.yaml --events day.csv --fills touch
    """
    if engine != "rtl" and (rtl_shape is not None or rtl_files is not None):
        raise click.UsageError("--rtl-shape and --rtl-files go with --engine rtl")
    if engine == "rtl" and fills:
        raise click.UsageError("--fills goes with --engine rules or image: the fabric's orders are played to nobody")
    if rtl_files and (held := not_of_a_run(rtl_files)):
        raise click.UsageError(f"{held}, which is not of such a run; choose another folder for --rtl-files")
    try:
        if engine == "rtl":
            find_rtlsim()  # before the work, not after it
        loaded = load_strategy(strategy)
        if output != "-":
            refuse_input(Path(output), [events, *loaded.files, *([board] if board else [])])
        checked, runner = _engine(loaded.strategy, loaded, engine, board, rtl_shape, rtl_files, touch=bool(fills))
        if loaded.strategy is None:
            _end(checked, form)
        assert loaded.strategy is not None
        watched = Watched(
            open_events(events, loaded.strategy.venue.instruments, PartBook(loaded.strategy)), touch=bool(fills)
        )
        start = time.perf_counter()
        fires = _run(runner, watched, engine)
        unmatched = Checked(unmatched_warnings(events, getattr(runner, "unmatched", ())))
        checked = Checked.merge([checked, watched.file.checked(), unmatched])
        if checked.failed:
            _end(checked, form)
    except (EngineError, LibraryError, TableError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if output == "-":
        click.echo(results_csv(fires), nl=False)
    else:
        write_results(Path(output), fires)
    summary = Summary.of(watched, fires, runner, time.perf_counter() - start)
    _say(checked, summary, form)


def _end(checked: Checked, form: str) -> None:
    show(checked, form, err=True)
    sys.exit(2 if any(d.code is CANNOT_READ for d in checked.diagnostics) else 1)


def _run(runner: Engine | None, watched: Watched, name: str) -> list[Fire]:
    """All fires; without an engine only what is wrong with the events is looked for."""
    with ProgressBar(name, 1) as progress:
        if runner is None:
            for _ in watched.batches():
                progress(watched.file.part_read)
            return []
        return watched.run(runner, progress)


def _engine(
    strategy: Strategy | None,
    checked: Checked,
    engine: str,
    board: Path | None,
    shape: int | None,
    files: Path | None,
    *,
    touch: bool,
) -> tuple[Checked, Engine | None]:
    """The engine, if nothing is wrong with strategy and board."""
    if strategy is None or engine == "rules":
        return checked, None if strategy is None else RulesEngine(strategy, touch=touch)
    target = load_board(board)
    checked = Checked.merge([checked, target])
    if target.board is None:
        return checked, None
    hwmap = load_hwmap()
    try:
        image = build_image(strategy, target.board, hwmap)
    except ImageError as error:
        return checked.plus(error.diagnostics), None
    if engine == "image":
        return checked, ImageEngine(image, strategy, target.board, hwmap, touch=touch)
    return checked, RtlEngine(image, strategy, target.board, hwmap, shape, files)


def _say(checked: Checked, summary: Summary, form: str) -> None:
    """Diagnostics and summary, on standard error."""
    if form == "json":
        said = json.loads(render(checked.diagnostics, checked.sources, form, checked.dropped))
        click.echo(json.dumps(said | {"summary": summary.as_data()}, indent=2), err=True)
        return
    show(checked, form, err=True)
    if form == "full":
        click.echo(summary.text(), err=True)
