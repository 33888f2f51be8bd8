# SPDX-License-Identifier: Apache-2.0
"""A program in a file: the head, words, identifiers and initial values as the map lays them out, then names."""

import json
from itertools import islice

from fixaccel.fast.layout import FEED, KEPT_BYTES
from fixaccel.fast.model import Scaled
from fixaccel.fast.program.check import check_program
from fixaccel.fast.program.program import Limits, Program, Routine, Source, initial_slots, row_of
from fixaccel.fast.program.words import CODES, KINDS, WORD_BYTES, Word, WordError, pack, unpack

_HEAD, _ROW, _NUMBER = (FEED.records[name] for name in ("program_head", "template_row", "number_row"))
_ROWS = FEED.constant("template_slots")
_STRING_BYTES = 1 + KEPT_BYTES
_LOW = (1 << 32) - 1


class ImageError(ValueError):
    """A file that is no program, and why."""


def is_image(data: bytes) -> bool:
    """Whether a file begins as one."""
    return data[:4] == FEED.constant("program_magic").to_bytes(4, "little")


def to_bytes(program: Program) -> bytes:
    """The file. The program must be sound."""
    names = {
        "templates": {str(routine.id): routine.name for routine in program.routines},
        "words": [str(source) for source in program.sources],
    }
    text = json.dumps(names, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    head = _HEAD.pack({
        "magic": FEED.constant("program_magic"), "map_hash": FEED.short_hash, "words": len(program.words),
        "templates": len(program.routines), "numbers": program.numbers, "strings": program.strings,
        "multiplier": program.multiplier, "name_bytes": len(text),
    })  # fmt: skip
    rows = {
        row_of(routine.id, program.multiplier): _ROW.pack({
            "id": routine.id, "target": routine.target, "kind": CODES[routine.kind], "reset": routine.reset, "valid": 1,
        })
        for routine in program.routines
    }  # fmt: skip
    return b"".join((
        head,
        *(pack(word).to_bytes(WORD_BYTES, "little") for word in program.words),
        *(rows.get(at, bytes(_ROW.stride_bytes)) for at in range(_ROWS)),
        *(_number(program.initial_numbers.get(slot, Scaled(0, 0))) for slot in range(program.numbers)),
        *(_string(program.initial_strings.get(slot, b"")) for slot in range(program.strings)),
        text,
    ))  # fmt: skip


def _number(number: Scaled) -> bytes:
    return _NUMBER.pack({"low": number.mantissa & _LOW, "high": number.mantissa >> 32, "exponent": number.exponent})


def _string(text: bytes) -> bytes:
    return bytes([len(text)]) + text.ljust(KEPT_BYTES, b"\0")


def from_bytes(data: bytes) -> Program:
    """The program of a file. Raises ImageError unless it is sound."""
    if len(data) < _HEAD.stride_bytes or not is_image(data):
        raise ImageError("it does not begin as a program")
    head = _HEAD.unpack(data[: _HEAD.stride_bytes])
    if head["map_hash"] != FEED.short_hash:
        raise ImageError("it was made for another map of programs: compile it again")
    sizes = [
        (WORD_BYTES, head["words"]), (_ROW.stride_bytes, _ROWS), (_NUMBER.stride_bytes, head["numbers"]),
        (_STRING_BYTES, head["strings"]), (1, head["name_bytes"]),
    ]  # fmt: skip
    if len(data) != _HEAD.stride_bytes + sum(size * count for size, count in sizes):
        raise ImageError("it is longer or shorter than its head says")
    at, parts = _HEAD.stride_bytes, []
    for size, count in sizes:
        parts.append([data[at + size * place : at + size * (place + 1)] for place in range(count)])
        at += size * count
    words, rows, numbers, strings, names = parts
    program = _program(head, words, rows, numbers, strings, b"".join(names))
    for flaw in islice(check_program(program, Limits()), 1):
        raise ImageError(flaw.message if flaw.at is None else f"word {flaw.at}: {flaw.message}")
    if len(program.routines) != head["templates"]:
        raise ImageError("it has more or fewer templates than its head says")
    return program


def _program(
    head: dict[str, int],
    words: list[bytes],
    rows: list[bytes],
    numbers: list[bytes],
    strings: list[bytes],
    names: bytes,
) -> Program:
    called, sources = _names(names, len(words))
    read: list[Word] = []
    for place, bits in enumerate(words):
        try:
            read.append(unpack(int.from_bytes(bits, "little"), read[-1] if read else None))
        except WordError as error:
            raise ImageError(f"word {place}: {error}") from None
    used = initial_slots(read)
    return Program(
        tuple(read), sources, _routines(rows, head["multiplier"], called), head["multiplier"], head["numbers"],
        head["strings"],
        {slot: _read_number(one) for slot, one in enumerate(numbers) if (False, slot) in used},
        {slot: _read_string(one, slot) for slot, one in enumerate(strings) if (True, slot) in used},
    )  # fmt: skip


def _names(data: bytes, words: int) -> tuple[dict[str, str], tuple[Source, ...]]:
    try:
        names = json.loads(data.decode("ascii"))
        templates = {str(key): str(value) for key, value in names["templates"].items()}
        sources = tuple(Source(str(one)) for one in names["words"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ImageError("its names cannot be read") from None
    if len(sources) != words:
        raise ImageError("its names are not as many as its words")
    return templates, sources


def _routines(rows: list[bytes], multiplier: int, names: dict[str, str]) -> tuple[Routine, ...]:
    found = []
    for place, data in enumerate(rows):
        row = _ROW.unpack(data)
        kind = KINDS.get(row["kind"])
        if not row["valid"]:
            if any(data):
                raise ImageError(f"row {place} of the identifiers is not in use and not empty")
            continue
        if row_of(row["id"], multiplier) != place or kind is None or _ROW.pack(row) != data:
            raise ImageError(f"row {place} of the identifiers is none that the multiplier leads to, or damaged")
        found.append(Routine(row["id"], names.get(str(row["id"]), ""), row["target"], kind, bool(row["reset"])))
    return tuple(sorted(found, key=lambda one: (one.target, one.id)))


def _read_number(data: bytes) -> Scaled:
    row = _NUMBER.unpack(data)
    return Scaled(row["exponent"], row["high"] << 32 | row["low"])


def _read_string(data: bytes, slot: int) -> bytes:
    if data[0] > KEPT_BYTES:
        raise ImageError(f"string {slot} is longer than {KEPT_BYTES} bytes")
    return data[1 : 1 + data[0]]
