# SPDX-License-Identifier: Apache-2.0
"""`fixaccel convert`: recorded market data of another format to an event file."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from fixaccel.cli.output import format_option, refuse_input, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.events.write import Event, write_events
from fixaccel.language.patterns import SYMBOL
from fixaccel.simulate.convert import FORMATS, Input
from fixaccel.simulate.progress import ProgressBar


@click.command(epilog="\b\nFormats:\n" + "\n".join(f"  {name:<10}{form.text}" for name, form in FORMATS.items()))
@click.argument("format_", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.argument("source", metavar="INPUT", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="Event file: `.parquet` or CSV.",
)
@click.option("--instrument", metavar="SYMBOL", required=True, help="Name of the instrument in the venue file.")
@click.option("--zone", metavar="ZONE", default="UTC", show_default=True, help="Zone of times that name none.")
@format_option
def convert(format_: str, source: Path, output: Path, instrument: str, zone: str, form: str) -> None:
    """Make an event file of recorded market data in another format. INPUT may be packed by gzip.

    Exit code 1: the input has errors, and no file is written; 2: it cannot be read or written.

    \b
    Examples:
      fixaccel convert prints ticks.csv --instrument ESU3 --zone America/Chicago -o ticks.parquet
      fixaccel convert bitstamp orders.csv.gz --instrument BTC/USD -o book.parquet
    """
    refuse_input(output, [source])
    read = Input(source, _instrument(instrument), _zone(zone))
    try:
        with ProgressBar("convert", None, "events") as progress:
            rows = write_events(output, _faultless(read, FORMATS[format_].read(read), progress))
    except _FaultsError:
        rows = None
    checked = read.checked()
    show(checked, form, err=True)
    if rows is None:
        sys.exit(2 if any(d.code is CANNOT_READ for d in checked.diagnostics) else 1)
    if form == "full":
        click.echo(f"{rows} events in {output}", err=True)


class _FaultsError(Exception):
    """The input has errors: what was made of it is no event file."""


def _faultless(read: Input, events: Iterable[Event], progress: ProgressBar) -> Iterator[Event]:
    for number, event in enumerate(events):
        progress(number)
        yield event
    if read.checked().failed:
        raise _FaultsError


def _instrument(symbol: str) -> str:
    if SYMBOL.fullmatch(symbol):
        return symbol
    raise click.BadParameter(f"{symbol!r} is no symbol: 1 to 12 of A-Z a-z 0-9 . _ / ^ -", param_hint="--instrument")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise click.BadParameter(f"there is no time zone {name!r}", param_hint="--zone") from None
