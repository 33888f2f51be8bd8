# SPDX-License-Identifier: Apache-2.0
"""What a hardware map says, as plain data; records pack and unpack themselves."""

from collections.abc import Mapping
from dataclasses import dataclass

WORD_BITS = 32
WORD_BYTES = 4


@dataclass(frozen=True)
class Constant:
    """A number that several layouts share."""

    name: str
    value: int
    doc: str


@dataclass(frozen=True)
class Field:
    """A run of bits in a register or record, ``lsb`` counted from the record's least significant bit.

    ``counts`` names the capacity that bounds an index field: a board keeps only the bits that its capacity needs.
    """

    name: str
    bits: int
    lsb: int
    signed: bool
    unit: str
    doc: str
    counts: str = ""

    @property
    def msb(self) -> int:
        return self.lsb + self.bits - 1

    @property
    def low(self) -> int:
        """Least value that the field holds."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """Greatest value that the field holds."""
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def encode(self, value: int) -> int:
        """Bits of ``value`` moved into place. Raises OverflowError if it does not fit."""
        if not self.low <= value <= self.high:
            raise OverflowError(f"{self.name}: {value} is outside {self.low}..{self.high}")
        return (value & ((1 << self.bits) - 1)) << self.lsb

    def decode(self, record: int) -> int:
        """Value of the field inside the record ``record``."""
        raw = (record >> self.lsb) & ((1 << self.bits) - 1)
        return raw - (1 << self.bits) if self.signed and raw >> (self.bits - 1) else raw


@dataclass(frozen=True)
class Register:
    """One 32-bit register at byte address ``address``."""

    name: str
    address: int
    access: str
    reset: int
    unit: str
    doc: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Record:
    """A packed record; in memory windows it takes ``stride_words`` 32-bit words."""

    name: str
    doc: str
    fields: tuple[Field, ...]

    @property
    def bits(self) -> int:
        return self.fields[-1].msb + 1

    @property
    def words(self) -> int:
        """Words that carry bits; writing the last of them commits the record."""
        return -(-self.bits // WORD_BITS)

    @property
    def stride_words(self) -> int:
        return 1 << (self.words - 1).bit_length()

    @property
    def stride_bytes(self) -> int:
        return self.stride_words * WORD_BYTES

    @property
    def capacities(self) -> tuple[str, ...]:
        """Capacities that decide which bits a board keeps, in the order of the fields."""
        return tuple(dict.fromkeys(field.counts for field in self.fields if field.counts))

    def field(self, name: str) -> Field:
        """The field called ``name``. Raises KeyError."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"{self.name} has no field {name}")

    def pack(self, values: Mapping[str, int]) -> bytes:
        """Little-endian bytes, ``stride_bytes`` long. Fields left out are zero; unknown names raise KeyError."""
        word = 0
        for name, value in values.items():
            word |= self.field(name).encode(value)
        return word.to_bytes(self.stride_bytes, "little")

    def unpack(self, data: bytes) -> dict[str, int]:
        """Values of all fields from ``stride_bytes`` little-endian bytes."""
        if len(data) != self.stride_bytes:
            raise ValueError(f"{self.name}: {len(data)} bytes, expected {self.stride_bytes}")
        word = int.from_bytes(data, "little")
        return {field.name: field.decode(word) for field in self.fields}


@dataclass(frozen=True)
class Memory:
    """A window at byte address ``base`` onto records; ``depth`` is an expression over the board's capacity."""

    name: str
    record: Record
    base: int
    room: int
    depth: str
    access: str

    @property
    def end(self) -> int:
        return self.base + self.room * self.record.stride_bytes


@dataclass(frozen=True)
class Hwmap:
    """A whole map and the SHA-256 of its source text."""

    name: str
    summary: str
    digest: str
    constants: dict[str, Constant]
    registers: dict[str, Register]
    records: dict[str, Record]
    memories: dict[str, Memory]

    @property
    def short_hash(self) -> int:
        """The 32 bits that stand in the register ``hwmap_hash``, in image manifests and in the daemon."""
        return int(self.digest[:8], 16)

    def constant(self, name: str) -> int:
        return self.constants[name].value

    def depth(self, memory: str, capacity: Mapping[str, int]) -> int:
        """Records that ``memory`` has on a board with ``capacity`` (keys of the board file).

        Raises ValueError if the window has no room for them.
        """
        names = {name: constant.value for name, constant in self.constants.items()} | dict(capacity)
        count = _evaluate(self.memories[memory].depth, names)
        if count > self.memories[memory].room:
            raise ValueError(f"{memory}: {count} records, the window has room for {self.memories[memory].room}")
        return count


def _evaluate(expression: str, names: Mapping[str, int]) -> int:
    """Products and quotients such as ``templates * message_bytes / 4``, left to right."""
    tokens = expression.split()
    value = _number(tokens[0], names)
    for operator, operand in zip(tokens[1::2], tokens[2::2], strict=True):
        value = value * _number(operand, names) if operator == "*" else value // _number(operand, names)
    return value


def _number(token: str, names: Mapping[str, int]) -> int:
    return int(token) if token.isdigit() else names[token]
