# SPDX-License-Identifier: Apache-2.0
"""Expected fires against seen ones, laid side by side."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TypeVar

from fixaccel.semantics.messages import Fire
from fixaccel.testing.file import NONE
from fixaccel.testing.load import Expected
from fixaccel.values import decimal_text, parse_decimal

T = TypeVar("T")
_NUMBERS = frozenset({"trigger", "observed", "price"})

# A longer list of differences than this is laid side by side by number, not by what fits best.
_MOST_CELLS = 250_000


@dataclass(frozen=True)
class Pair:
    """One line of a comparison. One of the two is None where the other has no counterpart."""

    expected: Expected | None
    seen: Fire | None
    different: tuple[str, ...] = ()  # keys

    @property
    def same(self) -> bool:
        """Whether the fire is as expected."""
        return self.expected is not None and self.seen is not None and not self.different


def pairs(expected: Sequence[Expected], seen: Sequence[Fire]) -> list[Pair]:
    """Both lists in their order, with as many counterparts as can be found."""
    head = 0
    while head < min(len(expected), len(seen)) and not differences(expected[head], seen[head]):
        head += 1
    same = [Pair(e, s) for e, s in zip(expected[:head], seen[:head], strict=True)]
    return same + _align(expected[head:], seen[head:])


def differences(expected: Expected, seen: Fire) -> tuple[str, ...]:
    """Keys in which the fire is not as expected."""
    return tuple(key for key, value in expected.values.items() if not _equal(key, value, getattr(seen, key)))


def _equal(key: str, wanted: object, seen: object) -> bool:
    if wanted == NONE:
        return seen == ""
    if key in _NUMBERS:
        return isinstance(seen, str) and parse_decimal(seen) == wanted
    return wanted == seen


def _align(expected: Sequence[Expected], seen: Sequence[Fire]) -> list[Pair]:
    """The alignment of least cost: a missing or an additional fire costs more than one that differs in a key."""
    if len(expected) * len(seen) > _MOST_CELLS:
        both = max(len(expected), len(seen))
        padded = [(_at(expected, n), _at(seen, n)) for n in range(both)]
        return [Pair(e, s, differences(e, s) if e and s else ()) for e, s in padded]
    costs = _costs(expected, seen)
    found: list[Pair] = []
    e = s = 0
    while e < len(expected) or s < len(seen):
        here = costs[e][s]
        if e < len(expected) and s < len(seen) and here == costs[e + 1][s + 1] + _cost(expected[e], seen[s]):
            found.append(Pair(expected[e], seen[s], differences(expected[e], seen[s])))
            e, s = e + 1, s + 1
        elif e < len(expected) and here == costs[e + 1][s] + _ALONE:
            found.append(Pair(expected[e], None))
            e += 1
        else:
            found.append(Pair(None, seen[s]))
            s += 1
    return found


_ALONE = 10


def _cost(expected: Expected, seen: Fire) -> int:
    wrong = differences(expected, seen)
    # Another rule's fire is a counterpart only where nothing fits better.
    return len(wrong) + (2 * _ALONE if "rule" in wrong else 0)


def _costs(expected: Sequence[Expected], seen: Sequence[Fire]) -> list[list[int]]:
    """Least cost of aligning what is left from each pair of positions on."""
    table = [[0] * (len(seen) + 1) for _ in range(len(expected) + 1)]
    for e in range(len(expected), -1, -1):
        for s in range(len(seen), -1, -1):
            ways = []
            if e < len(expected):
                ways.append(table[e + 1][s] + _ALONE)
            if s < len(seen):
                ways.append(table[e][s + 1] + _ALONE)
            if e < len(expected) and s < len(seen):
                ways.append(table[e + 1][s + 1] + _cost(expected[e], seen[s]))
            table[e][s] = min(ways, default=0)
    return table


def _at(items: Sequence[T], number: int) -> T | None:
    return items[number] if number < len(items) else None


def texts(fire: Expected | Fire) -> dict[str, str]:
    """Each key's value as text, in the order of the results' columns."""
    values = fire.values if isinstance(fire, Expected) else asdict(fire)
    return {key: _text(value) for key, value in values.items() if key != "ts_ns"}


def _text(value: object) -> str:
    if isinstance(value, Decimal):
        return decimal_text(value)
    return NONE if value == "" else str(value)
