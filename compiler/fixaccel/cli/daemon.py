# SPDX-License-Identifier: Apache-2.0
"""What the commands that talk to a daemon share."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from fixaccel.board.control import DEFAULT_ENDPOINT, ControlClient, ControlError, ControlRefusedError

F = TypeVar("F")


def endpoint_option(function: F) -> F:
    """Adds `--to`, passed as ``endpoint``."""
    decorate: Any = click.option(
        "--to",
        "endpoint",
        metavar="ENDPOINT",
        envvar="FIXACCEL_CONTROL",
        default=DEFAULT_ENDPOINT,
        show_default=True,
        help="Control socket of the daemon, unix:PATH; each role may have its own.",
    )
    return decorate(function)  # type: ignore[no-any-return]


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
