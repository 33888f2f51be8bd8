# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus watch`: what a reader gets, as it comes."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fixaccel.bus.site_file import Reader, SiteFile
from fixaccel.cli.bus.common import WRONG, carry_out, json_option, need_bus, read, site_argument
from fixaccel.cli.ending import until_interrupted

if TYPE_CHECKING:
    from fixaccel.bus.order import Quote
    from fixaccel.bus.reader import Bus, Event


@click.command()
@site_argument
@click.option("--as", "name", required=True, metavar="READER", help="In whose name: the site's file says what it gets.")
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path), help="Its key, where that is elsewhere.")
@click.option("--after", default=0, show_default=True, help="Number of the last event that is known already.")
@click.option("--no-quotes", is_flag=True, help="Events only.")
@click.option("--no-events", is_flag=True, help="Quotes only.")
@json_option
def watch(
    site_path: Path, name: str, key: Path | None, after: int, no_quotes: bool, no_events: bool, as_json: bool
) -> None:
    """Print what READER gets of the bus, until Ctrl-C: quotes live or conflated, and events.

    Events are acked once they are printed. Exit code 1: the bus cannot be used, or events are lost.

    \b
    Examples:
      fixaccel bus watch site/bus.yaml --as desk
      fixaccel bus watch site/bus.yaml --as desk --no-quotes --json
    """
    need_bus()
    site = read(site_path)
    reader = site.readers.get(name)
    if reader is None:
        click.echo(f"Error: {site_path} has no reader `{name}`: {', '.join(site.readers) or 'it has none'}", err=True)
        sys.exit(WRONG)
    with until_interrupted():
        carry_out(_watch(site, site_path, reader, key, after, (not no_quotes, not no_events), as_json=as_json))


async def _watch(
    site: SiteFile, path: Path, reader: Reader, key: Path | None, after: int, what: tuple[bool, bool], *, as_json: bool
) -> int:
    from fixaccel.cli.bus.connect import connect  # noqa: PLC0415

    async with connect(site, path, reader.name, key) as bus, asyncio.TaskGroup() as group:
        if what[0] and reader.quotes:
            group.create_task(_print(_quotes(bus, reader), as_json=as_json))
        for board in reader.boards if what[1] and reader.events else ():
            group.create_task(_print(_events(bus, reader, board, after), as_json=as_json))
    return 0


async def _quotes(bus: "Bus", reader: Reader) -> AsyncIterator[tuple[dict[str, Any], str]]:
    if reader.live:
        async for quote in bus.live(reader.boards):
            yield asdict(quote), _quote_line(quote)
    elif reader.every_s is not None:
        async for tick in bus.conflated(reader.boards, reader.every_s):
            for quote in tick:
                yield asdict(quote), _quote_line(quote)


async def _events(bus: "Bus", reader: Reader, board: str, after: int) -> AsyncIterator[tuple[dict[str, Any], str]]:
    async for event in bus.events(board, after, kinds=reader.kinds, cut_through=reader.cut_through):
        yield _event_fields(event), f"{event.board}  {event.n}  {event.kind}  {json.dumps(event.data)}"
        await event.ack()


def _event_fields(event: "Event") -> dict[str, Any]:
    return {name: getattr(event, name) for name in ("board", "n", "record", "kind", "type", "time_ns", "data")}


def _quote_line(quote: "Quote") -> str:
    top = quote.top
    sides = (f"{top.get(side) or '-'} x {top.get(side + '_size') or '-'}" for side in ("bid", "ask", "last"))
    missed = "" if quote.missed == 0 else f"  missed {'?' if quote.missed is None else quote.missed}"
    stale = "  STALE" if quote.stale else ""
    return f"{quote.board}  {quote.symbol}  {quote.n}  {quote.kind}  {'  '.join(sides)}{missed}{stale}"


async def _print(lines: AsyncIterator[tuple[dict[str, Any], str]], *, as_json: bool) -> None:
    async for fields, line in lines:
        click.echo(json.dumps(fields) if as_json else line)
        sys.stdout.flush()
