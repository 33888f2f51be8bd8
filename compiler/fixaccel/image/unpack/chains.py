# SPDX-License-Identifier: Apache-2.0
"""Triggers read back chain by chain: thresholds, and the ends of a decision's intervals."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.numbering import stretches
from fixaccel.image.software.columns import Array
from fixaccel.image.unpack.read_error import require
from fixaccel.language.codes import DIRECTIONS, SOURCES
from fixaccel.language.terms import Direction, Source

Fields = dict[str, Array]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ReadChains:
    """A row for each trigger, in the order of chains and of firing. Codes as in `fixaccel.language.rules`."""

    trigger: Numbers
    chain: Numbers
    length: Numbers  # of its chain
    instrument: Numbers  # the fabric's index
    source: npt.NDArray[np.uint8]
    direction: npt.NDArray[np.uint8]
    threshold: Numbers
    rule: Numbers
    order: Numbers
    window: Numbers  # of time, of its chain
    confirm: Numbers  # how many observations a threshold takes
    decides: Flags  # it is an interval's end
    begins: Flags  # it is the first trigger of a part
    watches: Flags  # it sends nothing

    def parts(self) -> "ReadChains":
        """The triggers that are no watches."""
        return ReadChains(**{one.name: getattr(self, one.name)[~self.watches] for one in fields(self)})

    def ends(self, rows: Array) -> tuple[Numbers, Numbers]:
        """Rows of the lower and of the upper ends of the decisions that begin at ``rows``."""
        both = stretches(rows, self.length[rows])
        return both[::2], both[1::2]


def read_chains(records: Mapping[str, Fields], parts: int, watches: Flags, layout: Layout) -> ReadChains:
    """All triggers of a bundle of so many ``parts``, ``watches`` among its order records. Raises ImageReadError."""
    chains = records["chain"]
    rearms = records["rearm"]
    trigger, chain = _in_chains(chains, rearms["trigger"][rearms["order"] > 0], len(records["trigger"]["threshold"]))
    own = {name: column[trigger] for name, column in records["trigger"].items()}
    decides = chains["kind"][chain] == layout.constant("kind_decide")
    confirms = chains["confirms"][chain].astype(np.int64)
    heads = np.diff(chain, prepend=-1) != 0
    require((own["order"] < len(watches)).all(), "a trigger has an order that is not there")
    watched = watches[own["order"]]
    require(not (watched & decides).any(), "an interval of a decision is a watch")
    source, direction = _chain_columns(layout)[:, chain % layout.chains]
    read = ReadChains(
        trigger=trigger,
        chain=chain,
        length=(chains["last"] - chains["first"] + 1)[chain],
        instrument=chain // layout.chains,
        source=source,
        direction=direction,
        threshold=own["threshold"],
        rule=own["rule"],
        order=own["order"],
        window=chains["window"][chain].astype(np.int64),
        confirm=~decides + confirms,
        decides=decides,
        begins=np.where(decides, heads, ~watched),
        watches=watched,
    )
    require((read.rule < parts).all(), "a trigger has a rule that the bundle does not have")
    require((np.bincount(read.rule[read.begins]) <= 1).all(), "two triggers have the same rule")
    _check_thresholds(read)
    _check_confirmed(read)
    _check_decisions(read, records["order"]["link"])
    return read


def _in_chains(chain: Fields, rearms: Array, triggers: int) -> tuple[Numbers, Numbers]:
    """All triggers but ``rearms`` in the order of chains and of firing, and the chain of each."""
    used = np.flatnonzero(chain["valid"])
    first, last = chain["first"][used], chain["last"][used]
    require((first <= last).all() and (last < triggers).all(), "a chain does not lie in the trigger memory")
    length = last - first + 1
    trigger = stretches(first, length)
    require((rearms < triggers).all(), "a rule is armed again by a trigger that is not there")
    reached = np.bincount(np.append(trigger, rearms), minlength=triggers)
    require((reached == 1).all(), "triggers that no chain or more than one reaches")
    return trigger, np.repeat(used, length)


def _check_thresholds(read: ReadChains) -> None:
    nearness = np.where(read.direction == DIRECTIONS.index(Direction.LE), -read.threshold, read.threshold)
    same = (np.diff(read.chain) == 0) & ~read.decides[1:]
    closer = np.diff(nearness)
    rises = np.diff(read.rule)
    sorted_ = (closer > 0) | ((closer == 0) & ((rises > 0) | ((rises == 0) & read.watches[1:])))
    require(sorted_[same].all(), "a chain's triggers are not in firing order")


def _check_confirmed(read: ReadChains) -> None:
    confirmed = read.confirm == 2
    require((read.confirm[read.decides] == 0).all(), "a decision wants a confirmation")
    require((read.confirm[read.watches] == 1).all(), "a watch wants a confirmation")
    require((read.source[confirmed] != SOURCES.index(Source.MID)).all(), "a threshold on `mid` wants a confirmation")
    falls = read.direction == DIRECTIONS.index(Direction.LE)
    lane = read.instrument * len(SOURCES) + read.source
    lowest = np.full(lane.max(initial=-1) + 1, np.iinfo(np.int64).max)
    rises = (read.confirm == 1) & ~falls
    np.minimum.at(lowest, lane[rises], read.threshold[rises])
    behind = confirmed & falls
    ahead = (read.threshold[behind] < lowest[lane[behind]]).all()
    require(ahead, "a price satisfies a threshold `<=` that wants a confirmation, and one `>=` that does not")


def _check_decisions(read: ReadChains, link: Array) -> None:
    head = np.flatnonzero(read.decides & read.begins)
    places = read.direction[head] == DIRECTIONS.index(Direction.GE)
    require(places.all(), "a decision does not stand in the place of `>=`")
    require((read.length[head] % 2 == 0).all(), "a decision has an interval without an end")
    rows = stretches(head, read.length[head])
    of = np.repeat(head, read.length[head])
    require((read.rule[rows] == read.rule[of]).all(), "a decision is of several rules")
    same = link[read.order[rows]] == link[read.order[of]]
    require(same.all(), "an interval's order has other links than its decision's first")
    low, high = read.ends(head)
    require((read.threshold[low] <= read.threshold[high]).all(), "an interval ends below its beginning")
    require((read.order[low] == read.order[high]).all(), "the ends of an interval have different orders")
    apart = (read.threshold[high][:-1] < read.threshold[low][1:]) | (read.chain[low][:-1] != read.chain[low][1:])
    require(apart.all(), "the intervals of a decision do not rise")


def _chain_columns(layout: Layout) -> npt.NDArray[np.uint8]:
    """Source and direction of each chain of an instrument."""
    columns = np.zeros((2, layout.chains), np.uint8)
    for source in Source:
        for direction in Direction:
            number = layout.chain(0, source, direction)
            columns[:, number] = SOURCES.index(source), DIRECTIONS.index(direction)
    return columns
