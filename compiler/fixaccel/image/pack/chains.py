# SPDX-License-Identifier: Apache-2.0
"""Trigger, chain, live, dormant, fire count and rearm memories: each chain a run of triggers in firing order.

Behind all chains stand the triggers of none: of `rearm: {after}`, and those that hit when the runtime says so (fills).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import sorting
from fixaccel.image.pack.links import Links
from fixaccel.image.pack.trigger_rows import ROLES, TriggerRows
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.language.codes import DIRECTIONS, SOURCES
from fixaccel.language.terms import Direction
from fixaccel.language.watches import Role

Numbers = npt.NDArray[Any]


class Chains:
    """Triggers ranked chain by chain.

    ``instrument`` is the fabric's index of each one's instrument, ``window`` its window of time.
    """

    def __init__(self, rows: TriggerRows, instrument: Numbers, window: Numbers, layout: Layout) -> None:
        self._layout = layout
        parts = rows.parts
        within = np.array([[layout.chain(0, s, d) for d in DIRECTIONS] for s in SOURCES], np.int64)
        chain = instrument.astype(np.int64) * layout.chains + within[parts.source, parts.direction]
        chain[rows.told] = layout.depth("chain")
        # The nearer to the market, the earlier: `<=` falls from the highest threshold, `>=` rises from the lowest.
        falls = parts.direction == DIRECTIONS.index(Direction.LE)
        self._order = sorting(chain, np.where(falls, -parts.threshold, parts.threshold), parts.index)
        self.trigger = np.empty(len(self._order), np.int32)  # of each row
        self.trigger[self._order] = np.arange(len(self._order), dtype=np.int32)
        self._chained = len(self._order) - len(rows.told)  # so many triggers stand in chains
        self._told = self._order[self._chained :]
        self._after_ns = rows.after_ns[self._told]
        self._again = rows.role[self._told] == ROLES.index(Role.AFTER)
        self._last = np.where(self._again, rows.times[self._told] + 1, 0)
        self._instrument = instrument[self._told]
        self._chain = chain[self._order[: self._chained]]
        self._threshold = parts.threshold[self._order]
        self._index = parts.index[self._order]
        self._window = window[self._order]
        self._decides = rows.decides[self._order]
        self._times = np.zeros(len(self._order), np.int64)
        self._times[self.trigger[rows.of_role(Role.RESET)]] = rows.times[rows.of_role(Role.RESET)]
        self._confirms = parts.confirm[self._order] == 2

    def pack(self, record: Numbers, links: Links, slots: int) -> dict[str, bytes]:
        """The memories ``trigger``, ``chain``, ``live``, ``dormant``, ``fire_count`` and ``rearm``.

        ``record`` is the order record of each row; so many ``slots`` are there to be armed again.
        """
        columns: dict[str, Numbers] = {
            "threshold": self._threshold,
            "rule": self._index,
            "order": record[self._order],
        }
        triggers = pack_columns(self._layout.record("trigger"), columns, len(self._order))
        most = self._layout.record("fire_count").field("fires").high
        counts = {"fires": np.where(self._times > 0, most - self._times, 0)}
        return {
            "trigger": triggers.tobytes(),
            "chain": trimmed(self._chains(links.arms[self._order[: self._chained]])),
            "live": trimmed(self._bits("live", links.live[self._order])),
            "dormant": trimmed(self._bits("dormant", links.dormant[self._order])),
            "fire_count": trimmed(pack_columns(self._layout.record("fire_count"), counts, len(self._order))),
            "rearm": self._rearms(record, slots),
        }

    def _rearms(self, record: Numbers, count: int) -> bytes:
        trigger = self.trigger[self._told]
        columns: dict[str, Numbers] = {
            "instrument": self._instrument,
            "last": self._last,
            "trigger": trigger,
            "after": self._after_ns,
            "order": record[self._told],
            "again": self._again.astype(np.int64),
        }
        # A link names a trigger, and the trigger its slot.
        slots = trigger % count
        words = np.zeros((slots.max(initial=-1) + 1, self._layout.record("rearm").stride_words), "<u4")
        words[slots] = pack_columns(self._layout.record("rearm"), columns, len(self._told))
        return words.tobytes()

    def _chains(self, arms: Numbers) -> npt.NDArray[np.uint32]:
        heads = np.flatnonzero(np.diff(self._chain, prepend=-1))
        numbers = self._chain[heads]
        columns: dict[str, Numbers] = {
            "first": heads,
            "last": np.append(heads[1:], len(self._chain))[: len(heads)] - 1,
            "valid": np.array(1),
            "arms": np.logical_or.reduceat(arms, heads) if len(heads) else arms,
            "window": self._window[heads],
            "kind": np.where(self._decides[heads], *map(self._layout.constant, ("kind_decide", "kind_thresholds"))),
            "confirms": self._confirms[heads],
        }
        record = self._layout.record("chain")
        words = np.zeros((numbers[-1] + 1 if len(numbers) else 0, record.stride_words), "<u4")
        words[numbers] = pack_columns(record, columns, len(heads))
        return words

    def _bits(self, memory: str, flags: Numbers) -> npt.NDArray[np.uint32]:
        """A bit for each trigger."""
        bits = self._layout.constant("live_word_bits")
        rows = np.zeros((-(-len(flags) // bits), bits), np.int64)
        rows.reshape(-1)[: len(flags)] = flags
        return pack_columns(self._layout.record(memory), {"triggers": rows @ (1 << np.arange(bits))}, len(rows))
