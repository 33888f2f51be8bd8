# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange run`: the exchange simulator in the foreground."""

import os
import sys
from pathlib import Path

import click

from fixaccel.exchange.program import ExchangeError, find_program

# Handed on as they are: what is wrong with them, the program says, with the place.
_PATH = click.Path(path_type=Path)


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--config", metavar="FILE", required=True, type=_PATH, help="Venue file of a strategy, or exchange file.")
@click.option("--scenario", metavar="FILE", type=_PATH, help="Scripted market to play.")
@click.option("--listen", metavar="HOST:PORT", help="Address to listen on instead of the file's; port 0: any free one.")
@click.option("--listen-market", metavar="HOST:PORT", help="The same for the session for market data.")
@click.option("--client", metavar="NAME", multiple=True, help="CompID of one more client; may be repeated.")
@click.option("--record", metavar="FILE", type=_PATH, help="Write everything that happens, one JSON object a line.")
@click.option("--record-wire", is_flag=True, help="Record each FIX message either way as it is, too.")
@click.option("--control", metavar="unix:FILE", help="Answer on this socket: the dashboard watches and acts there.")
@click.option("--settings", metavar="FILE", type=_PATH, help="Settings file of QuickFIX, for what the sessions do.")
@click.option("--dictionary", metavar="FILE", type=_PATH, help="FIX dictionary that messages are checked against.")
@click.option("--store", metavar="DIR", type=_PATH, help="Keep sessions and orders in this folder, across restarts.")
@click.option("--exit-after-scenario", is_flag=True, help="Log clients out and end with the scenario.")
@click.argument("more", metavar="[OPTION]...", nargs=-1, type=click.UNPROCESSED)
def run(more: tuple[str, ...], **options: Path | str | tuple[str, ...] | bool | None) -> None:
    """Run the exchange simulator in the foreground, until SIGINT or SIGTERM.

    Any other OPTION goes to the program as it is; `fixaccel exchange run --config FILE --help-all` lists what it knows.

    Exit code 1: failure while running, such as a port that is taken or a `wait_for` that timed out; 2: the command
    line, the venue or the scenario has errors, or the program is not there.

    \b
    Examples:
      fixaccel exchange run --config strategies/venues/simulator.yaml --listen 127.0.0.1:9878
      fixaccel exchange run --config simulator.yaml --scenario open.yaml --record day.jsonl --exit-after-scenario
    """
    try:
        program = find_program()
    except ExchangeError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    words = [str(program), "--venue", str(options.pop("config"))]
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, bool):
                words += [option] if each else []
            elif each is not None:
                words += [option, str(each)]
    words += ["--help" if word == "--help-all" else word for word in more]
    sys.stdout.flush()
    try:
        # It takes this process's place: signals and exit code are its own.
        os.execv(program, words)  # noqa: S606 - there is no shell
    except OSError as error:
        click.echo(f"Error: {program} cannot be run: {error.strerror or error}", err=True)
        sys.exit(2)
