# SPDX-License-Identifier: Apache-2.0
"""Stretches of time over which a part was armed, and what it could see meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

from fixaccel.language.rules import Rule, Strategy, Window
from fixaccel.language.terms import Source
from fixaccel.replay.course import LIVE, Change
from fixaccel.replay.market import Market, Observations, Places
from fixaccel.semantics.calendar import NS_PER_S, in_session
from fixaccel.semantics.gate import BASIS_POINTS
from fixaccel.tick_arrays import Flags

_MINUTE_NS = 60 * NS_PER_S
_Collar: TypeAlias = tuple[int, bool]  # basis points, and whether what lies outside is ignored


@dataclass(frozen=True, slots=True)
class Life:
    """Armed from the message after ``begin`` on, up to the message ``end``, both counted from 0.

    ``end`` is None if it was armed at the end of the day, and ``ended`` what became of it then: fired, cancelled,
    refused.
    """

    begin: int
    begin_ns: int
    end: int | None = None
    end_ns: int | None = None
    ended: str | None = None


def lives(changes: Sequence[Change]) -> list[Life]:
    """All stretches over which one part, whose changes these are, was armed."""
    found: list[Life] = []
    armed: Change | None = None
    for change in changes:
        if armed is not None:
            found.append(Life(armed.event, armed.ts_ns, change.event, change.ts_ns, change.state))
        armed = change if change.state == LIVE else None
    if armed is not None:
        found.append(Life(armed.event, armed.ts_ns))
    return found


class Sight:
    """What the parts of a strategy could see of one instrument."""

    def __init__(self, strategy: Strategy, market: Market) -> None:
        self.market = market
        self._zone = strategy.venue.time_zone
        self._limits = strategy.limits
        self._eligible = cache(self._find)

    def of(self, rule: Rule, source: Source, life: Life) -> Observations:
        """The eligible observations of one source during a life of the part, those of its last message included.

        Of the message that cancelled it nothing counts: a sibling came first.
        """
        found = self._eligible(source, rule.block.during, self._collars(rule))
        begin, end = self._row(life.begin), len(self.market) if life.end is None else self._row(life.end)
        if life.end is not None and life.ended == "cancelled":
            end = self._row(life.end - 1)
        first, last = np.searchsorted(found.row, (begin, end))
        return Observations(source, found.row[first:last], found.units[first:last])

    def _row(self, event: int) -> int:
        """How many messages of the instrument there are up to this one, itself included."""
        return int(np.searchsorted(self.market.event, event, "right"))

    def _collars(self, rule: Rule) -> tuple[_Collar, ...]:
        """Those of the strategy and of the rule itself."""
        scopes = (self._limits, rule.block.limits)
        return tuple((one.collar, one.collar_ignores) for one in scopes if one is not None and one.collar is not None)

    def _find(self, source: Source, during: tuple[Window, ...], collars: tuple[_Collar, ...]) -> Observations:
        found = self.market.observed[source]
        for basis_points, ignores in collars:
            found = found.where(self.market.reference.known[found.row])
            if ignores:
                reference = self.market.reference.units[found.row]
                away = np.abs(found.units * (1 if source is Source.MID else 2) - reference)
                found = found.where(away * BASIS_POINTS <= basis_points * np.abs(reference))
        return found.where(self._within(found.row, during)) if during else found

    def _within(self, rows: Places, during: tuple[Window, ...]) -> Flags:
        """Where a rule looks at the market; asked once for each minute, the grain of `during`."""
        minutes, place = np.unique(self.market.ts_ns[rows] // _MINUTE_NS, return_inverse=True)
        flags = [in_session(during, minute * _MINUTE_NS, self._zone) for minute in minutes.tolist()]
        return np.array(flags, bool)[place]
