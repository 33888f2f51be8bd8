# SPDX-License-Identifier: Apache-2.0
"""`fixaccel audit`: whether a journal is as it was written, and what it says to a reader who was not there."""

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from fixaccel.board.audit import verify as follow_chain
from fixaccel.board.journal import JournalError, Record, read, segments
from fixaccel.cli.journal import describe
from fixaccel.cli.output import refuse_input
from fixaccel.files import write_atomically

_KEPT = re.compile(r"([1-9][0-9]{0,17}):([0-9a-f]{64})\Z")
_NS = 10**9
_FIELDS = (
    *("rule", "instrument", "source", "direction", "threshold", "observed", "outcome", "side", "qty", "type_of_order"),
    *("price", "cl_ord_id", "msg_seq_num", "order_id", "status", "cum_qty", "leaves_qty"),
)
_COLUMNS = ("time_utc", "event", "by", *_FIELDS, "text")
_folder = click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))


@click.group()
def audit() -> None:
    """Prove that a journal is as it was written, and export it.

    \b
    Examples:
      fixaccel audit verify /var/lib/fixaccel
      fixaccel audit export /var/lib/fixaccel --day 2026-03-02 -o 2026-03-02.csv
    """


def _kept(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[int, str] | None:
    if value is None:
        return None
    if match := _KEPT.match(value):
        return int(match[1]), match[2]
    raise click.BadParameter(f"{value} is not NUMBER:SHA256, as `audit verify` and `status --json` give it")


@audit.command()
@_folder
@click.option(
    "--kept", metavar="NUMBER:SHA256", callback=_kept, help="A record that was noted elsewhere has to be there."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def verify(folder: Path, kept: tuple[int, str] | None, *, as_json: bool) -> None:
    """Follow the chain of hashes through the journal in DIR.

    Each record names the SHA-256 of the line before it, so one that was changed, taken out or put in breaks the chain.
    Who may write to the folder can write it anew from there to its end: note number and hash of the last record
    elsewhere from time to time, and give them as `--kept` later.

    A record that is damaged at the very end is what a crash leaves, or one that is being written.

    Exit code 1: the journal is not as it was written; 2: it cannot be read.

    \b
    Examples:
      fixaccel audit verify /var/lib/fixaccel
      fixaccel audit verify /archive --kept 4711:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    """
    try:
        report = follow_chain(folder, kept)
    except JournalError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        for fault in report.faults:
            click.echo(fault)
        if report.unchained:
            click.echo(
                f"{report.unchained} records at its beginning name no hash: a daemon without the chain wrote them"
            )
        if not report.faults:
            click.echo(f"records {report.first} to {report.last} are as they were written")
        click.echo(f"the last: {report.last}:{report.head}")
    sys.exit(1 if report.faults else 0)


@audit.command()
@_folder
@click.option("--day", metavar="DATE", type=click.DateTime(["%Y-%m-%d"]), help="Only this day of UTC.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write; without, standard output."
)
def export(folder: Path, day: datetime | None, output: Path | None) -> None:
    """Write what the journal in DIR says as a table (CSV): who has asked for what, what fired, left, and came of it.

    A row an event, with the same columns for all; `text` says it in words. The FIX messages themselves and the daemon's
    bookkeeping are left out: `fixaccel journal DIR --json` has all.

    Exit code 2: the journal cannot be read, or the file not be written.

    \b
    Examples:
      fixaccel audit export /var/lib/fixaccel --day 2026-03-02 -o 2026-03-02.csv
    """
    if output is not None:
        refuse_input(output, segments(folder))
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(_COLUMNS)
    try:
        rows.writerows(_rows(read(folder), day))
        # With a mark that tells a spreadsheet that this is UTF-8.
        if output is not None:
            write_atomically(output, text.getvalue().encode("utf-8-sig"))
    except JournalError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        click.echo(f"Error: cannot write {output}: {error.strerror or error}", err=True)
        sys.exit(2)
    if output is None:
        click.echo(text.getvalue(), nl=False)


def _rows(records: Iterator[Record], day: datetime | None) -> Iterator[list[str]]:
    for record in records:
        words = describe(record).partition("  ")[2]
        moment = datetime.fromtimestamp(record.get("time_ns", 0) // _NS, UTC)
        if not words or (day is not None and moment.date() != day.date()):
            continue
        time = f"{moment:%Y-%m-%d %H:%M:%S}.{record.get('time_ns', 0) % _NS:09}"
        fields = [str(record.get(name, "")) for name in _FIELDS]
        yield [_inert(cell) for cell in (time, record["type"], str(record.get("by", "")), *fields, words)]


def _inert(cell: str) -> str:
    """What a spreadsheet takes for text: some of it comes from the venue."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", cell) is not None
