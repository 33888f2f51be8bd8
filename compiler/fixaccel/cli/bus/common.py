# SPDX-License-Identifier: Apache-2.0
"""What the commands of the bus share."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from fixaccel.bus.site_file import SiteFile, read_site
from fixaccel.cli.output import show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.report import Report
from fixaccel.source import SourceFile

F = TypeVar("F", bound=Callable[..., object])
WRONG = 2

site_argument = click.argument("site_path", metavar="SITE", type=click.Path(dir_okay=False, path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def read(path: Path, *, form: str = "full") -> SiteFile:
    """The site; says what is wrong and exits with 2 otherwise."""
    report, sources = Report(), dict[str, SourceFile]()
    site = read_site(path, report, sources)
    found = Checked(report.sorted(), sources, report.dropped)
    show(found, form, err=site is None and form != "json")
    if site is None:
        sys.exit(WRONG)
    return site


def need_bus() -> None:
    """Exits with 2 and one line where the libraries of the bus are not installed."""
    try:
        import nats  # noqa: F401, PLC0415
        import nkeys  # noqa: F401, PLC0415
    except ImportError as error:
        click.echo(f"Error: {error.name} is not installed: `pip install fixaccel[bus]`", err=True)
        sys.exit(WRONG)


def carry_out(work: Coroutine[Any, Any, int]) -> None:
    """Runs it and exits with its code; with 1 and one line where the bus fails."""
    from fixaccel.bus.order import EventsLostError  # noqa: PLC0415
    from fixaccel.bus.reader import BusError  # noqa: PLC0415

    try:
        code = asyncio.run(work)
    except (BusError, EventsLostError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
    sys.exit(code)
