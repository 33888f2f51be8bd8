# SPDX-License-Identifier: Apache-2.0
"""Trigger, chain, live and dormant memories: each chain a run of triggers in firing order."""

from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.links import Links
from fixaccel.image.numbering import sorting
from fixaccel.image.parts import Parts
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.language.model import Direction
from fixaccel.language.rules import DIRECTIONS, SOURCES

Numbers = npt.NDArray[Any]


class Chains:
    """The parts ranked chain by chain.

    ``instrument`` is the fabric's index of each part's instrument, ``window`` its window of time.
    """

    def __init__(self, parts: Parts, instrument: Numbers, window: Numbers, layout: Layout) -> None:
        self._layout = layout
        within = np.array([[layout.chain(0, s, d) for d in DIRECTIONS] for s in SOURCES], np.int64)
        chain = instrument.astype(np.int64) * layout.chains + within[parts.source, parts.direction]
        # The nearer to the market, the earlier: `<=` falls from the highest threshold, `>=` rises from the lowest.
        falls = parts.direction == DIRECTIONS.index(Direction.LE)
        self._order = sorting(chain, np.where(falls, -parts.threshold, parts.threshold))
        self._chain = chain[self._order]
        self._threshold = parts.threshold[self._order]
        self._index = parts.index[self._order]
        self._window = window[self._order]

    def triggers(self) -> Numbers:
        """The trigger of each part."""
        trigger = np.empty(len(self._order), np.int32)
        trigger[self._order] = np.arange(len(self._order), dtype=np.int32)
        return trigger

    def pack(self, record: Numbers, links: Links) -> dict[str, bytes]:
        """The memories ``trigger``, ``chain``, ``live`` and ``dormant``; ``record`` is each part's order record."""
        columns: dict[str, Numbers] = {
            "threshold": self._threshold,
            "rule": self._index,
            "order": record[self._order],
        }
        triggers = pack_columns(self._layout.record("trigger"), columns, len(self._order))
        waits = links.dormant[self._order]
        return {
            "trigger": triggers.tobytes(),
            "chain": trimmed(self._chains(links.arms[self._order])),
            "live": trimmed(self._bits("live", ~waits)),
            "dormant": trimmed(self._bits("dormant", waits)),
        }

    def _chains(self, arms: Numbers) -> npt.NDArray[np.uint32]:
        heads = np.flatnonzero(np.diff(self._chain, prepend=-1))
        numbers = self._chain[heads]
        columns: dict[str, Numbers] = {
            "first": heads,
            "last": np.append(heads[1:], len(self._chain))[: len(heads)] - 1,
            "valid": np.array(1),
            "arms": np.logical_or.reduceat(arms, heads) if len(heads) else arms,
            "window": self._window[heads],
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
