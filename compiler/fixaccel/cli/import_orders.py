# SPDX-License-Identifier: Apache-2.0
"""`fixaccel import`: a broker's list of orders to a strategy."""

import sys
from pathlib import Path

import click

from fixaccel.cli.output import format_option, refuse_input, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.text import printable
from fixaccel.files import write_atomically
from fixaccel.language.terms import Source
from fixaccel.order_list.headers import IGNORE, NAMES, MappingError
from fixaccel.order_list.load import Imported, Wish, import_orders
from fixaccel.order_list.numerals import COMMA, POINT
from fixaccel.order_list.read import DELIMITERS, ENCODINGS

_SOURCES = [source.value for source in Source]


def _columns(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> list[tuple[str, str]]:
    del ctx, param
    pairs = []
    for text in given:
        field, equals, name = text.partition("=")
        if not equals or not name or field not in {*NAMES, IGNORE}:
            known = ", ".join([*NAMES, IGNORE])
            raise click.BadParameter(f"{text!r} is not FIELD=NAME; fields are {known}")
        pairs.append((field, name))
    return pairs


@click.command("import")
@click.argument("orders", metavar="ORDERS", type=click.Path(path_type=Path))
@click.option(
    "--venue", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Venue file of the strategy."
)
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Strategy [default: standard output]."
)
@click.option(
    "--column",
    "columns",
    metavar="FIELD=NAME",
    multiple=True,
    callback=_columns,
    help="What a column is; `ignore=NAME` leaves it out.",
)
@click.option(
    "--trigger",
    type=click.Choice(_SOURCES),
    help="Price to watch where the list does not name one price.",
)
@click.option(
    "--decimal",
    type=click.Choice([POINT, COMMA]),
    help="The decimal mark, where a number could be read in two ways.",
)
@click.option(
    "--delimiter",
    type=click.Choice(list(DELIMITERS)),
    help="What parts the cells [default: as the first line].",
)
@click.option(
    "--encoding", type=click.Choice(ENCODINGS), default="utf-8", show_default=True, help="How the list is written."
)
@click.option("--skip-bad-rows", is_flag=True, help="Write what can be taken, and list the rest.")
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would be written.")
@click.option("--overwrite", is_flag=True, help="Replace files that are there already.")
@format_option
def import_command(
    *,
    orders: Path,
    venue: Path,
    output: Path | None,
    columns: list[tuple[str, str]],
    trigger: str | None,
    decimal: str | None,
    delimiter: str | None,
    encoding: str,
    skip_bad_rows: bool,
    dry_run: bool,
    overwrite: bool,
    form: str,
) -> None:
    """Make a strategy of ORDERS, a broker's list of stop orders in CSV.

    The usual names of columns are known: symbol, side, quantity, order type (STP, STP LMT, LIT, MIT, TRAIL), stop and
    limit price, time in force, trigger method, account, oco group, order and parent id, comment. A row that cannot be
    taken is an error at its cell, and nothing is written unless all are taken.

    Exit code 0: all rows are in the strategy; 1: some are not (with --skip-bad-rows the others are); 2: a file could
    not be read or written.

    \b
    Examples:
      fixaccel import orders.csv --venue venues/simulator.yaml -o stops.yaml
      fixaccel import orders.csv --venue venue.yaml --column stop=AuxPrice --trigger last --dry-run
    """
    wish = Wish(
        columns, Source(trigger) if trigger else None, decimal, DELIMITERS[delimiter] if delimiter else None, encoding,
        skip_bad_rows,
    )  # fmt: skip
    try:
        imported = import_orders(orders, venue, output, wish)
    except MappingError as error:
        raise click.UsageError(printable(str(error))) from None
    files = _files(imported, output)
    if output and not dry_run:
        for path in files:
            refuse_input(path, [orders, venue])
            if path.exists() and not overwrite:
                raise click.UsageError(f"{printable(str(path))} is there already; --overwrite replaces it")
    show(imported, form, err=True)
    if imported.written is None:
        unreadable = any(diagnostic.code is CANNOT_READ for diagnostic in imported.diagnostics)
        if form == "full" and imported.rows:
            click.echo(f"nothing is written: {_rows(imported)} can be taken", err=True)
        sys.exit(2 if unreadable else 1)
    if output is None and not dry_run:
        click.echo(imported.written.text, nl=False)
    elif not dry_run:
        for path, text in files.items():
            write_atomically(path, text.encode("utf-8"))
    if form == "full":
        _say(imported, output, files, dry_run=dry_run)
    sys.exit(0 if imported.taken == imported.rows else 1)


def _files(imported: Imported, output: Path | None) -> dict[Path, str]:
    """What is written, the strategy last: it names the tables."""
    if imported.written is None or output is None:
        return {}
    tables = {output.with_name(name): text for name, text in imported.written.tables.items()}
    return {**tables, output: imported.written.text}


def _rows(imported: Imported) -> str:
    return f"{imported.taken:,} of {imported.rows:,} row{'s' if imported.rows > 1 else ''}"


def _say(imported: Imported, output: Path | None, files: dict[Path, str], *, dry_run: bool) -> None:
    err = output is None and not dry_run
    wrote = "would write" if dry_run else "wrote"
    names = ", ".join(printable(str(path)) for path in reversed(files))
    click.echo(f"{_rows(imported)} taken" + (f", {wrote} {names}" if names else ""), err=err)
    if imported.warnings and output:
        plural = "" if imported.warnings == 1 else "s"
        where = f"`fixaccel check {printable(str(output))}`"
        click.echo(f"{imported.warnings} warning{plural} of the strategy: {where} shows them", err=err)
