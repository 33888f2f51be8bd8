# SPDX-License-Identifier: Apache-2.0
"""What sent orders cancel, arm and revive, read back from the lists of links: `oco` groups, parents and `rearm`."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import Memberships, stretches
from fixaccel.image.software.columns import NONE, Array
from fixaccel.image.unpack.read_error import require
from fixaccel.image.unpack.watches import ARMS, CANCELS, REVIVES, REVIVES_NOW, ReadWatches, kinds_of

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ReadLinks:
    """A row for each trigger; ``tables`` are the columns that ``parents`` numbers."""

    group: Numbers
    parents: Numbers
    tables: dict[str, Array]


def check_links(records: Mapping[str, dict[str, Array]], layout: Layout) -> None:
    """Each link is of an order's list, and leads to triggers that are there. Raises ImageReadError."""
    link, start = records["link"], records["order"]["link"]
    _check_records(link, len(records["trigger"]["rule"]), layout)
    heads = np.unique(start[start > 0])
    require((heads < len(link["first"])).all(), "an order has links that are not there")
    ends = np.flatnonzero(link["more"] == 0)
    ends = ends[np.searchsorted(ends, heads)]
    reached = np.bincount(stretches(heads, ends - heads + 1), minlength=len(link["first"]))
    require((reached[1:] > 0).all(), "links that no order has")


def read_links(
    records: Mapping[str, dict[str, Array]],
    begins: Flags,
    dormant: Flags,
    watches: ReadWatches,
    fillers: Mapping[int, tuple[int, Array]],
) -> ReadLinks:
    """The links of the orders that triggers have, which `check_links` has let pass. Raises ImageReadError.

    ``begins`` says which triggers are their parts' first, those that links are of, ``dormant`` which wait to be armed.
    ``fillers`` has what no memory holds, by the trigger of each part that fills arm: what of its parents does, as
    `parents.on` has it, and their numbers.
    """
    link, triggers = records["link"], records["trigger"]
    start = np.where(begins, records["order"]["link"][triggers["order"]], 0)
    cancels, arms, now, end_ = (_Sets(len(start)) for _ in range(4))
    kinds, ends = kinds_of(link), np.flatnonzero(link["more"] == 0)
    for head in np.unique(start[start > 0]).tolist():
        rows = np.arange(head, ends[np.searchsorted(ends, head)] + 1)
        owners = np.flatnonzero(start == head)
        for kind, sets in ((CANCELS, cancels), (REVIVES_NOW, now), (ARMS, arms), (REVIVES, end_)):
            own = rows[kinds[rows] == kind]
            sets.add(owners, link["first"][own], link["last"][own])
    _check_revived(now, watches, watches.at_once)
    _check_revived(end_, watches, ~watches.at_once)
    cancels = cancels.without(watches.gates)
    for members in (*cancels.members, *arms.members):
        require(begins[members].all(), "a link is of a trigger that begins no rule")
    armed = Memberships(len(start))
    for number, members in enumerate(arms.members):
        armed.add(number, members)
    judged = watches.through > 0
    require(not (judged & (armed.of_row > 0)).any(), "an order arms a trigger whose `if_already_through` waits")
    require((dormant >= judged).all(), "a trigger does not wait that `if_already_through` is to arm")
    require((dormant >= watches.by_fills).all(), "a trigger does not wait that fills are to arm")
    require(not (watches.by_fills & (judged | (armed.of_row > 0))).any(), "a trigger that fills arm is armed otherwise")
    waits = dormant & ~judged & ~watches.by_fills
    require((waits <= (armed.of_row > 0)).all(), "a trigger waits to be armed, and no order arms it")
    require((waits >= (armed.of_row > 0)).all(), "an order arms a trigger that does not wait")
    parents = [[triggers["rule"][arms.of_owner == number] for number in one] for one in armed.sets[1:]]
    on, numbers = [0] * len(parents), armed.of_row.astype(np.int64) - 1
    places: dict[tuple[int, bytes], int] = {}
    for trigger, (what, several) in fillers.items():
        place = places.setdefault((what, several.tobytes()), len(parents))
        if place == len(parents):
            parents.append([several])
            on.append(what)
        numbers[trigger] = place
    return ReadLinks(_groups(cancels), numbers, _tables(parents) | {"parents.on": np.array(on, np.int64)})


