# SPDX-License-Identifier: Apache-2.0
"""`fixaccel disarm`: no rule fires until somebody arms again."""

import json

import click

from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@endpoint_option
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's status afterwards as JSON.")
def disarm(endpoint: str, as_json: bool) -> None:
    """Disarm the board, at once, and end a dry run. Rules that are not spent stay so; the session goes on.

    A daemon that is restarted does not arm by itself what was disarmed. Disarmed already: nothing changes, exit code 0;
    2: no daemon answers.

    \b
    Examples:
      fixaccel disarm
      fixaccel disarm --to unix:/run/fixaccel/control.sock --json
    """
    with daemon(endpoint) as client:
        client.ask("disarm")
        answer = client.ask("status") if as_json else None
    click.echo("disarmed" if answer is None else json.dumps(answer))
