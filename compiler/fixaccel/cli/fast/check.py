# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast check`: all faults of template files."""

import sys
from pathlib import Path

import click

from fixaccel.cli.output import checking_format_option, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.text import printable
from fixaccel.fast.model import Templates, walk
from fixaccel.fast.reader import load_templates


@click.command()
@click.argument("templates", nargs=-1, required=True, type=click.Path(path_type=Path))
@checking_format_option
def check(templates: tuple[Path, ...], form: str) -> None:
    """Check files of FAST templates: each fault with its place and, where the standard has one, its code.

    Exit code 0: no error; 1: errors; 2: a file could not be read.

    \b
    Examples:
      fixaccel fast check templates.xml
      fixaccel fast check feeds/*.xml --format sarif
    """
    loaded = [load_templates(path) for path in dict.fromkeys(templates)]
    found = Checked.merge(loaded)
    show(found, form, err=form == "full")
    if form == "full":
        for path, one in zip(dict.fromkeys(templates), loaded, strict=True):
            if one.templates:
                click.echo(f"{printable(str(path))}: {_summary(one.templates)}")
    if any(diagnostic.code is CANNOT_READ for diagnostic in found.diagnostics):
        sys.exit(2)
    sys.exit(1 if found.failed else 0)


def _summary(templates: Templates) -> str:
    count, fields = len(templates.all), sum(len(list(walk(one.items))) for one in templates.all)
    named = ", ".join(f"{one.name} ({one.id})" for one in templates.all if one.id is not None)
    plural = "" if count == 1 else "s"
    return f"{count} template{plural}, {fields:,} instructions" + (f": {printable(named)}" if named else "")
