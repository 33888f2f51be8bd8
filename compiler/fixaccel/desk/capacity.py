# SPDX-License-Identifier: Apache-2.0
"""What the strategies of one session need of a board, as if the rules of all files stood in one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from fixaccel.desk.members import Member, SessionKey
from fixaccel.desk.sessions import agree
from fixaccel.diagnostics.codes.desk import DESK_CAPACITY
from fixaccel.diagnostics.codes.image import CAPACITY
from fixaccel.diagnostics.report import Diagnostic, Related
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.image import ImageError
from fixaccel.image.pack.pack import build_image
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import NO_GROUP, Block, Limits, Strategy
from fixaccel.language.terms import Board, Instrument
from fixaccel.passes.placement import place

_FABRIC = PLACEMENTS.index(Placement.FABRIC)


@dataclass(frozen=True)
class Capacity:
    """Of one session: ``used`` of each memory over all, ``shares`` of each member by itself in the members' order.

    ``fabric`` counts the parts that the fabric runs if all rules are in one strategy, ``fabric_alone`` those of each.
    All are empty and zero where ``unknown`` says why nothing is known.
    """

    session: SessionKey
    members: tuple[str, ...]
    used: Mapping[str, int]
    shares: tuple[Mapping[str, int], ...]
    fabric: int = 0
    fabric_alone: tuple[int, ...] = ()
    unknown: str = ""


def capacity(
    session: SessionKey, members: Sequence[Member], board: Board, hwmap: Hwmap
) -> tuple[Capacity, list[Diagnostic]]:
    """The needs, and an error for each memory of ``board`` that is too small."""
    names = tuple(member.name for member in members)
    if not agree(members):
        reason = "their venue files differ, so that they cannot be one strategy"
        return Capacity(session, names, {}, (), unknown=reason), []
    alone = [_needs(member.strategy, board, hwmap) for member in members]
    shares = tuple(used for used, _ in alone)
    own = [diagnostic for _, found in alone for diagnostic in found]
    if len(members) == 1:
        count = _in_fabric(members[0].strategy)
        return Capacity(session, names, shares[0], shares, count, (count,)), own
    joint = joined([member.strategy for member in members])
    used, found = _needs(joint, board, hwmap)
    if not used:
        return Capacity(session, names, {}, shares, unknown="see the errors"), own or found
    told = {diagnostic.message for diagnostic in own}
    errors = [
        *(_too_small(name, need, members, shares, board) for name, need in used.items() if need > board.capacity[name]),
        *(one for one in found if one.message not in told and (one.code is not CAPACITY or not _of_memory(one, board))),
    ]
    fabric = tuple(_in_fabric(member.strategy) for member in members)
    return Capacity(session, names, used, shares, _in_fabric(joint), fabric), [*own, *errors]


def _of_memory(diagnostic: Diagnostic, board: Board) -> bool:
    return diagnostic.message.startswith(f"board {board.name} has ")


def _needs(strategy: Strategy, board: Board, hwmap: Hwmap) -> tuple[Mapping[str, int], list[Diagnostic]]:
    """What it takes of each memory, and what stands against it."""
    try:
        return build_image(strategy, board, hwmap).used, []
    except ImageError as error:
        return error.needs, error.diagnostics


def _in_fabric(strategy: Strategy) -> int:
    return int((strategy.placement == _FABRIC).sum())


def joined(strategies: Sequence[Strategy]) -> Strategy:
    """One strategy of all rules: for counting, as limits count each their own. The venues must agree."""
    blocks: list[Block] = []
    groups: list[str] = []
    instruments: dict[str, Instrument] = {}
    for strategy in strategies:
        first = sum(len(block) for block in blocks)
        blocks += [_moved(block, first, len(groups)) for block in strategy.blocks]
        groups += strategy.groups
        instruments |= {symbol: one for symbol, one in strategy.venue.instruments.items() if symbol not in instruments}
    venue = replace(strategies[0].venue, instruments=instruments)
    whole = Strategy("together", venue, tuple(blocks), {}, tuple(groups), Limits())
    # What a strategy's own limits keep out of the fabric stays out of it.
    alone = np.concatenate([strategy.placement for strategy in strategies])
    placement = np.where(alone == _FABRIC, place(whole), alone).astype(np.uint8)
    return replace(whole, placement=placement)


def _moved(block: Block, first: int, group: int) -> Block:
    """With its parts and groups numbered on from those."""
    changes: dict[str, Any] = {"first": block.first + first}
    for one in fields(block):
        value = getattr(block, one.name)
        if isinstance(value, tuple) and value and all(isinstance(item, range) for item in value):
            changes[one.name] = tuple(range(item.start + first, item.stop + first) for item in value)
    if block.oco is not None:
        changes["oco"] = np.where(block.oco == NO_GROUP, NO_GROUP, block.oco + group).astype(np.int32)
    return replace(block, **changes)


def _too_small(
    name: str, need: int, members: Sequence[Member], shares: Sequence[Mapping[str, int]], board: Board
) -> Diagnostic:
    largest = max(range(len(members)), key=lambda at: shares[at].get(name, 0))
    parts = ", ".join(
        f"{member.name} {share.get(name, 0):,}" for member, share in zip(members, shares, strict=True)
    )  # fmt: skip
    return Diagnostic(
        DESK_CAPACITY,
        f"board {board.name} has {board.capacity[name]:,} {name}, together the strategies need {need:,}: {parts}",
        members[largest].venue_place,
        tuple(_shares(name, members, shares, largest)),
        f"give the strategies boards of their own, or compile for a board with a larger `capacity: {{{name}}}`",
    )


def _shares(
    name: str, members: Sequence[Member], shares: Sequence[Mapping[str, int]], largest: int
) -> Iterator[Related]:
    for at, member in enumerate(members):
        if at != largest and shares[at].get(name, 0):
            yield Related(f"needs {shares[at][name]:,}", member.venue_place)
