# SPDX-License-Identifier: Apache-2.0
"""`fixaccel simulate`: a strategy over recorded market data."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from fixaccel.cli.output import format_option, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.hwmap import load_hwmap
from fixaccel.image.model import ImageError
from fixaccel.image.pack import build_image
from fixaccel.language.rules import Strategy
from fixaccel.pipeline import Checked, load_board, load_strategy
from fixaccel.semantics.messages import Message
from fixaccel.simulate.engines import Engine, EngineError, ImageEngine, RulesEngine
from fixaccel.simulate.events import load_events
from fixaccel.simulate.progress import ProgressLine
from fixaccel.simulate.results import results_csv, write_results
from fixaccel.simulate.rtl.run import RtlEngine, find_rtlsim

ENGINES = ("rules", "image", "rtl")


@click.command()
@click.argument("strategy", type=click.Path(path_type=Path))
@click.option("--events", "-e", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Events, CSV.")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="rules",
    show_default=True,
    help="The reference interpreter, the compiled tables, or the fabric itself under Verilator.",
)
@click.option("-o", "--output", metavar="FILE", default="-", help="Fires, CSV [default: standard output].")
@click.option("--board", metavar="FILE", type=click.Path(path_type=Path), help="Board file [default: PYNQ-Z1].")
@click.option("--rtl-shape", metavar="SEED", type=int, help="Vary the frames of `--engine rtl` within FIX and TCP.")
@click.option(
    "--rtl-files",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep bundle, frames and orders.",
)
@format_option
def simulate(
    strategy: Path,
    events: Path,
    engine: str,
    output: str,
    board: Path | None,
    rtl_shape: int | None,
    rtl_files: Path | None,
    form: str,
) -> None:
    """Run STRATEGY over the market data in FILE and write one row for each order that would have left.

    All engines give the same rows. Exit code 1: the strategy, the board or the events have errors; 2: a file cannot
    be read or written, or the engine cannot run.

    \b
    Examples:
      fixaccel simulate strategies/quickstart.yaml --events day.csv
      fixaccel simulate strategies/quickstart.yaml --events day.csv --engine rtl -o fires.csv
    """
    if engine != "rtl" and (rtl_shape is not None or rtl_files is not None):
        raise click.UsageError("--rtl-shape and --rtl-files go with --engine rtl")
    try:
        if engine == "rtl":
            find_rtlsim()  # before the work, not after it
        checked, messages, runner = _prepare(strategy, events, engine, board, rtl_shape, rtl_files)
        show(checked, form, err=True)
        if runner is None:
            sys.exit(2 if any(d.code is CANNOT_READ for d in checked.diagnostics) else 1)
        progress = ProgressLine(engine, len(messages))
        try:
            fires = runner.run(messages, progress)
        finally:
            progress.close()
    except EngineError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if output == "-":
        click.echo(results_csv(fires), nl=False)
        return
    write_results(Path(output), fires)
    if form == "full":
        click.echo(f"{len(messages)} events, {len(fires)} fires in {output}", err=True)


def _prepare(
    strategy: Path, events: Path, engine: str, board: Path | None, shape: int | None, files: Path | None
) -> tuple[Checked, Sequence[Message], Engine | None]:
    """Everything that can be wrong with the input, and the engine if nothing is."""
    loaded = load_strategy(strategy)
    if loaded.strategy is None:
        return Checked.merge([loaded]), [], None
    read = load_events(events, loaded.strategy.venue.instruments)
    merged = Checked.merge([loaded, read])
    runner: Engine | None = None
    if engine == "rules":
        runner = RulesEngine(loaded.strategy)
    else:
        merged, runner = _compiled(loaded.strategy, merged, engine, board, shape, files)
    return merged, read.messages, None if merged.failed else runner


def _compiled(
    strategy: Strategy, merged: Checked, engine: str, board: Path | None, shape: int | None, files: Path | None
) -> tuple[Checked, Engine | None]:
    """The engine that runs what the compiler made of the strategy for the board."""
    target = load_board(board)
    merged = Checked.merge([merged, target])
    if target.board is None:
        return merged, None
    hwmap = load_hwmap()
    try:
        image = build_image(strategy, target.board, hwmap)
    except ImageError as error:
        return merged.plus(error.diagnostics), None
    if engine == "image":
        return merged, ImageEngine(image, strategy, target.board, hwmap)
    return merged, RtlEngine(image, strategy, target.board, hwmap, shape, files)
