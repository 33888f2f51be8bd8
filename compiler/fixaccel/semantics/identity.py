# SPDX-License-Identifier: Apache-2.0
"""What makes two rules the same: a load leaves the state of a rule alone whose description here is unchanged.

Texts as written, notes, places, limits and what only the market or the limits look at (price range, lot, multiplier)
do not count, nor does the number of the part. What a rule does not have is left out where it came later than others,
so that a rule without it is the same rule in all versions.
"""

import json
from typing import Any

from fixaccel.language.forms import At, Condition, Decision, Trail
from fixaccel.language.orders import Order
from fixaccel.language.rules import NO_GROUP, ArmedOn, Block, RearmAfter, RearmReset, Rule, Strategy
from fixaccel.values import decimal_text


def meaning(strategy: Strategy, rule: Rule) -> str:
    """The description of one part as canonical JSON: equal texts, same rule."""
    description = block_meaning(strategy, rule.block) | part_meaning(strategy, rule)
    return json.dumps(description, sort_keys=True, separators=(",", ":"))


def block_meaning(strategy: Strategy, block: Block) -> dict[str, Any]:
    """What the parts of a block have in common. Prices and conditions in units of the rule's source."""
    instrument = block.instrument
    later: dict[str, Any] = {}
    if block.parents is not None and block.armed_on is not ArmedOn.SENT:
        later["armed_on"] = block.armed_on.value
    if block.cancels:
        later["cancels"] = [name for parts in block.cancels for name in strategy.names(parts)]
    return later | {
        "instrument": instrument.symbol,
        "unit": decimal_text(instrument.unit),
        "form": _form_meaning(block, strategy.venue.time_zone),
        "through": block.through.value,
        # The same hours elsewhere are other hours.
        "during": [strategy.venue.time_zone, *map(str, block.during)] if block.during else None,
        "armed_by": None if block.parents is None else [_parents(strategy, parents) for parents in block.parents],
        "rearm": _rearm(block.rearm),
    }


def part_meaning(strategy: Strategy, rule: Rule) -> dict[str, Any]:
    """What a part has of its own: of a decision and a trail only name and group."""
    own = {"name": rule.id, "oco": None if rule.group == NO_GROUP else strategy.groups[rule.group]}
    if isinstance(rule.block.form, Decision | Trail | At):
        return own
    return own | {"when": _condition(rule.condition), "confirm": rule.confirm, "order": _order(rule.order)}


def _form_meaning(block: Block, zone: str) -> dict[str, Any] | None:
    match block.form:
        case Decision() as decision:
            rows = zip(decision.low, decision.high, strict=True)
            intervals = [[int(low), int(high), _order(decision.orders[row])] for row, (low, high) in enumerate(rows)]
            return {"source": decision.source.value, "intervals": intervals}
        case Trail() as trail:
            return {
                "source": trail.source.value,
                "by": [trail.by.kind.value, trail.by.value],
                "activate": None if trail.activate is None else _condition(trail.activate),
                "order": _order(trail.orders[0]),
                # Its stops are rounded to the grid and counted along it while it runs.
                "ticks": [[decimal_text(start), decimal_text(tick)] for start, tick in block.instrument.ticks.steps],
            }
        case At() as at:
            # The same time elsewhere is another time.
            return {"at": at.second, "zone": zone, "order": _order(at.orders[0])}
        case _:
            return None


def _parents(strategy: Strategy, parents: range) -> list[str]:
    """Who arms, by name: a whole rule as itself, so that one more row of a table changes nothing."""
    block = strategy.rules[parents.start].block
    if parents == block.indices:
        return [block.id]
    return [strategy.rules[index].id for index in parents]


def _rearm(rearm: RearmAfter | RearmReset | None) -> dict[str, Any] | None:
    match rearm:
        case RearmAfter():
            return {"after_ns": rearm.after_ns, "times": rearm.times}
        case RearmReset():
            return {"reset": _condition(rearm.condition), "times": rearm.times}
        case None:
            return None


def _condition(condition: Condition) -> list[Any]:
    return [condition.source.value, condition.direction.value, condition.threshold]


def _order(order: Order) -> dict[str, Any]:
    later = {"filled": True} if order.filled else {}
    return later | {
        "side": order.side.value,
        "qty": order.qty,
        "type": order.type.value,
        "price": order.price,
        "trigger_ticks": order.ticks,
        "tif": order.tif.value,
        "account": order.account,
        "fields": {str(tag): text for tag, text in order.fields.items()},
    }
