# SPDX-License-Identifier: Apache-2.0
"""`fixaccel test`: what the rules are expected to do, checked."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from fixaccel.cli.output import checking_format_option, engine_option, refuse_input
from fixaccel.cli.rerun import Run, run_and_exit, watch_option
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.render import SARIF, github_line, render
from fixaccel.diagnostics.report import Severity
from fixaccel.diagnostics.sarif import Failure, sarif
from fixaccel.diagnostics.text import printable
from fixaccel.files import write_atomically
from fixaccel.hwmap import load_hwmap
from fixaccel.image.image import ImageError
from fixaccel.image.pack.pack import build_image
from fixaccel.native.library import LibraryError
from fixaccel.pipeline import load_board
from fixaccel.simulate.engines import Engine, EngineError, ImageEngine, RulesEngine
from fixaccel.simulate.rtl.run import RtlEngine, find_rtlsim
from fixaccel.testing.coverage import Coverage, coverages
from fixaccel.testing.load import SUFFIX, Strategies, Suite, find_files, load_suite
from fixaccel.testing.reports import as_data, junit
from fixaccel.testing.run import Result, Runner

_WIDTH_OF_LOGS = 160


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@engine_option
@click.option("-k", "pattern", metavar="TEXT", default="", help="Only tests with TEXT in their name or their file's.")
@click.option("-x", "first", is_flag=True, help="Stop at the first failure.")
@click.option("--coverage", is_flag=True, help="List the rules that no test has seen fire.")
@click.option(
    "--fail-under", metavar="PERCENT", type=click.FloatRange(0, 100), help="Fail if fewer rules than that fired."
)
@click.option("--junit", "junit_file", metavar="FILE", type=click.Path(path_type=Path), help="Write JUnit XML.")
@click.option("--allow-not-run", is_flag=True, help="Do not fail where none of the tests could be run on the engine.")
@click.option("--board", metavar="FILE", type=click.Path(path_type=Path), help="Board file [default: PYNQ-Z1].")
@watch_option
@checking_format_option
def test(  # noqa: PLR0917 - click passes by name
    paths: tuple[Path, ...],
    engine: str,
    pattern: str,
    first: bool,
    coverage: bool,
    fail_under: float | None,
    junit_file: Path | None,
    allow_not_run: bool,
    board: Path | None,
    watching: bool,
    form: str,
) -> None:
    """Run the tests in PATH: test files, or folders with `*.test.yaml` files in and below them.

    Exit code 0: all passed; 1: a test failed, none was run, or the files have errors; 2: a file could not be read,
    there are no tests, or the engine cannot run; 130: --watch was ended.

    \b
    Examples:
      fixaccel test strategies
      fixaccel test strategies/quickstart.test.yaml -k gap --engine image
      fixaccel test strategies --coverage --fail-under 90 --junit build/rules.xml
      fixaccel test strategies --watch
    """

    def once() -> Run:
        files = find_files(paths)
        if not files:
            raise click.UsageError(f"there is no *{SUFFIX} file in {', '.join(map(str, paths))}")
        strategies = Strategies()
        loaded = [load_suite(path, strategies) for path in files]
        if junit_file:
            refuse_input(junit_file, [*(file for entry in loaded for file in entry.files), *([board] if board else [])])
        read = frozenset(file for entry in loaded for file in entry.files) | ({board} if board else set())
        faults = Checked.merge(loaded)
        suites = [entry.suite for entry in loaded if entry.suite]
        try:
            runner = Runner(_engine_of(engine, board))
            results = _run(runner, suites, pattern, first)
        except EngineError as error:
            click.echo(f"Error: {error}", err=True)
            return Run(2, read)
        if not results and not faults.failed:
            raise click.UsageError(f"no test matches `{printable(pattern)}`")
        found = coverages(suites, results) if coverage or fail_under is not None else None
        if junit_file:
            broken = {
                str(path): _concise(entry) for path, entry in zip(files, loaded, strict=True) if entry.suite is None
            }
            write_atomically(junit_file, junit(results, broken))
        _show(faults, results, found, form)
        if results and all(result.not_run for result in results) and not allow_not_run:
            click.echo("Error: none of the tests was run; --allow-not-run lets that pass", err=True)
            return Run(1, read)
        return Run(_exit_code(faults, results, found, fail_under), read)

    run_and_exit(once, paths, form, watching=watching)


def _concise(outcome: Checked) -> str:
    return click.unstyle(render(outcome.diagnostics, outcome.sources, "concise", outcome.dropped))


def _run(runner: Runner, suites: Sequence[Suite], pattern: str, first: bool) -> list[Result]:
    results: list[Result] = []
    for suite in suites:
        in_file = pattern in suite.name
        for result in runner.run(suite, lambda case, all_=in_file: all_ or pattern in case.name):  # type: ignore[misc]
            results.append(result)
            if first and result.failed:
                return results
    return results


def _engine_of(engine: str, board: Path | None) -> Callable[[Suite], Engine]:
    """Raises EngineError where the engine cannot run at all."""
    if engine == "rules":
        return lambda suite: RulesEngine(suite.strategy)
    if engine == "rtl":
        find_rtlsim()
    target, hwmap = load_board(board), load_hwmap()
    if target.board is None:
        raise EngineError(_concise(target))
    ready = target.board

    def compiled(suite: Suite) -> Engine:
        try:
            image = build_image(suite.strategy, ready, hwmap)
        except ImageError as error:
            raise EngineError("; ".join(d.message for d in error.diagnostics)) from None
        if engine == "image":
            try:
                return ImageEngine(image, suite.strategy, ready, hwmap)
            except LibraryError as error:
                raise EngineError(str(error)) from None
        return RtlEngine(image, suite.strategy, ready, hwmap, None, None)

    return compiled


def _show(faults: Checked, results: Sequence[Result], found: Sequence[Coverage] | None, form: str) -> None:
    if form == "json":
        diagnostics = json.loads(render(faults.diagnostics, faults.sources, "json", faults.dropped))
        click.echo(json.dumps(as_data(results, found) | diagnostics, indent=2))
        return
    if form == SARIF:
        failures = [Failure(f"test failed: {r.case.name}", r.case.span) for r in results if r.failed]
        click.echo(sarif(faults.diagnostics, faults.sources, faults.dropped, failures))
        return
    text = render(faults.diagnostics, faults.sources, form, faults.dropped)
    if text:
        click.echo(text)
    if form == "full":
        _show_full(results, found)
        return
    for result in results:
        if result.failed:
            message = f"test failed: {result.case.name}"
            line = f"{result.case.span}: {message}"
            click.echo(github_line(Severity.ERROR, "test", message, result.case.span) if form == "github" else line)


def _show_full(results: Sequence[Result], found: Sequence[Coverage] | None) -> None:
    # Rich takes a while to import: only where it is used.
    from rich.console import Console  # noqa: PLC0415

    from fixaccel.testing.show import counts, show_coverage, show_results  # noqa: PLC0415

    wide = None if sys.stdout.isatty() else _WIDTH_OF_LOGS
    console = Console(highlight=False, width=wide)
    show_results(results, console)
    if found:
        show_coverage(found, console)
    console.print(counts(results))


def _exit_code(
    faults: Checked,
    results: Sequence[Result],
    found: Sequence[Coverage] | None,
    fail_under: float | None,
) -> int:
    if any(d.code is CANNOT_READ for d in faults.diagnostics):
        return 2
    low = fail_under is not None and found is not None and any(entry.percent < fail_under for entry in found)
    return 1 if faults.failed or low or any(result.failed for result in results) else 0
