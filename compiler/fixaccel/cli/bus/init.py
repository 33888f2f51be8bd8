# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus init`: a site to begin with."""

import sys
from pathlib import Path

import click

from fixaccel.bus import names
from fixaccel.cli.bus.common import WRONG, need_bus


def _name(_ctx: click.Context, _option: click.Parameter, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    for name in (value,) if isinstance(value, str) else value:
        if not names.NAME.match(name):
            raise click.BadParameter(f"{name!r} is no name: {names.NAME_FORM}")
    return value


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--site", required=True, callback=_name, help="Name of the site.")
@click.option("--board", "boards", multiple=True, required=True, callback=_name, help="A board; as often as there are.")
@click.option("--reader", "readers", multiple=True, callback=_name, help="A reader; likewise.")
@click.option(
    "--server", default="nats://127.0.0.1:4222", show_default=True, help="Where it listens; tls:// for others."
)
def init(folder: Path, site: str, boards: tuple[str, ...], readers: tuple[str, ...], server: str) -> None:
    """Make keys, certificates and a first file of a site in DIR.

    With `tls://HOST:PORT` there are a CA and a certificate for HOST. Each principal has a key of its own in DIR/keys:
    give each machine its own, and no other.

    \b
    Examples:
      fixaccel bus init site --site tokyo --board b1 --reader desk
      fixaccel bus init site --site tokyo --board b1 --board b2 --reader desk --server tls://nats-1:4222
    """
    need_bus()
    from fixaccel.bus.start import Asked, StartError, begin  # noqa: PLC0415

    try:
        made = begin(folder, Asked(site, server, boards, readers))
    except (StartError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(WRONG)
    for path in made:
        click.echo(f"wrote {path}")
