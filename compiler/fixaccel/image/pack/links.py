# SPDX-License-Identifier: Apache-2.0
"""Memory `link`: what a sent order, or a watch, cancels, arms and revives, as lists of ranges of triggers.

A list is of one `oco` group, one set of children (`armed_by`) and what is watched for one part; parts that have all
alike share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import Memberships, by_first_use, stretches
from fixaccel.image.pack.trigger_rows import ROLES, TriggerRows
from fixaccel.image.parts import Parts
from fixaccel.image.records import pack_columns
from fixaccel.language.rules import NO_GROUP, Strategy
from fixaccel.language.watches import Role, later

Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Links:
    """Of each row of triggers: its list, whether that arms or revives, its state at load; and all lists' records."""

    start: Numbers  # first record of the row's list; 0: none
    arms: Flags
    live: Flags
    dormant: Flags
    records: dict[str, Numbers]  # from record 1 on: record 0 is no list's
    rows: Numbers  # the part that first needs each of them

    def pack(self, layout: Layout) -> bytes:
        """The memory ``link``."""
        columns = {name: np.append(column.dtype.type(0), column) for name, column in self.records.items()}
        count = len(self.rows) + 1 if len(self.rows) else 0
        return pack_columns(layout.record("link"), columns, count).tobytes()

    def group_rows(self, layout: Layout) -> Numbers:
        """The part that first needs each group of the board's capacity."""
        record = np.arange(1, len(self.rows) + 1)
        return self.rows[np.flatnonzero((record == 1) | (record % layout.constant("links_a_group") == 0))]


def number_links(parts: Parts, rows: TriggerRows, strategy: Strategy, trigger: Numbers) -> Links:
    """The lists of ``rows`` of ``parts``, numbered in the order of first use; ``trigger`` is that of each row."""
    own = trigger[rows.first]  # of each part
    reset, after, clear, through, fills = (rows.of_role(role) for role in Role)
    again = np.concatenate([reset, after])
    group = strategy.part_groups[parts.index]
    alone = np.bincount(group[group != NO_GROUP], minlength=1) < 2
    group = np.where(alone[group], NO_GROUP, group)
    family = _Families.of(strategy)
    waits = family.of_child[parts.index]
    by_fills = np.isin(np.arange(len(parts)), rows.part[fills])
    children = np.flatnonzero(waits != NO_GROUP)
    by_family = _Ranges.of(waits[children], own[children], own[children], family.count)

    # What each sender cancels, a set for each group, then one for each watch; the last set is empty.
    members = np.concatenate([np.arange(len(parts)), rows.part[clear], rows.part[through]])
    triggers = np.concatenate([own, trigger[clear], trigger[through]])
    grouped = group[members] != NO_GROUP
    groups, of_watch = len(strategy.groups), np.arange(len(rows.part)) + len(strategy.groups)
    rejects, of_through = clear[np.isin(rows.part[clear], rows.part[through])], rows.part[through]
    cancels = _Ranges.of_pairs(
        (group[members][grouped], triggers[grouped]),
        (of_watch[rejects], trigger[through]),
        (of_watch[through], own[of_through]),
        (of_watch[through], trigger[rejects]),
        owners=groups + len(rows.part) + 1,
    )
    revives = _Ranges.of_pairs(
        (rows.part[again], trigger[again]),  # by part
        (of_watch[again] - groups + len(parts), own[rows.part[again]]),
        owners=len(parts) + len(rows.part) + 1,
    )
    watched_arm = np.concatenate([clear, fills])
    arms = family.armed(by_family).and_one_each(own[rows.part[watched_arm]])
    none, sets = -1, len(family.sets)

    # By row. Its own list is a part's, whichever of its triggers fires.
    plain = ~rows.watches
    cancel = np.where(plain, group[rows.part], none)
    cancel[rejects], cancel[through] = of_watch[rejects], of_watch[through]
    arm = np.where(plain, family.of_parent[parts.index][rows.part], 0)
    arm[watched_arm] = sets + np.arange(len(watched_arm))
    at_once = np.zeros(len(parts), np.bool_)
    at_once[rows.part[reset]] = later(rows.parts.source[reset], parts.source[rows.part[reset]])
    at_once[rows.part[after]] = True  # while the fire's time stands, which the span is added to
    watched = np.zeros(len(parts), np.bool_)
    watched[rows.part[again]] = True
    now = np.where(plain & (watched & at_once)[rows.part], rows.part, none)
    end = np.where(plain & (watched & ~at_once)[rows.part], rows.part, none)
    end[again] = of_watch[again] - groups + len(parts)
    return _lists(
        parts, rows, (cancels, revives, arms, revives), (cancel, now, arm, end), (waits != NO_GROUP) | by_fills
    )


# Stretches of a list, in their order: what is cancelled, revived at once, armed, revived at the message's end.
_ARMS, _REVIVES = (0, 0, 1, 1), (0, 1, 0, 1)


