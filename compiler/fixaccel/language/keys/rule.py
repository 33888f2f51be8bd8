# SPDX-License-Identifier: Apache-2.0
"""The keys of a rule."""

import re
from decimal import Decimal

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.language.keys.distances import StepKind, TimeOfDay, TrailDistance, WindowKind
from fixaccel.language.keys.kinds import FLAG, Choice, Duration, FreeText, ListOf, Matching, Number, Text, Whole
from fixaccel.language.keys.limits import LIMITS_SHAPE
from fixaccel.language.keys.order import ORDER_SHAPE
from fixaccel.language.keys.prices import ConditionKind, PriceRange
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip
from fixaccel.language.patterns import RULE_ID
from fixaccel.language.rules import ArmedOn, Through
from fixaccel.language.terms import Source
from fixaccel.language.written import Percent, TickCount, WrittenArmedBy, WrittenRearm
from fixaccel.source import MappingNode, Node, ScalarNode

LADDER_MOST = 1_000_000
REARM_MOST = 1_000_000_000

_NAME_HELP = "use a-z 0-9 _ . -, at most 32 characters, a letter or digit first"
_SOURCE = Choice({source.value: source for source in Source})
_CALL = re.compile(r"[^:\x00]{1,1000}\.py:[A-Za-z_][A-Za-z0-9_]{0,99}\Z")

ID = Key(
    "id",
    Matching(RULE_ID, "a rule id", codes.BAD_ID, _NAME_HELP),
    "The rule's name in every report, log and test.",
    required=True,
)
INSTRUMENT = Key(
    "instrument",
    ListOf(Text(64, "an instrument"), single=True, filled=True),
    "A key of the venue's `instruments`, or a list of them, which makes one rule `ID@SYMBOL` for each.",
    required=True,
)
WHEN = Key("when", ConditionKind(), "The condition: source, comparison, price.")
ORDER = Key("order", ORDER_SHAPE, "What to send, over the defaults.")

STEP: Key[Decimal | TickCount] = Key(
    "step", StepKind(), "From one price to the next: a signed price difference, or `N ticks` along the tick table.",
    required=True,
)  # fmt: skip
COUNT = Key("count", Whole(1, LADDER_MOST), "How many conditions there are.", required=True)
LADDER = Key(
    "ladder",
    Shape("a ladder", (STEP, COUNT)),
    "Repeats the condition of `when` at prices further on, as `ID[1]`, `ID[2]`, ...",
)

TRAIL_SOURCE = Key("source", _SOURCE, "The prices that the stop follows.", required=True)
BY: Key[Decimal | TickCount | Percent] = Key(
    "by", TrailDistance(), "How far behind: a price difference, `N ticks` or `P%` of the extreme.", required=True
)
ACTIVATE = Key("activate", ConditionKind(), "The trail begins once this is satisfied; when armed if left out.")
TRAIL = Key(
    "trail",
    Shape("a trail", (TRAIL_SOURCE, BY, ACTIVATE)),
    "A stop that follows the market: a sell the high, a buy the low.",
)

TABLE = Key("table", FreeText(1024, "the path of a table file"), "A CSV or Parquet file, one trigger a row.")

FROM = Key("from", Number("a price"), "Lowest price of the interval.", required=True)
TO = Key("to", Number("a price"), "Highest price of the interval.", required=True)
INTERVAL_ORDER = Key("order", ORDER_SHAPE, "What to send there, over the rule's `order` and the defaults.")
DECIDE_SOURCE = Key("source", _SOURCE, "The prices that decide.", required=True)
OVER = Key("over", PriceRange(), "The prices that are decided: LO..HI.")
PYTHON = Key(
    "python",
    Matching(
        _CALL, "a Python function such as `fair_value.py:decide`", codes.BAD_FUNCTION,
        "write FILE.py:FUNCTION, the path relative to this file",
    ),
    "FILE:FUNCTION, called for each price in `over` when the strategy is compiled.",
)  # fmt: skip
INTERVALS = Key(
    "intervals",
    ListOf(Shape("an interval", (FROM, TO, INTERVAL_ORDER)), filled=True),
    "The decision written out; ends inclusive.",
)
DECIDE = Key(
    "decide",
    Shape("a decision", (DECIDE_SOURCE, OVER, PYTHON, INTERVALS)),
    "An order, or none, for each price that can come next.",
)

CONFIRM = Key("confirm", Choice({"1": 1, "2": 2}), "Consecutive observations that must satisfy the condition.")
THROUGH = Key(
    "if_already_through",
    Choice({through.value: through for through in Through}),
    "If the market is beyond the price at arming: `fire` on the next observation, `reject` the rule, or `wait` until "
    "it has been seen on the other side.",
)
DURING = Key("during", ListOf(WindowKind(), filled=True), "Times of day in the venue's zone at which the rule is live.")
OCO = Key(
    "oco",
    Matching(RULE_ID, "a group name", codes.BAD_ID, _NAME_HELP),
    "Group of which one that fires cancels the others.",
)
AT = Key("at", TimeOfDay(), "A time of the venue's day at which the rule fires, whatever the market does.")