def _check_revived(sets: "_Sets", watches: ReadWatches, due: Flags) -> None:
    """Each part revives its own watch, at once or not, and nothing else."""
    expected = np.where(due, watches.revived, NONE)
    members = [one.tolist() for one in sets.members]
    require(all(len(one) == 1 for one in members), "an order revives more than its own watch")
    there = np.array([NONE, *(one[0] for one in members)], np.int64)[sets.of_owner + 1]
    require((there == expected).all(), "an order does not revive its own watch when it is to")


def _check_records(link: Mapping[str, Array], triggers: int, layout: Layout) -> None:
    count = len(link["first"])
    require(count <= layout.depth("link"), "more links than the board holds")
    if not count:
        return
    require(not any(column[0] for column in link.values()), "record 0 of the links is not empty")
    require(not link["more"][-1], "a list of links does not end")
    sound = (link["first"] <= link["last"]) & (link["last"] < triggers)
    require(sound[1:].all(), "a link does not lie in the trigger memory")
    goes_on = np.flatnonzero(link["more"])
    kinds = kinds_of(link)
    before, behind = kinds[goes_on], kinds[goes_on + 1]
    require((before <= behind).all(), "a list of links cancels behind what it arms, or is out of order otherwise")
    apart = (before < behind) | (link["last"][goes_on] < link["first"][goes_on + 1])
    require(apart.all(), "the ranges of a list of links do not rise")


class _Sets:
    """Sets of triggers that orders cancel, or that they arm; equal ones once."""

    def __init__(self, triggers: int) -> None:
        self.of_owner = np.full(triggers, NONE, np.int64)  # by the trigger whose order has it
        self.members: list[Numbers] = []  # rising
        self._known: dict[bytes, int] = {}

    def add(self, owners: Array, first: Array, last: Array) -> None:
        if not len(first):
            return
        members = stretches(first, last - first + 1)
        number = self._known.setdefault(members.tobytes(), len(self.members))
        if number == len(self.members):
            self.members.append(members)
        self.of_owner[owners] = number

    def without(self, gates: Mapping[int, list[int]]) -> "_Sets":
        """These sets without the watches of their members, ``gates``, all of which are to be there and no others."""
        plain, watched = _Sets(len(self.of_owner)), {one for own in gates.values() for one in own}
        for number, members in enumerate(self.members):
            parts = [one for one in members.tolist() if one not in watched]
            expected = [one for part in parts for one in gates.get(part, [])]
            there = len(members) - len(parts)
            require(there == len(expected) and set(expected) <= set(members.tolist()), "an order cancels other watches")
            plain.add(np.flatnonzero(self.of_owner == number), np.array(parts), np.array(parts))
        return plain


def _groups(cancels: _Sets) -> Numbers:
    """The group of each trigger, by its first one. Each member's order cancels all others, itself too or not."""
    group, size = np.full(len(cancels.of_owner), NONE, np.int64), np.zeros(len(cancels.of_owner), np.int64)
    owners = [np.flatnonzero(cancels.of_owner == number) for number in range(len(cancels.members))]
    for own, members in zip(owners, cancels.members, strict=True):
        group[own] = np.minimum(own, members[0])
        size[own] = len(members) + np.isin(own, members, invert=True)
    for own, members in zip(owners, cancels.members, strict=True):
        same = group[np.append(own, members)] == group[own[0]]
        require(same.all(), "an order cancels a trigger whose order does not cancel its own")
    grouped = group != NONE
    same = size[grouped] == np.bincount(group[grouped], minlength=1)[group[grouped]]
    require(same.all(), "orders that cancel one another do not cancel the same triggers")
    return group


def _tables(parents: list[list[Array]]) -> dict[str, Array]:
    """The tables `parents` and `parent`: a row of the first for each list of arrays of part numbers."""
    first, count, ranges = (list[Array]() for _ in range(3))
    for several in parents:
        part = np.unique(np.concatenate([*several, np.zeros(0, np.int64)]))
        heads = np.flatnonzero(np.diff(part, prepend=-2) != 1)
        first.append(part[heads])
        count.append(np.diff(heads, append=len(part)))
        ranges.append(np.array([len(heads)]))
    none = np.zeros(0, np.int64)
    length = np.concatenate([none, *ranges])
    return {
        "parents.first": np.cumsum(length) - length,
        "parents.count": length,
        "parent.first": np.concatenate([none, *first]),
        "parent.count": np.concatenate([none, *count]),
    }
