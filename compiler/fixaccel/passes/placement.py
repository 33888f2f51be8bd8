# SPDX-License-Identifier: Apache-2.0
"""Pass `placement`: where each part runs, in the fabric or in the runtime, and why."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fixaccel.language.model import OrderType, Source
from fixaccel.language.rules import (
    NO_GROUP,
    ORDER_TYPES,
    PLACEMENTS,
    SOURCES,
    Block,
    Codes,
    Decision,
    Indices,
    Limits,
    Placement,
    Strategy,
    Through,
    Trail,
    Triggers,
)
from fixaccel.passes.work import Work

_MID = SOURCES.index(Source.MID)
_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
_TOGETHER = PLACEMENTS.index(Placement.TOGETHER)

# What the fabric cannot do yet.
LACKING = frozenset(PLACEMENTS) - {Placement.FABRIC, Placement.TOGETHER}


def run(work: Work) -> None:
    """Fills the strategy's ``placement``."""
    if work.strategy:
        work.strategy = replace(work.strategy, placement=place(work.strategy))


def place(strategy: Strategy, lacking: Collection[Placement] = LACKING) -> Codes:
    """Code of each part into `PLACEMENTS`. ``lacking`` is what the fabric cannot do."""
    placement = np.full(len(strategy.rules), _FABRIC, np.uint8)
    groups = np.full(len(placement), NO_GROUP, np.int32)
    parent = np.zeros(len(placement), np.bool_)
    for block in strategy.blocks:
        for reach in block.parents or ():
            parent[reach.start : reach.stop] = True
    for block in strategy.blocks:
        cut = slice(block.first, block.first + len(block))
        if block.oco is not None:
            groups[cut] = block.oco
        # The first reason that holds is the one that is told.
        for reason, holds in _reasons(block, parent[cut], strategy.limits).items():
            if reason in lacking:
                own = placement[cut]
                own[(own == _FABRIC) & holds] = PLACEMENTS.index(reason)
    return _together(strategy, placement, groups)


def _reasons(block: Block, parent: npt.NDArray[np.bool_], limits: Limits) -> dict[Placement, object]:
    """Whether each reason holds: for all parts alike or a flag for each."""
    form = block.form
    found: dict[Placement, object] = {}
    if isinstance(form, Decision):
        found[Placement.DECIDE] = True
    elif isinstance(form, Trail):
        found[Placement.TRAIL] = True
    else:
        found[Placement.MID] = form.source == _MID
        found[Placement.CONFIRM] = form.confirm == 2
    if block.through is not Through.FIRE:
        found[Placement.THROUGH] = True
    if block.during:
        found[Placement.DURING] = True
    if block.rearm:
        found[Placement.REARM] = True
    if block.oco is not None:
        found[Placement.OCO] = block.oco != NO_GROUP
    found[Placement.ARMED_BY] = True if block.parents is not None else parent
    if limits.collar or limits.orders_per_second or limits.total_orders or block.instrument.symbol in limits.total_qty:
        found[Placement.LIMITS] = True
    elif limits.order_notional is not None and isinstance(form, Triggers):
        found[Placement.LIMITS] = form.orders.type == _MARKET
    return found


def _together(strategy: Strategy, placement: Codes, groups: Indices) -> Codes:
    """Parts joined by `oco` or `armed_by` to one that runs in the runtime go there too."""
    moved = placement.copy()
    links = [
        (block.first, block.first + len(block), reach.start, reach.stop)
        for block in strategy.blocks
        for reach in block.parents or ()
    ]
    grouped = groups != NO_GROUP
    while True:
        before = np.count_nonzero(moved != _FABRIC)
        outside = np.zeros(len(strategy.groups) + 1, np.bool_)
        outside[groups[grouped & (moved != _FABRIC)]] = True
        moved[(moved == _FABRIC) & grouped & outside[groups]] = _TOGETHER
        for start, stop, first, last in links:
            joined = (moved[start:stop], moved[first:last])
            if any((part != _FABRIC).any() for part in joined):
                for part in joined:
                    part[part == _FABRIC] = _TOGETHER
        if np.count_nonzero(moved != _FABRIC) == before:
            return moved
