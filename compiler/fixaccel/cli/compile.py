# SPDX-License-Identifier: Apache-2.0
"""`fixaccel compile`: a strategy to a bundle."""

import sys
from pathlib import Path

import click

from fixaccel.cli.deciding import Deciding
from fixaccel.cli.output import format_option, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.emit.bundle import not_ours
from fixaccel.emit.place import place_bundle
from fixaccel.emit.report import LOAD_TEXTS, capacity
from fixaccel.hwmap import load_hwmap
from fixaccel.image.image import Image, ImageError
from fixaccel.image.pack.pack import build_image
from fixaccel.language.placements import placed
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.pipeline import PASSES, load_board, load_strategy


def _explain_passes(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        for step in PASSES:
            click.echo(f"{step.name:12}  {step.description}")
        ctx.exit()


@click.command("compile")
@click.argument("strategy", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the bundle; an older bundle there is replaced, unless other files or changes are in it.",
)
@click.option("--board", metavar="FILE", type=click.Path(path_type=Path), help="Board file [default: PYNQ-Z1].")
@click.option(
    "--explain-passes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_explain_passes,
    help="List the compiler's steps and exit.",
)
@format_option
def compile_strategy(strategy: Path, output: Path, board: Path | None, form: str) -> None:
    """Compile STRATEGY into a bundle: the fabric's tables, client configuration, design parameters, report.

    The same files give the same bundle, byte for byte. Exit code 1: the strategy has errors; 2: a file could not be
    read or written.

    \b
    Example:
      fixaccel compile strategies/quickstart.yaml -o build/quickstart
    """
    if held := not_ours(output):
        raise click.UsageError(f"{output} {held}; choose another folder")
    with Deciding() as progress:
        checked = load_strategy(strategy, progress=progress)
    target = load_board(board)
    merged = Checked.merge([checked, target])
    image: Image | None = None
    if checked.strategy and target.board:
        try:
            image = build_image(checked.strategy, target.board, load_hwmap())
        except ImageError as error:
            merged = merged.plus(error.diagnostics)
    show(merged, form, err=True)
    if image is None or checked.strategy is None or target.board is None:
        sys.exit(2 if any(d.code is CANNOT_READ for d in merged.diagnostics) else 1)
    warnings = [d for d in merged.diagnostics if not d.is_error]
    count = len(place_bundle(image, checked.strategy, target.board, output, warnings))
    if form in {"full", "concise"}:
        _report(image, checked.strategy, target.board, output, count)


def _report(image: Image, strategy: Strategy, board: Board, output: Path, files: int) -> None:
    counts = placed(strategy.placement)
    rules = "1 rule" if len(strategy.rules) == 1 else f"{len(strategy.rules)} rules"
    where = f"{counts['fabric']} in the fabric and {counts['runtime']} in the runtime"
    click.echo(f"{strategy.name}: {rules}, {where}, board {board.name}")
    for name, (used, of) in capacity(image, strategy, board).items():
        click.echo(f"  {name:12} {used:6} of {of}")
    click.echo(f"  {LOAD_TEXTS[image.banked]}")
    click.echo(f"{files} files in {output}, see {output / 'report.md'}")
