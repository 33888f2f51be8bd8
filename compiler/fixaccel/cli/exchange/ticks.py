# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange ticks`: event files in Parquet for scenarios."""

import sys
from pathlib import Path

import click

from fixaccel.cli.output import refuse_input
from fixaccel.events.write import write_events
from fixaccel.exchange.event_rows import RowsError, parquet_rows


@click.command()
@click.argument("events", type=click.Path(path_type=Path))
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(path_type=Path), help="CSV.")
def ticks(events: Path, output: Path) -> None:
    """Make a CSV event file, which a scenario's `ticks` replays, of one in Parquet.

    Rows about a strategy's own orders are left out: a scenario makes the market, not the trader.

    Exit code 2: EVENTS is no event file, or a file cannot be read or written.

    \b
    Example:
      fixaccel exchange ticks day.parquet -o day.csv
    """
    refuse_input(output, [events])
    try:
        rows = write_events(output, parquet_rows(events))
    except RowsError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    click.echo(f"{rows:,} events in {output}", err=True)
