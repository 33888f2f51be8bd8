# SPDX-License-Identifier: Apache-2.0
"""Whether a program is sound: what interpreters and the fabric take for granted of its words.

Every jump stays inside its routine, blocks close in the order in which they open, slots are there, and each element of
a sequence takes a byte: so no datagram can keep the engine busy for longer than its bytes allow.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fixaccel.fast.layout import FEED, NESTING, TEMPLATES
from fixaccel.fast.model import Operator
from fixaccel.fast.program.program import Limits, Program, row_of
from fixaccel.fast.program.skipping import MOST_BITS
from fixaccel.fast.program.words import (
    BlockWord,
    EndWord,
    FieldWord,
    InitialWord,
    Op,
    RawWord,
    SkipWord,
    Type,
    Word,
)

_MOST_RAW = FEED.records["word_raw"].field("bytes").high
_INTEGER_BYTES = 8
_MULTIPLIER = ("multiplier", 0)
_PARTS = {Type.EXPONENT, Type.MANTISSA, Type.LENGTH}


class Flaw(NamedTuple):
    """What is wrong, at which word; ``at`` is None where it is no word's.

    ``of`` is then what it is about: `template`, `number`, `string` with identifier or slot, or a size by its name.
    """

    at: int | None
    message: str
    of: tuple[str, int] | None = None


class _Open(NamedTuple):
    at: int
    word: BlockWord
    closes: int | None  # where one ends that has no `next`


def check_program(program: Program, limits: Limits) -> Iterator[Flaw]:
    """All that is wrong."""
    yield from _sizes(program, limits)
    ends = {at for at, word in enumerate(program.words) if isinstance(word, EndWord) and word.op is Op.END}
    last = len(program.words) - 1
    if last not in ends:
        yield Flaw(last if program.words else None, "a program ends with `end`")
        return
    for routine in program.routines:
        if routine.target - 1 not in ends or routine.target > last:
            message = f"template {routine.id} begins at {routine.target}, where no routine begins"
            yield Flaw(None, message, ("template", routine.id))
    yield from _structure(program)
    for at, word in enumerate(program.words):
        for message in _word(program, at, word):
            yield Flaw(at, message)


def _sizes(program: Program, limits: Limits) -> Iterator[Flaw]:
    found = {
        "words": (len(program.words), limits.instructions),
        "slots for numbers": (program.numbers, limits.numbers),
        "slots for strings": (program.strings, limits.strings),
        "templates": (len(program.routines), TEMPLATES),
    }
    for what, (there, most) in found.items():
        if there > most:
            yield Flaw(None, f"it has {there:,} {what}, and there is room for {most:,}")
    ids = Counter(routine.id for routine in program.routines)
    if twice := {one for one, count in ids.items() if count > 1}:
        yield Flaw(None, f"two templates have the identifier {min(twice)}", ("template", min(twice)))
    elif len({row_of(routine.id, program.multiplier) for routine in program.routines}) < len(program.routines):
        yield Flaw(None, "two identifiers have one row: another multiplier is needed", _MULTIPLIER)
    if program.multiplier % 2 == 0:
        yield Flaw(None, "the multiplier is even", _MULTIPLIER)
    for what, slots, count in (
        ("number", program.initial_numbers, program.numbers),
        ("string", program.initial_strings, program.strings),
    ):
        for slot in slots:
            if slot >= count:
                yield Flaw(None, f"{what} {slot} is beyond the {count} slots that the program has", (what, slot))


def _structure(program: Program) -> Iterator[Flaw]:
    """Jumps and blocks."""
    stack: list[_Open] = []
    raw = True  # in front of the FAST bytes
    for at, word in enumerate(program.words):
        while stack and stack[-1].closes == at:
            stack.pop()
        if isinstance(word, RawWord) != raw and not (raw and isinstance(word, EndWord) and word.op is Op.END):
            yield Flaw(at, "`raw` stands in front of the first `end`, and nothing else does")
            return
        match word:
            case BlockWord(op=Op.NEXT):
                if not stack or stack[-1].closes is not None:
                    yield Flaw(at, "`next` ends no block")
                    return
                yield from _closed(program, stack.pop(), at, word)
            case BlockWord():
                ended = next((one.closes for one in reversed(stack) if one.closes is not None), None)
                if word.op is Op.GROUP and not word.map:
                    if not at < word.target < len(program.words) or (ended is not None and word.target > ended):
                        yield Flaw(at, f"`group` goes on at {word.target}, which is not behind it in the same block")
                        return
                    if _continues(program.words[word.target]):
                        yield Flaw(at, f"`group` goes on at {word.target}, in the middle of a field")
                        return
                    stack.append(_Open(at, word, word.target))
                else:
                    stack.append(_Open(at, word, None))
                if len(stack) > NESTING:
                    yield Flaw(at, f"blocks stand in each other more than {NESTING} deep")
                    return
            case EndWord(op=Op.END):
                raw = False
                if stack:
                    yield Flaw(stack[-1].at, f"`{stack[-1].word.op.value}` does not end in its routine")
                    return


def _continues(word: Word) -> bool:
    """Whether it goes on with what those in front of it have read: whoever jumps there has not read that."""
    match word:
        case InitialWord() | BlockWord(op=Op.LOOP) | FieldWord(type=Type.MANTISSA):
            return True
    return False


def _closed(program: Program, begin: _Open, at: int, end: BlockWord) -> Iterator[Flaw]:
    word = begin.word
    first = begin.at + 1 if word.op is Op.LOOP else at
    if word.target != at + 1:
        yield Flaw(begin.at, f"`{word.op.value}` goes on at {word.target}, and its `next` stands at {at}")
    if end.target != first:
        yield Flaw(at, f"`next` goes to {end.target}, and its element begins at {first}")
    if (end.map, end.observe) != (word.map, word.observe):
        yield Flaw(at, f"`next` and its `{word.op.value}` differ in `map` or `observe`")
    if word.op is Op.LOOP and not word.map and not _takes_byte(program, begin.at + 1, at):
        yield Flaw(begin.at, "an element takes no byte, so any number of them would fit anywhere")


def _takes_byte(program: Program, first: int, last: int) -> bool:
    """Whether the words from ``first`` to before ``last`` take one whatever the stream says."""
    at = first
    while at < last:
        word = program.words[at]
        match word:
            case FieldWord(operator=Operator.NONE | Operator.DELTA) if word.type is not Type.MANTISSA:
                return True
            case SkipWord() if word.entities:
                return True
            case BlockWord(op=Op.GROUP) if word.map and not word.optional:
                return True
            case BlockWord(op=Op.GROUP | Op.LOOP):
                at = max(word.target, at + 1)
                continue
            case EndWord(op=Op.CALL):
                return True
        at += 1
    return False


def _word(program: Program, at: int, word: Word) -> Iterator[str]:  # noqa: C901 - a rule each
    match word:
        case FieldWord():
            yield from _field(program, at, word)
        case InitialWord():
            before = program.words[at - 1] if at else None
            if not (isinstance(before, FieldWord) and before.apart):
                yield "`initial` stands behind a field that is `apart`"
            elif word.slot >= (program.strings if before.type.is_text else program.numbers):
                yield f"slot {word.slot} is beyond those that the program has"
        case SkipWord():
            if word.bits > MOST_BITS:
                yield f"`skip` takes {word.bits} bits, and {MOST_BITS} is the most"
            elif word.taken >> word.bits or word.twice & ~word.taken:
                yield "`twice` must be of `taken`, and `taken` of the bits"
        case RawWord():
            most = _INTEGER_BYTES if word.told else _MOST_RAW
            if not 1 <= word.bytes <= most:
                yield f"`raw` has 1 to {most} bytes"
        case EndWord(op=Op.CALL) if word.reset:
            yield "a reference resets nothing"
        case BlockWord():
            if word.op is Op.LOOP and not _follows(program, at, Type.LENGTH):
                yield "`loop` stands behind the `length` of its sequence"
            if word.op is Op.GROUP and word.observe:
                yield "a group is no sequence of entries"
            if word.op is not Op.GROUP and word.optional:
                yield "only a group is `optional` by itself"


def _field(program: Program, at: int, word: FieldWord) -> Iterator[str]:
    integer = word.type not in {Type.DECIMAL, Type.ASCII, Type.BYTES}
    if word.operator is Operator.INCREMENT and not integer:
        yield "`increment` is for integers"
    if word.operator is Operator.TAIL and not word.type.is_text:
        yield "`tail` is for strings and bytes"
    needs = word.operator is Operator.CONSTANT or (word.operator is Operator.DEFAULT and not word.optional)
    if needs and not word.initial and not word.passed:
        yield f"`{word.operator.value}` needs an initial value"
    if (word.initial or word.operator.has_entry) and not word.passed:
        slots = program.strings if word.type.is_text else program.numbers
        if word.slot >= slots:
            yield f"slot {word.slot} is beyond the {slots} that the program has"
    if word.passed and (word.told or word.initial or word.type in _PARTS):
        yield "a field that is passed over has neither tag, role nor initial value, and is no part of something"
    if word.apart and not (word.initial and isinstance(_behind(program, at), InitialWord)):
        yield "behind a field that is `apart` stands its `initial`"
    if word.tag > FEED.constant("last_tag"):
        yield f"the last tag is {FEED.constant('last_tag')}"
    if word.type is Type.MANTISSA and (word.optional or not _follows(program, at, Type.EXPONENT)):
        yield "`mantissa` stands behind its `exponent`, and is not optional"
    if word.type is Type.EXPONENT and not _leads(program, at, Type.MANTISSA):
        yield "behind `exponent` stands its `mantissa`"
    if word.type is Type.LENGTH and not _leads(program, at, None):
        yield "behind `length` stands `loop`"
    if word.type in {Type.EXPONENT, Type.LENGTH} and word.told:
        yield "an exponent or a length is told with what it belongs to"


def _behind(program: Program, at: int) -> Word | None:
    return program.words[at + 1] if at + 1 < len(program.words) else None


def _leads(program: Program, at: int, kind: Type | None) -> bool:
    """Whether a field of this type, or a `loop`, follows, perhaps behind an initial value."""
    following = _behind(program, at + 1 if isinstance(_behind(program, at), InitialWord) else at)
    if kind is None:
        return isinstance(following, BlockWord) and following.op is Op.LOOP
    return isinstance(following, FieldWord) and following.type is kind


def _follows(program: Program, at: int, kind: Type) -> bool:
    before = at - 1
    if before >= 0 and isinstance(program.words[before], InitialWord):
        before -= 1
    word = program.words[before] if before >= 0 else None
    return isinstance(word, FieldWord) and word.type is kind
