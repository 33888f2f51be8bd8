# SPDX-License-Identifier: Apache-2.0
"""The group of commands."""

import click

from fixaccel.cli.fast.assemble import assemble
from fixaccel.cli.fast.check import check
from fixaccel.cli.fast.decode import decode
from fixaccel.cli.fast.encode import encode
from fixaccel.cli.fast.listing import list_


@click.group()
def fast() -> None:
    """Templates and captures of feeds in FAST 1.1 (FIX Adapted for STreaming).

    \b
    Examples:
      fixaccel fast check templates.xml
      fixaccel fast list templates.xml
      fixaccel fast decode day.pcap --templates templates.xml --skip 4
    """


for command in (check, list_, assemble, decode, encode):
    fast.add_command(command)
