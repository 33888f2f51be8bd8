# SPDX-License-Identifier: Apache-2.0
"""Whether a change is seen in what was measured: differences with a bootstrap interval, and a word for them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

FEWEST_PAIRS = 6
LEVEL = 0.95
STATISTICS = {"p50": 50.0, "p99": 99.0}
# What is less than this part of what was before is not told: clocks and the program that measures are no better.
_LEAST = 0.01
_RESAMPLES = 4_000
_DEVIATION = (15.87, 84.13)  # percentiles one standard deviation out

# What each word means, for the reference.
WORDS = {
    "helps": "a median or 99th percentile is lower, its interval wholly below zero, and none is higher",
    "no effect seen": "every interval has zero in it, or the change is less than one in a hundred",
    "hurts": "one of them is higher, its interval wholly above zero, whatever the others are",
    "noisy": "others had the machine, so no word is said: more than 20 % pressure in the two seconds ahead of a pair, "
    "at five looks, or more than 1 % steal during it",
}

Samples = NDArray[np.float64]


class Effect(Enum):
    """What a change does."""

    HELPS = "helps"
    NONE = "no effect seen"
    HURTS = "hurts"
    NOISY = "noisy"


@dataclass(frozen=True)
class Difference:
    """One statistic of one point: microseconds, the geometric means over the pairs, and the interval of the change.

    The change is a part of what was before: -0.25 is a quarter less.
    """

    point: str
    statistic: str
    before: float
    after: float
    low: float
    high: float

    @property
    def change(self) -> float:
        """As a part of what was before."""
        return self.after / self.before - 1

    @property
    def effect(self) -> Effect:
        """By this statistic alone."""
        is_told = abs(self.change) >= _LEAST
        if is_told and self.high < 0:
            return Effect.HELPS
        return Effect.HURTS if is_told and self.low > 0 else Effect.NONE


@dataclass(frozen=True)
class Judged:
    """The word for a change, and what it is made of."""

    effect: Effect
    differences: tuple[Difference, ...]


def judge(pairs: Sequence[Mapping[str, tuple[Samples, Samples]]], seed: int, *, noisy: bool = False) -> Judged:
    """Of pairs of blocks, each with samples before and with the change by point, in microseconds.

    The difference is taken in each pair, so that what is slower for both, because the hour is, falls out; and as a
    ratio, for one pair that took a thousand times as long would hide all others. All intervals hold together at 95 %.
    What is worse anywhere hurts, whatever it is good for. Where it was ``noisy`` no word is told.
    """
    if len(pairs) < FEWEST_PAIRS:
        raise ValueError(f"{len(pairs)} pairs say nothing: {FEWEST_PAIRS} are needed")
    chance = np.random.default_rng(seed)
    points = list(pairs[0])
    tail = (1 - LEVEL) / (len(points) * len(STATISTICS))
    found = []
    for point in points:
        for statistic, percent in STATISTICS.items():
            both = np.log([[np.percentile(side, percent) for side in pair[point]] for pair in pairs])
            found.append(_difference(point, statistic, both[:, 0], both[:, 1], [both[:, 1] - both[:, 0]], tail, chance))
    return Judged(Effect.NOISY if noisy else _word(found), tuple(found))


def compare(
    before: Mapping[str, Sequence[Mapping[str, float]]], after: Mapping[str, Sequence[Mapping[str, float]]], seed: int
) -> Judged:
    """Of blocks that were not measured in turn: their statistics by point, before and now. Needs two blocks a side.

    What the machine had to do besides differs between them too: a hint, no more.
    """
    chance = np.random.default_rng(seed)
    points = [point for point in before if point in after and min(len(before[point]), len(after[point])) > 1]
    tail = (1 - LEVEL) / (max(1, len(points)) * len(STATISTICS))
    found = []
    for point in points:
        for statistic in STATISTICS:
            old, new = (np.log([block[statistic] for block in side[point]]) for side in (before, after))
            found.append(_difference(point, statistic, old, new, [new, -old], tail, chance))
    return Judged(_word(found), tuple(found))


def _difference(
    point: str, statistic: str, old: Samples, new: Samples, parts: list[Samples], tail: float,
    chance: np.random.Generator,
) -> Difference:  # fmt: skip
    """Of logarithms; the change is the sum of the means of ``parts``."""
    low, high = (math.expm1(bound) for bound in _interval(parts, tail, chance))
    return Difference(point, statistic, math.exp(old.mean()), math.exp(new.mean()), low, high)


def _word(found: Sequence[Difference]) -> Effect:
    said = {one.effect for one in found}
    return next((effect for effect in (Effect.HURTS, Effect.HELPS) if effect in said), Effect.NONE)


def _interval(parts: Sequence[Samples], tail: float, chance: np.random.Generator) -> tuple[float, float]:
    """Of the sum of the means of ``parts``, each drawn anew from itself; ``tail`` is outside, half on either side.

    Few values are closer together than what they stand for, and say nothing of their own far tails. So the bootstrap
    gives one deviation to either side, and Student's distribution how many of them it takes.
    """
    count = min(len(part) for part in parts)
    stretch = math.sqrt(count / (count - 1)) * student(1 - tail / 2, count - 1)
    sums = sum(part[chance.integers(0, len(part), (_RESAMPLES, len(part)))].mean(axis=1) for part in parts)
    mean = sum(part.mean() for part in parts)
    low, high = (mean + stretch * (np.percentile(sums, at) - mean) for at in _DEVIATION)
    return float(low), float(high)


def student(part: float, freedom: int) -> float:
    """The quantile of Student's distribution for a ``part`` above one half."""
    low, high = 0.0, 1.0
    while _student_inside(high, freedom) < 2 * part - 1:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_inside(middle, freedom) < 2 * part - 1 else (low, middle)
    return high


def _student_inside(bound: float, freedom: int) -> float:
    """How much of it is between -``bound`` and ``bound``: Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    angle = math.atan(bound / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    is_odd = freedom % 2 == 1
    term = cosine if is_odd else 1.0
    total = 0.0
    for n in range(2 + is_odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (n - 1) / n
    # `total` holds cos + 2/3 cos^3 + ... where the freedom is odd, 1 + 1/2 cos^2 + ... where it is even.
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total
