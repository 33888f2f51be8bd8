# SPDX-License-Identifier: Apache-2.0
"""The form of a strategy file."""

from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.kind import VERSION_KEYS, VERSION_KIND, check_version
from fixaccel.language.keys.kinds import FreeText, ListOf
from fixaccel.language.keys.limits import LIMITS_SHAPE, written_limits
from fixaccel.language.keys.order import ORDER_SHAPE, written_order
from fixaccel.language.keys.rule import RULE_SHAPE
from fixaccel.language.keys.rule_values import written_rule
from fixaccel.language.keys.schema import Key, Shape
from fixaccel.language.written import WrittenLimits, WrittenStrategy
from fixaccel.source import Node, SourceFile

DEFAULTS_ORDER = Key("order", ORDER_SHAPE, "Merged under every rule's `order`.")
DEFAULTS_SHAPE = Shape("`defaults`", (DEFAULTS_ORDER,))

VERSION = Key(VERSION_KEYS["strategy"], VERSION_KIND, "Language version.", required=True)
VENUE = Key(
    "venue", FreeText(1024, "the path of a venue file"), "Path of the venue file, relative to this one.", required=True
)
DEFAULTS = Key("defaults", DEFAULTS_SHAPE, "Values for all rules.")
LIMITS = Key("limits", LIMITS_SHAPE, "The risk gate; every key is optional, all hold before an order leaves.")
RULES = Key("rules", ListOf(RULE_SHAPE), "The rules.", required=True)
STRATEGY_SHAPE = Shape("a strategy", (VERSION, VENUE, DEFAULTS, LIMITS, RULES))


def parse_strategy(root: Node, source: SourceFile, report: Report) -> WrittenStrategy | None:
    """Reads the whole tree; None if it is not a strategy at all."""
    if not check_version(root, "strategy", report):
        return None
    section = STRATEGY_SHAPE.read(root, "strategy", report)
    if section is None:
        return None
    defaults, limits, rules = section.get(DEFAULTS), section.get(LIMITS), section.get(RULES)
    base = defaults.value.get(DEFAULTS_ORDER) if defaults else None
    return WrittenStrategy(
        venue=section.get(VENUE),
        default_order=written_order(base.value) if base else None,
        rules=[written_rule(rule.value, source, report) for rule in rules.value] if rules else [],
        rules_span=section.keys.get("rules", section.span),
        limits=written_limits(limits.value, report) if limits else WrittenLimits(),
    )
