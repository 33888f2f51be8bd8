# SPDX-License-Identifier: Apache-2.0
"""`fixaccel limits`: what orders have to pass, what of it is used, and another value for a time."""

import json
from datetime import datetime
from typing import Any

import click

from fixaccel.board.limits import limit_name, next_time, span_ms
from fixaccel.cli.daemon import daemon, endpoint_option
from fixaccel.cli.status_text import utc_text


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@endpoint_option
@click.pass_context
def limits(ctx: click.Context, as_json: bool, endpoint: str) -> None:
    """List the limits that are in force, and how much of those that count is used.

    They hold for all orders alike, of the fabric, of the runtime and by hand; those of a rule for the orders of this
    rule alone. One that was changed for a time is listed with the bundle's own value, who has
    changed it, until when, and why.

    Exit code 2: no daemon answers.

    \b
    Examples:
      fixaccel limits
      fixaccel limits --json | jq 'select(.limit == "total_orders")'
      fixaccel limits set total_orders 100 --reason "thin market" --for 30m
    """
    if ctx.invoked_subcommand:
        return
    with daemon(endpoint) as client:
        answer = client.ask("limits")
    if not answer["limits"] and not as_json:
        click.echo("no limits" if answer["strategy"] else "nothing is loaded")
    for limit in answer["limits"]:
        click.echo(json.dumps(limit) if as_json else limit_text(limit))


def limit_text(limit: dict[str, Any]) -> str:
    """One of them on a line, with a second one for what was changed."""
    text = f"{limit_name(limit):24}  {limit['value']}"
    if "used" in limit:
        text += f", {limit['used']} used"
    if "bought" in limit:
        text += f", {limit['bought']} bought, {limit['sold']} sold"
    if "change" in limit:
        change = limit["change"]
        text += (
            f"\n    until {utc_text(change['until_ns'])}, by {change['by']}: {change['reason']}"
            f" (the bundle: {limit['bundle'] or 'no limit'})"
        )
    return text


_instrument = click.option("--instrument", metavar="SYMBOL", default="", help="Of which `total_qty` is meant.")
_rule = click.option("--rule", metavar="RULE", default="", help="Whose own limit is meant, as the strategy names it.")


@limits.command("set")
@click.argument("name", metavar="LIMIT")
@click.argument("value")
@_instrument
@_rule
@click.option("--reason", metavar="TEXT", required=True, help="Why; the journal keeps it.")
@click.option("--for", "span", metavar="TIME", help="How long, such as 30m or 1h30m.")
@click.option("--until", metavar="HH:MM", help="Or until this machine's clock shows that next.")
@endpoint_option
def set_limit(
    name: str, value: str, instrument: str, rule: str, reason: str, span: str | None, until: str | None, endpoint: str
) -> None:
    """Change a limit of the running strategy for a time, without a deploy.

    LIMIT is `orders_per_second`, `total_orders`, `total_qty` of an instrument, `collar` or `repeat`, VALUE as a
    strategy has it. It holds for all orders at once; a board that is armed is disarmed for a moment. With `--rule` it
    is a limit that this rule has of its own, for which nothing is disarmed. When its time is over the bundle's value is
    back by itself. It outlives a restart of the daemon, and where another bundle is loaded it stays if it is tighter
    than that one's own.

    Needs the socket of a role that may: `risk` or `admin`. Exit code 1: refused, the reason is printed; 2: no daemon
    answers.

    \b
    Examples:
      fixaccel limits set orders_per_second 5 --reason "venue is slow" --for 30m
      fixaccel limits set total_qty 200 --instrument MSFT --reason "earnings at the close" --until 16:00
      fixaccel limits set total_orders 3 --rule entry --reason "thin market" --for 1h
    """
    if (span is None) == (until is None):
        raise click.UsageError("say how long with --for or --until")
    try:
        ends = {"for_ms": span_ms(span)} if span else {"until_ns": _local_ns(until or "")}
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    with daemon(endpoint) as client:
        client.ask("set_limit", limit=name, instrument=instrument, rule=rule, value=value, reason=reason, **ends)
        found = client.ask("limits")["limits"]
    _show(found, {"limit": name, "instrument": instrument, "rule": rule})


@limits.command("revert")
@click.argument("name", metavar="LIMIT")
@_instrument
@_rule
@endpoint_option
def revert_limit(name: str, instrument: str, rule: str, endpoint: str) -> None:
    """Give a limit that was changed the bundle's value again, before its time is over.

    Exit code 1: refused, the reason is printed; 2: no daemon answers.

    \b
    Examples:
      fixaccel limits revert orders_per_second
      fixaccel limits revert total_qty --instrument MSFT
      fixaccel limits revert total_orders --rule entry
    """
    with daemon(endpoint) as client:
        client.ask("revert_limit", limit=name, instrument=instrument, rule=rule)
        found = client.ask("limits")["limits"]
    _show(found, {"limit": name, "instrument": instrument, "rule": rule})


@limits.command("reset")
@click.option("--reason", metavar="TEXT", required=True, help="Why; the journal keeps it.")
@endpoint_option
def reset_limits(reason: str, endpoint: str) -> None:
    """Count orders and quantities from zero: what `total_orders` and `total_qty` have counted, of single rules too.

    Else only the venue's day roll does that. What was sent stays sent, and what has fired stays fired; `repeat` and
    `orders_per_second` go on. A board that is armed is disarmed for a moment.

    Needs the socket of a role that may: `risk` or `admin`. Exit code 1: refused, the reason is printed; 2: no daemon
    answers.

    \b
    Examples:
      fixaccel limits reset --reason "flat again after the morning"
    """
    with daemon(endpoint) as client:
        client.ask("reset_limits", reason=reason)
        found = client.ask("limits")["limits"]
    for limit in found:
        if "used" in limit or "bought" in limit:
            click.echo(limit_text(limit))


def _local_ns(text: str) -> int:
    here = datetime.now().astimezone().replace(tzinfo=None)  # a day with another hour is a day, too
    return int(next_time(text, here).timestamp()) * 1_000_000_000


def _show(found: list[dict[str, Any]], asked: dict[str, str]) -> None:
    name = limit_name(asked)
    now = [limit for limit in found if limit_name(limit) == name]
    click.echo(limit_text(now[0]) if now else f"{name}: no limit")
