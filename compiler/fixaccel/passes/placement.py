# SPDX-License-Identifier: Apache-2.0
"""Pass `placement`: where each part runs, in the fabric or in the runtime, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fixaccel.language.model import OrderType, Source
from fixaccel.language.patterns import HWMAP
from fixaccel.language.rules import (
    DIRECTIONS,
    NO_GROUP,
    ORDER_TYPES,
    PLACEMENTS,
    SOURCES,
    Codes,
    Decision,
    Indices,
    Placement,
    Strategy,
    Through,
    Trail,
    Triggers,
    Window,
)
from fixaccel.passes.work import Work

Flags = npt.NDArray[np.bool_]

_MID = SOURCES.index(Source.MID)
_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
_TOGETHER = PLACEMENTS.index(Placement.TOGETHER)
_NONE = np.zeros(1, np.uint8)
MOST_WINDOWS = HWMAP.memories["chain"].record.field("window").high


def run(work: Work) -> None:
    """Fills the strategy's ``placement``."""
    if work.strategy:
        work.strategy = replace(work.strategy, placement=place(work.strategy))


def place(strategy: Strategy) -> Codes:
    """Code of each part into `PLACEMENTS`."""
    placement = np.full(len(strategy.rules), _FABRIC, np.uint8)
    if not len(placement):
        return placement
    for reason, holds in _reasons(strategy):
        # The first reason that holds is the one that is told.
        placement[holds & (placement == _FABRIC)] = PLACEMENTS.index(reason)
    _place_windows(strategy, placement)
    joined = _joined(strategy)
    outside = np.zeros(joined.max() + 2, np.bool_)  # the last stands for what is joined to nothing
    outside[joined[placement != _FABRIC]] = True
    outside[NO_GROUP] = False
    placement[(placement == _FABRIC) & outside[joined]] = _TOGETHER
    return placement


def _reasons(strategy: Strategy) -> Iterator[tuple[Placement, Flags]]:
    """Each reason to run in the runtime with a flag for each part, those of the form first."""
    blocks, limits = strategy.blocks, strategy.limits
    lengths = [len(block) for block in blocks]

    def spread(flags: Sequence[bool]) -> Flags:
        return np.repeat(np.array(flags, np.bool_), lengths)

    yield Placement.DECIDE, spread([isinstance(block.form, Decision) for block in blocks])
    yield Placement.TRAIL, spread([isinstance(block.form, Trail) for block in blocks])
    thresholds = [block.form if isinstance(block.form, Triggers) else None for block in blocks]
    yield Placement.MID, np.concatenate([form.source if form else _NONE for form in thresholds]) == _MID
    yield Placement.CONFIRM, np.concatenate([form.confirm if form else _NONE for form in thresholds]) == 2
    yield Placement.THROUGH, spread([block.through is not Through.FIRE for block in blocks])
    yield Placement.REARM, spread([block.rearm is not None for block in blocks])
    market = np.concatenate([form.orders.type if form else _NONE for form in thresholds]) == _MARKET
    counted = spread([block.instrument.symbol in limits.total_qty for block in blocks])
    everything = bool(limits.collar or limits.orders_per_second or limits.total_orders)
    yield Placement.LIMITS, counted | everything | (market & (limits.order_notional is not None))


def _place_windows(strategy: Strategy, placement: Codes) -> None:
    """Moves what the fabric has no window of time for: a chain has that of its first part, and there are so many."""
    there = np.flatnonzero(placement == _FABRIC)
    if not len(there):
        return
    numbers: dict[tuple[Window, ...], int] = {(): 0}
    places = {symbol: place for place, symbol in enumerate(strategy.venue.instruments)}
    blocks = strategy.blocks
    block = np.repeat(np.arange(len(blocks)), [len(one) for one in blocks])[there]
    during = np.array([numbers.setdefault(one.times, len(numbers)) for one in blocks])[block]
    instrument = np.array([places[one.instrument.symbol] for one in blocks])[block]
    forms = [one.form if isinstance(one.form, Triggers) else None for one in blocks]
    source = np.concatenate([form.source if form else _NONE for form in forms])[there]
    direction = np.concatenate([form.direction if form else _NONE for form in forms])[there]

    chain = (instrument * len(SOURCES) + source) * len(DIRECTIONS) + direction
    _, first, of_chain = np.unique(chain, return_index=True, return_inverse=True)
    same = during == during[first][of_chain]
    placement[there[~same]] = PLACEMENTS.index(Placement.DURING)
    used = [number for number in dict.fromkeys(during[same].tolist()) if number]
    beyond = np.isin(during, used[MOST_WINDOWS:])
    placement[there[same & beyond]] = PLACEMENTS.index(Placement.DURINGS)


def _joined(strategy: Strategy) -> Indices:
    """A number for all parts that `oco` and `armed_by` join, however indirectly; `NO_GROUP` for the rest."""
    number = strategy.part_groups.copy()
    hubs = list(range(len(strategy.groups)))  # number -> one that it was joined to; itself at the end of the chain
    seen: dict[range, int] = {}

    def root(hub: int) -> int:
        while hubs[hub] != hub:
            hubs[hub] = hubs[hubs[hub]]
            hub = hubs[hub]
        return hub

    for block in strategy.blocks:
        if block.parents is None:
            continue
        hub = len(hubs)
        hubs.append(hub)
        for reach in (block.indices, *block.parents):
            if reach not in seen:
                own = number[reach.start : reach.stop]
                others = np.unique(own[own != NO_GROUP]).tolist()
                own[own == NO_GROUP] = hub
                seen[reach] = hub
            else:
                others = [seen[reach]]
            for other in others:
                hubs[root(other)] = root(hub)
    roots = np.array([*map(root, range(len(hubs))), NO_GROUP], np.int32)
    return roots[number]
