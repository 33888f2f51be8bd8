# SPDX-License-Identifier: Apache-2.0
"""`fixaccel limits`: what orders have to pass, and what of it is used."""

import json
from typing import Any

import click

from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@endpoint_option
def limits(as_json: bool, endpoint: str) -> None:
    """List the limits of the bundle that is loaded, and how much of those that count is used.

    They hold for all orders alike, of the fabric, of the runtime and by hand. Limits that a rule has for itself alone
    are in `fixaccel explain STRATEGY`.

    Exit code 2: no daemon answers.

    \b
    Examples:
      fixaccel limits
      fixaccel limits --json | jq 'select(.limit == "total_orders")'
    """
    with daemon(endpoint) as client:
        answer = client.ask("limits")
    if not answer["limits"] and not as_json:
        click.echo("no limits" if answer["strategy"] else "nothing is loaded")
    for limit in answer["limits"]:
        click.echo(json.dumps(limit) if as_json else limit_text(limit))


def limit_text(limit: dict[str, Any]) -> str:
    """One of them on a line."""
    of = f" {limit['instrument']}" if "instrument" in limit else ""
    text = f"{limit['limit'] + of:24}  {limit['value']}"
    if "used" in limit:
        text += f", {limit['used']} used"
    if "bought" in limit:
        text += f", {limit['bought']} bought, {limit['sold']} sold"
    return text
