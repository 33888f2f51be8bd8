# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange export`: a record as an event file."""

import sys
import tempfile
from pathlib import Path

import click

from fixaccel.cli.output import refuse_input
from fixaccel.events.write import write_events
from fixaccel.exchange.event_rows import RowsError, RuleNames, exported_rows
from fixaccel.exchange.program import ExchangeError, replay_record


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", metavar="FILE", required=True, type=click.Path(path_type=Path), help="`.parquet` or CSV."
)
@click.option(
    "--bundle",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Bundle whose orders traded: their fills become rows.",
)
@click.option("--instrument", metavar="SYMBOL", multiple=True, help="Only of this one; may be repeated.")
def export(record: Path, output: Path, bundle: Path | None, instrument: tuple[str, ...]) -> None:
    """Make an event file of RECORD, for `simulate`, `count`, `replay` and `sweep`.

    Rows are what a subscriber would have been sent, with the best bid and ask alone: snapshots, or changes and each
    trade, as the venue publishes. With `--bundle` what became of the orders of its rules stands between them; orders of
    others are left out. The record need not hold market data: the books are made again from what the exchange was told.

    Exit code 2: the record or the bundle has errors, or a file cannot be read or written.

    \b
    Examples:
      fixaccel exchange export day.jsonl -o day.csv
      fixaccel exchange export day.jsonl -o day.parquet --bundle build/quickstart
    """
    refuse_input(output, [record])
    try:
        rules = RuleNames(bundle) if bundle else None
        with tempfile.TemporaryDirectory(prefix="fixaccel-export-") as folder:
            made = Path(folder) / "events.csv"
            replayed = replay_record(record, events=made)
            symbols = frozenset(instrument) or None
            rows = write_events(output, exported_rows(made, rules, symbols), own_orders=rules is not None)
    except (ExchangeError, RowsError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if not replayed["same"]:
        click.echo(
            f"warning: the record does not replay the same: {replayed['difference_count']:,} differences; "
            "see `fixaccel exchange replay`",
            err=True,
        )
    click.echo(f"{rows:,} events in {output}", err=True)
