# SPDX-License-Identifier: Apache-2.0
"""`fixaccel check`: all that is wrong with files, in one run."""

import re
from pathlib import Path

import click

from fixaccel.cli.deciding import Deciding
from fixaccel.cli.output import checking_format_option, show
from fixaccel.cli.paths import STDIN, STDIN_NAME, our_files, read_stdin
from fixaccel.cli.rerun import Run, run_and_exit, watch_option
from fixaccel.cli.together import check_together, show_together
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.drafts.work import Progress
from fixaccel.pipeline import Loaded, check_file
from fixaccel.testing.load import SUFFIX, LoadedSuite, Strategies, load_suite

# Standard input has no name that says it.
_TESTS = re.compile(rb"^tests *:", re.MULTILINE)


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--together", is_flag=True, help="Check strategies that run side by side as one desk, too.")
@click.option(
    "--board", metavar="FILE", type=click.Path(path_type=Path), help="Board of --together [default: PYNQ-Z1]."
)
@watch_option
@checking_format_option
def check(paths: tuple[Path, ...], together: bool, board: Path | None, watching: bool, form: str) -> None:
    """Check strategies, and the venues that they name; venue, board and test files can be checked by themselves.

    PATH may be a folder, which stands for all such files below it, or `-` for standard input; what that names is looked
    for in the working folder.

    With --together: orders of one strategy that may trade with those of another, rules that stand in two, the worst
    case, the room on a board, and sessions and limits over all of them.

    Exit code 0: nothing wrong (there may be warnings); 1: errors; 2: a file could not be read; 130: --watch was ended.

    \b
    Examples:
      fixaccel check strategies/quickstart.yaml
      fixaccel check strategies --format concise
      fixaccel check - < draft.yaml
      fixaccel check strategies --watch
      fixaccel check strategies --format sarif > build/check.sarif
      fixaccel check stops.yaml grid.yaml --together
    """
    if board and not together:
        raise click.UsageError("--board is for --together")
    run_and_exit(lambda: _check(paths, board, form, together=together), paths, form, watching=watching)


def _check(paths: tuple[Path, ...], board: Path | None, form: str, *, together: bool) -> Run:
    strategies = Strategies()
    files = our_files(paths)
    with Deciding() as progress:
        results = [_checked(path, strategies, progress) for path in files]
    if together:
        merged, desk = check_together(results, board)
        show_together(merged, desk, form)
    else:
        merged = Checked.merge(results)
        show(merged, form)
    if not together and form == "full" and not merged.diagnostics:
        click.echo(f"{len(results)} file{'s' if len(results) > 1 else ''} checked, nothing wrong")
    unreadable = any(d.code is CANNOT_READ and d.span.file in {str(path) for path in files} and d.span.line == 1
                     and d.span.file not in merged.sources for d in merged.diagnostics)  # fmt: skip
    read = {file for result in results if isinstance(result, Loaded | LoadedSuite) for file in result.files}
    read |= {*files, *([board] if board else [])}
    return Run(2 if unreadable else 1 if merged.failed else 0, frozenset(read))


def _checked(path: Path, strategies: Strategies, progress: Progress) -> Checked:
    if path == STDIN:
        given = read_stdin()
        name = Path(STDIN_NAME)
        return load_suite(name, strategies, given) if _TESTS.search(given) else check_file(name, given, progress)
    return load_suite(path, strategies) if path.name.endswith(SUFFIX) else check_file(path, progress=progress)
