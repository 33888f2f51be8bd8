# SPDX-License-Identifier: Apache-2.0
"""In which order the rules that watch one observation take their turn."""

from fixaccel.language.forms import At, Decision, Triggers
from fixaccel.language.rules import Rule
from fixaccel.language.terms import Direction


def rank(rule: Rule) -> tuple[int, int, int, int]:
    """Sort key: thresholds, those with `confirm: 2`, decisions, trails; `at` looks at no observation.

    Among thresholds `<=` come first, highest first; then `>=`, lowest first. Equal ones in declaration order.
    """
    form = rule.block.form
    if isinstance(form, Triggers):
        falls = rule.condition.direction is Direction.LE
        threshold = rule.condition.threshold
        return (rule.confirm - 1, 0 if falls else 1, -threshold if falls else threshold, rule.index)
    if isinstance(form, At):
        return (4, 0, 0, rule.index)
    return (2 if isinstance(form, Decision) else 3, 0, 0, rule.index)
