# SPDX-License-Identifier: Apache-2.0
"""What can be different between two strategies."""

from dataclasses import dataclass
from enum import Enum


class Fate(Enum):
    """What a hot-load of the new strategy does with a part; the value says it."""

    KEEPS = "keeps its state"
    AFRESH = "starts afresh, armed at the load"
    DISARMED = "starts afresh, disarmed until its parent fires"
    GONE = "gone, whatever its state"


@dataclass(frozen=True)
class Change:
    """One key that is not the same; None where a side does not have it."""

    key: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        return f"{self.key}: {self.old or 'none'} -> {self.new or 'none'}"


@dataclass(frozen=True)
class PartDifference:
    """A part that is new, gone or changed. ``place`` is where it is written, in the new file if it is there."""

    name: str
    kind: str  # "added", "removed", "changed"
    place: str
    fate: Fate
    sentence: str
    changes: tuple[Change, ...] = ()
    renamed: str | None = None  # the removed part that meant the same


@dataclass(frozen=True)
class Difference:
    """All that is different; ``unchanged`` counts parts, ``moved`` those that only run elsewhere now."""

    parts: tuple[PartDifference, ...]
    unchanged: int
    moved: tuple[str, ...]
    venue: tuple[Change, ...]
    limits: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether a load of the new strategy changes nothing."""
        return not (self.parts or self.moved or self.venue or self.limits)
