# SPDX-License-Identifier: Apache-2.0
"""Numbers that follow from the hardware map and a board's capacity."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fixaccel.hwmap.hwmap import Hwmap, Record
from fixaccel.language.terms import Direction, Source

# Memories that a bundle carries; the fabric writes the others itself.
MEMORIES = (
    "directory",
    "displacement",
    "symbol",
    "instrument",
    "chain",
    "trigger",
    "live",
    "dormant",
    "fire_count",
    "link",
    "rearm",
    "quantity_left",
    "order",
    "template_shape",
    "template_byte",
)

_DIRECTION_CONSTANTS = {Direction.LE: "direction_le", Direction.GE: "direction_ge"}


@dataclass(frozen=True)
class Layout:
    """A hardware map applied to a board. Raises ValueError if a memory does not fit its window.

    ``banked`` if the image is for one of two banks, each a half of every memory.
    """

    hwmap: Hwmap
    capacity: Mapping[str, int]
    banked: bool = False

    def __post_init__(self) -> None:
        for memory in MEMORIES:
            self.depth(memory)
        for memory in ("directory", "displacement"):
            depth = self.depth(memory)
            # The hash takes its index as a run of bits.
            if depth & (depth - 1):
                raise ValueError(f"{memory} has {depth} records, which is not a power of two")
        if self.capacity["triggers"] % (word := self.constant("live_word_bits")):
            raise ValueError(f"{self.capacity['triggers']} triggers are no multiple of {word}")

    def depth(self, memory: str) -> int:
        """Records that ``memory`` has on this board."""
        return self.hwmap.depth(memory, self.capacity)

    def record(self, memory: str) -> Record:
        return self.hwmap.memories[memory].record

    def constant(self, name: str) -> int:
        return self.hwmap.constant(name)

    @cached_property
    def slots(self) -> int:
        """Directory slots that the hash chooses from."""
        return self.depth("directory") >> self.banked

    @cached_property
    def buckets(self) -> int:
        """Hash buckets, each with a displacement."""
        return self.depth("displacement") >> self.banked

    @cached_property
    def rearms(self) -> int:
        """Slots of rules that are armed again after a time: a trigger's is its number modulo these."""
        return self.depth("rearm") >> self.banked

    @cached_property
    def offsets(self) -> int:
        """Displacements that a bucket can have."""
        return self.record("displacement").field("offset").high + 1

    @cached_property
    def chains(self) -> int:
        """Chains of one instrument."""
        return self.hwmap.depth("chain", {"instruments": 1})

    @cached_property
    def _directions(self) -> int:
        return sum(name.startswith("direction_") for name in self.hwmap.constants)

    def source(self, source: Source) -> int:
        return self.constant(f"source_{source.value}")

    def chain(self, instrument: int, source: Source, direction: Direction) -> int:
        """Index of a chain in its memory."""
        within = self.source(source) * self._directions + self.constant(_DIRECTION_CONSTANTS[direction])
        return instrument * self.chains + within
