# SPDX-License-Identifier: Apache-2.0
"""Threshold rules: `when`, the steps of a ladder, the rows of a table."""

from fixaccel.language.forms import Condition
from fixaccel.language.rules import Through
from fixaccel.language.terms import Direction
from fixaccel.semantics.market import Observation
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part, Sight, State


def satisfied(condition: Condition, price: int) -> bool:
    """Whether a price of the condition's source is at or beyond its threshold. Equality satisfies."""
    if condition.direction is Direction.LE:
        return price <= condition.threshold
    return price >= condition.threshold


def sight_at_arming(part: Part, value: int | None) -> Sight | None:
    """`if_already_through`, judged by the known value; None: refused."""
    through = part.rule.block.through
    if through is Through.FIRE:
        return Sight.LIVE
    beyond = None if value is None else satisfied(part.rule.condition, value)
    if through is Through.WAIT:
        return Sight.LIVE if beyond is False else Sight.WAITING
    if beyond is None:
        return Sight.UNDECIDED
    return None if beyond else Sight.LIVE


def judge(part: Part, observation: Observation) -> Shot | None:
    """What one eligible observation does to an armed threshold."""
    rule = part.rule
    through = satisfied(rule.condition, observation.price)
    if part.sight is not Sight.LIVE:
        if not through:
            part.sight = Sight.LIVE
        elif part.sight is Sight.UNDECIDED:
            part.state = State.REFUSED
        return None
    if not through or (rule.confirm == 2 and not _confirmed(rule.condition, observation)):
        return None
    return Shot(rule.order, rule.condition.threshold, rule.order.price)


def _confirmed(condition: Condition, observation: Observation) -> bool:
    """Whether the observation just before satisfied it too, whether or not the rule was armed then."""
    return observation.previous is not None and satisfied(condition, observation.previous)
