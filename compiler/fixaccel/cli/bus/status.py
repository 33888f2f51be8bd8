# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus status`: whether all is well on the bus."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixaccel.bus.site_file import ADMIN, SiteFile
from fixaccel.cli.bus.common import carry_out, json_option, need_bus, read, site_argument

if TYPE_CHECKING:
    from fixaccel.bus.streams import BoardState


@click.command()
@site_argument
@click.option("--lag", default=1000, show_default=True, help="Records that events may be behind the journal.")
@json_option
def status(site_path: Path, lag: int, as_json: bool) -> None:
    """Show of each board of SITE: relay, daemon, events, and how far behind their readers are.

    Exit code 0: all is well; 1: a relay or a daemon is not heard of, something was lost, or events are behind.

    \b
    Example:
      fixaccel bus status site/bus.yaml
    """
    need_bus()
    carry_out(_status(read(site_path), site_path, lag, as_json=as_json))


async def _status(site: SiteFile, path: Path, lag: int, *, as_json: bool) -> int:
    from fixaccel.bus import streams  # noqa: PLC0415
    from fixaccel.cli.bus.connect import connect  # noqa: PLC0415

    async with connect(site, path, ADMIN) as bus:
        states = [
            await streams.board_state(bus, site, board, now_ns=time.time_ns(), most_lag=lag) for board in site.boards
        ]
    if as_json:
        click.echo(json.dumps([vars(state) for state in states], indent=1))
    else:
        for state in states:
            click.echo("\n".join(_lines(state)))
    return int(any(state.problems for state in states))


def _lines(state: "BoardState") -> list[str]:
    beat, said = state.heartbeat or {}, state.status or {}
    phase = said.get("phase", "not heard of")
    words = [phase] + [key for key in ("armed", "dry", "killed") if said.get(key) and key != phase]
    lines = [
        f"{state.board}",
        f"  daemon   {', '.join(words)}; {said.get('fires', 0)} fires, {said.get('reports', 0)} reports",
        (
            f"  quotes   {beat.get('instruments', 0)} instruments, {beat.get('published', 0)} published, "
            f"{beat.get('ring_lost', 0)} lost"
        ),
        f"  events   {state.events}, {beat.get('lag', 0)} records behind the journal",
    ]
    lines += [f"  reader   {reader}: {behind} events not acked" for reader, behind in state.behind.items()]
    return lines + [f"  PROBLEM  {problem}" for problem in state.problems]
