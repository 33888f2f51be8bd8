# SPDX-License-Identifier: Apache-2.0
"""Decisions for the hostile wire: intervals on both sides of the middle, each with an order of its own."""

import random
from dataclasses import dataclass, field
from decimal import Decimal

from linked_rules import REACH, Rule

MOST_INTERVALS = 9


@dataclass(frozen=True)
class Interval:
    """Inclusive, with what landing in it sends."""

    low: Decimal
    high: Decimal
    side: str
    qty: int
    price: Decimal | None  # None: a market order

    def yaml(self) -> str:
        """As it stands in the strategy."""
        kind = "market" if self.price is None else f"limit, price: {self.price:f}"
        order = f"{{side: {self.side}, qty: {self.qty}, type: {kind}}}"
        return f"{{from: {self.low:f}, to: {self.high:f}, order: {order}}}"


@dataclass(eq=False)
class Decision(Rule):
    """A rule that is decided ahead; for linking it counts as a threshold at its nearest end."""

    intervals: list[Interval] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Each interval for the reference: rule, lowest and highest price, side, quantity, limit price or `market`."""
        return [
            f"{self.id} {one.low:f} {one.high:f} {one.side} {one.qty} "
            + ("market" if one.price is None else f"{one.price:f}")
            for one in self.intervals
        ]


def decision(number: int, symbol: str, source: str, terms: tuple[str, str, int], choice: random.Random) -> Decision:
    """Rule `number`, of an instrument with these tick, middle and lot. None of its intervals holds the middle."""
    tick, middle, lot = Decimal(terms[0]), Decimal(terms[1]), terms[2]
    places = [place for place in range(-REACH, REACH + 1) if place]
    ends = sorted(choice.sample(places, 2 * choice.randint(1, MOST_INTERVALS)))
    pairs = [pair for pair in zip(ends[::2], ends[1::2], strict=True) if not pair[0] < 0 < pair[1]]
    pairs = pairs or [(5, 9)]
    intervals = [
        Interval(
            low=middle + low * tick,
            high=middle + high * tick,
            side=choice.choice(["buy", "sell"]),
            qty=lot * choice.choice([1, 2, 3, 10, 77]),
            price=None if choice.random() < 0.5 else middle + choice.randint(low - 9, high + 9) * tick,
        )
        for low, high in pairs
    ]
    listed = ", ".join(interval.yaml() for interval in intervals)
    text = f"decide: {{source: {source}, intervals: [{listed}]}}"
    nearest = min(abs(end) for pair in pairs for end in pair)
    return Decision(f"r{number}", symbol, source, below=False, distance=nearest, text=text, intervals=intervals)
