# SPDX-License-Identifier: Apache-2.0
"""`fixaccel check`: all that is wrong with files, in one run."""

import sys
from pathlib import Path

import click

from fixaccel.cli.output import format_option, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.pipeline import Checked, check_file
from fixaccel.testing.load import SUFFIX, Strategies, load_suite


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@format_option
def check(files: tuple[Path, ...], form: str) -> None:
    """Check strategies, and the venues that they name; venue, board and test files can be checked by themselves.

    Exit code 0: nothing wrong (there may be warnings); 1: errors; 2: a file could not be read.

    \b
    Examples:
      fixaccel check strategies/quickstart.yaml
      fixaccel check strategies/*.yaml --format concise
    """
    strategies = Strategies()
    results = [
        load_suite(path, strategies) if path.name.endswith(SUFFIX) else check_file(path)
        for path in dict.fromkeys(files)
    ]
    merged = Checked.merge(results)
    show(merged, form)
    if form == "full" and not merged.diagnostics:
        click.echo(f"{len(results)} file{'s' if len(results) > 1 else ''} checked, nothing wrong")
    unreadable = any(d.code is CANNOT_READ and d.span.file in {str(path) for path in files} and d.span.line == 1
                     and d.span.file not in merged.sources for d in merged.diagnostics)  # fmt: skip
    sys.exit(2 if unreadable else 1 if merged.failed else 0)
