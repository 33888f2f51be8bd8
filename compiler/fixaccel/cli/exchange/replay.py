# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange replay`: whether the same inputs give the same executions."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from fixaccel.diagnostics.text import printable
from fixaccel.exchange.program import ExchangeError, replay_record


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--venue", metavar="FILE", type=click.Path(path_type=Path), help="Venue to take in place of the record's."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def replay(record: Path, venue: Path | None, as_json: bool) -> None:
    """Do again what RECORD holds, without sockets, and compare.

    All that the exchange was told, by clients, scenario and clock, goes into a fresh one in the same order. Executions,
    trades and final orders must come out as recorded; what sessions add, times and sequence numbers, is not compared.

    Exit code 0: the same; 1: different; 2: the record or the venue has errors or cannot be read.

    \b
    Examples:
      fixaccel exchange replay day.jsonl
      fixaccel exchange replay day.jsonl --venue tomorrow.yaml --json
    """
    try:
        found = replay_record(record, venue)
    except ExchangeError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        _show(record, found)
    sys.exit(0 if found["same"] else 1)


def _show(record: Path, found: Mapping[str, Any]) -> None:
    for difference in found["differences"]:
        click.echo(click.style(f"{printable(str(record))}:{difference['line']}: {difference['what']}", bold=True))
        for mark, colour, said in (("-", "red", "recorded"), ("+", "green", "replayed")):
            if difference[said] is not None:
                click.echo(click.style(f"  {mark} {said} {printable(json.dumps(difference[said]))}", fg=colour))
    if (more := found["difference_count"] - len(found["differences"])) > 0:
        click.echo(f"... and {more:,} more")
    counts = ", ".join(f"{found[name]:,} {name}" for name in ("calls", "executions", "trades", "orders"))
    verdict = "the same" if found["same"] else f"{found['difference_count']:,} differences"
    ended = "" if found["whole"] else "; the record ends in the middle"
    click.echo(f"{counts}: {verdict}{ended}")
