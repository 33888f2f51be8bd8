# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus apply`: streams and consumers as the site's file has them."""

import json
from pathlib import Path

import click

from fixaccel.bus.site_file import ADMIN, SiteFile
from fixaccel.cli.bus.common import carry_out, json_option, need_bus, read, site_argument


@click.command()
@site_argument
@click.option("--dry-run", is_flag=True, help="Show the difference, and change nothing.")
@json_option
def apply(site_path: Path, dry_run: bool, as_json: bool) -> None:
    """Show how the server's streams and consumers differ from SITE, and make them so.

    Nothing is ever deleted: a stream of a board that is gone stays. Exit code 0: it is so now, or would be.

    \b
    Examples:
      fixaccel bus apply site/bus.yaml --dry-run
      fixaccel bus apply site/bus.yaml
    """
    need_bus()
    carry_out(_apply(read(site_path), site_path, dry_run=dry_run, as_json=as_json))


async def _apply(site: SiteFile, path: Path, *, dry_run: bool, as_json: bool) -> int:
    from fixaccel.bus import streams  # noqa: PLC0415
    from fixaccel.cli.bus.connect import connect  # noqa: PLC0415

    async with connect(site, path, ADMIN) as bus:
        steps = await streams.difference(bus, site)
        if not dry_run:
            await streams.carry_out(bus, steps)
    if as_json:
        click.echo(json.dumps({"steps": [step.what for step in steps], "done": not dry_run}))
        return 0
    for step in steps:
        click.echo(step.what if dry_run else f"done: {step.what}")
    if not steps:
        click.echo("all is as the file says")
    return 0
