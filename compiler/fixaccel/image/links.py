# SPDX-License-Identifier: Apache-2.0
"""Memory `link`: what a sent order cancels (`oco`) and arms (`armed_by`), as lists of ranges of triggers.

A list is of one `oco` group and one set of children; parts that have both alike share it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import Memberships, by_first_use, stretches
from fixaccel.image.parts import Parts
from fixaccel.image.records import pack_columns
from fixaccel.language.rules import NO_GROUP, Strategy

Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Links:
    """Of each part: its list, whether that arms, whether the part waits to be armed; and the records of all lists."""

    start: Numbers  # first record of the part's list; 0: none
    arms: Flags
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


def number_links(parts: Parts, strategy: Strategy, trigger: Numbers) -> Links:
    """The lists of ``parts``, numbered in the order of first use; ``trigger`` is that of each part."""
    group = strategy.part_groups[parts.index]
    alone = np.bincount(group[group != NO_GROUP], minlength=1) < 2
    group = np.where(alone[group], NO_GROUP, group)
    members = np.flatnonzero(group != NO_GROUP)
    # One owner more than there are groups: the last, without ranges, is found under `NO_GROUP`.
    cancels = _Ranges.of(group[members], trigger[members], trigger[members], len(strategy.groups) + 1)
    family = _Families.of(strategy)
    waits = family.of_child[parts.index]
    children = np.flatnonzero(waits != NO_GROUP)
    by_family = _Ranges.of(waits[children], trigger[children], trigger[children], family.count)
    arms, of_parent = family.armed(by_family), family.of_parent[parts.index]

    number, first = by_first_use(group, of_parent)
    group, of_parent = group[first], of_parent[first]
    # Two stretches of ranges a list, those that cancel first.
    at = np.stack([cancels.start[group], arms.start[of_parent] + len(cancels.first)], axis=1)
    count = np.stack([cancels.count[group], arms.count[of_parent]], axis=1)
    ranges, length = stretches(at.ravel(), count.ravel()), count.sum(axis=1)
    before = np.cumsum(length) - length
    last_of_list = np.zeros(len(ranges), np.bool_)
    last_of_list[(before + length - 1)[length > 0]] = True
    return Links(
        start=np.where(length > 0, before + 1, 0)[number],
        arms=(count[:, 1] > 0)[number],
        dormant=waits != NO_GROUP,
        records={
            "first": np.concatenate([cancels.first, arms.first])[ranges],
            "last": np.concatenate([cancels.last, arms.last])[ranges],
            "arms": (ranges >= len(cancels.first)).astype(np.int64),
            "more": (~last_of_list).astype(np.int64),
        },
        rows=np.repeat(first, length),
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
        """Ranges of one owner do not overlap."""
        rising = np.lexsort([first, owner])
        owner, first, last = owner[rising], first[rising], last[rising]
        goes_on = (owner[1:] == owner[:-1]) & (first[1:] == last[:-1] + 1)
        heads = np.flatnonzero(np.append(np.ones(min(len(owner), 1), np.bool_), ~goes_on))
        ends = np.append(heads[1:], len(owner))[: len(heads)] - 1
        count = np.bincount(owner[heads], minlength=owners)
        return cls(first[heads], last[ends], np.cumsum(count) - count, count)


@dataclass(frozen=True, eq=False)
class _Families:
    """A family: the children of the same parents. Numbers are of all parts of a strategy."""

    count: int
    of_child: Numbers  # the family that each part is in; `NO_GROUP`: armed at load
    of_parent: Numbers  # the set of families that each part arms, into `sets`
    sets: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, strategy: Strategy) -> "_Families":
        of_child = np.full(len(strategy.rules), NO_GROUP, np.int32)
        families: dict[tuple[range, ...], int] = {}
        for block in strategy.blocks:
            if block.parents is not None:
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
