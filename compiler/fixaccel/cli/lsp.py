# SPDX-License-Identifier: Apache-2.0
"""`fixaccel lsp`: the language server."""

import sys
from pathlib import Path

import click

from fixaccel.addresses import is_loopback
from fixaccel.cli.ending import INTERRUPTED
from fixaccel.diagnostics.text import printable


@click.command()
@click.option("--stdio", is_flag=True, help="Standard input and output, which is what is used anyway.")
@click.option("--tcp", metavar="HOST:PORT", help="Listen there for one editor; HOST is of this machine's loopback.")
@click.option("--log", metavar="FILE", type=click.Path(path_type=Path), help="Write faults of the server there.")
def lsp(stdio: bool, tcp: str | None, log: Path | None) -> None:
    """Serve editors over the Language Server Protocol: diagnostics while typing, hover, completion and more.

    An editor starts it and talks to it over standard input and output. Functions of `decide` are not called while a
    file is being written, only when it is saved; the editor's initialization option `decide: never` turns that off too.

    Exit code 0: the editor has ended it; 1: the connection has ended without that; 2: the address cannot be used;
    130: Ctrl-C.

    \b
    Examples:
      fixaccel lsp
      fixaccel lsp --tcp 127.0.0.1:7658 --log build/lsp.log
    """
    if stdio and tcp:
        raise click.UsageError("--stdio and --tcp exclude each other")
    address = _address(tcp) if tcp else None
    # The library takes a while to import: an option that is wrong is said at once.
    from fixaccel.lsp.serving import log_to, serve_streams, serve_tcp  # noqa: PLC0415

    log_to(log)
    if address is None:
        if sys.stdin.isatty():
            click.echo("waiting for an editor on standard input; docs: how to, editors", err=True)
        if serve_streams():
            sys.exit(INTERRUPTED)
        return
    try:
        serve_tcp(*address)
    except OSError as error:
        click.echo(f"Error: {tcp}: {error.strerror or error}", err=True)
        sys.exit(2)


def _address(written: str) -> tuple[str, int]:
    host, colon, port = written.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise click.BadParameter(f"`{printable(written)}` is not HOST:PORT", param_hint="--tcp")
    if not is_loopback(host):
        message = f"`{printable(host)}` can be reached from other machines; use 127.0.0.1, or a tunnel of ssh's"
        raise click.BadParameter(message, param_hint="--tcp")
    return host.strip("[]"), int(port)
