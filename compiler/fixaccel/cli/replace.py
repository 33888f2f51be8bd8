# SPDX-License-Identifier: Apache-2.0
"""`fixaccel replace`: other terms for an order that rests."""

import click

from fixaccel.board.orders import SENT, Order, replace
from fixaccel.cli.by_hand import again_option, answer_options, fail, tell_answer
from fixaccel.cli.complete import complete_orders
from fixaccel.cli.daemon import daemon, endpoint_option


@click.command("replace")
@click.argument("order", metavar="CLORDID", shell_complete=complete_orders)
@click.option("--qty", help="Quantity of all of it, with what is filled already.")
@click.option("--price", help="Limit price.")
@again_option
@endpoint_option
@answer_options
def replace_order(
    order: str, qty: str | None, price: str | None, again: bool, endpoint: str, wait: float, as_json: bool
) -> None:
    """Ask the venue for another quantity or price of an order, by hand or of a rule. It goes on under a new ClOrdID.

    A replacement is an order: it passes the same limits and counts against them, `total_qty` by what it adds, and
    while the kill switch is on it is refused.

    Exit code 1: refused, and nothing was sent, or the venue says while it is waited for that it was not done; the
    reason is printed. 2: no daemon answers.

    \b
    Examples:
      fixaccel replace YMJT01Z141Z300000001 --price 1181
      fixaccel replace YMJT01Z141Z300000001 --qty 50 --price 1181 --json
    """
    if qty is None and price is None:
        raise click.UsageError("give --qty, --price or both")

    def answered(found: Order) -> bool:
        return str(found["status"]) != SENT

    with daemon(endpoint) as client:
        sent = replace(client, order, qty=qty, price=price, again=again)
        found = tell_answer(client, f"replace {order}", sent, sent["cl_ord_id"], answered, wait=wait, as_json=as_json)
    if found is not None and found["status"] == "rejected":
        fail(f"not replaced: {found['text'] or 'without a reason'}")
