# SPDX-License-Identifier: Apache-2.0
"""Pass `placement`: where each part runs, in the fabric or in the runtime, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fixaccel.language.instrument import UNITS_LIMIT
from fixaccel.language.model import Instrument, OrderType, Source
from fixaccel.language.rules import (
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
)
from fixaccel.passes.work import Work

Flags = npt.NDArray[np.bool_]

_MID = SOURCES.index(Source.MID)
_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
_TOGETHER = PLACEMENTS.index(Placement.TOGETHER)
_NONE = np.zeros(1, np.uint8)


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
    on_mid = np.concatenate([form.source if form else _NONE for form in thresholds]) == _MID
    yield Placement.MID, on_mid & spread([2 * _farthest(block.instrument) >= UNITS_LIMIT for block in blocks])
    yield Placement.CONFIRM, np.concatenate([form.confirm if form else _NONE for form in thresholds]) == 2
    yield Placement.THROUGH, spread([block.through is not Through.FIRE for block in blocks])
    yield Placement.DURING, spread([bool(block.during) for block in blocks])
    yield Placement.REARM, spread([block.rearm is not None for block in blocks])
    market = np.concatenate([form.orders.type if form else _NONE for form in thresholds]) == _MARKET
    counted = spread([block.instrument.symbol in limits.total_qty for block in blocks])
    everything = bool(limits.orders_per_second or limits.total_orders)
    yield Placement.LIMITS, counted | everything | (market & (limits.order_notional is not None))


def _farthest(instrument: Instrument) -> int:
    return max(abs(instrument.price_min), abs(instrument.price_max))


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
