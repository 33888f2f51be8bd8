# SPDX-License-Identifier: Apache-2.0
"""`fixaccel board init`: a board from its box to a fabric that waits for a bundle."""

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from fixaccel.board.endpoint import Endpoint
from fixaccel.board.ssh import SshError
from fixaccel.bringup.carry import FOLDER, PYTHON, CarryError, carry_here, carry_there, files_of
from fixaccel.bringup.on_board import Setup
from fixaccel.bringup.plan import PlanError, overlay, overlay_source, plan_of
from fixaccel.cli.output import format_option, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.pipeline import load_board


@click.group()
def board() -> None:
    """Set a board up."""


@board.command()
@click.option("--board", "file", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Board file.")
@click.option(
    "--bitstream",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="What `fixaccel build` has made; its .hwh lies beside.",
)
@click.option("--to", "to", metavar="ssh:HOST", help="The board, by SSH; without it this machine is the board.")
@click.option(
    "--into", metavar="FOLDER", default=FOLDER, show_default=True, help="With ssh:HOST: where its files are kept."
)
@click.option(
    "--python", metavar="PROGRAM", default=PYTHON, show_default=True, help="The board's Python that has `pynq`."
)
@click.option(
    "--interface",
    metavar="NAME",
    default="eth0",
    show_default=True,
    help="The Ethernet controller's, whose addresses go on.",
)
@click.option(
    "--timeout",
    metavar="S",
    type=click.FloatRange(1, 3600),
    default=120,
    show_default=True,
    help="With ssh:HOST: how long at most.",
)
@click.option("--dry-run", is_flag=True, help="Print the steps, and the overlay of the device tree; do nothing.")
@format_option
def init(
    *,
    file: Path,
    bitstream: Path | None,
    to: str | None,
    into: str,
    python: str,
    interface: str,
    timeout: float,
    dry_run: bool,
    form: str,
) -> None:
    """Load the bitstream, insert the overlay of the device tree, check the fabric, start the services.

    The Ethernet controller becomes the fabric's: the kernel has its addresses on the interface `fix0` from then on.
    Where a step fails, those before it are taken back, and the network is what it was. A reset of the board undoes all
    of it.

    Exit code 1: a step has failed, or the board is wrong; 2: a file could not be read, or the board does not answer.

    \b
    Examples:
      fixaccel board init --board strategies/boards/pynq-z1-gem.yaml --dry-run
      fixaccel board init --board strategies/boards/pynq-z1-gem.yaml --bitstream pynq-z1-gem.bit --to ssh:xilinx@pynq
    """
    loaded = load_board(file)
    show(loaded, form, err=True)
    if loaded.board is None:
        sys.exit(2 if any(d.code is CANNOT_READ for d in loaded.diagnostics) else 1)
    try:
        plan = plan_of(loaded.board, interface)
        if dry_run:
            _print_steps(plan, overlay_source(loaded.board).decode("utf-8"), to)
            return
        if bitstream is None:
            raise click.UsageError("--bitstream names what `fixaccel build` has made; `--dry-run` needs none")
        files = files_of(plan, overlay(loaded.board), bitstream)
        if to is None:
            result = carry_here(files, python)
        else:
            result = carry_there(files, python, Endpoint(to), timeout, click.echo, into)
    except PlanError as error:
        _fail(str(error), 1)
    except (CarryError, SshError) as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}", 2)
    _tell(result)


def _print_steps(plan: dict[str, Any], source: str, to: str | None) -> None:
    click.echo(f"on {to or 'this machine'}, as root:")
    for number, (name, what, _) in enumerate(Setup(plan, Path(), "").steps(), 1):
        click.echo(f"  {number}. {name}: {what}")
    for window in plan["windows"]:
        for name, (offset, expected, _) in window["words"].items():
            click.echo(f"  0x{window['base'] + offset:08X} {name} is 0x{expected:08X}")
    click.echo(f"\n{source.rstrip()}")


def _tell(result: dict[str, Any]) -> None:
    for step in result["steps"]:
        click.echo(f"{step['name']}: {step['did']}")
    failed = result.get("failed")
    if failed is None:
        click.echo("the board is set up")
        return
    if result["undone"]:
        click.echo(f"taken back: {'; '.join(result['undone'])}", err=True)
    _fail(f"{failed['name']}: expected {failed['expected']}; found {failed['found']}\nwhat to do: {failed['to_do']}", 1)


def _fail(text: str, code: int) -> NoReturn:
    click.echo(f"error: {text}", err=True)
    sys.exit(code)
