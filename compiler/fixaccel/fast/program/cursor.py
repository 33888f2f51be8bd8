# SPDX-License-Identifier: Apache-2.0
"""The bytes of a datagram as the engine takes them: seven bits a byte, up to a stop bit."""

from fixaccel.fast.errors import Counts, Fault
from fixaccel.fast.layout import ENTITY_BYTES

_STOP, _BITS = 0x80, 7


class StopError(Exception):
    """A fatal fault and its byte; the engine stops."""

    def __init__(self, fault: Fault, byte: int) -> None:
        super().__init__(fault, byte)
        self.fault, self.byte = fault, byte


class Map:
    """A presence map: bits from the front, zeros behind them."""

    def __init__(self, bits: int, length: int, counts: Counts) -> None:
        self._bits, self._length, self._counts = bits, length, counts
        self._taken = 0

    @classmethod
    def none(cls, counts: Counts) -> "Map":
        """That of a block which has none: all bits are 0, and nothing is left over."""
        return cls(0, 0, counts)

    def take(self) -> bool:
        """The next bit."""
        self._taken += 1
        place = self._length - self._taken
        return place >= 0 and bool(self._bits >> place & 1)

    def close(self) -> None:
        """Counts what nobody has taken: a bit that is set, or a whole byte behind the first."""
        left = max(0, self._length - self._taken)
        if self._bits & ((1 << left) - 1) or (left >= _BITS and self._length > _BITS):
            self._counts[Fault.R8] += 1


class Cursor:
    """A place in a datagram. ``counts``: what is wrong and not fatal."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0
        self.counts = Counts()

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.at == len(self._data)

    def raw(self, count: int) -> bytes:
        """Bytes as they are."""
        if len(self._data) - self.at < count:
            raise StopError(Fault.U1, len(self._data))
        self.at += count
        return self._data[self.at - count : self.at]

    def _entity(self, most: int | None) -> bytes:
        start = self.at
        for place in range(start, len(self._data)):
            if place - start == most:
                raise StopError(Fault.U3, start)
            if self._data[place] & _STOP:
                self.at = place + 1
                return self._data[start : self.at]
        # An entity that is too long and cut is too long: its bytes were counted before the end came.
        if most is not None and len(self._data) - start >= most:
            raise StopError(Fault.U3, start)
        raise StopError(Fault.U1, start)

    def number(self, *, signed: bool) -> int:
        """An integer of up to 70 bits."""
        return self._number(signed=signed)

    def nullable(self, *, signed: bool) -> int | None:
        """The same, one lower from zero on; None for null."""
        value = self._number(signed=signed)
        if value < 0:
            return value
        return value - 1 if value else None

    def _number(self, *, signed: bool) -> int:
        entity = self._entity(ENTITY_BYTES)
        value = _gathered(entity)
        bits = _BITS * len(entity)
        negative = signed and bool(value >> (bits - 1))
        # Its first byte says nothing: without it the number, or the sign, were the same.
        rest = bits - _BITS
        if len(entity) > 1:
            head = value >> (rest - 1) if signed else value >> rest
            if head == (0xFF if negative else 0):
                self.counts[Fault.R6] += 1
        return value - (1 << bits if negative else 0)

    def pass_entity(self) -> bool:
        """Passes over bytes up to a stop bit; whether they are a null."""
        return not _gathered(self._entity(None))

    def ascii(self, *, nullable: bool) -> bytes | None:
        """Characters; None for null."""
        entity = self._entity(None)
        text = entity[:-1] + bytes([entity[-1] & ~_STOP])
        if text[0]:
            return text
        if text == b"\0":
            return None if nullable else b""
        text = text[1:]
        if nullable and text[0] == 0:
            text = text[1:]
        if text and text[0]:
            self.counts[Fault.R9] += 1
        return text

    def vector(self, *, nullable: bool) -> bytes | None:
        """Bytes behind their number; None for null."""
        start = self.at
        length = self.nullable(signed=False) if nullable else self.number(signed=False)
        if length is None:
            return None
        if length >= 1 << 32:
            raise StopError(Fault.D2, start)
        if length > len(self._data) - self.at:
            raise StopError(Fault.U1, start)
        return self.raw(length)

    def map(self) -> Map:
        """A presence map."""
        entity = self._entity(ENTITY_BYTES)
        if len(entity) > 1 and entity[-1] == _STOP:
            self.counts[Fault.R7] += 1
        return Map(_gathered(entity), _BITS * len(entity), self.counts)


def _gathered(entity: bytes) -> int:
    value = 0
    for byte in entity:
        value = value << _BITS | (byte & ~_STOP)
    return value
