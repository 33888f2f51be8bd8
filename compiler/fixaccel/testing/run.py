# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of test files on one of the engines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from fixaccel.semantics.messages import Fire
from fixaccel.simulate.engines import Engine, NotPlayableError
from fixaccel.testing.compare import Pair, pairs
from fixaccel.testing.load import Case, Suite
from fixaccel.testing.reasons import why_not

# What makes the engine that runs a strategy.
EngineOf = Callable[[Suite], Engine]


@dataclass(frozen=True)
class Result:
    """What one case gave. ``not_run`` says why the engine cannot play it."""

    suite: Suite
    case: Case
    seen: Sequence[Fire] = ()
    pairs: Sequence[Pair] = ()
    reasons: Sequence[str] = ()  # of expected rules that did not fire
    not_run: str | None = None

    @property
    def failed(self) -> bool:
        """Whether the fires are not those expected."""
        return not self.not_run and not all(pair.same for pair in self.pairs)

    @property
    def outcome(self) -> str:
        """In a word."""
        return "not run" if self.not_run else "failed" if self.failed else "passed"


@dataclass
class Runner:
    """Keeps the engine of each strategy: packing tables for each case would take longer than running it."""

    engine_of: EngineOf
    _engines: dict[int, Engine] = field(default_factory=dict)

    def run(self, suite: Suite, wanted: Callable[[Case], bool]) -> Iterator[Result]:
        """Results of the wanted cases of one file, one after the other. Raises EngineError if nothing can be run."""
        for case in suite.cases:
            if wanted(case):
                yield self._case(suite, case)

    def _case(self, suite: Suite, case: Case) -> Result:
        try:
            seen = self._engine(suite).run(case.messages, lambda _: None)
        except NotPlayableError as error:
            return Result(suite, case, not_run=str(error))
        compared = pairs(case.expect, seen)
        missing = [pair.expected for pair in compared if pair.expected and pair.seen is None]
        return Result(suite, case, seen, compared, [why_not(suite, case, e) for e in missing])

    def _engine(self, suite: Suite) -> Engine:
        key = id(suite.strategy)  # suites share what `Strategies` has read once
        if key not in self._engines:
            self._engines[key] = self.engine_of(suite)
        return self._engines[key]
