# SPDX-License-Identifier: Apache-2.0
"""Pass `placement`: where each part runs, in the fabric or in the runtime, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fixaccel.language.instrument import UNITS_LIMIT
from fixaccel.language.model import Direction, Instrument, OrderType, Source
from fixaccel.language.rules import (
    DIRECTIONS,
    NO_GROUP,
    ORDER_TYPES,
    PLACEMENTS,
    SOURCES,
    Block,
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

_GE = DIRECTIONS.index(Direction.GE)
_MID = SOURCES.index(Source.MID)
_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
_TOGETHER = PLACEMENTS.index(Placement.TOGETHER)
_ONE = np.ones(1, np.uint8)
_DECIDE = PLACEMENTS.index(Placement.DECIDE)


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
    _place_whole(placement, joined)
    if decisions := [block for block in strategy.blocks if isinstance(block.form, Decision)]:
        _give_places(placement, decisions, strategy)
        _place_whole(placement, joined)
    return placement


def _place_whole(placement: Codes, joined: Indices) -> None:
    """What is joined to a part in the runtime runs there too."""
    outside = np.zeros(joined.max() + 2, np.bool_)  # the last stands for what is joined to nothing
    outside[joined[placement != _FABRIC]] = True
    outside[NO_GROUP] = False
    placement[(placement == _FABRIC) & outside[joined]] = _TOGETHER


def _give_places(placement: Codes, decisions: Sequence[Block], strategy: Strategy) -> None:
    """Thresholds keep their place, for many need it; of decisions the first that finds it free has it."""
    symbols = {block.instrument.symbol for block in decisions}
    taken: set[tuple[str, int]] = set()
    for block in strategy.blocks:
        if isinstance(block.form, Triggers) and block.instrument.symbol in symbols:
            there = (placement[block.first : block.first + len(block)] == _FABRIC) & (block.form.direction == _GE)
            taken |= {(block.instrument.symbol, source) for source in np.unique(block.form.source[there]).tolist()}
    for block in decisions:
        assert isinstance(block.form, Decision)
        place = (block.instrument.symbol, SOURCES.index(block.form.source))
        if placement[block.first] == _FABRIC and place in taken:
            placement[block.first] = _DECIDE
        elif placement[block.first] == _FABRIC:
            taken.add(place)


def _reasons(strategy: Strategy) -> Iterator[tuple[Placement, Flags]]:
    """Each reason to run in the runtime with a flag for each part, those of the form first."""
    blocks, limits = strategy.blocks, strategy.limits
    lengths = [len(block) for block in blocks]

    def spread(flags: Sequence[bool]) -> Flags:
        return np.repeat(np.array(flags, np.bool_), lengths)

    yield Placement.EMPTY, spread([isinstance(block.form, Decision) and not len(block.form.low) for block in blocks])
    yield Placement.TRAIL, spread([isinstance(block.form, Trail) for block in blocks])
    on_mid = np.concatenate([_on_mid(block) for block in blocks])
    yield Placement.MID, on_mid & spread([2 * _farthest(block.instrument) >= UNITS_LIMIT for block in blocks])
    confirm = [block.form.confirm if isinstance(block.form, Triggers) else _ONE for block in blocks]
    yield Placement.CONFIRM, np.concatenate(confirm) == 2
    yield Placement.THROUGH, spread([block.through is not Through.FIRE for block in blocks])
    yield Placement.DURING, spread([bool(block.during) for block in blocks])
    yield Placement.REARM, spread([block.rearm is not None for block in blocks])
    market = np.concatenate([_at_market(block) for block in blocks])
    counted = spread([block.instrument.symbol in limits.total_qty for block in blocks])
    everything = bool(limits.orders_per_second or limits.total_orders)
    yield Placement.LIMITS, counted | everything | (market & (limits.order_notional is not None))


def _farthest(instrument: Instrument) -> int:
    return max(abs(instrument.price_min), abs(instrument.price_max))


def _on_mid(block: Block) -> Flags:
    form = block.form
    if isinstance(form, Triggers):
        return np.asarray(form.source == _MID)
    return np.array([form.source is Source.MID])


def _at_market(block: Block) -> Flags:
    """Which parts send a market order, a decision for some price."""
    market = np.asarray(block.form.orders.type == _MARKET)
    return np.array([market.any()]) if isinstance(block.form, Decision) else market


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
