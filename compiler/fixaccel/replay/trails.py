# SPDX-License-Identifier: Apache-2.0
"""How the stop of a trail moved while it was armed."""

from dataclasses import dataclass

import numpy as np

from fixaccel.language.forms import Condition, Trail
from fixaccel.language.rules import Rule
from fixaccel.language.terms import Direction, Side
from fixaccel.replay.lives import Life, Sight
from fixaccel.replay.market import Observations, Places
from fixaccel.semantics.trail import stop_behind
from fixaccel.tick_arrays import Flags, Units


@dataclass(frozen=True, eq=False)
class Stops:
    """Where the stop stood from each of n messages on, in the units of the trail's source.

    ``row`` counts messages of the instrument. ``seen`` are the observations from the activation on; those before
    stop ``k + 1`` was set were tested against stop ``k``.
    """

    row: Places
    units: Units
    seen: Observations
    changed: Places  # [n], place in ``seen`` of the observation that set each stop

    def before(self) -> tuple[Observations, Units]:
        """The observations that were tested against a stop, and that stop for each: all but the first."""
        rest = self.seen.where(np.arange(len(self.seen.row)) > 0)
        stop = np.searchsorted(self.changed, np.arange(len(rest.row)), "right") - 1
        return rest, self.units[stop]


def stops(rule: Rule, life: Life, sight: Sight) -> Stops:
    """The course of a trail's stop over one life; empty if it was never active."""
    trail = rule.block.form
    assert isinstance(trail, Trail)
    seen = sight.of(rule, trail.source, life)
    if trail.activate is not None:
        trigger = sight.of(rule, trail.activate.source, life)
        at = trigger.key[satisfied(trail.activate, trigger.units)]
        # An activating observation of the trail's own source sets the extreme.
        seen = seen.where(seen.key >= at[0]) if len(at) else seen.where(np.zeros(len(seen.row), bool))
    # What fired it moved no stop.
    moving = seen.units[:-1] if life.ended == "fired" else seen.units
    if not len(moving):
        return Stops(moving, moving, seen, moving)
    down = rule.order.side is Side.SELL
    extremes = (np.maximum if down else np.minimum).accumulate(moving)
    changed = np.concatenate([[0], np.flatnonzero(np.diff(extremes)) + 1])
    behind = np.array([stop_behind(rule, extreme) for extreme in extremes[changed].tolist()], np.int64)
    # A percentage of a falling distance from zero may come nearer: a stop never loosens.
    units = (np.maximum if down else np.minimum).accumulate(behind)
    return Stops(seen.row[changed], units, seen, changed)


def satisfied(condition: Condition, units: Units) -> Flags:
    """Where prices of the condition's source satisfy it."""
    return units <= condition.threshold if condition.direction is Direction.LE else units >= condition.threshold
