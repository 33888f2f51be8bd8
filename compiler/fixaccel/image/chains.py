# SPDX-License-Identifier: Apache-2.0
"""Trigger, chain and live memories: each chain a run of triggers in firing order."""

from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import sorting
from fixaccel.image.parts import Parts
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.language.model import Direction
from fixaccel.language.rules import DIRECTIONS, SOURCES

Numbers = npt.NDArray[Any]


class Chains:
    """The parts ranked chain by chain. ``instrument`` is the fabric's index of each part's instrument."""

    def __init__(self, parts: Parts, instrument: Numbers, layout: Layout) -> None:
        self._layout = layout
        within = np.array([[layout.chain(0, s, d) for d in DIRECTIONS] for s in SOURCES], np.int64)
        chain = instrument.astype(np.int64) * layout.chains + within[parts.source, parts.direction]
        # The nearer to the market, the earlier: `<=` falls from the highest threshold, `>=` rises from the lowest.
        falls = parts.direction == DIRECTIONS.index(Direction.LE)
        self._order = sorting(chain, np.where(falls, -parts.threshold, parts.threshold))
        self._chain = chain[self._order]
        self._threshold = parts.threshold[self._order]
        self._index = parts.index[self._order]

    def triggers(self) -> Numbers:
        """The trigger of each part."""
        trigger = np.empty(len(self._order), np.int32)
        trigger[self._order] = np.arange(len(self._order), dtype=np.int32)
        return trigger

    def pack(self, record: Numbers) -> dict[str, bytes]:
        """The memories ``trigger``, ``chain`` and ``live``; ``record`` is the order record of each part."""
        columns: dict[str, Numbers] = {
            "threshold": self._threshold,
            "rule": self._index,
            "order": record[self._order],
        }
        triggers = pack_columns(self._layout.record("trigger"), columns, len(self._order))
        return {"trigger": triggers.tobytes(), "chain": trimmed(self._chains()), "live": trimmed(self._live())}

    def _chains(self) -> npt.NDArray[np.uint32]:
        heads = np.flatnonzero(np.diff(self._chain, prepend=-1))
        numbers = self._chain[heads]
        columns: dict[str, Numbers] = {
            "first": heads,
            "last": np.append(heads[1:], len(self._chain))[: len(heads)] - 1,
            "valid": np.array(1),
        }
        record = self._layout.record("chain")
        words = np.zeros((numbers[-1] + 1 if len(numbers) else 0, record.stride_words), "<u4")
        words[numbers] = pack_columns(record, columns, len(heads))
        return words

    def _live(self) -> npt.NDArray[np.uint32]:
        """At load, every trigger."""
        bits = self._layout.constant("live_word_bits")
        live = np.minimum(len(self._chain) - np.arange(0, len(self._chain), bits), bits)
        words = (1 << live.astype(np.int64)) - 1
        return pack_columns(self._layout.record("live"), {"triggers": words}, len(words))
