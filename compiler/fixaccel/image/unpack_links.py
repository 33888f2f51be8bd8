# SPDX-License-Identifier: Apache-2.0
"""What sent orders cancel and arm, read back from the lists of links: `oco` groups and parents."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.columns import NONE, Array
from fixaccel.image.layout import Layout
from fixaccel.image.numbering import Memberships, stretches
from fixaccel.image.read_error import require

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ReadLinks:
    """A row for each trigger; ``tables`` are the columns that ``parents`` numbers."""

    group: Numbers
    parents: Numbers
    arms: Flags
    tables: dict[str, Array]


def read_links(records: Mapping[str, dict[str, Array]], begins: Flags, dormant: Flags, layout: Layout) -> ReadLinks:
    """The links of the orders that triggers have, each of which is there. Raises ImageReadError.

    ``begins`` says which triggers are their parts' first, those that links are of, ``dormant`` which wait to be armed.
    """
    link, triggers = records["link"], records["trigger"]
    start = np.where(begins, records["order"]["link"][triggers["order"]], 0)
    _check_records(link, len(start), layout)
    cancels, arms = (_Sets(len(start)) for _ in range(2))
    heads = np.unique(start[start > 0])
    require((heads < len(link["first"])).all(), "an order has links that are not there")
    ends = np.flatnonzero(link["more"] == 0)
    ends = ends[np.searchsorted(ends, heads)]
    reached = np.bincount(stretches(heads, ends - heads + 1), minlength=len(link["first"]))
    require((reached[1:] > 0).all(), "links that no order has")
    for head, end in zip(heads.tolist(), ends.tolist(), strict=True):
        arming = end + 1 - int(np.count_nonzero(link["arms"][head : end + 1]))
        owners = np.flatnonzero(start == head)
        for sets, rows in ((cancels, slice(head, arming)), (arms, slice(arming, end + 1))):
            sets.add(owners, link["first"][rows], link["last"][rows])
    for members in (*cancels.members, *arms.members):
        require(begins[members].all(), "a link is of a trigger that begins no rule")
    armed = Memberships(len(start))
    for number, members in enumerate(arms.members):
        armed.add(number, members)
    require((dormant <= (armed.of_row > 0)).all(), "a trigger waits to be armed, and no order arms it")
    require((dormant >= (armed.of_row > 0)).all(), "an order arms a trigger that does not wait")
    parents = [[triggers["rule"][arms.of_owner == number] for number in one] for one in armed.sets[1:]]
    return ReadLinks(_groups(cancels), armed.of_row.astype(np.int64) - 1, arms.of_owner != NONE, _tables(parents))


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
    before, behind = link["arms"][goes_on], link["arms"][goes_on + 1]
    require((before <= behind).all(), "a list of links cancels behind what it arms")
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
        part = np.unique(np.concatenate(several))
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
