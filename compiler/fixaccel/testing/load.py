# SPDX-License-Identifier: Apache-2.0
"""Test files to cases that can be run: the strategies that they name are read once each."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.codes.testing import TEST_EVENT_NUMBER, TEST_EXECUTION, TEST_RULE
from fixaccel.diagnostics.report import Diagnostic, Report
from fixaccel.events.part_book import PartBook
from fixaccel.language.keys.schema import Located, clip, nearest
from fixaccel.language.naming import find_rule
from fixaccel.language.rules import Strategy
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.pipeline import Loaded, load_strategy
from fixaccel.semantics.messages import Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.source import SourceFile, Span
from fixaccel.testing.events import to_messages
from fixaccel.testing.file import EVENT, RULE, WrittenCase, WrittenSuite, parse_suite

SUFFIX = ".test.yaml"


@dataclass(frozen=True)
class Expected:
    """One fire that is expected: the keys that are given."""

    values: Mapping[str, object]
    span: Span


@dataclass(frozen=True)
class Case:
    """One test; ``messages`` are numbered from 1."""

    name: str
    messages: Sequence[Message]
    expect: Sequence[Expected]
    span: Span


@dataclass(frozen=True)
class Suite:
    """The tests of one file."""

    name: str  # the file as it was asked for
    strategy: Strategy
    cases: Sequence[Case]


@dataclass(frozen=True)
class LoadedSuite(Checked):
    """``suite`` is None exactly if there is an error, in the test file or in its strategy; ``files`` are all read."""

    suite: Suite | None = None
    files: tuple[Path, ...] = ()


@dataclass
class Strategies:
    """Strategies by path: many test files name the same one."""

    _loaded: dict[Path, Loaded] = field(default_factory=dict)

    def load(self, path: Path) -> Loaded:
        """As `load_strategy`, once for each file."""
        place = Path(os.path.realpath(path))
        if place not in self._loaded:
            self._loaded[place] = load_strategy(Path(os.path.normpath(path)))
        return self._loaded[place]


def load_suite(path: Path, strategies: Strategies, given: bytes | None = None) -> LoadedSuite:
    """Reads and checks the test file at ``path`` and the strategy that it names; warnings of that one are its own.

    ``given`` is the content of the file where that is known.
    """
    report = Report()
    sources: dict[str, SourceFile] = {}
    source = read_source(path, str(path), report, sources, given=given)
    tree = read_tree(source, report) if source else None
    written = parse_suite(tree, report) if tree is not None else None
    if written is None:
        return LoadedSuite(report.sorted(), sources, report.dropped, files=(path,))
    loaded = strategies.load(path.parent / written.strategy.value.strip())
    faults = [_moved(d, written.strategy) for d in loaded.diagnostics if d.is_error]
    suite = _suite(path, written, loaded.strategy, report) if loaded.strategy else None
    return LoadedSuite(
        [*report.sorted(), *faults],
        {**loaded.sources, **sources},
        report.dropped + loaded.dropped,
        None if report.failed else suite,
        (path, *loaded.files),
    )


def _moved(diagnostic: Diagnostic, named: Located[str]) -> Diagnostic:
    """A strategy that cannot be read is a fault of the place that names it."""
    missing = diagnostic.code is CANNOT_READ and (diagnostic.span.line, diagnostic.span.column) == (1, 1)
    return replace(diagnostic, span=named.span) if missing else diagnostic


def _suite(path: Path, written: WrittenSuite, strategy: Strategy, report: Report) -> Suite:
    cases, parts = [], PartBook(strategy)
    counted = not report.failed  # events with faults are not counted
    for case in written.cases:
        venue = strategy.venue
        messages = to_messages(case.events, venue.instruments, venue.time_zone, report, parts)
        _warn_of_unmatched(case, messages, strategy, report)
        _check_expected(case, strategy, report, counted=counted)
        expect = [Expected({k: v.value for k, v in e.values.items()}, e.span) for e in case.expect]
        cases.append(Case(case.name.value, messages, expect, case.name.span))
    return Suite(str(path), strategy, cases)


def _warn_of_unmatched(case: WrittenCase, messages: Sequence[Message], strategy: Strategy, report: Report) -> None:
    """Executions of orders that were not sent, or are done already: they change nothing."""
    if report.failed or not any(message.execution for message in messages):
        return
    interpreter = Interpreter(strategy)
    for message in messages:
        for _ in interpreter.process(message):
            pass
    for number in interpreter.unmatched:
        event = case.events[number - 1]
        name, kind = event.value.symbol.value, event.value.kind.value
        said = f"`{name}` has no order here that is not done: this `{kind}` changes nothing"
        way_out = "a row of an own order comes behind the event at which it is sent, and before it is done"
        report.add(TEST_EXECUTION, said, event.span, help=way_out)


def _check_expected(case: WrittenCase, strategy: Strategy, report: Report, *, counted: bool) -> None:
    """Expectations that nothing could meet are faults of the test, not failures."""
    last = 1
    for entry in case.expect:
        event, rule = entry.get(EVENT), entry.get(RULE)
        if rule and find_rule(strategy, rule.value) is None:
            _report_rule(rule, strategy, report)
        if event:
            last = _check_event(event, last, len(case.events) if counted else None, report)


def _check_event(event: Located[int], last: int, count: int | None, report: Report) -> int:
    """Gives the last event that is there, of those that were expected so far."""
    if count is not None and event.value > count:
        message = f"there is no event {event.value}: the test has {count}"
        report.add(TEST_EVENT_NUMBER, message, event.span, help="events are numbered from 1, as they stand in `events`")
        return last
    if event.value < last:
        message = f"event {event.value} stands after event {last}"
        report.add(TEST_EVENT_NUMBER, message, event.span, help="fires come in the order of the events")
    return max(last, event.value)


def _report_rule(rule: Located[str], strategy: Strategy, report: Report) -> None:
    blocks = [b for b in strategy.blocks if rule.value in {b.id, b.rule_id}]
    if blocks and len(blocks[0]):
        instead = [blocks[0].name(0)]
        way_out = f"name one part, such as `{instead[0]}`"
    else:
        close = nearest(rule.value, [block.id for block in strategy.blocks], report)
        way_out = f"did you mean `{close}`?" if close else "disabled rules are not there"
        instead = [close] if close else []
    message = f"the strategy has no rule `{clip(rule.value)}`"
    report.add(TEST_RULE, message, rule.span, help=way_out, instead=instead)


def find_files(paths: Sequence[Path]) -> list[Path]:
    """Test files: a folder stands for all below it, in the order of their names. Each file once."""
    found: dict[Path, None] = {}
    for path in paths:
        for file in sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]:
            found[file] = None
    return list(found)
