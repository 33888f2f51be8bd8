# SPDX-License-Identifier: Apache-2.0
"""`fixaccel kill`: the kill switch."""

import click

from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@endpoint_option
@click.option("--undo", is_flag=True, help="Turn the kill switch off again.")
def kill(endpoint: str, undo: bool) -> None:
    """Stop every order in the fabric, at once. Rules that are hit meanwhile are spent and rejected.

    \b
    Examples:
      fixaccel kill
      fixaccel kill --undo
    """
    with daemon(endpoint) as client:
        client.ask("unkill" if undo else "kill")
    click.echo("kill switch off" if undo else "kill switch ON: no order leaves")
