# SPDX-License-Identifier: Apache-2.0
"""`fixaccel dashboard`: a page in a browser to watch and use an exchange simulator, and the accelerator beside it."""

import sys
from pathlib import Path

import click

from fixaccel.addresses import host_and_port
from fixaccel.board.endpoint import UNIX
from fixaccel.cli.ending import until_interrupted

_LIBRARIES = ("starlette", "uvicorn", "websockets")


def _listen(_ctx: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, int]:
    try:
        return host_and_port(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _socket(_ctx: click.Context, _parameter: click.Parameter, value: str) -> str:
    if value and (not value.startswith(UNIX) or value == UNIX):
        raise click.BadParameter(f"`{value}` is not unix:FILE")
    return value


def _clock_of(board: Path | None) -> int:
    """In Hz; 0 where no board is named. Ends the program where its file is wrong."""
    if board is None:
        return 0
    from fixaccel.cli.output import show as show_outcome  # noqa: PLC0415
    from fixaccel.pipeline import load_board  # noqa: PLC0415

    loaded = load_board(board)
    if loaded.board is None:
        show_outcome(loaded, "full", err=True)
        sys.exit(2)
    return loaded.board.clock_hz


@click.command()
@click.option(
    "--exchange",
    metavar="unix:FILE",
    callback=_socket,
    default="",
    help="Control socket of an exchange simulator, as its `--control` names it.",
)
@click.option("--daemon", metavar="unix:FILE", callback=_socket, default="", help="Control socket of a daemon.")
@click.option(
    "--board",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Board file of the daemon's board: its clock makes times of the fabric's cycles.",
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    callback=_listen,
    default="127.0.0.1:8080",
    show_default=True,
    help="Where the page is; port 0 takes any free one.",
)
@click.option(
    "--dictionary",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="QuickFIX data dictionary for names of FIX fields.  [default: that of the simulator]",
)
@click.option("--open", "show", is_flag=True, help="Open the page in a browser, too.")
def dashboard(
    exchange: str,
    daemon: str,
    board: Path | None,
    listen: tuple[str, int],
    dictionary: Path | None,
    show: bool,
) -> None:
    """Serve a page to watch and use an exchange simulator: books, trades, orders, sessions, messages, faults.

    Where a daemon is named the accelerator is beside it: rules, fires, latency, limits, the kill switch. Both may come
    later, end or start anew meanwhile: the page says so and goes on.

    On another address than loopback the page needs a token, which is in the address that is printed. Whoever has it
    may trade and kill: the connection is not encrypted, so a tunnel of ssh's to 127.0.0.1 is better between machines.

    Exit code 0: it was interrupted; 2: a wrong option, or the address cannot be had.

    \b
    Examples:
      fixaccel dashboard --exchange unix:/tmp/exchange.sock --open
      fixaccel dashboard --exchange unix:/tmp/exchange.sock --daemon unix:/run/fixaccel/control.sock
      fixaccel dashboard --daemon unix:/run/fixaccel/view.sock --listen 0.0.0.0:8080
    """
    if not exchange and not daemon:
        raise click.UsageError("name what to show: --exchange unix:FILE, --daemon unix:FILE, or both")
    try:
        # Only this command needs them.
        from fixaccel.dashboard.app import Dashboard, Sources  # noqa: PLC0415
        from fixaccel.dashboard.fix_names import FixNames, installed  # noqa: PLC0415
        from fixaccel.dashboard.serving import listen as listen_at  # noqa: PLC0415
        from fixaccel.dashboard.serving import serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _LIBRARIES:
            raise
        click.echo(f"Error: {error.name} is not installed: pip install 'fixaccel[dashboard]'", err=True)
        sys.exit(2)
    clock_hz = _clock_of(board)
    host, port = listen
    try:
        names = FixNames.read(dictionary) if dictionary else installed()
        made = listen_at(host, port)
    except ValueError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        place = dictionary if error.filename else f"{host}:{port}"
        click.echo(f"Error: {place}: {error.strerror or error}", err=True)
        sys.exit(2)
    served = Dashboard(Sources(exchange.removeprefix(UNIX), daemon, clock_hz), names)
    with until_interrupted():
        serve(served, made, host, click.echo, show=show)
