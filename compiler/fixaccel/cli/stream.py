# SPDX-License-Identifier: Apache-2.0
"""`fixaccel watch`: what happens at a daemon, as it happens."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import click

from fixaccel.board.feed import Event, follow
from fixaccel.board.limits import limit_name
from fixaccel.board.orders import sender_text, state_text, terms_text
from fixaccel.cli.daemon import endpoint_option
from fixaccel.cli.ending import until_interrupted
from fixaccel.cli.status_text import changed_text, fire_text

KINDS = ("session", "rule", "order", "fire", "book", "limit")


@click.command("watch")
@click.option(
    "--only",
    type=click.Choice(KINDS),
    multiple=True,
    help="Only events of this kind; may be repeated. That events were dropped is always said.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, all fields.")
@endpoint_option
def watch(only: tuple[str, ...], as_json: bool, endpoint: str) -> None:
    """Print what happens at a daemon until Ctrl-C: session, states of rules, orders, fires, books, changed limits.

    First comes all that is, then what changes. The daemon may be away or start anew meanwhile: it says so, and goes on.
    Trading does not wait for whoever watches: what is not read in time is dropped, and it is said how many events were.

    Exit code 0, once it is interrupted.

    \b
    Examples:
      fixaccel watch --only order --only fire
      fixaccel watch --json --to unix:/run/fixaccel/control.sock | jq -c 'select(.event == "fire")'
    """
    with until_interrupted():
        for event in follow(endpoint):
            if event["event"] in KINDS and only and event["event"] not in only:
                continue
            now = datetime.now(UTC)
            click.echo(json.dumps(event) if as_json else f"{now:%Y-%m-%d %H:%M:%S}  {event_text(event)}")


def event_text(event: Event) -> str:
    """One event for a reader."""
    kind = event["event"]
    return f"{kind:8}  {_TEXTS[kind](event) if kind in _TEXTS else json.dumps(event)}"


def _session(event: Event) -> str:
    armed = "DRY RUN" if event["dry_run"] else "armed" if event["armed"] else "disarmed"
    parts = [event["phase"], "KILL SWITCH ON" if event["killed"] else armed, event["strategy"], event["problem"]]
    return ", ".join(part for part in parts if part)


def _book(event: Event) -> str:
    def best(side: str) -> str:
        return f"{event[side][0][1]} at {event[side][0][0]}" if event[side] else "nothing"

    last = f", last {event['last'][0]}" if event["last"] else ""
    return f"{event['instrument']} bid {best('bids')}, asked {best('asks')}{last}"


def _limit(event: Event) -> str:
    if event["what"] == "reset":
        return f"what is counted of orders and quantities begins anew, by {event['by']}: {event['reason']}"
    if event["what"] == "reverted":
        by = f" by {event['by']}" if "by" in event else ""
        return f"{limit_name(event)} is the bundle's again, not {event['value']}: {event['reason']}{by}"
    return changed_text(event)


_TEXTS: dict[str, Callable[[Event], str]] = {
    "session": _session,
    "rule": lambda e: f"{e['id']} {e['state']}",
    "order": lambda e: f"{e['cl_ord_id']} {terms_text(e)}: {state_text(e)}, {sender_text(e)}",
    "fire": fire_text,
    "book": _book,
    "limit": _limit,
    "dropped": lambda e: f"{e['events']} events were not read in time: ask `fixaccel status` and `fixaccel orders`",
    "missed": lambda e: f"{e['fires']} fires were too many to be told: `fixaccel fires` has them",
    "away": lambda e: str(e["reason"]),
    "back": lambda _: "the daemon answers again",
}
