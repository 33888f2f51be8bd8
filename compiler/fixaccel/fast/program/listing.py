# SPDX-License-Identifier: Apache-2.0
"""A program as text, a line a word, which `assemble` reads back. Notes stand behind `;`."""

from collections.abc import Iterator

from fixaccel.diagnostics.text import printable
from fixaccel.fast.layout import FEED, TEMPLATES
from fixaccel.fast.model import Scaled
from fixaccel.fast.program.cost import FRAME_CYCLES, Cost, costs
from fixaccel.fast.program.program import Limits, Program, Source, initial_slots
from fixaccel.fast.program.words import (
    BlockWord,
    EndWord,
    FieldWord,
    InitialWord,
    Op,
    RawWord,
    Role,
    SkipWord,
    Type,
    Word,
)

VERSION = "fixaccel-program: 1"
_LINE = FEED.constant("line_bytes")


def listing(program: Program, limits: Limits | None = None) -> str:
    """The text of ``program``; the room that it is compared with is that of ``limits``, the largest if left out."""
    return "\n".join(_lines(program, limits or Limits())) + "\n"


def _lines(program: Program, limits: Limits) -> Iterator[str]:
    yield VERSION
    yield f"; {used(program, limits)}"
    yield f"multiplier {program.multiplier:#x}"
    yield f"numbers {program.numbers}"
    yield f"strings {program.strings}"
    types = number_types(program)
    for slot, number in sorted(program.initial_numbers.items()):
        yield f"number {slot} {number_text(number, types.get(slot))}"
    for slot, text in sorted(program.initial_strings.items()):
        yield f"string {slot} {string_text(text)}"
    for routine in program.routines:
        reset = " reset" if routine.reset else ""
        name = note_of(routine.name)
        yield f"template {routine.id} at={routine.target} kind={routine.kind.value}{reset}{name}"
    begins = {routine.target: routine.name for routine in program.routines}
    for at, (word, source) in enumerate(zip(program.words, program.sources, strict=True)):
        if at in begins:
            yield ""
            yield from _costs(program, at, begins[at])
        yield f"{at:>4} {word_text(word)}".ljust(60) + note_of(source)


def used(program: Program, limits: Limits) -> str:
    """What of the room a program takes, in words."""
    return (
        f"{len(program.words):,} of {limits.instructions:,} words, {program.numbers} of {limits.numbers} slots for "
        f"numbers, {program.strings} of {limits.strings} for strings, {len(program.routines)} of {TEMPLATES} templates"
    )


def _costs(program: Program, start: int, name: str) -> Iterator[str]:
    found = costs(program, start)
    message = found.message
    yield f"; {printable(name)}: {_bytes(message)}; {keeps_up(message)}"
    for at, element in sorted(found.elements.items()):
        yield f"; an element of {printable(str(program.sources[at]))}: {_bytes(element)}; {_element(element)}"


def _bytes(cost: Cost) -> str:
    return f"{cost.bytes} byte{'' if cost.bytes == 1 else 's'} at the least"


def keeps_up(cost: Cost) -> str:
    """Whether messages keep up with the wire, in words."""
    if cost.behind <= 0:
        return "keeps up with the wire"
    if cost.behind <= FRAME_CYCLES:
        return f"keeps up with the wire alone in its datagram, else up to {cost.behind} cycles behind"
    return f"up to {cost.behind} cycles behind the wire, of which a datagram's head gives back {FRAME_CYCLES}"


def _element(cost: Cost) -> str:
    if cost.behind <= 0:
        return "keeps up with the wire"
    most = _LINE // cost.behind
    return f"up to {cost.behind} cycles behind the wire; the line holds what comes meanwhile for {most:,} of them"


def number_types(program: Program) -> dict[int, Type]:
    """The type as which the initial value of a slot is written: that of the first field which has it."""
    words = ((slot, program.words[at]) for (text, slot), at in initial_slots(program.words).items() if not text)
    return {slot: word.type for slot, word in words if isinstance(word, FieldWord)}


def number_text(number: Scaled, kind: Type | None) -> str:
    """As `-2` or `125e-2`."""
    mantissa = number.mantissa
    if not (kind and kind.is_unsigned) and mantissa >> 63:
        mantissa -= 1 << 64
    return f"{mantissa}e{number.exponent}" if number.exponent else str(mantissa)


def string_text(data: bytes) -> str:
    r"""In quotes, with `\xNN` for what is no printable ASCII."""
    plain = "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02x}" for byte in data)
    return f'"{plain}"'


def note_of(source: Source | str) -> str:
    """What stands behind a line."""
    text = printable(str(source)).strip()
    return f" ; {text}" if text else ""


def word_text(word: Word) -> str:
    """The operation and what it says, without address and note."""
    said: list[str] = [word.op.value]
    match word:
        case FieldWord():
            said += [word.type.value, word.operator.value]
            said += [name for name in ("optional", "initial", "apart", "passed") if getattr(word, name)]
            said += [f"slot={word.slot}"] if word.slot or word.initial or word.operator.has_entry else []
            said += _told(word.tag, word.role)
        case SkipWord():
            said.append(str(word.entities))
            if word.bits:
                said.append(f"bits={word.bits}")
            said += [f"{name}={value:#x}" for name in ("taken", "twice") if (value := getattr(word, name))]
        case InitialWord():
            said = ["initial", f"slot={word.slot}"]
        case RawWord():
            said += [f"bytes={word.bytes}", "big" if word.big else "little", *_told(word.tag, word.role)]
        case BlockWord():
            said.append(f"to={word.target}")
            said += [name for name in ("optional", "map", "observe") if getattr(word, name)]
        case EndWord():
            said += ["reset"] if word.reset and word.op is Op.END else []
    return " ".join(said)


def _told(tag: int, role: Role) -> list[str]:
    return [*([f"tag={tag}"] if tag else []), *([f"role={role.value}"] if role is not Role.NONE else [])]
