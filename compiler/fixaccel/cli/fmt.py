# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fmt`: files laid out in one way."""

import difflib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import click

from fixaccel.cli.output import format_option, show
from fixaccel.cli.paths import STDIN, STDIN_NAME, our_files, read_stdin
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.report import Report
from fixaccel.diagnostics.text import printable
from fixaccel.files import write_atomically
from fixaccel.formatting.format import LayoutError, format_source
from fixaccel.language.text.files import read_source
from fixaccel.source import SourceFile

Sources: TypeAlias = dict[str, SourceFile]


@dataclass(frozen=True)
class Formatted(Checked):
    """``old`` and ``new`` text of a file; None if it could not be read or must be left alone."""

    name: str = ""
    old: str | None = None
    new: str | None = None
    problem: str | None = None


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change, exit 1 if anything would.")
@format_option
def fmt(paths: tuple[Path, ...], check: bool, diff: bool, form: str) -> None:
    """Lay out strategy, venue, board and test files in one way. Comments are kept, and no value is touched.

    PATH may be a folder, which stands for all such files below it, or `-` for standard input to standard output.
    Keys stand in the order of the reference, brackets stay where they fit on a line, rules stand apart by a blank line.

    Exit code 0: done; 1: with --check or --diff, a file would change, or a file is no sound YAML and was left alone; 2:
    a file could not be read or written.

    \b
    Examples:
      fixaccel fmt strategies
      fixaccel fmt --check strategies/quickstart.yaml
      fixaccel fmt - < draft.yaml
    """
    results = [_formatted(path) for path in our_files(paths)]
    merged = Checked.merge(results)
    show(merged, form, err=True)
    for result in results:
        if result.problem:
            click.echo(f"Error: {printable(result.name)}: left alone: {result.problem}", err=True)
    changed = [result for result in results if result.new is not None and result.new != result.old]
    if diff:
        _show_differences(changed)
    elif not check:
        _write(results, changed, form)
    elif form == "full":
        for result in changed:
            click.echo(f"would change: {result.name}")
    if any(d.code is CANNOT_READ for d in merged.diagnostics):
        sys.exit(2)
    wrong = merged.failed or any(result.problem for result in results)
    sys.exit(1 if wrong or ((check or diff) and changed) else 0)


def _formatted(path: Path) -> Formatted:
    report = Report()
    sources: Sources = {}
    given = read_stdin() if path == STDIN else None
    name = STDIN_NAME if path == STDIN else str(path)
    source = read_source(path, name, report, sources, given=given)
    try:
        new = format_source(source, report) if source else None
        problem = None
    except LayoutError as error:
        new, problem = None, str(error)
    return Formatted(report.sorted(), sources, report.dropped, name, source.text if source else None, new, problem)


def _write(results: list[Formatted], changed: list[Formatted], form: str) -> None:
    for result in results:
        if result.name == STDIN_NAME:
            click.echo(result.new or "", nl=False)
            return
    for result in changed:
        assert result.new is not None
        write_atomically(Path(result.name), result.new.encode("utf-8"))
    if form == "full":
        files = f"{len(results)} file{'s' if len(results) > 1 else ''}"
        click.echo(f"{len(changed)} of {files} changed")


def _show_differences(changed: list[Formatted]) -> None:
    for result in changed:
        assert result.old is not None
        assert result.new is not None
        lines = difflib.unified_diff(
            result.old.splitlines(), result.new.splitlines(), result.name, f"{result.name} (laid out)", lineterm=""
        )
        for line in lines:
            click.echo(printable(line))
