# SPDX-License-Identifier: Apache-2.0
"""The group of commands."""

import click

from fixaccel.cli.bus.apply import apply
from fixaccel.cli.bus.check import check
from fixaccel.cli.bus.init import init
from fixaccel.cli.bus.render import render
from fixaccel.cli.bus.status import status
from fixaccel.cli.bus.up import up
from fixaccel.cli.bus.watch import watch


@click.group()
def bus() -> None:
    """Quotes and events of daemons for many readers, over a server that none of them waits for.

    \b
    Examples:
      fixaccel bus init site --site tokyo --board b1 --reader desk
      fixaccel bus up site/bus.yaml
      fixaccel bus apply site/bus.yaml
      fixaccel bus watch site/bus.yaml --as desk
      fixaccel bus status site/bus.yaml
    """


for command in (init, check, render, up, apply, status, watch):
    bus.add_command(command)
