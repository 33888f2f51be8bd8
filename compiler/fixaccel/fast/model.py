# SPDX-License-Identifier: Apache-2.0
"""Templates as data: what the reader makes of XML, and what decoder, encoder and compiler go through.

Static references are already replaced by what they name, so no name is looked up while decoding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from fixaccel.source import Span

EXPONENTS = (-63, 63)  # of a decimal


class Kind(Enum):
    """The type of a field that is no group and no sequence, by its element's name (or `charset`)."""

    INT32 = "int32"
    UINT32 = "uInt32"
    INT64 = "int64"
    UINT64 = "uInt64"
    DECIMAL = "decimal"
    ASCII = "string"
    UNICODE = "unicode string"
    BYTES = "byteVector"

    @property
    def is_integer(self) -> bool:
        """Whether `RANGES` has it."""
        return self in RANGES

    @property
    def is_signed(self) -> bool:
        """Whether its entity is in two's complement."""
        return self in {Kind.INT32, Kind.INT64}

    @property
    def is_bytes(self) -> bool:
        """Whether its values are byte strings."""
        return self in {Kind.ASCII, Kind.UNICODE, Kind.BYTES}


RANGES = {
    Kind.INT32: (-(1 << 31), (1 << 31) - 1),
    Kind.UINT32: (0, (1 << 32) - 1),
    Kind.INT64: (-(1 << 63), (1 << 63) - 1),
    Kind.UINT64: (0, (1 << 64) - 1),
}


class Scaled(NamedTuple):
    """mantissa x 10^exponent."""

    exponent: int
    mantissa: int


Value: TypeAlias = int | Scaled | bytes


class Operator(Enum):
    """How a field is kept out of the stream, by its element's name."""

    NONE = "none"
    CONSTANT = "constant"
    DEFAULT = "default"
    COPY = "copy"
    INCREMENT = "increment"
    DELTA = "delta"
    TAIL = "tail"

    @property
    def has_entry(self) -> bool:
        """Whether it reads and writes a previous value."""
        return self in {Operator.COPY, Operator.INCREMENT, Operator.DELTA, Operator.TAIL}

    def takes_bit(self, *, optional: bool) -> bool:
        """Whether a field with it takes a bit of the presence map."""
        return optional if self is Operator.CONSTANT else self not in {Operator.NONE, Operator.DELTA}


class Name(NamedTuple):
    """A name and its namespace; equal if both are."""

    local: str
    space: str = ""

    def __str__(self) -> str:
        return self.local


class Key(NamedTuple):
    """An entry of a dictionary. ``scope`` is global, template, type or named, ``owner`` whose it is in that scope.

    ``part`` keeps names that the standard generates apart from those that are written: of a decimal's exponent and
    mantissa, of a sequence's length.
    """

    scope: str
    owner: Name
    name: Name
    part: str = ""


@dataclass(frozen=True)
class Scalar:
    """A field with one value. ``label`` names it in messages and in output: its name, unless that occurs twice."""

    name: Name
    label: str
    id: str | None
    kind: Kind
    optional: bool
    operator: Operator
    initial: Value | None
    key: Key | None
    span: Span = field(compare=False)
    template: str = ""  # whose text it stands in

    @property
    def takes_bit(self) -> bool:
        """Whether it has a bit in the presence map."""
        return self.operator.takes_bit(optional=self.optional)


@dataclass(frozen=True)
class SplitDecimal:
    """A decimal with an operator for each part. The exponent is optional where the decimal is, the mantissa never."""

    name: Name
    label: str
    id: str | None
    optional: bool
    exponent: Scalar
    mantissa: Scalar
    span: Span = field(compare=False)

    @property
    def takes_bit(self) -> bool:
        """Whether either part has a bit in the presence map."""
        return self.exponent.takes_bit or self.mantissa.takes_bit


@dataclass(frozen=True)
class Group:
    """Fields that are there or not together. ``has_map``: it begins with a presence map of its own."""

    name: Name
    label: str
    id: str | None
    optional: bool
    items: tuple["Item", ...]
    span: Span = field(compare=False)

    @property
    def has_map(self) -> bool:
        """Whether anything in it takes a bit."""
        return any(takes_bit(item) for item in self.items)


@dataclass(frozen=True)
class Repeated:
    """Elements of the same fields. Its length is a field in front of them; ``has_map``: each element has a map."""

    name: Name
    label: str
    id: str | None
    optional: bool
    length: Scalar
    items: tuple["Item", ...]
    span: Span = field(compare=False)

    @property
    def has_map(self) -> bool:
        """Whether anything in an element takes a bit."""
        return any(takes_bit(item) for item in self.items)


@dataclass(frozen=True)
class Reference:
    """A dynamic reference: a map, an identifier and the template that it names."""

    label: str
    span: Span = field(compare=False)


Item: TypeAlias = Scalar | SplitDecimal | Group | Repeated | Reference


def takes_bit(item: Item) -> bool:
    """Whether an instruction takes a bit of the map around it."""
    match item:
        case Group():
            return item.optional
        case Repeated():
            return item.length.takes_bit
        case Reference():
            return False
        case _:
            return item.takes_bit


def takes_bytes(item: Item) -> bool:
    """Whether an instruction, or the map around it, takes a byte at the least."""
    if takes_bit(item):
        return True
    match item:
        case Group():
            return any(map(takes_bytes, item.items))
        case Scalar():
            return item.operator is not Operator.CONSTANT
        case SplitDecimal():
            return takes_bytes(item.exponent) or takes_bytes(item.mantissa)
        case _:
            return True


@dataclass(frozen=True)
class Template:
    """``id`` is None where the file gives none: it cannot stand in a stream by itself."""

    name: Name
    id: int | None
    reset: bool
    items: tuple[Item, ...]
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return self.name.local


@dataclass(frozen=True)
class Templates:
    """All templates of a file, in its order."""

    all: tuple[Template, ...]
    by_id: dict[int, Template] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {one.id: one for one in self.all if one.id is not None})


def walk(items: Sequence[Item]) -> Iterator[Item]:
    """Each instruction, those inside groups and sequences behind their own, lengths and parts left inside theirs."""
    for item in items:
        yield item
        if isinstance(item, Group | Repeated):
            yield from walk(item.items)


def scalars(items: Sequence[Item]) -> Iterator[Scalar]:
    """Each field with a value of its own, in the order of the stream."""
    for item in items:
        match item:
            case Scalar():
                yield item
            case SplitDecimal():
                yield item.exponent
                yield item.mantissa
            case Group():
                yield from scalars(item.items)
            case Repeated():
                yield item.length
                yield from scalars(item.items)
            case Reference():
                pass
