# SPDX-License-Identifier: Apache-2.0
"""`fixaccel kill`: the kill switch."""

import click

from fixaccel.cli.daemon import daemon, endpoint_option

_PATIENCE_S = 10.0  # the daemon gives up a board that hangs long before


@click.command()
@endpoint_option
@click.option("--undo", is_flag=True, help="Turn the kill switch off again.")
def kill(endpoint: str, undo: bool) -> None:
    """Stop every order of fabric and runtime, at once, whatever the daemon is doing, and disarm the board.

    It stays on over `fixaccel deploy`, `fixaccel arm`, crashes and restarts of daemon and board, until `--undo`. That
    arms nothing: `fixaccel arm` does.

    Exit code 1: not all of it came about, it says what; with a board that does not answer, the runtime's orders are
    stopped, and the fabric's by its watchdog or once the board answers. 2: no daemon answers.

    \b
    Examples:
      fixaccel kill
      fixaccel kill --undo && fixaccel arm
    """
    with daemon(endpoint, timeout_s=_PATIENCE_S) as client:
        client.ask("unkill" if undo else "kill")
    click.echo("kill switch off, disarmed: `fixaccel arm` arms" if undo else "kill switch ON: no order leaves")
