# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus render`: the configuration of the site's server."""

from pathlib import Path

import click

from fixaccel.bus import server
from fixaccel.cli.bus.common import read, site_argument
from fixaccel.files import write_atomically


@click.command()
@site_argument
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="In place of printing."
)
def render(site_path: Path, output: Path | None) -> None:
    """Print the configuration of SITE's server: who may do what, and what no server of ours goes without.

    \b
    Example:
      fixaccel bus render site/bus.yaml -o server.conf
    """
    text = server.render(read(site_path), site_path.resolve().parent)
    if output is None:
        click.echo(text, nl=False)
        return
    write_atomically(output, text.encode())
    click.echo(f"wrote {output}")
