# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of test files on one of the engines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from fixaccel.semantics.messages import EXECUTIONS, Fire, Kind, Message
from fixaccel.simulate.engines import Engine, EngineError
from fixaccel.testing.compare import Pair, pairs
from fixaccel.testing.events import WITHOUT_PRICES
from fixaccel.testing.load import Case, Suite
from fixaccel.testing.reasons import why_not

# What makes the engine that runs a strategy; raises NotPlayableError where that one cannot run all of it.
EngineOf = Callable[[Suite], Engine]


class NotPlayableError(EngineError):
    """The engine works, but not for this case: the case counts as not run, and the run goes on."""


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
    as_snapshots: bool = False
    _engines: dict[int, Engine] = field(default_factory=dict)

    def run(self, suite: Suite, wanted: Callable[[Case], bool]) -> Iterator[Result]:
        """Results of the wanted cases of one file, one after the other. Raises EngineError if nothing can be run."""
        for case in suite.cases:
            if wanted(case):
                yield self._case(suite, case)

    def _case(self, suite: Suite, case: Case) -> Result:
        try:
            engine = self._engine(suite)
            messages = [_snapshot(m) for m in case.messages] if self.as_snapshots else case.messages
            seen = engine.run(messages, lambda _: None)
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


def _snapshot(message: Message) -> Message:
    """The fabric keeps nothing from message to message for what it runs: an update is a snapshot to it."""
    if message.kind in EXECUTIONS:
        return message
    if message.kind in WITHOUT_PRICES:
        raise NotPlayableError(f"event {message.event} is a `{message.kind.value}`: the fabric is played prices only")
    return replace(message, kind=Kind.SNAPSHOT)
