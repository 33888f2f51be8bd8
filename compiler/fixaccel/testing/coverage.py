# SPDX-License-Identifier: Apache-2.0
"""Which rules no test has ever seen fire."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fixaccel.language.rules import Block, Strategy
from fixaccel.testing.load import Suite
from fixaccel.testing.run import Result


@dataclass(frozen=True)
class Coverage:
    """Of one strategy. A rule counts as covered once any part of it has fired, sent or rejected."""

    strategy: str
    rules: int
    never: tuple[Block, ...]
    parts: int
    parts_fired: int
    partly: tuple[tuple[Block, int], ...]  # rules of many parts with some that never fired, and how many did

    @property
    def percent(self) -> float:
        """Covered rules of a hundred."""
        return 100.0 if not self.rules else 100 * (self.rules - len(self.never)) / self.rules


def coverages(suites: Iterable[Suite], results: Sequence[Result]) -> list[Coverage]:
    """One entry a strategy, in the order of the suites."""
    strategies: dict[int, Strategy] = {}
    fired: dict[int, set[str]] = {}
    for suite in suites:
        strategies.setdefault(id(suite.strategy), suite.strategy)
    for result in results:
        fired.setdefault(id(result.suite.strategy), set()).update(fire.rule for fire in result.seen)
    return [_coverage(strategy, fired.get(key, set())) for key, strategy in strategies.items()]


def _coverage(strategy: Strategy, fired: set[str]) -> Coverage:
    counts = [_parts_fired(block, fired) for block in strategy.blocks]
    both = list(zip(strategy.blocks, counts, strict=True))
    return Coverage(
        strategy=strategy.name,
        rules=len(strategy.blocks),
        never=tuple(block for block, count in both if not count),
        parts=sum(len(block) for block in strategy.blocks),
        parts_fired=sum(counts),
        partly=tuple((block, count) for block, count in both if 0 < count < len(block)),
    )


def _parts_fired(block: Block, fired: set[str]) -> int:
    if len(block) == 1:
        return int(block.name(0) in fired)
    own = set(block.names.values())
    return sum(name in own or name.rpartition("[")[0] == block.id for name in fired)
