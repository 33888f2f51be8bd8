# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus up`: the site's server."""

import os
import sys
from pathlib import Path

import click

from fixaccel.bus import server
from fixaccel.cli.bus.common import WRONG, read, site_argument
from fixaccel.files import write_atomically


@click.command()
@site_argument
@click.option(
    "--server", "program", type=click.Path(dir_okay=False, path_type=Path), help="A nats-server that is to be used."
)
def up(site_path: Path, program: Path | None) -> None:
    """Run SITE's server, with its configuration made anew, until SIGTERM or Ctrl-C.

    What it stores is in the folder `store` beside SITE.

    \b
    Example:
      fixaccel bus up site/bus.yaml
    """
    site = read(site_path)
    folder = site_path.resolve().parent
    try:
        found = server.find_server(program)
    except server.ServerError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(WRONG)
    config = folder / server.CONFIG
    write_atomically(config, server.render(site, folder).encode())
    click.echo(f"{found.name} {server.check_version(found)} at {site.servers[0]}")
    sys.stdout.flush()
    # Signals are the server's own: nothing stands between.
    os.execv(found, [str(found), "-c", str(config)])  # noqa: S606
