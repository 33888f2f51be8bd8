# SPDX-License-Identifier: Apache-2.0
"""What stands in the trigger memory: a threshold is one trigger, an interval of a decision two, its ends."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.parts import Envelopes, Parts
from fixaccel.language.model import Direction, OrderType
from fixaccel.language.rules import DIRECTIONS, ORDER_TYPES, Decision, Strategy

_GE = DIRECTIONS.index(Direction.GE)
_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_ENDS = 2  # triggers of an interval

Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TriggerRows:
    """One row a trigger, those of a part side by side; no decision is without intervals."""

    parts: Parts  # the part's columns, but condition and order are the trigger's own
    part: Numbers  # row of the part that it is of
    decides: Flags

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
        return cls(replace(rows, envelopes=envelopes.kept()), part, decides)

    @property
    def first(self) -> Flags:
        """Which is the first of its part: that one's live bit and count are the part's."""
        return np.asarray(np.diff(self.part, prepend=-1) > 0)

    @property
    def interval(self) -> Flags:
        """Which is the lower end of an interval."""
        place = np.arange(len(self.part)) - np.flatnonzero(self.first)[self.part]
        return np.asarray(self.decides & (place % _ENDS == 0))
