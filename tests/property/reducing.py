# SPDX-License-Identifier: Apache-2.0
"""Makes a failing case small enough for a person to read."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from strategy_cases import Case

Fails = Callable[[Case], bool]


def reduced(case: Case, fails: Fails) -> Case:
    """A case that still fails, from which no rule, event, key or limit can be left out."""
    size = None
    while size != (size := len(str(case))):
        for smaller in _smaller(case):
            if fails(smaller):
                case = smaller
                break
        else:
            return case
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Cases with less in them, the boldest first."""
    for chunk in (8, 4, 2, 1):
        for start in range(0, len(case.events), chunk):
            events = case.events[:start] + case.events[start + chunk :]
            if events and len(events) < len(case.events):
                yield replace(case, events=events)
    for number in range(len(case.rules)):
        if len(case.rules) > 1:
            yield replace(case, rules=case.rules[:number] + case.rules[number + 1 :])
    if case.head:
        yield replace(case, head="")
        lines = case.head.splitlines(keepends=True)
        yield from (
            replace(case, head="".join(lines[:n] + lines[n + 1 :])) for n in range(1, len(lines)) if len(lines) > 2
        )
    for number, rule in enumerate(case.rules):
        for shorter in _shorter(rule):
            yield replace(case, rules=(*case.rules[:number], shorter, *case.rules[number + 1 :]))


def _shorter(rule: str) -> Iterator[str]:
    """The rule without one of its keys; `id` and `instrument` stay."""
    lines = rule.splitlines(keepends=True)
    for number in range(2, len(lines)):
        if lines[number].startswith("    ") and not lines[number].startswith("     "):
            yield "".join(lines[:number] + lines[number + 1 :])
