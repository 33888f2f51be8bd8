# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fires`: which rules have fired, and what became of their orders."""

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fixaccel.board.fires import Fire, is_of, known_of
from fixaccel.board.journal import Record, first_record, segments
from fixaccel.board.polling import Poller, away
from fixaccel.cli.complete import complete_fired
from fixaccel.cli.daemon import daemon, endpoint_option
from fixaccel.cli.ending import until_interrupted
from fixaccel.cli.journal import records
from fixaccel.cli.status_text import fire_text

_POLL_S = 1.0
_AGO = re.compile(r"([0-9]{1,9})(s|m|h|d)\Z")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_NS = 10**9
_REPORTED = ("status", "order_id", "cum_qty", "leaves_qty", "avg_px", "text")


def _since_ns(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> int:
    """A time or how long ago, in nanoseconds since the epoch."""
    if value is None:
        return 0
    if ago := _AGO.match(value):
        return time.time_ns() - int(ago[1]) * _SECONDS[ago[2]] * _NS
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(
            f"{value} is neither a time, such as 2026-03-02T14:30, nor how long ago, such as 15m"
        ) from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * _NS)


@click.command()
@click.argument(
    "folder", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@endpoint_option
@click.option(
    "--rule", "rules", multiple=True, shell_complete=complete_fired, help="Only of this rule; may be repeated."
)
@click.option(
    "--since",
    "since_ns",
    metavar="TIME",
    callback=_since_ns,
    help="Only from then on: 2026-03-02T14:30, in UTC where no zone is given, or how long ago: 90s, 15m, 2h, 1d.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, all fields.")
@click.option("--follow", is_flag=True, help="Wait for more, until Ctrl-C.")
@click.pass_context
def fires(
    ctx: click.Context,
    folder: Path | None,
    endpoint: str,
    rules: tuple[str, ...],
    since_ns: int,
    as_json: bool,
    follow: bool,
) -> None:
    """Print fires, the oldest first: of the daemon, which knows the last 1000, or all of the journal in DIR.

    A rule of several parts (`fall`) stands for all of them (`fall[2]`).

    With `--follow` each comes once, whatever the daemon does meanwhile. The journal has every fire, so with DIR none is
    lost, and the daemon is not asked at all. Without, it is asked every second and may be away: what it cannot tell
    afterwards, because more have come than it knows, is said.

    Exit code 1: no rule of that name; 2: no daemon answers, or the journal cannot be read.

    \b
    Examples:
      fixaccel fires --since 15m
      fixaccel fires --rule protect-msft --rule 'fall[2]' --json | jq .cl_ord_id
      fixaccel fires /var/lib/fixaccel --follow
    """
    if folder is not None and ctx.get_parameter_source("endpoint") is ParameterSource.COMMANDLINE:
        raise click.UsageError("DIR is read without a daemon: leave --to out, or DIR")

    def wanted(fire: Fire) -> bool:
        return fire.get("trigger_time_ns", 0) >= since_ns and (not rules or any(is_of(fire, rule) for rule in rules))

    with until_interrupted():
        if follow:
            for fire in _followed(folder) if folder else _asked_for(endpoint):
                if wanted(fire):
                    _print(fire, as_json=as_json)
            return
        known, found = _recorded(folder) if folder else _answered(endpoint, named=bool(rules))
        if strange := [rule for rule in rules if not any(is_of({"rule": name}, rule) for name in known)]:
            click.echo(f"Error: no rule {', '.join(strange)} is loaded or has fired", err=True)
            sys.exit(1)
        for fire in filter(wanted, found):
            _print(fire, as_json=as_json)


def _print(fire: Fire, *, as_json: bool) -> None:
    when = datetime.fromtimestamp(fire.get("trigger_time_ns", 0) / _NS, UTC)
    click.echo(json.dumps(fire) if as_json else f"{when:%Y-%m-%d %H:%M:%S.%f}  {fire_text(fire)}")


def _answered(endpoint: str, *, named: bool) -> tuple[set[str], list[Fire]]:
    """Names of rules that the daemon knows, if any were ``named``, and the fires."""
    with daemon(endpoint) as client:
        found = client.ask("fires")["fires"]
        rules = client.ask("rules")["rules"] if named else []
    return {rule["id"] for rule in rules} | {fire.get("rule", "") for fire in found}, found


def _recorded(folder: Path) -> tuple[set[str], list[Fire]]:
    """Names of rules that the journal knows, and the fires with what the venue has said of their orders."""
    _say_where_it_begins(folder)
    names: set[str] = set()
    found: list[Fire] = []
    orders: dict[str, dict[str, Any]] = {}
    for record in _checked(records(folder, follow=False)):
        if record["type"] == "load":
            names.update(rule[key] for rule in record["rules"] for key in ("id", "rule") if key in rule)
        elif record["type"] == "fire":
            found.append(record)
            names.add(record.get("rule", ""))
        elif record["type"] == "execution":
            orders[record["cl_ord_id"]] = {key: record.get(key, "") for key in _REPORTED}
        elif record["type"] == "reject":
            order = orders.setdefault(record["cl_ord_id"], dict.fromkeys(_REPORTED, ""))
            order.update(status="rejected", text=record["text"])
    return names, [_with_order(fire, orders) for fire in found]


def _with_order(fire: Fire, orders: dict[str, dict[str, Any]]) -> Fire:
    order = orders.get(fire.get("cl_ord_id", ""))
    # What the journal calls `order` is the order's place in the board's table.
    rest = {key: value for key, value in fire.items() if key != "order"}
    return {**rest, "order": order} if order else rest


def _followed(folder: Path) -> Iterator[Fire]:
    """The journal's fires, and those that come."""
    _say_where_it_begins(folder)
    for record in _checked(records(folder, follow=True)):
        if record["type"] == "fire":
            yield _with_order(record, {})


def _say_where_it_begins(folder: Path) -> None:
    files = segments(folder)
    if files and (first := first_record(files[0])) > 1:
        _say(f"the journal in {folder} begins with record {first}: what was before is not shown")


def _checked(found: Iterator[Record]) -> Iterator[Record]:
    """The records; of those that cannot be read it is said that fires may be among them."""
    for record in found:
        if record["type"] == "damaged":
            _say(f"{record['file']}, line {record['line']}, is damaged or not whole: it may have been a fire")
        elif record["type"] == "missing":
            _say(f"the file with the records {record['from']} to {record['to']} is not there: fires may be in it")
        else:
            yield record


def _asked_for(endpoint: str) -> Iterator[Fire]:
    """The fires that the daemon knows, and those that come."""
    before: Sequence[Fire] = []
    said = ""
    with Poller(endpoint) as poller:
        while True:
            answer = poller.ask("fires")
            if (reason := away(answer)) != said:
                said = reason
                _say(reason or "the daemon answers again")
            if not reason:
                now = answer["fires"]
                known = known_of(before, now)
                if before and not known:
                    _say("the daemon knows none of the fires before any more: some may be missing here")
                yield from now[known:]
                before = now
            time.sleep(_POLL_S)


def _say(text: str) -> None:
    click.echo(text, err=True)
