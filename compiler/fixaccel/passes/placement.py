# SPDX-License-Identifier: Apache-2.0
"""Pass `placement`: where each part runs, in the fabric or in the runtime, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fixaccel.language.instrument import UNITS_LIMIT
from fixaccel.language.model import Direction, Instrument, Source
from fixaccel.language.patterns import HWMAP
from fixaccel.language.rules import (
    DIRECTIONS,
    NO_GROUP,
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
    Window,
)
from fixaccel.passes.work import Work

Flags = npt.NDArray[np.bool_]

_GE = DIRECTIONS.index(Direction.GE)
_MID = SOURCES.index(Source.MID)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
_TOGETHER = PLACEMENTS.index(Placement.TOGETHER)
_COUNTED = PLACEMENTS.index(Placement.COUNTED)
_ONE = np.ones(1, np.uint8)
_DECIDE = PLACEMENTS.index(Placement.DECIDE)
MOST_WINDOWS = HWMAP.memories["chain"].record.field("window").high
_QUANTITY_MOST = 10 ** HWMAP.constant("total_qty_digits") - 1


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
    wholes = ((_joined(strategy), _TOGETHER), (_counted(strategy), _COUNTED))
    _place_whole(placement, wholes)
    for move in (_give_places, _place_windows):
        move(strategy, placement)
        _place_whole(placement, wholes)
    return placement


def _place_whole(placement: Codes, wholes: Sequence[tuple[Indices, int]]) -> None:
    """What belongs to a part in the runtime runs there too; what one of ``wholes`` moves may move others."""
    left = len(placement) + 1
    while left != (left := int((placement == _FABRIC).sum())):
        for numbers, why in wholes:
            outside = np.zeros(numbers.max() + 2, np.bool_)  # the last stands for what is alone
            outside[numbers[placement != _FABRIC]] = True
            outside[NO_GROUP] = False
            placement[(placement == _FABRIC) & outside[numbers]] = why


def _give_places(strategy: Strategy, placement: Codes) -> None:
    """Thresholds keep their place, for many need it; of decisions the first that finds it free has it."""
    decisions = [block for block in strategy.blocks if isinstance(block.form, Decision)]
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
    yield Placement.REARM, spread([block.rearm is not None for block in blocks])
    yield Placement.SELF_TRADE, spread([limits.self_trade] * len(blocks))
    yield Placement.REPEAT, spread([limits.repeat is not None] * len(blocks))
    yield Placement.QUANTITY, spread([limits.total_qty.get(b.instrument.symbol, 0) > _QUANTITY_MOST for b in blocks])


def _counted(strategy: Strategy) -> Indices:
    """A number for all parts that one limit counts; `NO_GROUP` for the rest."""
    limits = strategy.limits
    if limits.orders_per_second is not None or limits.total_orders is not None:
        return np.zeros(len(strategy.rules), np.int32)
    places = {symbol: place for place, symbol in enumerate(limits.total_qty)}
    numbers = [places.get(block.instrument.symbol, NO_GROUP) for block in strategy.blocks]
    return np.repeat(np.array(numbers, np.int32), [len(block) for block in strategy.blocks])


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
    source, direction = (np.concatenate(columns)[there] for columns in zip(*map(_chain, blocks), strict=True))

    chain = (instrument * len(SOURCES) + source) * len(DIRECTIONS) + direction
    _, first, of_chain = np.unique(chain, return_index=True, return_inverse=True)
    same = during == during[first][of_chain]
    placement[there[~same]] = PLACEMENTS.index(Placement.DURING)
    used = [number for number in dict.fromkeys(during[same].tolist()) if number]
    beyond = np.isin(during, used[MOST_WINDOWS:])
    placement[there[same & beyond]] = PLACEMENTS.index(Placement.DURINGS)


def _farthest(instrument: Instrument) -> int:
    return max(abs(instrument.price_min), abs(instrument.price_max))


def _on_mid(block: Block) -> Flags:
    form = block.form
    if isinstance(form, Triggers):
        return np.asarray(form.source == _MID)
    return np.array([form.source is Source.MID])


def _chain(block: Block) -> tuple[Codes, Codes]:
    """Source and direction of the chain of each part."""
    if isinstance(block.form, Triggers):
        return block.form.source, block.form.direction
    return np.array([SOURCES.index(block.form.source)], np.uint8), np.array([_GE], np.uint8)


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
