# SPDX-License-Identifier: Apache-2.0
"""Words of a program: what each says, and its bits as the map lays them out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias, TypeVar

from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Operator
from fixaccel.hwmap.hwmap import Record

WORD_BYTES = 8  # of a word in a file
_BITS = FEED.constant("word_bits")


class Op(Enum):
    """The operation, by its name in a listing."""

    FIELD = "field"
    SKIP = "skip"
    RAW = "raw"
    GROUP = "group"
    LOOP = "loop"
    NEXT = "next"
    CALL = "call"
    END = "end"


class Type(Enum):
    """The type of a field, by its name in a listing."""

    INT32 = "int32"
    UINT32 = "uInt32"
    INT64 = "int64"
    UINT64 = "uInt64"
    DECIMAL = "decimal"
    ASCII = "string"
    BYTES = "bytes"
    EXPONENT = "exponent"
    MANTISSA = "mantissa"
    LENGTH = "length"

    @property
    def is_text(self) -> bool:
        """Whether its slots are those for strings."""
        return self in {Type.ASCII, Type.BYTES}

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an integer that is never negative."""
        return self in {Type.UINT32, Type.UINT64, Type.LENGTH}


class Role(Enum):
    """What observer, arbiter or recovery take a field for."""

    NONE = "none"
    INSTRUMENT = "instrument"
    ENTRY_TYPE = "entry_type"
    ACTION = "action"
    PRICE = "price"
    POSITION = "position"
    NUMBER = "number"
    PROCESSED = "processed"


class Kind(Enum):
    """What a template's messages are."""

    NONE = "none"
    SNAPSHOT = "snapshot"
    UPDATE = "update"


E = TypeVar("E", bound=Enum)


def _codes(prefix: str, of: type[E]) -> dict[E, int]:
    return {one: FEED.constant(f"{prefix}_{one.name.lower()}") for one in of}


CODES: Mapping[Enum, int] = {
    **_codes("op", Op), **_codes("type", Type), **_codes("operator", Operator), **_codes("role", Role),
    **_codes("kind", Kind),
}  # fmt: skip
_OPS = {CODES[one]: one for one in Op}
TYPES = {CODES[one]: one for one in Type}
OPERATORS = {CODES[one]: one for one in Operator}
ROLES = {CODES[one]: one for one in Role}
KINDS = {CODES[one]: one for one in Kind}


class WordError(ValueError):
    """Bits that are no word."""


class _Value:
    """A word with a value."""

    tag: int
    role: Role

    @property
    def told(self) -> bool:
        """Whether anybody wants it."""
        return bool(self.tag) or self.role is not Role.NONE


@dataclass(frozen=True)
class FieldWord(_Value):
    """Decodes a field. ``slot`` is that of its previous and, unless ``apart``, its initial value."""

    type: Type
    operator: Operator
    optional: bool = False
    initial: bool = False
    apart: bool = False
    passed: bool = False
    slot: int = 0
    tag: int = 0
    role: Role = Role.NONE
    op = Op.FIELD

    @property
    def takes_bit(self) -> bool:
        """Whether it takes a bit of the map."""
        return self.operator.takes_bit(optional=self.optional)


@dataclass(frozen=True)
class SkipWord:
    """Passes over ``entities``, and one (two where ``twice``) for each bit that is set among those ``taken``."""

    entities: int
    bits: int = 0
    taken: int = 0
    twice: int = 0
    op = Op.SKIP


@dataclass(frozen=True)
class InitialWord:
    """Names the slot of the initial value of the field in front of it."""

    slot: int
    op = Op.SKIP


@dataclass(frozen=True)
class RawWord(_Value):
    """A raw integer, or bytes that are passed over."""

    bytes: int
    big: bool = True
    tag: int = 0
    role: Role = Role.NONE
    op = Op.RAW


@dataclass(frozen=True)
class BlockWord:
    """A group, a sequence, or the end of either."""

    op: Op
    target: int
    optional: bool = False
    map: bool = False
    observe: bool = False


