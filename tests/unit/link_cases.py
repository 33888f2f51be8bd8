# SPDX-License-Identifier: Apache-2.0
"""Strategies with `oco` and `armed_by` made by hand, and what their orders cancel and arm, part by part."""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from image_cases import BOARD, MSFT, ORDER, instrument, placed, strategy

from fixaccel.language.forms import Triggers
from fixaccel.language.orders import Orders
from fixaccel.language.rules import NO_GROUP, Block, Strategy
from fixaccel.language.terms import OrderType
from fixaccel.source import Span

ROOMY = replace(BOARD, capacity={**BOARD.capacity, "orders": 64, "templates": 16, "groups": 64})
GROUPS = ("g0", "g1", "g2")
INSTRUMENTS = (MSFT, instrument("ZZ"))


def block(first, thresholds, *, source=2, direction=0, on=MSFT, qty=1, oco=None, parents=None):
    """A block of thresholds on one source, as a ladder makes it."""
    rows = len(thresholds)
    order = replace(ORDER, qty=qty, type=OrderType.LIMIT, price=100)
    triggers = Triggers(
        source=np.full(rows, source, np.uint8),
        direction=np.full(rows, direction, np.uint8),
        threshold=np.array(thresholds, np.int64),
        confirm=np.ones(rows, np.uint8),
        orders=Orders.of([order] * rows),
    )
    span = Span("s.yaml", first + 1, 1, first + 1, 9)
    oco = None if oco is None else np.array(oco, np.int32)
    return Block(f"r{first}", f"r{first}", first, on, triggers, span, span, many=rows > 1, oco=oco, parents=parents)


def linked(blocks) -> Strategy:
    """All of it in the fabric."""
    return placed(replace(strategy(blocks), groups=GROUPS))


@st.composite
def linked_strategies(draw) -> Strategy:
    """Up to eight blocks; parents stand before their children."""
    blocks: list[Block] = []
    first = 0
    for _ in range(draw(st.integers(1, 8))):
        rows = draw(st.integers(1, 4))
        oco = draw(st.none() | st.lists(st.integers(NO_GROUP, len(GROUPS) - 1), min_size=rows, max_size=rows))
        reaches = [one.indices for one in blocks] + [range(n, n + 1) for n in range(first)]
        parents = draw(st.none() | st.lists(st.sampled_from(reaches), min_size=1, max_size=2)) if reaches else None
        if parents and len(parents) == 2 and set(parents[0]) & set(parents[1]):
            parents = parents[:1]
        blocks.append(
            block(
                first,
                draw(st.lists(st.integers(0, 20), min_size=rows, max_size=rows)),
                source=draw(st.integers(0, 1)),
                direction=draw(st.integers(0, 1)),
                on=draw(st.sampled_from(INSTRUMENTS)),
                qty=draw(st.integers(1, 2)),
                oco=oco,
                parents=None if parents is None else tuple(parents),
            )
        )
        first += rows
    return linked(blocks)


@dataclass(frozen=True)
class Effects:
    """What a part's sent order does to others, by part."""

    cancels: frozenset[int]
    arms: frozenset[int]


def effects(whole: Strategy) -> list[Effects]:
    """Part by part, straight from the rules."""
    rules = list(whole.rules)
    return [
        Effects(
            frozenset(o.index for o in rules if o.group == rule.group != NO_GROUP and o.index != rule.index),
            frozenset(o.index for o in rules if any(rule.index in reach for reach in o.block.parents or ())),
        )
        for rule in rules
    ]
