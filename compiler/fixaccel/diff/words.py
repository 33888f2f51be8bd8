# SPDX-License-Identifier: Apache-2.0
"""Keys of two meanings that are not the same, as texts."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fixaccel.diff.change import Change
from fixaccel.explain.when import when_text
from fixaccel.explain.words import envelope_text, orders_text
from fixaccel.language.forms import Decision
from fixaccel.language.rules import ArmedOn, RearmAfter, RearmReset, Rule
from fixaccel.values import duration_text

_NAMES = {
    "through": "if_already_through",
    "form": "condition",
    "when": "condition",
    "unit": "finest tick",
}


def changes(before: Mapping[str, Any], after: Mapping[str, Any], old: Rule, new: Rule) -> tuple[Change, ...]:
    """One entry a key."""
    keys = [key for key in dict.fromkeys([*before, *after]) if before.get(key) != after.get(key)]
    found = [change for key in keys for change in _change(key, before.get(key), after.get(key), old, new)]
    return tuple(dict.fromkeys(found))


def _change(key: str, a: object, b: object, old: Rule, new: Rule) -> Iterator[Change]:
    match key:
        case "form" | "when":
            texts = _condition(old), _condition(new)
            if texts[0] != texts[1]:
                yield Change("condition", *texts)
            if key == "form":
                yield from _orders(old, new)
        case "order":
            yield from _orders(old, new)
        case "rearm":
            yield Change("rearm", _rearm(old), _rearm(new))
        case "armed_by":
            yield Change("armed_by", _names(a), _names(b))
        case "cancels":
            yield Change("cancels", _names(a), _names(b))
        case "armed_on":
            # What nobody writes is `sent`.
            yield Change("armed_by on", _text(a or ArmedOn.SENT.value), _text(b or ArmedOn.SENT.value))
        case "during":
            yield Change("during", _names(a), _names(b))
        case _:
            yield Change(_NAMES.get(key, key), _text(a), _text(b))


def _condition(rule: Rule) -> str:
    return when_text(rule.block, rule.row)


def _orders(old: Rule, new: Rule) -> Iterator[Change]:
    texts = [_order(rule) for rule in (old, new)]
    if texts[0] != texts[1]:
        yield Change("order", *texts)
    elif old.block.form != new.block.form:
        yield from _intervals(old, new)


def _order(rule: Rule) -> str:
    form, row = rule.block.form, np.array([rule.row], np.int64)
    if isinstance(form, Decision):
        return f"{len(form.low)} intervals"
    return f"{orders_text(form.orders, row, rule.instrument)}, {envelope_text(form.orders, row)}"


def _intervals(old: Rule, new: Rule) -> Iterator[Change]:
    a, b = old.block.form, new.block.form
    if isinstance(a, Decision) and isinstance(b, Decision):
        pairs = [{(int(low), int(high), str(d.orders[n])) for n, (low, high) in
                  enumerate(zip(d.low, d.high, strict=True))} for d in (a, b)]  # fmt: skip
        gone, fresh = len(pairs[0] - pairs[1]), len(pairs[1] - pairs[0])
        if gone or fresh:
            yield Change("intervals", f"{gone} of {len(a.low)}", f"{fresh} of {len(b.low)}")


def _rearm(rule: Rule) -> str | None:
    match rule.block.rearm:
        case RearmAfter(after_ns, times):
            return f"after {duration_text(after_ns)}, {times} times"
        case RearmReset(condition, times):
            return f"once {condition.text}, {times} times"
    return None


def _names(value: object) -> str | None:
    """A list, or a list of lists, in one line."""
    if not isinstance(value, list):
        return None
    return ", ".join((_names(item) or "") if isinstance(item, list) else str(item) for item in value)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
