# SPDX-License-Identifier: Apache-2.0
"""What ties rules to one another, by their names."""

from collections.abc import Sequence

import numpy as np

from fixaccel.language.rules import NO_GROUP, Block, RearmAfter, RearmReset, Strategy, Through
from fixaccel.values import duration_text

MOST_NAMES = 6
_THROUGH = {
    Through.FIRE: "fires on the next observation, also if the market is already beyond the price when it is armed",
    Through.REJECT: "refused if the market is already beyond the price when it is armed",
    Through.WAIT: "waits until it has been seen on the other side of the price after it is armed",
}


class Links:
    """Looks up names over a whole strategy once."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._members: dict[int, list[str]] = {}
        for block in strategy.blocks:
            for group in np.unique(block.oco).tolist() if block.oco is not None else []:
                if group != NO_GROUP:
                    self._members.setdefault(group, []).append(block.id)
        self._children: dict[str, list[str]] = {}  # by the id of the parent's block
        for block in strategy.blocks:
            for span in block.parents or ():
                self._children.setdefault(strategy.rules[span.start].block.id, []).append(block.id)

    def parents(self, block: Block) -> list[str]:
        """Rules, or parts, whose sent order arms this one."""
        names = []
        for span in block.parents or ():
            first = self._strategy.rules[span.start]
            names.append(first.block.id if span == first.block.indices else first.id)
        return names

    def children(self, block: Block) -> list[str]:
        """Rules that an order of this one arms."""
        return list(dict.fromkeys(self._children.get(block.id, ())))

    def groups(self, block: Block) -> list[tuple[str, list[str]]]:
        """`oco` groups of a block, each with its other members."""
        found = np.unique(block.oco).tolist() if block.oco is not None else []
        return [
            (self._strategy.groups[group], [name for name in self._members[group] if name != block.id])
            for group in found
            if group != NO_GROUP
        ]


def link_facts(block: Block, links: Links) -> list[tuple[str, str]]:
    """Facts that are not the same for every rule."""
    facts: list[tuple[str, str]] = []
    if block.through is not Through.FIRE:
        facts.append(("already through", _THROUGH[block.through]))
    if block.during:
        facts.append(("during", ", ".join(map(str, block.during))))
    for group, others in links.groups(block)[:MOST_NAMES]:
        cancels = (
            f"the first order sent cancels {listed(others)}" if others else "the first order sent cancels the rest"
        )
        facts.append(("oco", f"{group}: {cancels}"))
    if block.parents is not None:
        facts.append(("armed by", f"an order of {listed(links.parents(block))}; disarmed until then"))
    children = links.children(block)
    if children:
        facts.append(("arms", listed(children)))
    match block.rearm:
        case RearmAfter(after_ns, times):
            facts.append(("re-armed", f"{duration_text(after_ns)} after an order, {_times(times)}"))
        case RearmReset(condition, times):
            facts.append(("re-armed", f"when `{condition.text}` has been seen after an order, {_times(times)}"))
    return facts


def _times(times: int) -> str:
    return "at most once" if times == 1 else f"at most {times:,} times"


def listed(names: Sequence[str]) -> str:
    """Names with commas, the rest counted."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
