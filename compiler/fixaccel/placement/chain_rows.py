# SPDX-License-Identifier: Apache-2.0
"""What stands in the fabric's chains for each part: its own condition, then those that are watched for it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fixaccel.language.codes import DIRECTIONS, SOURCES, Codes, Indices, Units
from fixaccel.language.forms import Decision, Triggers
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Direction
from fixaccel.language.watches import conditions

GE = DIRECTIONS.index(Direction.GE)


@dataclass(frozen=True, eq=False)
class ChainRows:
    """A row for each part and chain, in the order of parts, its own condition first; trails and times have none."""

    part: Indices
    chain: Indices  # two for each source of an instrument, `<=` even and `>=` odd
    confirm: Codes  # how many observations it takes; 0: it is no threshold, and stands in the place of `>=`
    threshold: Units  # 0 of what is none

    @classmethod
    def of(cls, strategy: Strategy) -> "ChainRows":
        """The rows of all parts, wherever they run."""
        places = {symbol: place for place, symbol in enumerate(strategy.venue.instruments)}
        # One column for all blocks: most have one part, and putting small arrays together takes longest.
        found = [(block, one) for block in strategy.blocks for one in _conditions(block)]
        if not found:
            none = np.zeros(0, np.int64)
            return cls(none.astype(np.int32), none.astype(np.int32), none.astype(np.uint8), none)
        lengths = [len(block) for block, _ in found]
        ends = np.cumsum(lengths)
        first = np.array([block.first for block, _ in found]) - ends + lengths
        part = np.repeat(first, lengths) + np.arange(ends[-1])
        symbol = np.repeat([places[block.instrument.symbol] for block, _ in found], lengths)
        source, direction, confirm, threshold = (
            np.concatenate(column).astype(np.int64) for column in zip(*(one for _, one in found), strict=True)
        )
        chain = (symbol * len(SOURCES) + source) * len(DIRECTIONS) + direction
        order = np.argsort(part, kind="stable").astype(np.int32)
        rows = cls(part.astype(np.int32), chain.astype(np.int32), confirm.astype(np.uint8), threshold)
        return rows.take(order)

    def take(self, rows: Indices) -> "ChainRows":
        """These rows, given by their numbers or by flags."""
        return ChainRows(self.part[rows], self.chain[rows], self.confirm[rows], self.threshold[rows])


def _conditions(block: Block) -> Iterator[tuple[Codes, Codes, Codes, Units]]:
    """Source, direction, observations and threshold of each part."""
    form, count = block.form, len(block)
    if isinstance(form, Triggers):
        yield form.source, form.direction, form.confirm, form.threshold
    elif isinstance(form, Decision):  # no other stands in a chain
        none = np.zeros(count, np.uint8)
        yield np.full(count, SOURCES.index(form.source), np.uint8), none + GE, none, np.zeros(count, np.int64)
    for watch in conditions(block):
        yield watch.source, watch.direction, np.ones(count, np.uint8), watch.threshold
