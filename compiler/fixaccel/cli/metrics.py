# SPDX-License-Identifier: Apache-2.0
"""`fixaccel metrics`: a daemon's figures for Prometheus."""

import contextlib
import sys

import click

from fixaccel.cli.daemon import endpoint_option

_MOST_PORT = 65535


def _address(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, int] | None:
    """HOST:PORT, apart."""
    if value is None:
        return None
    host, colon, port = value.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > _MOST_PORT:
        raise click.BadParameter(f"{value} is not HOST:PORT, such as 127.0.0.1:9464")
    return host.strip("[]"), int(port)


@click.command()
@endpoint_option
@click.option("--listen", callback=_address, metavar="HOST:PORT", help="Serve them over HTTP until interrupted.")
def metrics(endpoint: str, listen: tuple[str, int] | None) -> None:
    """Print a daemon's figures in Prometheus' text format, or serve them.

    With `--listen`, `/metrics` is for Prometheus, and `/health` answers 200 while the daemon answers, nothing that was
    asked of it has failed and the fabric follows the stream, else 503, with the state as JSON. The daemon may come and
    go meanwhile: `fixaccel_up` says whether it answers. There is no password: listen where only the desk can reach it.

    Exit code 2: no daemon answers, or the address cannot be had.

    \b
    Examples:
      fixaccel metrics
      fixaccel metrics --listen 127.0.0.1:9464
    """
    # Only this command needs the library.
    from fixaccel.board.control import ControlError, ControlRefusedError  # noqa: PLC0415
    from fixaccel.board.metrics import server, text_of  # noqa: PLC0415

    try:
        if listen is None:
            click.echo(text_of(endpoint), nl=False)
            return
        with server(endpoint, *listen) as serving:
            host, port = serving.server_address[:2]
            click.echo(f"listening on {host!s}:{port}")
            with contextlib.suppress(KeyboardInterrupt):
                serving.serve_forever()
    except (ControlError, ControlRefusedError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
