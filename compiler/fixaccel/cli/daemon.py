# SPDX-License-Identifier: Apache-2.0
"""What the commands that talk to a daemon share."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.board.endpoint import DEFAULT_ENDPOINT, Endpoint, TlsFiles

_FILES = {
    "cert": "Your certificate, for tls:HOST:PORT.",
    "key": "Its key, which nobody else may read.",
    "ca": "Certificate of the CA that has signed the daemon's.",
}


def endpoint_option(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--to`, passed as ``endpoint``, and the files of TLS, which are within."""

    @functools.wraps(function)
    def with_endpoint(*positional: object, endpoint: str, cert: str, key: str, ca: str, **others: object) -> None:
        function(*positional, endpoint=Endpoint(endpoint, TlsFiles(cert, key, ca)), **others)

    decorated: Callable[..., None] = with_endpoint
    for name, text in reversed(_FILES.items()):
        decorated = click.option(
            f"--{name}", metavar="FILE", envvar=f"FIXACCEL_{name.upper()}", default="", show_envvar=True, help=text
        )(decorated)
    return click.option(
        "--to",
        "endpoint",
        metavar="ENDPOINT",
        envvar="FIXACCEL_CONTROL",
        default=DEFAULT_ENDPOINT,
        show_default=True,
        help="Where the daemon answers: unix:PATH, of which each role may have its own, tls:HOST:PORT, or "
        "ssh:[USER@]HOST[:PORT][/SOCKET] for such a socket of another machine.",
    )(decorated)


@contextmanager
def daemon(endpoint: str, **options: float) -> Iterator[ControlClient]:
    """A client, made with ``options``; exits with 1 and the reason when it refuses, with 2 when it cannot be asked."""
    try:
        with ControlClient(endpoint, **options) as client:
            yield client
    except ControlRefusedError as error:
        click.echo(f"refused: {error}", err=True)
        sys.exit(1)
    except ControlError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