@dataclass(frozen=True)
class EndWord:
    """A dynamic reference, or the end of a routine."""

    op: Op
    reset: bool = False


Word: TypeAlias = FieldWord | SkipWord | InitialWord | RawWord | BlockWord | EndWord


def pack(word: Word) -> int:
    """The bits of ``word``. Raises OverflowError where a number does not fit."""
    match word:
        case FieldWord():
            return _packed("word_field", word.op, {
                "value_type": CODES[word.type], "field_operator": CODES[word.operator], "may_miss": word.optional,
                "has_initial": word.initial, "apart": word.apart, "passed": word.passed, "slot": word.slot,
                "tag": word.tag, "role": CODES[word.role],
            })  # fmt: skip
        case SkipWord():
            return _packed("word_skip", word.op, {
                "entities": word.entities, "taken": word.taken, "twice": word.twice, "bits": word.bits,
            })  # fmt: skip
        case InitialWord():
            return _packed("word_initial", word.op, {"slot": word.slot})
        case RawWord():
            order = FEED.constant("order_big" if word.big else "order_little")
            return _packed("word_raw", word.op, {
                "bytes": word.bytes, "order": order, "tag": word.tag, "role": CODES[word.role],
            })  # fmt: skip
        case BlockWord():
            return _packed("word_block", word.op, {
                "target": word.target, "may_miss": word.optional, "map": word.map, "observe": word.observe,
            })  # fmt: skip
        case EndWord():
            return _packed("word_end", word.op, {"reset": word.reset})


def unpack(bits: int, before: Word | None) -> Word:
    """The word of ``bits``, which stands behind ``before``. Raises WordError if there is none."""
    if not 0 <= bits < 1 << _BITS:
        raise WordError(f"it has more than {_BITS} bits")
    op = _OPS[FEED.records["word_end"].field("op").decode(bits)]
    word = _read(op, bits, named=isinstance(before, FieldWord) and before.apart)
    if pack(word) != bits:
        raise WordError("bits are set that nothing uses")
    return word


def _read(op: Op, bits: int, *, named: bool) -> Word:
    def get(record: Record, name: str) -> int:
        return record.field(name).decode(bits)

    match op:
        case Op.FIELD:
            record = FEED.records["word_field"]
            kind, operator = TYPES.get(get(record, "value_type")), OPERATORS.get(get(record, "field_operator"))
            role = ROLES.get(get(record, "role"))
            if kind is None or operator is None or role is None:
                raise WordError("it has a type, an operator or a role that there is not")
            optional, initial, apart, passed = (
                bool(get(record, name)) for name in ("may_miss", "has_initial", "apart", "passed")
            )
            slot, tag = get(record, "slot"), get(record, "tag")
            return FieldWord(kind, operator, optional, initial, apart, passed, slot, tag, role)
        case Op.SKIP if named:
            return InitialWord(get(FEED.records["word_initial"], "slot"))
        case Op.SKIP:
            record = FEED.records["word_skip"]
            return SkipWord(*(get(record, name) for name in ("entities", "bits", "taken", "twice")))
        case Op.RAW:
            record = FEED.records["word_raw"]
            role = ROLES.get(get(record, "role"))
            if role is None:
                raise WordError("it has a role that there is not")
            big = get(record, "order") == FEED.constant("order_big")
            return RawWord(get(record, "bytes"), big, get(record, "tag"), role)
        case Op.GROUP | Op.LOOP | Op.NEXT:
            record = FEED.records["word_block"]
            flags = [bool(get(record, name)) for name in ("may_miss", "map", "observe")]
            return BlockWord(op, get(record, "target"), *flags)
        case _:
            return EndWord(op, bool(get(FEED.records["word_end"], "reset")))


def _packed(name: str, op: Op, values: Mapping[str, int]) -> int:
    record = FEED.records[name]
    return int.from_bytes(record.pack({"op": CODES[op], **values}), "little")


def aimed(word: BlockWord, target: int) -> BlockWord:
    """The same with another target."""
    return replace(word, target=target)
