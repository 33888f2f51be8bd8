# SPDX-License-Identifier: Apache-2.0
"""A program as data: words, the table of identifiers, initial values, and names for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Scaled
from fixaccel.fast.program.words import FieldWord, InitialWord, Kind, Word

ROW_BITS = (FEED.constant("template_slots") - 1).bit_length()
ID_BITS = FEED.records["template_row"].field("id").bits


class Source(NamedTuple):
    """Where a word comes from: a template's name and the labels that lead to the field, if to any."""

    template: str = ""
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.template}: {'.'.join(self.path)}" if self.path else self.template


@dataclass(frozen=True)
class Limits:
    """What a board has room for."""

    instructions: int = FEED.constant("instructions")
    numbers: int = FEED.constant("numbers")
    strings: int = FEED.constant("strings")


@dataclass(frozen=True)
class Routine:
    """A row of the table of identifiers."""

    id: int
    name: str
    target: int
    kind: Kind = Kind.NONE
    reset: bool = False


@dataclass(frozen=True)
class Program:
    """``initial_numbers`` (whole numbers with exponent 0) and ``initial_strings`` are by slot.

    ``numbers`` and ``strings`` are how many slots are used; ``sources`` has one for each word.
    """

    words: tuple[Word, ...]
    sources: tuple[Source, ...] = field(compare=False)
    routines: tuple[Routine, ...]
    multiplier: int
    numbers: int
    strings: int
    initial_numbers: Mapping[int, Scaled]
    initial_strings: Mapping[int, bytes]


def initial_slots(words: Sequence[Word]) -> dict[tuple[bool, int], int]:
    """Slots of initial values (whether of strings, number), each with the address of the first field that has it."""
    found: dict[tuple[bool, int], int] = {}
    for at, word in enumerate(words):
        if isinstance(word, FieldWord) and word.initial:
            behind = words[at + 1] if word.apart and at + 1 < len(words) else None
            slot = behind.slot if isinstance(behind, InitialWord) else word.slot
            found.setdefault((word.type.is_text, slot), at)
    return found


def row_of(number: int, multiplier: int) -> int:
    """The row of the table in which an identifier stands, if it stands in any."""
    return (number * multiplier & ((1 << ID_BITS) - 1)) >> (ID_BITS - ROW_BITS)


def find_multiplier(ids: list[int]) -> int | None:
    """An odd number that gives each of ``ids`` a row of its own; always the same one, None if none was found."""
    state = 1
    for _ in range(1 << 20):
        state = (state * 0x9E3779B1 + 0x7F4A7C15) & ((1 << ID_BITS) - 1)
        if len({row_of(one, state | 1) for one in ids}) == len(ids):
            return state | 1
    return None
