# SPDX-License-Identifier: Apache-2.0
"""What stands in the trigger memory: a threshold, trail or watch is one trigger, an interval of a decision two."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.parts import NO_CODE, Envelopes, Parts
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES
from fixaccel.language.forms import Decision
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Direction, OrderType
from fixaccel.language.watches import TOLD, Role, watches

_GE = DIRECTIONS.index(Direction.GE)
_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_ENDS = 2  # triggers of an interval
ROLES = (None, *Role)  # None: what a part itself has
_OWN = ROLES.index(None)

Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TriggerRows:
    """One row a trigger: those of a part side by side, then all watches. No decision is without intervals."""

    parts: Parts  # the part's columns, but condition and order are the trigger's own
    part: Numbers  # row of the part that it is of
    decides: Flags
    role: Numbers  # into `ROLES`
    times: Numbers  # a watch hits so often at most
    after_ns: Numbers  # behind the order of its part; 0: by none

    @classmethod
    def of(cls, parts: Parts, strategy: Strategy) -> "TriggerRows":
        """The triggers of ``parts`` of ``strategy``."""
        forms = [block.form for block in strategy.blocks]
        sizes = np.array([_ENDS * len(form.low) if isinstance(form, Decision) else 1 for form in forms], np.int64)
        count = sizes[parts.block]
        part = np.repeat(np.arange(len(parts)), count)
        rows, envelopes = parts.take(part), Envelopes(parts.envelopes)
        decides = np.zeros(len(part), np.bool_)
        start = np.cumsum(count) - count
        for row in np.flatnonzero(count > 1).tolist():
            form = forms[parts.block[row]]
            assert isinstance(form, Decision)
            at, orders = slice(start[row], start[row] + count[row]), form.orders
            decides[at] = True
            rows.direction[at] = _GE
            rows.threshold[at] = np.stack([form.low, form.high], axis=1).ravel()
            own: dict[str, Numbers] = {
                "side": orders.side,
                "type": orders.type,
                "qty": orders.qty,
                "price": np.where(orders.type == _LIMIT, orders.price, 0),
                "envelope": envelopes.places(orders),
            }
            for name, column in own.items():
                getattr(rows, name)[at] = np.repeat(column, _ENDS)
        zeros = np.zeros(len(part), np.int64)
        plain = cls(replace(rows, envelopes=envelopes.kept()), part, decides, zeros, zeros, zeros)
        return plain._with(_Watches.of(parts, strategy), parts)

    def _with(self, watched: "_Watches", parts: Parts) -> "TriggerRows":
        """These rows and those of the watches of ``parts``."""
        if not len(watched.part):
            return self
        rows = replace(
            parts.take(watched.part),
            source=watched.source,
            direction=watched.direction,
            threshold=watched.threshold,
            confirm=np.ones(len(watched.part), np.uint8),
        )
        columns = {
            field.name: np.concatenate([getattr(self.parts, field.name), getattr(rows, field.name)])
            for field in fields(Parts)
            if field.name != "envelopes"
        }
        return TriggerRows(
            Parts(**columns, envelopes=self.parts.envelopes),
            np.concatenate([self.part, watched.part]),
            np.append(self.decides, np.zeros(len(watched.part), np.bool_)),
            np.concatenate([self.role, watched.role]),
            np.concatenate([self.times, watched.times]),
            np.concatenate([self.after_ns, watched.after_ns]),
        )

    @property
    def watches(self) -> Flags:
        """Which are watches."""
        return np.asarray(self.role != _OWN)

    @property
    def told(self) -> Numbers:
        """The rows of the watches that hit when the runtime says so."""
        return np.flatnonzero(np.isin(self.role, [ROLES.index(role) for role in TOLD]))

    @property
    def follows(self) -> Flags:
        """Which are trails."""
        return np.asarray((self.parts.direction == NO_CODE) & ~self.decides & ~self.watches)

    def of_role(self, role: Role) -> Numbers:
        """The rows of these watches, parts rising."""
        return np.flatnonzero(self.role == ROLES.index(role))

    @property
    def first(self) -> Flags:
        """Which is the first of its part: that one's live bit and count are the part's."""
        return np.asarray((np.diff(self.part, prepend=-1) > 0) & ~self.watches)

    @property
    def interval(self) -> Flags:
        """Which is the lower end of an interval."""
        place = np.arange(len(self.part)) - np.flatnonzero(self.first)[self.part]
        return np.asarray(self.decides & (place % _ENDS == 0))


@dataclass(frozen=True, eq=False)
class _Watches:
    """One row a watch, those of a role side by side with parts rising."""

    part: Numbers  # row among the parts
    role: Numbers
    source: Numbers
    direction: Numbers
    threshold: Numbers
    times: Numbers
    after_ns: Numbers

    @classmethod
    def of(cls, parts: Parts, strategy: Strategy) -> "_Watches":
        """The watches of ``parts`` of ``strategy``."""
        kinds = (np.int64, np.int64, np.uint8, np.uint8, np.int64, np.int64, np.int64)
        none = tuple(np.zeros(0, kind) for kind in kinds)
        columns = [np.concatenate(each) for each in zip(none, *_of_blocks(parts, strategy), strict=True)]
        rising = np.lexsort([columns[0], columns[1]])
        return cls(*(column[rising] for column in columns))


def _of_blocks(parts: Parts, strategy: Strategy) -> Iterator[tuple[Numbers, ...]]:
    """The columns of `_Watches`, block by block."""
    for place in np.unique(parts.block).tolist():
        block = strategy.blocks[place]
        for watch in watches(block):
            first, end = np.searchsorted(parts.block, [place, place + 1]).tolist()
            part = np.arange(first, end)
            row = parts.index[part] - block.first
            numbers = (ROLES.index(watch.role), watch.times, watch.after_ns)
            role, times, after_ns = (np.full(len(part), number) for number in numbers)
            yield part, role, watch.source[row], watch.direction[row], watch.threshold[row], times, after_ns
