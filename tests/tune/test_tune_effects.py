# SPDX-License-Identifier: Apache-2.0
"""The word for a change, on samples whose truth is known."""

import math

import numpy as np
import pytest

from fixaccel.tune.measured.effect import Difference, Effect, compare, judge, student
from fixaccel.tune.measured.noise import Noise, mean

POINTS = ("50/s", "fast")
SEEDS = range(60)


def block(chance: np.random.Generator, count: int, *, drift: float, shift: float, bursts: bool) -> np.ndarray:
    """Times of round trips: of the hour, of this block alone, and with what others do now and then."""
    found = chance.lognormal(math.log(40), 0.25, count) * drift * chance.lognormal(0, 0.05) * shift
    if bursts and chance.random() < 0.3:
        found[chance.integers(0, count, count // 30)] += chance.exponential(2000, count // 30)
    return found


def pairs(seed: int, count: int = 6, shift: float = 1.0, *, bursts: bool = False) -> list[dict]:
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        drift = chance.lognormal(0, 0.3)
        sides = {
            point: tuple(block(chance, 300, drift=drift, shift=by, bursts=bursts) for by in (1.0, shift))
            for point in POINTS
        }
        found.append(sides)
    return found


@pytest.mark.parametrize("bursts", [False, True])
@pytest.mark.parametrize("count", [6, 12])
def test_no_change_is_no_effect_19_times_of_20(count: int, bursts: bool) -> None:
    words = [judge(pairs(seed, count, bursts=bursts), seed).effect for seed in SEEDS]
    assert words.count(Effect.NONE) >= 0.95 * len(words)


@pytest.mark.parametrize(("shift", "word"), [(0.6, Effect.HELPS), (1.6, Effect.HURTS)])
def test_a_change_is_told(shift: float, word: Effect) -> None:
    words = [judge(pairs(seed, shift=shift), seed).effect for seed in SEEDS]
    assert words.count(word) >= 0.95 * len(words)


def test_what_is_worse_anywhere_hurts() -> None:
    found = pairs(1, shift=0.6)
    for pair in found:
        before, after = pair["fast"]
        pair["fast"] = (before, after * 4)
    judged = judge(found, 1)
    assert judged.effect is Effect.HURTS
    assert {one.effect for one in judged.differences if one.point == "50/s"} == {Effect.HELPS}


def test_noise_withholds_the_word_and_not_the_figures() -> None:
    judged = judge(pairs(1, shift=0.5), 1, noisy=True)
    assert judged.effect is Effect.NOISY
    assert judged.differences[0].effect is Effect.HELPS


@pytest.mark.parametrize(
    ("noise", "loud"),
    [
        (Noise(), False),
        (Noise(pressure=20, steal=1), False),
        (Noise(pressure=20.1), True),
        (Noise(steal=1.1), True),
    ],
)
def test_what_is_loud(noise: Noise, loud: bool) -> None:
    assert noise.is_loud is loud


def test_of_several_the_loudest_is_told() -> None:
    assert mean([Noise(pressure=1, mhz=1000), Noise(pressure=50, mhz=3000), Noise()]) == Noise(pressure=50, mhz=2000)


def test_a_seed_makes_the_same_again() -> None:
    assert judge(pairs(3), 5) == judge(pairs(3), 5)
    assert judge(pairs(3), 5) != judge(pairs(3), 6)


def test_too_few_pairs() -> None:
    with pytest.raises(ValueError, match="5 pairs say nothing"):
        judge(pairs(1, 5), 1)


def test_a_difference_within_a_hundredth_is_not_told() -> None:
    assert Difference("a", "p50", 100, 100.9, 0.008, 0.01).effect is Effect.NONE
    assert Difference("a", "p50", 100, 101.1, 0.01, 0.012).effect is Effect.HURTS


# Tables of the distribution, as in any book.
@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.706), (2, 4.303), (5, 2.571), (6, 2.447), (30, 2.042)])
def test_the_distribution_of_student(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, abs=5e-4)


def test_measurements_that_were_not_taken_in_turn() -> None:
    chance = np.random.default_rng(1)

    def blocks(middle: float) -> list[dict[str, float]]:
        return [{"p50": value, "p99": 3 * value} for value in middle * chance.lognormal(0, 0.05, 6)]

    same = compare({"a": blocks(100), "gone": blocks(1)}, {"a": blocks(100), "new": blocks(1)}, 1)
    assert (same.effect, {one.point for one in same.differences}) == (Effect.NONE, {"a"})
    assert compare({"a": blocks(100)}, {"a": blocks(200)}, 1).effect is Effect.HURTS
    assert compare({"a": blocks(100)[:1]}, {"a": blocks(200)}, 1).differences == ()
