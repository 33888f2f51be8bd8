# SPDX-License-Identifier: Apache-2.0
"""The form of a strategy file."""

from decimal import Decimal
from typing import Any

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.model import Related, Report
from fixaccel.language.fields import FieldsKind
from fixaccel.language.kind_of_file import VERSION_KEYS, check_version
from fixaccel.language.kinds import FLAG, Choice, FreeText, ListOf, Matching, Number, Text, Unread
from fixaccel.language.model import OrderType, Side, TimeInForce
from fixaccel.language.patterns import RULE_ID
from fixaccel.language.prices import ConditionKind, OrderPrice
from fixaccel.language.schema import Key, Located, Section, Shape, report_later
from fixaccel.language.written import TriggerPrice, WrittenOrder, WrittenRule, WrittenStrategy
from fixaccel.source import MappingNode, Node, SourceFile, Span

SIDE = Key("side", Choice({side.value: side for side in Side}), "Buy or sell.")
QTY = Key("qty", Number("a quantity such as `100`"), "A positive multiple of the instrument's lot.")
TYPE = Key("type", Choice({type_.value: type_ for type_ in OrderType}), "Limit or market order.")
PRICE: Key[Decimal | TriggerPrice] = Key("price", OrderPrice(), "The limit price.")
TIF = Key("tif", Choice({tif.value: tif for tif in TimeInForce}), "Time in force, `day` where nothing is said.")
ACCOUNT = Key("account", Text(32, "an account name"), "FIX Account(1).")
FIELDS = Key("fields", FieldsKind(), "Extra FIX fields, text by tag number.")
ORDER_SHAPE = Shape("an order", (SIDE, QTY, TYPE, PRICE, TIF, ACCOUNT, FIELDS))

_RULE_ID = Matching(
    RULE_ID, "a rule id", codes.BAD_ID, "use a-z 0-9 _ . -, at most 32 characters, a letter or digit first"
)
ID = Key("id", _RULE_ID, "The rule's name in every report, log and test.", required=True)
_INSTRUMENTS = ListOf(Text(64, "an instrument"), single=True)
INSTRUMENT = Key("instrument", _INSTRUMENTS, "A key of the venue's `instruments`, or a list of them.", required=True)
WHEN = Key("when", ConditionKind(), "The condition: source, comparison, price.")
ORDER = Key("order", ORDER_SHAPE, "What to send.")
ENABLED = Key("enabled", FLAG, "`false` is the same as leaving the rule out.")
NOTE = Key("note", FreeText(), "Free text carried to reports.")
CONDITIONS = ("when", "trail", "table", "decide")
LATER: tuple[Key[Any], ...] = (
    Key("ladder", Unread("a ladder"), "Repeats the condition at prices further on.", later=True),
    Key("trail", Unread("a trail"), "A stop that follows the market.", later=True),
    Key("table", Unread("a table file"), "Many triggers from a file.", later=True),
    Key("decide", Unread("a decision"), "Precomputed decisions.", later=True),
    Key("during", Unread("times of day"), "Times at which the rule is live.", later=True),
    Key("oco", Unread("a group name"), "One of a group cancels the others.", later=True),
    Key("armed_by", Unread("a rule id"), "The rule whose firing arms this one.", later=True),
)
LATER_VALUES = (
    Key("confirm", Choice({"1": 1}, later=("2",)), "Consecutive observations that must satisfy the condition."),
    Key(
        "if_already_through",
        Choice({"fire": "fire"}, later=("reject", "wait")),
        "What to do if the market is beyond the price at arming.",
    ),
)


class RearmKind:
    """`never`; the mappings of the language come later."""

    form = "`never`"
    _words = Choice({"never": "never"})

    def read(self, node: Node, key: str, report: Report) -> str | None:
        """The word."""
        if isinstance(node, MappingNode):
            report_later("re-arming", node.entries[0].key.span if node.entries else node.span, report)
            return None
        return self._words.read(node, key, report)


REARM = Key("rearm", RearmKind(), "Whether and when the rule is armed again.")
RULE_SHAPE = Shape("a rule", (ID, INSTRUMENT, WHEN, ORDER, ENABLED, NOTE, *LATER_VALUES, REARM, *LATER))

