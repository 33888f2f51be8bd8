# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus check`: whether a site's file is right, and who may do what."""

import json
from pathlib import Path

import click

from fixaccel.bus.rights import rights
from fixaccel.cli.bus.common import json_option, read, site_argument
from fixaccel.cli.output import format_option


@click.command()
@site_argument
@format_option
@json_option
def check(site_path: Path, form: str, as_json: bool) -> None:
    """Check SITE, and list who can send and hear what.

    Exit code 0: it is right; 2: it is not.

    \b
    Examples:
      fixaccel bus check site/bus.yaml
      fixaccel bus check site/bus.yaml --json
    """
    site = read(site_path, form=form)
    found = rights(site)
    if as_json:
        click.echo(json.dumps([vars(right) for right in found], indent=1))
        return
    for right in found:
        click.echo(right.principal)
        click.echo(f"  sends  {', '.join(right.publish) or 'nothing'}")
        click.echo(f"  hears  {', '.join(right.subscribe)}")
