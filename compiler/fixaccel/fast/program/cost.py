# SPDX-License-Identifier: Apache-2.0
"""How many bytes a routine takes at the least, and by how many cycles it may fall behind the wire's byte a cycle.

A word takes a cycle unless it waits for bytes, a taken branch two, `tail` and a string's `delta` a cycle for each byte
of the result. So what the stream leaves out is what costs: a word without a byte.
"""

from typing import NamedTuple

from fixaccel.fast.layout import KEPT_BYTES
from fixaccel.fast.model import Operator
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import BlockWord, EndWord, FieldWord, Op, SkipWord, Type

# Preamble, Ethernet, IPv4, UDP, FCS and the gap behind the frame: the wire's time without FAST bytes.
FRAME_CYCLES = 8 + 14 + 20 + 8 + 4 + 12
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
    elements: dict[int, Cost] = {}
    message, _ = _block(program, start, None, elements)
    return Costs(Cost(message.bytes + _HEAD, message.behind), elements)


def _block(program: Program, at: int, stop: int | None, elements: dict[int, Cost]) -> tuple[Cost, int]:
    """From ``at`` to its `next` or `end`, or to before ``stop``; and where it ends."""
    total = Cost(0, 0)
    while at != stop:
        word = program.words[at]
        match word:
            case EndWord(op=Op.END) | BlockWord(op=Op.NEXT):
                return total.plus(0, 1), at
            case EndWord():
                total = total.plus(_HEAD, _HEAD)  # what it calls is counted by itself
            case BlockWord(op=Op.GROUP):
                inner, at = _group(program, at, word, elements)
                total = Cost(total.bytes + inner.bytes, total.behind + inner.behind)
                continue
            case BlockWord():
                head = int(word.map)
                inner, end = _block(program, at + 1, None, elements)
                # Its map comes with `loop` or `next`; going back to the next element is a taken branch.
                elements[at] = Cost(inner.bytes + head, inner.behind + 1 - head)
                total, at = total.plus(0, 2), end
            case FieldWord():
                total = _field(total, word)
            case SkipWord():
                total = total.plus(word.entities, max(word.entities, 1))
            case _:
                total = total.plus(0, 1)
        at += 1
    return total, at


def _group(program: Program, at: int, word: BlockWord, elements: dict[int, Cost]) -> tuple[Cost, int]:
    inner, end = _block(program, at + 1, None if word.map else word.target, elements)
    head = int(word.map)
    there = Cost(inner.bytes + head, inner.behind + 1 - head)
    if word.optional:
        there = Cost(0, max(there.behind, 2))
    return there, end + head


def _field(total: Cost, word: FieldWord) -> Cost:
    grows = word.type.is_text and word.operator in {Operator.DELTA, Operator.TAIL} and not word.passed
    if word.operator is Operator.CONSTANT or (word.type is Type.MANTISSA and word.takes_bit):
        return total.plus(0, 1)
    if word.takes_bit:
        return Cost(total.bytes, total.behind + (KEPT_BYTES if grows else 1))
    least = 2 if word.type is Type.DECIMAL or (word.type.is_text and word.operator is Operator.DELTA) else 1
    if word.optional:
        least = 1
    # Behind an exponent that is absent a mantissa takes a cycle and no byte, and the exponent took one.
    cycles = KEPT_BYTES + 1 if grows else least
    return total.plus(least, cycles)
