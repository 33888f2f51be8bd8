# SPDX-License-Identifier: Apache-2.0
"""Rule tests from Python."""

import io
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import overload

import click
from rich.console import Console

from fixaccel.api.boards import PathLike
from fixaccel.api.diagnostics import Diagnostics
from fixaccel.api.engines import EngineName, Engines, checked_name
from fixaccel.api.errors import FixaccelError
from fixaccel.api.html import terminal_html
from fixaccel.diagnostics.checked import Checked
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.pipeline import Loaded
from fixaccel.simulate.engines import Engine, EngineError
from fixaccel.testing.coverage import Coverage, coverages
from fixaccel.testing.load import SUFFIX, Case, Strategies, Suite, find_files, load_suite
from fixaccel.testing.run import Result, Runner
from fixaccel.testing.show import counts, show_coverage, show_results

_WIDTH = 120


class RuleTestRun(Sequence[Result]):
    """Results of rule tests, in the order of their files. Printed it is what `fixaccel test --coverage` says.

    Each result has ``case.name``, ``outcome`` ("passed", "failed" or "not run"), the fires ``seen`` and the ``reasons``
    of rules that were expected and did not fire.
    """

    def __init__(self, results: Sequence[Result], suites: Sequence[Suite], checked: Checked) -> None:
        self._results = results
        self._diagnostics = Diagnostics(checked)
        self._coverage = tuple(coverages(suites, results))

    @property
    def diagnostics(self) -> Diagnostics:
        """Warnings of tests and strategies."""
        return self._diagnostics

    @property
    def coverage(self) -> tuple[Coverage, ...]:
        """Which rules fired in a test, an entry a strategy."""
        return self._coverage

    @property
    def ok(self) -> bool:
        """Whether all of them were run, and passed."""
        return all(result.outcome == "passed" for result in self._results)

    @property
    def failed(self) -> tuple[Result, ...]:
        """Those that failed."""
        return tuple(result for result in self._results if result.failed)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __str__(self) -> str:
        return click.unstyle(self._styled())

    def __repr__(self) -> str:
        return f"<RuleTestRun: {counts(self._results)}>"

    def _repr_html_(self) -> str:
        return terminal_html(self._styled())

    def _styled(self) -> str:
        text = io.StringIO()
        console = Console(file=text, force_terminal=True, color_system="standard", width=_WIDTH, highlight=False)
        show_results(self._results, console)
        show_coverage(self.coverage, console)
        console.print(counts(self._results))
        return text.getvalue().rstrip("\n")


def run_tests(
    paths: PathLike | Iterable[PathLike],
    *,
    pattern: str = "",
    engine: EngineName = "rules",
    board: PathLike | None = None,
) -> RuleTestRun:
    """Runs the tests of test files, or of all `*.test.yaml` files in and below folders.

    ``pattern`` picks those that have it in their name or their file's. Raises FixaccelError where there is no such
    test, where a file or its strategy has errors, or where the engine cannot run.
    """
    checked_name(engine)
    listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = find_files([Path(path) for path in listed])
    if not files:
        raise FixaccelError(f"there is no *{SUFFIX} file in {', '.join(map(str, listed))}")
    strategies = Strategies()
    loaded = [load_suite(path, strategies) for path in files]
    checked = Checked.merge(loaded)
    if checked.failed:
        raise FixaccelError.of(checked, ", ".join(str(path) for path in listed))
    suites = [entry.suite for entry in loaded if entry.suite]

    def ready(suite: Suite) -> Engine:
        return Engines(Loaded(checked.diagnostics, checked.sources, strategy=suite.strategy)).get(engine, board)

    runner = Runner(ready)
    try:
        results = [result for suite in suites for result in runner.run(suite, _wanted(suite, pattern))]
    except (EngineError, LibraryError, TableError) as error:
        raise FixaccelError(str(error)) from None
    if not results:
        raise FixaccelError(f"no test matches `{pattern}`")
    return RuleTestRun(results, suites, checked)


def _wanted(suite: Suite, pattern: str) -> Callable[[Case], bool]:
    in_file = pattern in suite.name
    return lambda case: in_file or pattern in case.name
