# SPDX-License-Identifier: Apache-2.0
"""How near the market came to rules that were armed and did not fire then."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from fixaccel.language.forms import At, Decision, Trail, Triggers
from fixaccel.language.rules import Rule
from fixaccel.language.terms import Direction, Instrument, Side, Source
from fixaccel.replay.lives import Life, Sight
from fixaccel.replay.market import Observations
from fixaccel.replay.trails import stops
from fixaccel.tick_arrays import Units, tick_arrays


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest approach: ``goal`` and ``units`` are what it took and what came, in units of ``source``.

    ``ticks`` is 0 where a price satisfied the condition and something else held the rule back: `confirm`,
    `if_already_through`.
    """

    row: int  # message of the instrument
    source: Source
    units: int
    goal: int
    ticks: int


class Approaches:
    """Looks for them at one instrument."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._extreme = cache(self._find_extreme)

    def nearest(self, rule: Rule, lives: Iterable[Life]) -> Near | None:
        """The nearest approach over all lives that did not end by a fire; None: nothing was seen in them."""
        found = [near for life in lives if life.ended != "fired" and (near := self._of(rule, life)) is not None]
        return min(found, key=lambda near: (near.ticks, near.row), default=None)

    def _of(self, rule: Rule, life: Life) -> Near | None:
        match rule.block.form:
            case Triggers():
                return self._threshold(rule, life)
            case Trail():
                return self._trail(rule, life)
            case Decision() as decision:
                return self._decision(rule, decision, life)
            case At():
                return None

    def _threshold(self, rule: Rule, life: Life) -> Near | None:
        # The nearest to one threshold is the nearest to all others of that source, direction and life.
        condition = rule.condition
        key = (condition.source, condition.direction, rule.block.during, rule.block.rule_id, life)
        found = _Asked(key, rule, life)
        at = self._extreme(found)
        if at is None:
            return None
        row, units = at
        return self._near(rule.instrument, condition.source, row, units, condition.threshold, condition.direction)

    def _find_extreme(self, asked: "_Asked") -> tuple[int, int] | None:
        condition = asked.rule.condition
        seen = self._sight.of(asked.rule, condition.source, asked.life)
        if not len(seen.units):
            return None
        place = int(seen.units.argmin() if condition.direction is Direction.LE else seen.units.argmax())
        return int(seen.row[place]), int(seen.units[place])

    def _trail(self, rule: Rule, life: Life) -> Near | None:
        seen, stop = stops(rule, life, self._sight).before()
        if not len(seen.units):
            return None
        place = int(np.abs(seen.units - stop).argmin())
        direction = Direction.LE if rule.order.side is Side.SELL else Direction.GE
        row, units = int(seen.row[place]), int(seen.units[place])
        return self._near(rule.instrument, seen.source, row, units, int(stop[place]), direction)

    def _decision(self, rule: Rule, decision: Decision, life: Life) -> Near | None:
        """Distance to the nearest end of an interval that has an order."""
        seen = self._sight.of(rule, decision.source, life)
        if not len(seen.units) or not len(decision.low):
            return None
        goal = _nearest_end(decision, seen)
        place = int(np.abs(seen.units - goal).argmin())
        units, end = int(seen.units[place]), int(goal[place])
        direction = Direction.LE if units >= end else Direction.GE
        return self._near(rule.instrument, decision.source, int(seen.row[place]), units, end, direction)

    def _near(
        self, instrument: Instrument, source: Source, row: int, units: int, goal: int, direction: Direction
    ) -> Near:
        through = units <= goal if direction is Direction.LE else units >= goal
        return Near(row, source, units, goal, 0 if through else ticks_between(instrument, source, units, goal))


@dataclass(frozen=True)
class _Asked:
    """One question about thresholds; equal ones have the same answer."""

    key: tuple[object, ...]
    rule: Rule
    life: Life

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


def ticks_between(instrument: Instrument, source: Source, units: int, goal: int) -> int:
    """Steps of the tick table from a price to where it would have satisfied, at least 1 if they differ."""
    if units == goal:
        return 0
    scale = 2 if source is Source.MID else 1
    low, high = sorted((units, goal))
    # Grid prices behind the one, up to the other.
    return max(tick_arrays(instrument.ticks).count_between(low // scale + 1, -(-high // scale)), 1)


def _nearest_end(decision: Decision, seen: Observations) -> Units:
    """The end of an interval that is nearest to each observation; the observation itself inside of one."""
    last = len(decision.low) - 1
    above = np.searchsorted(decision.low, seen.units, "right")
    below = np.clip(above - 1, 0, last)
    high, low = decision.high[below], decision.low[np.minimum(above, last)]
    inside = (above > 0) & (seen.units <= high)
    far_below = np.where(above > 0, np.abs(seen.units - high), np.iinfo(np.int64).max)
    far_above = np.where(above <= last, np.abs(low - seen.units), np.iinfo(np.int64).max)
    nearer: Units = np.where(far_below <= far_above, high, low)
    return np.where(inside, seen.units, nearer)
