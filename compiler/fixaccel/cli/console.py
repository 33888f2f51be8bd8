# SPDX-License-Identifier: Apache-2.0
"""`fixaccel console`: a screen to trade by hand."""

import sys

import click

from fixaccel.cli.daemon import endpoint_option


@click.command()
@endpoint_option
def console(endpoint: str) -> None:
    """Trade by hand on a terminal: books, orders of rules and by hand, fires, an order form, simple algorithms.

    All of it goes through the daemon, with its checks and limits; the keys stand at the bottom. The daemon may be away
    or start anew meanwhile: the screen says so and goes on. Algorithms end with the console.

    \b
    Examples:
      fixaccel console
      fixaccel console --to unix:/run/fixaccel/control.sock
    """
    # It draws on standard error, as its library does, and would wait for keys that nobody can press.
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(
            "the console needs a terminal for its keys and its screen; without one there are "
            "`fixaccel status --watch`, `fixaccel watch` and `fixaccel order`"
        )
    # It takes a moment to load, and only this draws with it.
    from fixaccel.console.app import Console  # noqa: PLC0415

    Console(endpoint).run()
