# SPDX-License-Identifier: Apache-2.0
"""Memories `trail_list`, `trail` and `stop`: the trails of each instrument, by source and as declared."""

from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import sorting
from fixaccel.image.pack.trigger_rows import TriggerRows
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.language.codes import DIRECTIONS, SIDES, SOURCES
from fixaccel.language.forms import Condition, Trail
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Side
from fixaccel.placement.trails import distance_of

_SELL = SIDES.index(Side.SELL)

Numbers = npt.NDArray[Any]


class Trails:
    """The trails among ``rows``; ``instrument`` and ``window`` are those of each row, as the fabric numbers them."""

    def __init__(self, rows: TriggerRows, strategy: Strategy, instrument: Numbers, window: Numbers) -> None:
        found = np.flatnonzero(rows.follows)
        own = rows.parts
        self._rows = found[sorting(instrument[found], own.source[found], own.index[found])]
        self._instrument = instrument[self._rows]
        self._window = window[self._rows]
        self._source = own.source[self._rows]
        self._sell = own.side[self._rows] == _SELL
        blocks = [strategy.blocks[place] for place in own.block[self._rows].tolist()]
        forms = [block.form for block in blocks if isinstance(block.form, Trail)]
        self._distance = [distance_of(form, block.instrument) or 0 for form, block in zip(forms, blocks, strict=True)]
        self._activate = [form.activate for form in forms]

    def __len__(self) -> int:
        return len(self._rows)

    def pack(self, trigger: Numbers, arms: Numbers, layout: Layout) -> dict[str, bytes]:
        """``trigger`` and ``arms`` are of each row. A trail and its stop have the same number."""
        count = len(self)
        first = np.flatnonzero(np.diff(self._instrument, prepend=-1))
        more = np.append(np.diff(self._instrument) == 0, np.zeros(min(count, 1), np.bool_))
        wait = np.array([_condition(one) for one in self._activate], np.int64).reshape(-1, 3)
        waits = np.array([one is not None for one in self._activate], np.bool_)
        trails: dict[str, Numbers] = {
            "distance": np.array(self._distance, np.int64),
            "sell": self._sell,
            "source": np.array([layout.source(source) for source in SOURCES], np.int64)[self._source],
            "arms": arms[self._rows],
            "wait_source": wait[:, 0],
            "wait_direction": wait[:, 1],
            "window": self._window,
            "trigger": trigger[self._rows],
            "stop": np.arange(count),
            "more": more,
        }
        lists = np.zeros((int(self._instrument.max(initial=-1)) + 1, layout.record("trail_list").stride_words), "<u4")
        beginnings: dict[str, Numbers] = {"first": first, "valid": np.array(1)}
        lists[self._instrument[first]] = pack_columns(layout.record("trail_list"), beginnings, len(first))
        stops: dict[str, Numbers] = {"price": wait[:, 2], "active": ~waits}
        return {
            "trail_list": trimmed(lists),
            "trail": pack_columns(layout.record("trail"), trails, count).tobytes(),
            "stop": pack_columns(layout.record("stop"), stops, count).tobytes(),
        }


def _condition(condition: Condition | None) -> tuple[int, int, int]:
    """Source, direction and threshold; zeros for none."""
    if condition is None:
        return 0, 0, 0
    return SOURCES.index(condition.source), DIRECTIONS.index(condition.direction), condition.threshold
