# SPDX-License-Identifier: Apache-2.0
"""What ties rules to one another, by their names."""

from collections.abc import Iterator, Sequence

import numpy as np

from fixaccel.language.rules import NO_GROUP, ArmedOn, Block, Limits, RearmAfter, RearmReset, Strategy, Through
from fixaccel.values import duration_text

MOST_NAMES = 6
_THROUGH = {
    Through.FIRE: "fires on the next observation, also if the market is already beyond the price when it is armed",
    Through.REJECT: "refused if the market is already beyond the price when it is armed",
    Through.WAIT: "waits until it has been seen on the other side of the price after it is armed",
}


_ARMED_BY = {
    ArmedOn.SENT: "an order of {}",
    ArmedOn.FIRST_FILL: "the first fill of an order of {}",
    ArmedOn.FILLED: "an order of {} that is done with something filled",
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
        """Rules, or parts, whose orders arm this one."""
        return self.names(block.parents or ())

    def names(self, ranges: Sequence[range]) -> list[str]:
        """Rules, or parts, by their ranges."""
        return [name for span in ranges for name in self._strategy.names(span)]

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
        by = _ARMED_BY[block.armed_on].format(listed(links.parents(block)))
        facts.append(("armed by", f"{by}; disarmed until then"))
    if block.cancels:
        facts.append(("cancels", f"orders of {listed(links.names(block.cancels))}, when its own is sent"))
    if block.limits is not None:
        facts.append(("own limits", ", ".join(limit_texts(block.limits))))
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


def limit_texts(limits: Limits) -> Iterator[str]:
    """Each limit as the file writes it."""
    whole = {name: getattr(limits, name) for name in ("order_qty", "orders_per_second", "total_orders")}
    yield from (f"{name} {value:,}" for name, value in whole.items() if value is not None)
    if limits.order_notional is not None:
        yield f"order_notional {limits.order_notional:f}"
    for name in ("limit_collar", "collar"):
        value = getattr(limits, name)
        if value is not None:
            yield f"{name} {value / 100:g}%"
    if limits.collar_ignores:
        yield "collar_breach ignore"
    if limits.self_trade:
        yield "self_trade reject"
    if limits.repeat is not None:
        yield f"repeat {duration_text(limits.repeat)}"
    yield from (f"total_qty of {symbol} {most:,}" for symbol, most in limits.total_qty.items())
