# SPDX-License-Identifier: Apache-2.0
"""Fires of a daemon: which of them are new since it was last asked, and which rules they are of."""

from collections.abc import Sequence
from typing import Any

Fire = dict[str, Any]

_ORDER = "order"  # what the venue has said since


def _same(one: Fire, other: Fire) -> bool:
    """Whether it is the same fire, whatever has become of its order meanwhile."""
    return one.keys() - {_ORDER} == other.keys() - {_ORDER} and all(
        one[key] == other[key] for key in one if key != _ORDER
    )


def known_of(before: Sequence[Fire], now: Sequence[Fire]) -> int:
    """How many of ``now``, from the first on, are the last of ``before``: what follows them is new.

    A daemon keeps the last fires it knows of, in order, so both lists overlap unless all of ``before`` has gone.
    """
    for start in range(len(before)):
        rest = before[start:]
        if len(rest) <= len(now) and all(_same(one, other) for one, other in zip(rest, now, strict=False)):
            return len(rest)
    return 0


def is_of(fire: Fire, rule: str) -> bool:
    """Whether ``fire`` is one of ``rule``: of its id, or of any part (`fall[2]`) of it."""
    name = str(fire.get("rule", ""))
    return rule in {name, fire.get("of_rule")} or name.startswith(f"{rule}[")
