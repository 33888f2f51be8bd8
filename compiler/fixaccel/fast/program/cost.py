# SPDX-License-Identifier: Apache-2.0
"""How many bytes a routine takes at the least, and by how many cycles it may fall behind the wire's byte a cycle.

A word takes a cycle unless it waits for bytes, and a jump the cycles until its target has come. So what the stream
leaves out is what costs: a word without a byte. `tests/fast/test_fabric.py` holds the engine to these numbers.
"""

from typing import NamedTuple

from fixaccel.fast.layout import KEPT_BYTES
from fixaccel.fast.model import Operator
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import BlockWord, EndWord, FieldWord, InitialWord, Op, SkipWord, Type

# Preamble, Ethernet, IPv4, UDP, FCS and the gap behind the frame: the wire's time without FAST bytes.
FRAME_CYCLES = 8 + 14 + 20 + 8 + 4 + 12
# Of the engine (rtl/feed): where it goes on elsewhere than was supposed, the word itself among them; a template's
# routine, the same one as before, and one that must be looked up; a value that another word waits for; a string that is
# put together, and one that is read.
_JUMP = 4
_RESOLVE, _LOOKUP = 1, 12
_WRITE = 5
_MAKE, _READ = 8, 9
_HEAD = 2  # a message's map and identifier, a byte each


class Cost(NamedTuple):
    """``behind``: cycles beyond the bytes, at most; below zero: cycles left over."""

    bytes: int
    behind: int

    def plus(self, bytes_: int, cycles: int) -> "Cost":
        """With so many more bytes, at the least, and cycles, at the most for these bytes."""
        return Cost(self.bytes + bytes_, self.behind + cycles - bytes_)


class Costs(NamedTuple):
    """Of a routine: a message without elements, and an element of each sequence by the address of its `loop`."""

    message: Cost
    elements: dict[int, Cost]


def costs(program: Program, start: int) -> Costs:
    """Of the routine that begins at ``start``."""
    walk = _Walk(program)
    message, _ = walk.block(start, None)
    return Costs(Cost(message.bytes + _HEAD, message.behind + _RESOLVE + _LOOKUP), walk.elements)


class _Walk:
    """Goes through a routine. ``_slots``: what the last words have written, the last one first."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._slots: list[int | None] = []
        self.elements: dict[int, Cost] = {}

    def block(self, at: int, stop: int | None) -> tuple[Cost, int]:
        """From ``at`` to its `next` or `end`, or to before ``stop``; and where it ends."""
        total = Cost(0, 0)
        while at != stop:
            word = self._program.words[at]
            match word:
                case EndWord(op=Op.END) | BlockWord(op=Op.NEXT):
                    self._passed(None)
                    return total.plus(0, 1), at
                case EndWord():
                    # What it calls is counted by itself, but for the way there and back.
                    total = total.plus(_HEAD, _HEAD + 1 + _RESOLVE + _LOOKUP + _JUMP - 1)
                case BlockWord(op=Op.GROUP):
                    inner, at = self._group(at, word)
                    total = Cost(total.bytes + inner.bytes, total.behind + inner.behind)
                    continue
                case BlockWord():
                    end = self._loop(at, word)
                    # Into the sequence or past it; at its end it may be supposed that there is another element.
                    total, at = total.plus(0, _JUMP + _JUMP - 1), end
                case FieldWord():
                    total = self._field(total, word, at)
                    at += 1
                    continue
                case SkipWord():
                    total = total.plus(word.entities, max(word.entities, 1))
                case _:
                    total = total.plus(0, 1)
            self._passed(None)
            at += 1
        return total, at

    def _passed(self, slot: int | None) -> None:
        self._slots = [slot, *self._slots][:_WRITE]

    def _loop(self, at: int, word: BlockWord) -> int:
        self._passed(None)
        inner, end = self.block(at + 1, None)
        if end - at <= _WRITE:
            inner, end = self.block(at + 1, None)  # now what the element before has written is known
        head = int(word.map)
        # Its map comes with `loop` or `next`; going back to the next element takes a cycle more unless there is one.
        self.elements[at] = Cost(inner.bytes + head, inner.behind + 1 - head)
        return end

    def _group(self, at: int, word: BlockWord) -> tuple[Cost, int]:
        self._passed(None)
        inner, end = self.block(at + 1, None if word.map else word.target)
        head = int(word.map)
        there = Cost(inner.bytes + head, inner.behind + 1)
        if head and end == at + 1:
            there = there.plus(0, _JUMP)  # nothing in it: its end comes before the stack has it
        if word.optional:
            there = Cost(0, max(there.behind, _JUMP))
        return there, end + head

    def _unread(self, word: FieldWord, at: int) -> int:
        """Cycles of a string that is not in the stream."""
        size = KEPT_BYTES
        if not word.operator.has_entry:
            behind = self._program.words[at + 1] if word.apart else None
            slot = behind.slot if isinstance(behind, InitialWord) else word.slot
            size = len(self._program.initial_strings.get(slot, b""))
        return 3 if size <= 1 or not word.told else _READ + size

    def _field(self, total: Cost, word: FieldWord, at: int) -> Cost:
        """With a field more."""
        text, part = word.type.is_text, word.type in {Type.EXPONENT, Type.LENGTH}
        entry = word.operator.has_entry and not word.passed
        wait = self._slots.index(word.slot) if entry and not text and word.slot in self._slots else _WRITE
        self._passed(word.slot if entry and not text else None)
        total = total.plus(0, _WRITE - wait)
        if part and (entry or word.operator in {Operator.CONSTANT, Operator.DEFAULT}):
            total = total.plus(0, _WRITE)  # what stands behind it waits for what its operator makes
        grows = text and word.operator in {Operator.DELTA, Operator.TAIL} and not word.passed
        unread = 1 if not text or word.passed else self._unread(word, at)
        if word.operator is Operator.CONSTANT or (word.type is Type.MANTISSA and word.takes_bit):
            return total.plus(0, unread)
        made = _MAKE + KEPT_BYTES if grows else 0
        if word.type is Type.BYTES:
            made += 3
        if word.takes_bit:
            return Cost(total.bytes, total.behind + max(unread, made))
        least = 2 if word.type is Type.DECIMAL or (text and word.operator is Operator.DELTA) else 1
        if word.optional:
            least = 1
        # Behind an exponent that is absent a mantissa takes a cycle and no byte, and the exponent took one.
        return total.plus(least, least + made)