DEFAULTS_ORDER = Key("order", ORDER_SHAPE, "Merged under every rule's `order`.")
DEFAULTS_SHAPE = Shape("`defaults`", (DEFAULTS_ORDER,))

VERSION: Key[str] = Key(VERSION_KEYS["strategy"], Text(16, "the version 1"), "Language version.")
VENUE = Key(
    "venue", FreeText(1024, "the path of a venue file"), "Path of the venue file, relative to this one.", required=True
)
DEFAULTS = Key("defaults", DEFAULTS_SHAPE, "Values for all rules.")
LIMITS: Key[Any] = Key("limits", Unread("limits"), "The risk gate.", later=True)
RULES = Key("rules", ListOf(RULE_SHAPE), "The rules.", required=True)
STRATEGY_SHAPE = Shape("a strategy", (VERSION, VENUE, DEFAULTS, LIMITS, RULES))


def parse_strategy(root: Node, source: SourceFile, report: Report) -> WrittenStrategy | None:
    """Reads the whole tree; None if it is not a strategy at all."""
    if not check_version(root, "strategy", report):
        return None
    section = STRATEGY_SHAPE.read(root, "strategy", report)
    if section is None:
        return None
    defaults = section.get(DEFAULTS)
    base = defaults.value.get(DEFAULTS_ORDER) if defaults else None
    rules = section.get(RULES)
    return WrittenStrategy(
        venue=section.get(VENUE),
        default_order=_order(base) if base else None,
        rules=[_rule(rule.value, source, report) for rule in rules.value] if rules else [],
        rules_span=section.keys.get("rules", section.span),
    )


def _rule(section: Section, source: SourceFile, report: Report) -> WrittenRule:
    _check_one_condition(section, report)
    instruments, order, enabled, note = (
        section.get(INSTRUMENT),
        section.get(ORDER),
        section.get(ENABLED),
        section.get(NOTE),
    )
    if note:
        _check_swallowed_comment(note, source, report)
    return WrittenRule(
        span=section.span,
        id=section.get(ID),
        instruments=instruments.value if instruments else [],
        is_list=bool(instruments and (len(instruments.value) != 1 or instruments.span != instruments.value[0].span)),
        when=section.get(WHEN),
        order=_order(order) if order else None,
        order_readable=order is not None or "order" not in section.keys,
        enabled=enabled.value if enabled else True,
        note=note.value if note else None,
    )


def _check_one_condition(section: Section, report: Report) -> None:
    present = [name for name in CONDITIONS if name in section.keys]
    if not present:
        report.add(
            codes.ONE_CONDITION, "the rule says nowhere when to fire", section.span, help="add `when: last <= PRICE`"
        )
    for name in present[1:]:
        first = Related(f"`{present[0]}` here", section.keys[present[0]])
        report.add(
            codes.ONE_CONDITION,
            f"a rule cannot have both `{present[0]}` and `{name}`",
            section.keys[name],
            related=[first],
        )


def _order(section: Located[Section]) -> WrittenOrder:
    values = section.value
    return WrittenOrder(
        span=section.value.span,
        side=values.get(SIDE),
        qty=values.get(QTY),
        type=values.get(TYPE),
        price=values.get(PRICE),
        tif=values.get(TIF),
        account=values.get(ACCOUNT),
        fields=values.get(FIELDS),
        unreadable=frozenset(values.keys.keys() - values.values.keys()),
    )


def _check_swallowed_comment(note: Located[str], source: SourceFile, report: Report) -> None:
    line = source.line(note.span.end_line)
    rest = line[note.span.end_column - 1 :]
    quoted = line[note.span.end_column - 2 : note.span.end_column - 1] in {"'", '"'}
    if rest.lstrip().startswith("#") and not quoted:
        start = note.span.end_column + len(rest) - len(rest.lstrip())
        place = Span(note.span.file, note.span.end_line, start, note.span.end_line, len(line) + 1)
        whole = " ".join((note.value + rest).split()).replace('"', '\\"')
        way_out = f'quote the note: `note: "{whole}"`, or put the comment on a line of its own'
        report.add(
            reading.SWALLOWED_COMMENT, "YAML ends the note here: the rest of the line is a comment", place, help=way_out
        )
