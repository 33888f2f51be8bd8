# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange diff`: two records side by side."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fixaccel.diagnostics.text import printable
from fixaccel.exchange.difference import Stream, bare, compare
from fixaccel.exchange.record import Line, RecordError

_SHOWN = 10  # lines of each record in a stream


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--numbers", is_flag=True, help="Compare sequence numbers too: heartbeats take part in them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def diff(old: Path, new: Path, numbers: bool, as_json: bool) -> None:
    """Compare the records OLD and NEW, apart from times.

    Lines of one kind and client are compared in their order. Those of two clients lie in any order, and heartbeats are
    left out: both are the clock's business.

    Exit code 0: the same; 1: different; 2: a record cannot be read.

    \b
    Examples:
      fixaccel exchange diff monday.jsonl tuesday.jsonl
      fixaccel exchange diff before.jsonl after.jsonl --json
    """
    try:
        streams = compare(old, new, numbers=numbers)
    except RecordError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps({"same": not streams, "streams": [_as_data(stream) for stream in streams]}, indent=2))
    else:
        for stream in streams:
            _show(stream, old, new, numbers)
        click.echo("different" if streams else "the same")
    sys.exit(1 if streams else 0)


def _as_data(stream: Stream) -> Mapping[str, Any]:
    def lines(some: Sequence[Line]) -> list[Mapping[str, Any]]:
        return [{"line": line.number, "fields": line.fields} for line in some]

    return {
        "event": stream.event,
        "client": stream.client,
        "same": stream.same,
        "removed": lines(stream.removed),
        "added": lines(stream.added),
    }


def _show(stream: Stream, old: Path, new: Path, numbers: bool) -> None:
    of = f" of {stream.client}" if stream.client else ""
    same = f"{stream.same:,} line{'' if stream.same == 1 else 's'} the same"
    click.echo(click.style(printable(f"{stream.event}{of}: {same}"), bold=True))
    for mark, colour, path, lines in (("-", "red", old, stream.removed), ("+", "green", new, stream.added)):
        for line in lines[:_SHOWN]:
            text = json.dumps(bare(line, numbers=numbers))
            click.echo(click.style(printable(f"{mark} {path}:{line.number}: {text}"), fg=colour))
        if len(lines) > _SHOWN:
            click.echo(f"{mark} ... and {len(lines) - _SHOWN:,} more")
