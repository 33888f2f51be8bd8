# SPDX-License-Identifier: Apache-2.0
"""Pass `placement`: where each part runs, in the fabric or in the runtime, and why."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fixaccel.drafts.work import Work
from fixaccel.language.codes import SOURCES, Codes, Indices
from fixaccel.language.forms import At, Decision, Trail, Triggers
from fixaccel.language.keys.instrument import UNITS_LIMIT
from fixaccel.language.patterns import HWMAP
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import NO_GROUP, Block, Strategy, Through, Window
from fixaccel.language.terms import Instrument, Source
from fixaccel.language.watches import MOST_TIMES, TOLD, conditions, watches
from fixaccel.placement.chain_rows import ChainRows
from fixaccel.placement.confirmed import place_confirmed

Flags = npt.NDArray[np.bool_]

_MID = SOURCES.index(Source.MID)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
_TOGETHER = PLACEMENTS.index(Placement.TOGETHER)
_COUNTED = PLACEMENTS.index(Placement.COUNTED)
_ONE = np.ones(1, np.uint8)
_DECIDE = PLACEMENTS.index(Placement.DECIDE)
MOST_WINDOWS = HWMAP.memories["chain"].record.field("window").high
MOST_TOLD = HWMAP.constant("rearm_slots")
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
    rows = ChainRows.of(strategy)
    moves: tuple[Callable[[], None], ...] = (
        lambda: place_confirmed(rows, placement),
        lambda: _give_places(strategy, rows, placement),
        lambda: _place_windows(strategy, rows, placement),
        lambda: _give_slots(strategy, placement),
    )
    for move in moves:
        move()
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


def _give_places(strategy: Strategy, rows: ChainRows, placement: Codes) -> None:
    """Thresholds keep their place, for many need it; of decisions the first that finds it free has it."""
    decisions = [block.first for block in strategy.blocks if isinstance(block.form, Decision)]
    if not decisions:
        return
    thresholds = rows.take((placement[rows.part] == _FABRIC) & (rows.confirm != 0))
    taken = set(thresholds.chain.tolist())
    places = dict(zip(rows.part.tolist(), rows.chain.tolist(), strict=True))  # a decision is in one chain
    for part in decisions:
        if placement[part] == _FABRIC and places[part] in taken:
            placement[part] = _DECIDE
        elif placement[part] == _FABRIC:
            taken.add(places[part])


def _reasons(strategy: Strategy) -> Iterator[tuple[Placement, Flags]]:
    """Each reason to run in the runtime with a flag for each part, those of the form first."""
    blocks, limits = strategy.blocks, strategy.limits
    lengths = [len(block) for block in blocks]

    def spread(flags: Sequence[bool]) -> Flags:
        return np.repeat(np.array(flags, np.bool_), lengths)

    yield Placement.EMPTY, spread([isinstance(block.form, Decision) and not len(block.form.low) for block in blocks])
    yield Placement.TRAIL, spread([isinstance(block.form, Trail) for block in blocks])
    yield Placement.AT, spread([isinstance(block.form, At) for block in blocks])
    yield Placement.FILLS, spread([block.form.orders.filled for block in blocks])
    yield Placement.CANCELS, spread([bool(block.cancels) for block in blocks])
    own_mid = np.concatenate([_on_mid(block) for block in blocks])
    watched_mid = np.concatenate([_watches_mid(block) for block in blocks])
    too_wide = spread([2 * _farthest(block.instrument) >= UNITS_LIMIT for block in blocks])
    yield Placement.MID, (own_mid | watched_mid) & too_wide
    confirm = [block.form.confirm if isinstance(block.form, Triggers) else _ONE for block in blocks]
    confirmed = np.concatenate(confirm) == 2
    yield Placement.CONFIRM, own_mid & confirmed
    yield Placement.REFUSES, confirmed & spread([block.through is Through.REJECT for block in blocks])
    judged_later = [block.parents is not None or block.rearm is not None for block in blocks]
    through = [block.through is not Through.FIRE for block in blocks]
    yield Placement.TIMES, spread([block.rearm is not None and block.rearm.times > MOST_TIMES for block in blocks])
    yield Placement.THROUGH, spread([all(one) for one in zip(through, judged_later, strict=True)])
    yield Placement.REPEAT, spread([limits.repeat is not None] * len(blocks))
    yield Placement.RULE_LIMITS, spread([block.limits is not None for block in blocks])
    yield Placement.COLLAR_IGNORE, spread([limits.collar_ignores] * len(blocks))
    yield Placement.QUANTITY, spread([limits.total_qty.get(b.instrument.symbol, 0) > _QUANTITY_MOST for b in blocks])


def _counted(strategy: Strategy) -> Indices:
    """A number for all parts that one limit counts; `NO_GROUP` for the rest."""
    limits = strategy.limits
    if limits.orders_per_second is not None or limits.total_orders is not None:
        return np.zeros(len(strategy.rules), np.int32)
    # Which of our own orders rest is known where all orders of the instrument are sent.
    symbols = strategy.venue.instruments if limits.self_trade else limits.total_qty
    places = {symbol: place for place, symbol in enumerate(symbols)}
    numbers = [places.get(block.instrument.symbol, NO_GROUP) for block in strategy.blocks]
    return np.repeat(np.array(numbers, np.int32), [len(block) for block in strategy.blocks])


def _place_windows(strategy: Strategy, rows: ChainRows, placement: Codes) -> None:
    """Moves what the fabric has no window of time for: a chain has that of its first part, and there are so many."""
    numbers: dict[tuple[Window, ...], int] = {(): 0}
    blocks = strategy.blocks
    block = np.repeat(np.arange(len(blocks)), [len(one) for one in blocks])
    during = np.array([numbers.setdefault(one.times, len(numbers)) for one in blocks])[block]
    rows = rows.take(placement[rows.part] == _FABRIC)
    _, first, of_chain = np.unique(rows.chain, return_index=True, return_inverse=True)
    other = during[rows.part] != during[rows.part[first]][of_chain]
    placement[rows.part[other]] = PLACEMENTS.index(Placement.DURING)
    fits = np.flatnonzero(placement == _FABRIC)
    used = [number for number in dict.fromkeys(during[fits].tolist()) if number]
    placement[fits[np.isin(during[fits], used[MOST_WINDOWS:])]] = PLACEMENTS.index(Placement.DURINGS)


def _give_slots(strategy: Strategy, placement: Codes) -> None:
    """The first parts that are armed again after a time, or by fills, have the fabric's room for that."""
    each = [sum(watch.role in TOLD for watch in watches(block)) for block in strategy.blocks]
    needs = np.repeat(each, [len(block) for block in strategy.blocks]) * (placement == _FABRIC)
    placement[(needs > 0) & (np.cumsum(needs) > MOST_TOLD)] = PLACEMENTS.index(Placement.SLOTS)


def _farthest(instrument: Instrument) -> int:
    return max(abs(instrument.price_min), abs(instrument.price_max))


def _on_mid(block: Block) -> Flags:
    form = block.form
    if isinstance(form, At):
        return np.zeros(len(block), np.bool_)
    return np.asarray(form.source == _MID if isinstance(form, Triggers) else np.array([form.source is Source.MID]))


def _watches_mid(block: Block) -> Flags:
    none = np.zeros(len(block), np.bool_)
    return np.asarray(np.logical_or.reduce([none, *(watch.source == _MID for watch in conditions(block))]))


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
        # What waits for fills is armed by the runtime, wherever its parents run.
        if block.parents is None or block.by_fills:
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
