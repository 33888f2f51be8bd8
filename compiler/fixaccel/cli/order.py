# SPDX-License-Identifier: Apache-2.0
"""`fixaccel order`: an order by hand."""

import click

from fixaccel.board.orders import SENT, Order, send_order
from fixaccel.cli.by_hand import answer_options, fail, tell_answer
from fixaccel.cli.complete import complete_instruments
from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@click.argument("instrument", shell_complete=complete_instruments)
@click.argument("side", type=click.Choice(["buy", "sell"]))
@click.argument("qty")
@click.option("--limit", "price", metavar="PRICE", help="A limit order at that price.")
@click.option("--market", is_flag=True, help="A market order.")
@click.option(
    "--tif", type=click.Choice(["day", "gtc", "ioc", "fok"]), default="day", show_default=True, help="Time in force."
)
@click.option("--account", help="Account; else that of the bundle's orders, where they have one and the same.")
@endpoint_option
@answer_options
def order(
    *,
    instrument: str,
    side: str,
    qty: str,
    price: str | None,
    market: bool,
    tif: str,
    account: str | None,
    endpoint: str,
    wait: float,
    as_json: bool,
) -> None:
    """Send an order by hand, on the FIX session that the daemon keeps, whether the board is armed or not.

    It passes the limits of the bundle that is loaded and counts against them, as the orders of its rules do. While the
    kill switch is on, in a dry run and without a session it is refused.

    Exit code 1: refused, and nothing was sent, or rejected by the venue while it was waited for; the reason is printed.
    2: no daemon answers.

    \b
    Examples:
      fixaccel order MSFT buy 100 --limit 1180.5
      fixaccel order MSFT sell 100 --market --to unix:/run/fixaccel/control.sock
      fixaccel order ESZ6 buy 2 --limit 6799.25 --tif ioc --wait 5 --json
    """
    if market == (price is not None):
        raise click.UsageError("either --limit PRICE or --market")

    def answered(found: Order) -> bool:
        return str(found["status"]) != SENT

    with daemon(endpoint) as client:
        sent = send_order(client, instrument, side, qty, price=price, tif=tif, account=account)
        asked = f"{side} {qty} {instrument} {'at market' if market else f'at {price}'}"
        found = tell_answer(client, asked, sent, sent["cl_ord_id"], answered, wait=wait, as_json=as_json)
    if found is not None and found["status"] == "rejected":
        fail(f"the venue has rejected it: {found['text'] or 'without a reason'}")
