# SPDX-License-Identifier: Apache-2.0
"""`fixaccel build`: a board file to a bitstream, where Vivado is installed."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from fixaccel.cli.output import format_option, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.text import printable
from fixaccel.files import write_atomically
from fixaccel.language.terms import Board
from fixaccel.pipeline import load_board
from fixaccel.vivado.design import VERSION, NotBuildableError, bitstream_files
from fixaccel.vivado.run import Built, NoVivadoError, VivadoError, find_vivado, not_ours, run_vivado


@click.command()
@click.option("--board", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Board file.")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the scripts, the reports and the bitstream.",
)
@click.option("--vivado", metavar="PROGRAM", default="vivado", show_default=True, help=f"Vivado {VERSION}.")
@click.option("--scripts-only", is_flag=True, help="Write Vivado's scripts, and run nothing.")
@format_option
def build(board: Path, output: Path, vivado: str, scripts_only: bool, form: str) -> None:
    """Make the bitstream and the hardware handoff of a board. A strategy or a venue never needs a new one.

    Timing and utilisation are taken from Vivado's own reports; what does not close, or is beyond the board file's
    `chip` or `budget`, is no bitstream.

    Exit code 1: the board is wrong, or the design does not close; 2: a file could not be read or written, or Vivado is
    not there, is another version or has failed.

    \b
    Example:
      fixaccel build --board strategies/boards/pynq-z1-gem.yaml -o build/pynq-z1-gem
    """
    loaded = load_board(board)
    show(loaded, form, err=True)
    if loaded.board is None:
        sys.exit(2 if any(d.code is CANNOT_READ for d in loaded.diagnostics) else 1)
    try:
        files = bitstream_files(loaded.board)
    except NotBuildableError as error:
        _fail(str(error), 1)
    if reason := not_ours(output):
        way_out = "-o takes an empty folder, or one of an earlier build"
        raise click.UsageError(f"{printable(str(output))} {reason}; {way_out}")
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_atomically(output / name, content)
        click.echo(f"{len(files)} files for Vivado {VERSION} in {output}")
        if not scripts_only:
            _told(run_vivado(find_vivado(vivado), loaded.board, output), loaded.board)
    except NoVivadoError as error:
        _fail(f"{error}\nwhere it is: fixaccel build --board {board} -o {output}", 2)
    except VivadoError as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(f"{error.filename or output}: {error.strerror}", 2)


def _told(built: Built, board: Board) -> None:
    """Figures and files; ends the program where there is no bitstream."""
    slack = ", ".join(f"{kind} {value} ns" for kind, value in built.routed.slack.items())
    click.echo(f"{board.clock_hz / 1e6:g} MHz on {board.part}, slack: {slack}")
    for name, used in built.routed.used.items():
        of = f" of {board.chip[name]}" if name in board.chip else ""
        click.echo(f"  {name:8} {used:>7}{of}, the fabric {built.routed.fabric[name]}")
    if built.refused:
        _fail("no bitstream: " + "; ".join(built.refused), 1)
    for file in built.files:
        click.echo(str(file))


def _fail(text: str, code: int) -> NoReturn:
    click.echo(f"error: {text}", err=True)
    sys.exit(code)
