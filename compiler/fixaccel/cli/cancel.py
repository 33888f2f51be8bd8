# SPDX-License-Identifier: Apache-2.0
"""`fixaccel cancel`: ask the venue to cancel orders."""

import json
import sys

import click

from fixaccel.board.control import ControlClient, ControlRefusedError
from fixaccel.board.orders import Order, await_answer, cancel, is_over, orders, state_text, terms_text
from fixaccel.cli.by_hand import again_option, answer_options, fail, tell_answer
from fixaccel.cli.complete import complete_orders
from fixaccel.cli.daemon import daemon, endpoint_option


@click.command("cancel")
@click.argument("order", metavar="[CLORDID]", required=False, shell_complete=complete_orders)
@click.option("--all", "every", is_flag=True, help="All orders that rest, of rules and by hand.")
@click.option("--instrument", help="With --all: only of this one.")
@again_option
@endpoint_option
@answer_options
def cancel_order(
    order: str | None, every: bool, instrument: str | None, again: bool, endpoint: str, wait: float, as_json: bool
) -> None:
    """Ask the venue to cancel an order of the session, by hand or of a rule. `fixaccel orders` lists them.

    That works while the kill switch is on, too, and in a dry run: it takes risk away. What the venue has not answered
    is not asked again without `--again`.

    Exit code 1: refused, and nothing was sent, or the venue says while it is waited for that it was not done; the
    reason is printed. 2: no daemon answers.

    \b
    Examples:
      fixaccel cancel YMJT01Z141Z300000001
      fixaccel cancel --all
      fixaccel cancel --all --instrument MSFT --wait 5
    """
    if every == (order is not None):
        raise click.UsageError("either a CLORDID or --all")
    if instrument is not None and not every:
        raise click.UsageError("--instrument goes with --all")
    with daemon(endpoint) as client:
        if order is not None:
            found = _cancel(client, order, again=again, wait=wait, as_json=as_json)
            if found is not None and not found["asked"] and not is_over(found):
                fail(f"not canceled: {found['text'] or found['status']}")
        elif not _cancel_all(client, instrument, again=again, wait=wait, as_json=as_json):
            sys.exit(1)


def _answered(order: Order) -> bool:
    return is_over(order) or not order["asked"]


def _cancel(client: ControlClient, order: str, *, again: bool, wait: float, as_json: bool) -> Order | None:
    sent = cancel(client, order, again=again)
    return tell_answer(client, f"cancel {order}", sent, order, _answered, wait=wait, as_json=as_json)


def _cancel_all(client: ControlClient, instrument: str | None, *, again: bool, wait: float, as_json: bool) -> bool:
    """Whether all were asked for and none is known to rest on."""
    wanted = [one for one in orders(client, open_only=True) if instrument in (None, one["instrument"])]
    if not wanted and not as_json:
        click.echo("no order rests")
    asked = []
    for one in wanted:
        try:
            cancel(client, one["cl_ord_id"], again=again)
        except ControlRefusedError as error:
            click.echo(f"refused: {error}", err=True)
        else:
            asked.append(one["cl_ord_id"])
    found = [_answer(client, cl_ord_id, wait=wait, as_json=as_json) for cl_ord_id in asked]
    return len(asked) == len(wanted) and all(found)


def _answer(client: ControlClient, cl_ord_id: str, *, wait: float, as_json: bool) -> bool:
    order = await_answer(client, cl_ord_id, wait, _answered)
    if order is not None:
        click.echo(json.dumps(order) if as_json else f"{cl_ord_id}: {terms_text(order)}: {state_text(order)}")
    return order is None or is_over(order) or bool(order["asked"])
