# SPDX-License-Identifier: Apache-2.0
"""The form of a test file."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from fixaccel.diagnostics.codes.testing import NO_TESTS, TEST_NAME
from fixaccel.diagnostics.report import Related, Report
from fixaccel.language.keys.kinds import Choice, FreeText, ListOf, Number, Text, Whole, scalar_text
from fixaccel.language.keys.schema import Key, Located, Section, Shape
from fixaccel.language.terms import OrderType, Side, Source
from fixaccel.semantics.gate import KEYS
from fixaccel.source import Node
from fixaccel.testing.events import EventKind, WrittenEvent

NONE = "none"
OUTCOMES = ("sent", *(f"rejected:{key}" for key in KEYS))


@dataclass(frozen=True)
class PriceOrNone:
    """A price, or `none` where the results have none."""

    form: str = "a price, or `none`"

    def json_schema(self) -> dict[str, Any]:
        """A decimal, or the word."""
        pattern = r"^(none|-?[0-9]+(\.[0-9]+)?)$"
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": pattern}]}

    def read(self, node: Node, key: str, report: Report) -> Decimal | str | None:
        """The price, or the word."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        return NONE if scalar.text == NONE else Number(self.form).read(node, key, report)


_SOURCE = Choice({source.value: source.value for source in Source} | {NONE: NONE})
EVENT: Key[int] = Key("event", Whole(1, 10**9), "Number of the entry of `events` that fires it, from 1.")
RULE: Key[str] = Key("rule", Text(64, "a rule"), "Name of the rule, or of one part such as `scale-in[2]`.")
EXPECTED: tuple[Key[Any], ...] = (
    EVENT,
    RULE,
    Key("side", Choice({side.value: side.value for side in Side}), "Buy or sell."),
    Key("qty", Number("a quantity"), "Quantity of the order."),
    Key("type", Choice({type_.value: type_.value for type_ in OrderType}), "Limit or market order."),
    Key("price", PriceOrNone(), "The limit price; `none` for a market order."),
    Key("source", _SOURCE, "Source of the observation; `none` for a rule `at` a time."),
    Key("trigger", PriceOrNone(), "The threshold; `none` for a decision and for a rule `at` a time."),
    Key("observed", PriceOrNone(), "The price that was seen; `none` for a rule `at` a time."),
    Key("cl_ord_id", Text(20, "a ClOrdID"), "ClOrdID(11) of the order."),
    Key("outcome", Choice({word: word for word in OUTCOMES}), "Whether it was sent, or which limit rejected it."),
)
EXPECT_SHAPE = Shape("an expected fire", EXPECTED)

NAME = Key("name", Text(200, "a text"), "What is tested, in words.", required=True)
EVENTS = Key(
    "events", ListOf(EventKind()), "Market data, a message an entry, and what befell our own orders.", required=True
)
EXPECT = Key(
    "expect",
    ListOf(EXPECT_SHAPE),
    "All fires, in their order; keys that an entry leaves out are not compared.",
    required=True,
)
CASE_SHAPE = Shape("a test", (NAME, EVENTS, EXPECT))

STRATEGY = Key(
    "strategy",
    FreeText(1024, "the path of a strategy file"),
    "Path of the strategy file, relative to this one.",
    required=True,
)
TESTS = Key("tests", ListOf(CASE_SHAPE), "The tests.", required=True)
TEST_SHAPE = Shape("a test file", (STRATEGY, TESTS))


@dataclass(frozen=True)
class WrittenCase:
    """One entry of `tests`; ``expect`` holds the keys that are given, with their places."""

    name: Located[str]
    events: list[Located[WrittenEvent]]
    expect: list[Section]


@dataclass(frozen=True)
class WrittenSuite:
    """A test file; ``strategy`` is the path as written."""

    strategy: Located[str]
    cases: list[WrittenCase]


def parse_suite(root: Node, report: Report) -> WrittenSuite | None:
    """Reads the whole tree; None if it cannot be run."""
    section = TEST_SHAPE.read(root, "the file", report)
    if section is None:
        return None
    strategy, tests = section.get(STRATEGY), section.get(TESTS)
    if tests and not tests.value and not report.failed:
        report.add(NO_TESTS, "there are no tests in this file", section.keys["tests"], help="add a test, or delete it")
    cases = [case for test in tests.value if (case := _case(test.value))] if tests else []
    _check_names(cases, report)
    return WrittenSuite(strategy, cases) if strategy else None


def _case(section: Section) -> WrittenCase | None:
    name, events, expect = section.get(NAME), section.get(EVENTS), section.get(EXPECT)
    if name is None or events is None or expect is None:
        return None
    return WrittenCase(name, events.value, [entry.value for entry in expect.value])


def _check_names(cases: list[WrittenCase], report: Report) -> None:
    seen: dict[str, Located[str]] = {}
    for case in cases:
        first = seen.setdefault(case.name.value, case.name)
        if first is not case.name:
            where = [Related("first here", first.span)]
            report.add(TEST_NAME, "another test has this name", case.name.span, related=where, help="rename one")
