# SPDX-License-Identifier: Apache-2.0
"""What the fabric watches for a rule beside its condition: triggers that send nothing, whose links arm and cancel."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.language.codes import DIRECTIONS, SOURCES, Codes, Units
from fixaccel.language.forms import Triggers
from fixaccel.language.patterns import HWMAP
from fixaccel.language.rules import Block, RearmAfter, RearmReset, Through
from fixaccel.language.terms import Direction

# How often a watch can hit: its count is preset so far below the highest, at which nothing fires any more.
MOST_TIMES = HWMAP.memories["fire_count"].record.field("fires").high - 1
_GE = DIRECTIONS.index(Direction.GE)


class Role(Enum):
    """What a watch is for."""

    RESET = "reset"  # the condition of `rearm: {reset}`: arms the rule again
    AFTER = "after"  # the time of `rearm: {after}`: arms the rule again; in no chain, its condition says nothing
    CLEAR = "clear"  # the rule's condition does not hold: ends the waiting of `if_already_through`
    THROUGH = "through"  # the rule's condition holds while `if_already_through: reject` waits: refuses it
    FILLS = "fills"  # what the venue reports of the parents' orders: arms the rule; in no chain either


# What hits when its time has come, or the runtime says so: each has a slot in `rearm` instead of a place in a chain.
TOLD = (Role.AFTER, Role.FILLS)


@dataclass(frozen=True, eq=False)
class Watch:
    """One of each part of a block, a row each; codes and thresholds as in `Triggers`."""

    role: Role
    source: Codes
    direction: Codes
    threshold: Units
    times: int = MOST_TIMES  # it hits at most
    after_ns: int = 0  # behind the rule's order


def watches(block: Block) -> Iterator[Watch]:
    """The watches that ``block`` needs in the fabric."""
    form = block.form
    if isinstance(block.rearm, RearmReset):
        condition, count = block.rearm.condition, len(block)
        source, direction = SOURCES.index(condition.source), DIRECTIONS.index(condition.direction)
        yield Watch(
            Role.RESET,
            np.full(count, source, np.uint8),
            np.full(count, direction, np.uint8),
            np.full(count, condition.threshold, np.int64),
            block.rearm.times,
        )
    if isinstance(block.rearm, RearmAfter):
        none = np.zeros(len(block), np.uint8)
        yield Watch(Role.AFTER, none, none, np.zeros(len(block), np.int64), block.rearm.times, block.rearm.after_ns)
    if block.by_fills:
        none = np.zeros(len(block), np.uint8)
        yield Watch(Role.FILLS, none, none, np.zeros(len(block), np.int64))
    if isinstance(form, Triggers) and block.through is not Through.FIRE:
        yield Watch(Role.CLEAR, form.source, *complement(form.direction, form.threshold))
        if block.through is Through.REJECT:
            yield Watch(Role.THROUGH, form.source, form.direction, form.threshold)


def conditions(block: Block) -> Iterator[Watch]:
    """Those that stand in a chain."""
    return (watch for watch in watches(block) if watch.role not in TOLD)


def complement(direction: Codes, threshold: Units) -> tuple[Codes, Units]:
    """The condition that holds where this one does not: prices are whole."""
    rises = direction == _GE
    other: Any = np.where(rises, 1 - _GE, _GE)
    return other.astype(np.uint8), np.where(rises, threshold - 1, threshold + 1)


def later(source: Codes, than: Codes) -> npt.NDArray[np.bool_]:
    """Whether a message observes ``source`` behind the other one; both are codes, which stand in that order."""
    return np.asarray(source > than)
