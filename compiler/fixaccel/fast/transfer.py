# SPDX-License-Identifier: Apache-2.0
"""Entities: how integers, strings, byte vectors and presence maps stand in the stream (the standard's chapter 10)."""

from collections.abc import Iterator
from contextlib import contextmanager

from fixaccel.fast.errors import Counts, FastError, Fault
from fixaccel.fast.layout import ENTITY_BYTES

STOP, DATA = 0x80, 0x7F
_BITS = 7


class Reader:
    """Goes through the bytes of one datagram. ``counts`` gathers what is wrong and not fatal."""

    def __init__(self, data: bytes, counts: Counts | None = None, at: int = 0) -> None:
        self.data, self.at = data, at
        self.counts = Counts() if counts is None else counts
        self._where: list[str] = []
        self.template: str | None = None

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.data)

    @contextmanager
    def reading(self, field: str) -> Iterator[None]:
        """Inside, faults are those of ``field``."""
        self._where.append(field)
        yield
        self._where.pop()  # not after a fault: its place is told once the stack is unwound

    def fail(self, fault: Fault, at: int) -> FastError:
        """The error to raise for the entity that began at byte ``at``."""
        return FastError(fault, at, self.template, ".".join(self._where) or None)

    def _entity(self, most: int | None) -> bytes:
        """The bytes up to that with the stop bit, none of them with it."""
        start = end = self.at
        while True:
            if most is not None and end - start >= most:
                raise self.fail(Fault.U3, start)
            if end >= len(self.data):
                raise self.fail(Fault.U1, start)
            end += 1
            if self.data[end - 1] & STOP:
                break
        self.at = end
        return bytes(byte & DATA for byte in self.data[start:end])

    def unsigned(self, *, nullable: bool) -> int | None:
        """An unsigned integer of any size; None for null."""
        entity = self._entity(ENTITY_BYTES)
        if len(entity) > 1 and entity[0] == 0:
            self.counts[Fault.R6] += 1
        value = _number(entity)
        if not nullable:
            return value
        return value - 1 if value else None

    def signed(self, *, nullable: bool) -> int | None:
        """A signed integer of any size; None for null."""
        entity = self._entity(ENTITY_BYTES)
        negative = entity[0] & 0x40
        if len(entity) > 1 and entity[0] == (DATA if negative else 0) and entity[1] & 0x40 == negative:
            self.counts[Fault.R6] += 1
        value = _number(entity) - ((1 << _BITS * len(entity)) if negative else 0)
        if not nullable or value < 0:
            return value
        return value - 1 if value else None

    def ascii(self, *, nullable: bool) -> bytes | None:
        """An ASCII string; None for null."""
        entity = self._entity(None)
        if entity[0] != 0:
            return entity
        if len(entity) == 1:
            return None if nullable else b""
        rest = entity[1:]
        if nullable and rest[0] == 0:
            # The second of two preambles, behind which the string is as a mandatory one.
            rest = rest[1:]
        if rest and rest[0] != 0:
            self.counts[Fault.R9] += 1
        return rest

    def vector(self, *, nullable: bool) -> bytes | None:
        """A byte vector; None for null."""
        start = self.at
        length = self.unsigned(nullable=nullable)
        if length is None:
            return None
        if length > 0xFFFF_FFFF:
            raise self.fail(Fault.D2, start)
        if length > len(self.data) - self.at:
            raise self.fail(Fault.U1, start)
        self.at += length
        return self.data[self.at - length : self.at]

    def presence_map(self) -> "PresenceMap":
        """A presence map."""
        entity = self._entity(ENTITY_BYTES)
        if len(entity) > 1 and entity[-1] == 0:
            self.counts[Fault.R7] += 1
        return PresenceMap(_number(entity), _BITS * len(entity), self.counts)


class PresenceMap:
    """Bits from the front, and zeros without end behind them."""

    def __init__(self, bits: int, length: int, counts: Counts) -> None:
        self._bits, self._left, self._counts = bits, length, counts
        self._more_bytes = length > _BITS

    def take(self) -> bool:
        """The next bit."""
        if self._left == 0:
            return False
        self._left -= 1
        return bool(self._bits >> self._left & 1)

    def close(self) -> None:
        """Counts bits that nothing has taken; zeros up to the byte's end are none, and one byte is the least."""
        if (self._left >= _BITS and self._more_bytes) or self._bits & ((1 << self._left) - 1):
            self._counts[Fault.R8] += 1


def _number(entity: bytes) -> int:
    value = 0
    for byte in entity:
        value = value << _BITS | byte
    return value


def unsigned(value: int, *, nullable: bool = False) -> bytes:
    """The shortest entity of an unsigned integer."""
    assert value >= 0, value
    return _stopped(_bytes(value + nullable))


def signed(value: int, *, nullable: bool = False) -> bytes:
    """The shortest entity of a signed integer."""
    if nullable and value >= 0:
        value += 1
    size = 1
    while not -(1 << (_BITS * size - 1)) <= value < 1 << (_BITS * size - 1):
        size += 1
    return _stopped(_bytes(value & ((1 << _BITS * size) - 1), size))


def ascii_string(text: bytes, *, nullable: bool = False) -> bytes:
    """The shortest entity of an ASCII string: with a zero in front only where it begins with one, or would be null."""
    if text[:1] not in {b"", b"\0"}:
        return _stopped(text)
    return _stopped((b"\0\0" if nullable else b"\0") + text)


def vector(data: bytes, *, nullable: bool = False) -> bytes:
    """A byte vector."""
    return unsigned(len(data), nullable=nullable) + data


NULL = bytes([STOP])


def presence_map(bits: list[bool]) -> bytes:
    """The shortest map of ``bits``."""
    while bits and not bits[-1]:
        bits = bits[:-1]
    groups = [bits[start : start + _BITS] for start in range(0, len(bits), _BITS)] or [[]]
    return _stopped(bytes(sum(bit << (_BITS - 1 - place) for place, bit in enumerate(group)) for group in groups))


def _bytes(value: int, size: int = 1) -> bytes:
    while value >> _BITS * size:
        size += 1
    return bytes(value >> _BITS * place & DATA for place in reversed(range(size)))


def _stopped(entity: bytes) -> bytes:
    return entity[:-1] + bytes([entity[-1] | STOP])
