# SPDX-License-Identifier: Apache-2.0
"""A strategy changed while it runs: what a hot-load brings."""

from dataclasses import replace

from choices import Choices
from strategy_cases import Case

_SWAPPED = {"side: buy": "side: sell", "side: sell": "side: buy"}


def change(choices: Choices, case: Case) -> Case:
    """A rule that goes, moves or changes, other groups, or other limits. Perhaps one that no compiler takes."""
    rules = list(case.rules)
    number = choices.number(0, len(rules) - 1)
    match choices.pick(["same", "goes", "moves", "changes", "groups", "limits", "rolls"]):
        case "goes":
            rules.pop(number)
        case "moves":
            rules.append(rules.pop(number))
        case "changes":
            for old, new in _SWAPPED.items():
                if old in rules[number]:
                    rules[number] = rules[number].replace(old, new)
                    break
        case "groups":
            rules = [rule.replace("oco: g1", "oco: g2") for rule in rules]
        case "rolls":
            rolls = "" if "day_roll: " in case.venue else 'day_roll: "00:00"\n'
            venue = case.without_rolls().venue
            return replace(case, venue=venue.replace("market_data:", f"{rolls}market_data:", 1))
        case "limits":
            limits = choices.pick(["total_orders: 3, orders_per_second: 2", "self_trade: reject, repeat: 1s"])
            return replace(case, head="" if case.head else f"limits: {{{limits}}}\n")
    return replace(case, rules=tuple(rules))