_RULE_NAME = Text(80, "a rule's id")
ARMING_RULE = Key("rule", _RULE_NAME, "The rule, or one part of a rule.", required=True)
ARMED_ON = Key(
    "on",
    Choice({on.value: on for on in ArmedOn}),
    "`sent`: when an order of it is sent; `first-fill`: when one is filled, in part or whole; `filled`: when one is "
    "done with something filled.",
)
ARMED_BY_SHAPE = Shape("`armed_by`", (ARMING_RULE, ARMED_ON))


class ArmedByKind:
    """A rule's id, or that and what of it arms."""

    form = "a rule's id, or `{rule: ID, on: first-fill}`"
    shape = ARMED_BY_SHAPE

    def json_schema(self) -> JsonSchema:
        """A text or an object."""
        return {"anyOf": [_RULE_NAME.json_schema(), self.shape.json_schema()]}

    def read(self, node: Node, key: str, report: Report) -> WrittenArmedBy | None:
        """The rule and what of it arms."""
        if not isinstance(node, MappingNode):
            name = _RULE_NAME.read(node, key, report)
            return None if name is None else WrittenArmedBy(Located(name, node.span))
        section = self.shape.read(node, key, report)
        rule = section.get(ARMING_RULE) if section else None
        if section is None or rule is None or (ARMED_ON.name in section.keys and section.get(ARMED_ON) is None):
            return None
        on = section.get(ARMED_ON)
        return WrittenArmedBy(rule, on.value if on else ArmedOn.SENT)


ARMED_BY: Key[WrittenArmedBy] = Key(
    "armed_by", ArmedByKind(), "The rule that arms this one: by an order sent, or filled."
)
CANCELS = Key(
    "cancels",
    ListOf(_RULE_NAME, single=True, filled=True),
    "Rules whose orders, where they may still rest, are cancelled when this one's order is sent.",
)
LIMITS = Key("limits", LIMITS_SHAPE, "The risk gate for this rule alone, beside the strategy's.")

AFTER = Key("after", Duration(), "How long after it fired.")
RESET = Key("reset", ConditionKind(), "The condition that arms it again.")
TIMES = Key("times", Whole(1, REARM_MOST), "How often it is armed again at most.", required=True)
REARM_SHAPE = Shape("`rearm`", (AFTER, RESET, TIMES))


class RearmKind:
    """`never`, or when and how often."""

    form = "`never`, `{after: 30s, times: 3}` or `{reset: last >= 1200, times: 3}`"
    shape = REARM_SHAPE
    _words = Choice({"never": "never"})

    def json_schema(self) -> JsonSchema:
        """The word or an object."""
        return {"anyOf": [self._words.json_schema(), self.shape.json_schema()]}

    def read(self, node: Node, key: str, report: Report) -> WrittenRearm | str | None:
        """The mapping as read, or the word."""
        if isinstance(node, ScalarNode) and node.text not in self._words.words:
            report.add(
                codes.BAD_CHOICE, f"`{clip(node.text)}` is not a value of `{key}`", node.span, help=f"it is {self.form}"
            )
            return None
        if not isinstance(node, MappingNode):
            return self._words.read(node, key, report)
        section = self.shape.read(node, key, report)
        return written_rearm(section, report) if section else None


REARM: Key[WrittenRearm | str] = Key("rearm", RearmKind(), "Whether and when the rule is armed again.")
ENABLED = Key("enabled", FLAG, "`false` is the same as leaving the rule out.")
NOTE = Key("note", FreeText(), "Free text carried to reports.")

RULE_SHAPE = Shape(
    "a rule",
    (
        ID, INSTRUMENT, WHEN, LADDER, TRAIL, TABLE, DECIDE, AT, ORDER, CONFIRM, THROUGH, DURING, OCO, ARMED_BY, CANCELS,
        REARM, LIMITS, ENABLED, NOTE,
    ),
)  # fmt: skip


def written_rearm(section: Section, report: Report) -> WrittenRearm | None:
    """What ``section`` says, None after reporting that it is not one of the two forms."""
    if not exactly_one(section, "`rearm`", (AFTER.name, RESET.name), report):
        return None
    after, reset, times = section.get(AFTER), section.get(RESET), section.get(TIMES)
    if after and after.value == 0:
        report.add(codes.BAD_DURATION, "re-armed at once, the rule would fire on every price", after.span)
        return None
    if times is None or (after is None and reset is None):
        return None
    return WrittenRearm(times.value, after.value if after else None, reset)


def exactly_one(section: Section, what: str, names: tuple[str, ...], report: Report) -> bool:
    """Whether one of these keys is present; reports otherwise."""
    present = [name for name in names if name in section.keys]
    if not present:
        either = " or ".join(f"`{name}`" for name in names)
        report.add(
            codes.ONE_OF, f"{what} has neither {either.replace(' or ', ' nor ')}", section.span, help=f"add {either}"
        )
    for name in present[1:]:
        first = Related(f"`{present[0]}` here", section.keys[present[0]])
        message = f"{what} cannot have both `{present[0]}` and `{name}`"
        report.add(codes.ONE_OF, message, section.keys[name], related=[first], help="delete one of the two")
    return len(present) == 1
