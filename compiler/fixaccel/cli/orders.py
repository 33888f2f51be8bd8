# SPDX-License-Identifier: Apache-2.0
"""`fixaccel orders`: the orders of the session and what has become of them."""

import json
from datetime import UTC, datetime

import click

from fixaccel.board.orders import orders, sender_text, state_text, terms_text
from fixaccel.cli.daemon import daemon, endpoint_option

_NS = 10**9


@click.command("orders")
@click.option("--open", "open_only", is_flag=True, help="Only those that are not over.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@endpoint_option
def list_orders(open_only: bool, as_json: bool, endpoint: str) -> None:
    """List the orders of the session, by hand and of rules, the oldest first, with their ClOrdIDs.

    The daemon knows the last 2000 and all that rest, also from before it was started.

    Exit code 2: no daemon answers.

    \b
    Examples:
      fixaccel orders --open
      fixaccel orders --json | jq -r 'select(.by != "") | .cl_ord_id'
    """
    with daemon(endpoint) as client:
        found = orders(client, open_only=open_only)
    for order in found:
        when = datetime.fromtimestamp(order["time_ns"] / _NS, UTC)
        text = f"{order['cl_ord_id']}  {terms_text(order)}: {state_text(order)}, {sender_text(order)}"
        click.echo(json.dumps(order) if as_json else f"{when:%Y-%m-%d %H:%M:%S}  {text}")
