# SPDX-License-Identifier: Apache-2.0
"""`fixaccel hwmap`: the layout views of the hardware map."""

import sys
from pathlib import Path

import click

from fixaccel.bus import generate as bus
from fixaccel.hwmap import WINDOWS, HwmapError, load_hwmap, load_window
from fixaccel.hwmap.generate import stale, views, write


@click.group()
def hwmap() -> None:
    """The layout that hardware and software share."""


@hwmap.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a generated file is out of date.")
@click.option(
    "--root",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=Path(),
    help="The repository [default: the current folder].",
)
def generate(check: bool, root: Path) -> None:
    """Write the SystemVerilog package, the C++ header and the reference page of each map, and the bus's header.

    \b
    Example:
      fixaccel hwmap generate --check
    """
    try:
        maps = [load_hwmap(), *map(load_window, WINDOWS)]
    except HwmapError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if not check:
        for place in [*(place for loaded in maps for place in write(loaded, root)), *bus.write(root)]:
            click.echo(f"wrote {place}")
        return
    old = [place for loaded in maps for place in stale(loaded, root)] + [bus.PLACE] * bus.is_stale(root)
    for place in old:
        click.echo(f"{place} is out of date: run `fixaccel hwmap generate`", err=True)
    if old:
        sys.exit(1)
    click.echo(f"{sum(len(views(loaded)) for loaded in maps) + 1} generated files are fresh")
