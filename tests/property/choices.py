# SPDX-License-Identifier: Apache-2.0
"""Where generators take their choices from: Hypothesis, which shrinks them, or a fast random generator."""

import os
import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


def random_seed() -> int:
    """Of this run's random cases, the same each time; set RANDOM_SEED to play others: `make soak` does."""
    return int(os.environ.get("RANDOM_SEED", "20250314"))


class Choices:
    """Chooses; a smaller number, an earlier item and False are the simpler choices."""

    def number(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        raise NotImplementedError

    def pick(self, items: Sequence[T]) -> T:
        return items[self.number(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        return self.number(0, 99) >= 100 - percent

    def some(self, items: Sequence[T], most: int) -> list[T]:
        """One to ``most`` different items, in their order."""
        left = list(items)
        while len(left) > most or (len(left) > 1 and self.chance(50)):
            left.pop(self.number(0, len(left) - 1))
        return left


class RandomChoices(Choices):
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def number(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))


class HypothesisChoices(Choices):
    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))