def _lists(
    parts: Parts, rows: TriggerRows, ranges: "Sequence[_Ranges]", owners: Sequence[Numbers], waits: Flags
) -> Links:
    """Lists of stretches: of each row the ranges of its four ``owners``. ``waits`` says which parts others arm."""
    number, senders = by_first_use(*owners)
    owned = [owner[senders] for owner in owners]
    before = np.cumsum([0, *(len(one.first) for one in ranges)])
    at = np.stack([one.start[own] + base for one, own, base in zip(ranges, owned, before[:-1], strict=True)], axis=1)
    count = np.stack([one.count[own] for one, own in zip(ranges, owned, strict=True)], axis=1)
    places, length = stretches(at.ravel(), count.ravel()), count.sum(axis=1)
    start = np.cumsum(length) - length
    last_of_list = np.zeros(len(places), np.bool_)
    last_of_list[(start + length - 1)[length > 0]] = True
    kind = np.repeat(np.tile(np.arange(len(ranges)), len(senders)), count.ravel())
    judged = np.isin(np.arange(len(parts)), rows.part[rows.of_role(Role.CLEAR)])
    dormant = rows.first & (waits | judged)[rows.part]
    return Links(
        start=np.where(length > 0, start + 1, 0)[number],
        arms=np.asarray(count[:, 1:].sum(axis=1) > 0)[number],
        live=(rows.first & ~dormant) | np.isin(rows.role, [ROLES.index(role) for role in (Role.CLEAR, Role.THROUGH)]),
        dormant=dormant,
        records={
            "first": np.concatenate([one.first for one in ranges])[places],
            "last": np.concatenate([one.last for one in ranges])[places],
            "arms": np.array(_ARMS)[kind],
            "revives": np.array(_REVIVES)[kind],
            "more": (~last_of_list).astype(np.int64),
        },
        rows=rows.part[np.repeat(senders, length)],
    )


@dataclass(frozen=True, eq=False)
class _Ranges:
    """As few ranges of triggers as say the same, those of an owner side by side and rising."""

    first: Numbers
    last: Numbers
    start: Numbers  # of each owner: where its ranges begin
    count: Numbers

    @classmethod
    def of(cls, owner: Numbers, first: Numbers, last: Numbers, owners: int) -> "_Ranges":
        """Ranges of one owner do not overlap. One without ranges is found under the last number, and under -1."""
        rising = np.lexsort([first, owner])
        owner, first, last = owner[rising], first[rising], last[rising]
        goes_on = (owner[1:] == owner[:-1]) & (first[1:] == last[:-1] + 1)
        heads = np.flatnonzero(np.append(np.ones(min(len(owner), 1), np.bool_), ~goes_on))
        ends = np.append(heads[1:], len(owner))[: len(heads)] - 1
        count = np.bincount(owner[heads], minlength=owners)
        return cls(first[heads], last[ends], np.cumsum(count) - count, count)

    @classmethod
    def of_pairs(cls, *pairs: tuple[Numbers, Numbers], owners: int) -> "_Ranges":
        """Of owners and single triggers."""
        owner, trigger = (np.concatenate(column) for column in zip(*pairs, strict=True))
        return cls.of(owner, trigger, trigger, owners)

    def and_one_each(self, triggers: Numbers) -> "_Ranges":
        """These owners, and behind them one of each of ``triggers``."""
        count = np.append(self.count, np.ones(len(triggers), self.count.dtype))
        first, last = (np.concatenate([ends, triggers]) for ends in (self.first, self.last))
        return _Ranges(first, last, np.cumsum(count) - count, count)


@dataclass(frozen=True, eq=False)
class _Families:
    """A family: the children of the same parents, by orders that these send. Numbers are of all parts of a strategy."""

    count: int
    of_child: Numbers  # the family that each part is in; `NO_GROUP`: no order that is sent arms it
    of_parent: Numbers  # the set of families that each part arms, into `sets`
    sets: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, strategy: Strategy) -> "_Families":
        of_child = np.full(len(strategy.rules), NO_GROUP, np.int32)
        families: dict[tuple[range, ...], int] = {}
        for block in strategy.blocks:
            if block.parents is not None and not block.by_fills:
                of_child[block.first : block.first + len(block)] = families.setdefault(block.parents, len(families))
        arming = Memberships(len(of_child))
        for parents, family in families.items():
            for reach in parents:
                arming.add(family, slice(reach.start, reach.stop))
        return cls(len(families), of_child, arming.of_row, tuple(arming.sets))

    def armed(self, by_family: _Ranges) -> _Ranges:
        """The ranges of each set, made of those of its families."""
        sizes = [len(one) for one in self.sets]
        family = np.array([family for one in self.sets for family in one], np.int64)
        of_set, count = np.repeat(np.arange(len(self.sets)), sizes), by_family.count[family]
        ranges = stretches(by_family.start[family], count)
        owner = np.repeat(of_set, count)
        return _Ranges.of(owner, by_family.first[ranges], by_family.last[ranges], len(self.sets))
