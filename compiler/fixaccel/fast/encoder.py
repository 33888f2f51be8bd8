# SPDX-License-Identifier: Apache-2.0
"""The reference encoder: the shortest bytes that the templates allow for each message."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from fixaccel.fast import transfer
from fixaccel.fast.errors import EncodingError, Fault
from fixaccel.fast.layout import ENTITY_BYTES, REFERENCES
from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import (
    EXPONENTS,
    RANGES,
    Group,
    Item,
    Kind,
    Operator,
    Reference,
    Repeated,
    Scalar,
    Scaled,
    SplitDecimal,
    Value,
)
from fixaccel.fast.previous import INT64, Dictionaries, OperatorError, State

T = TypeVar("T")
_ARROW = " -> "  # in a path: what a dynamic reference names


class Encoder:
    """Encodes one channel's datagrams.

    ``needless`` is asked wherever bytes may stand that need not: a value in the stream that it could do without, an
    integer or a map that is longer than it need be. Decoders have to take them.
    """

    def __init__(self, *, reset_each_message: bool = False, needless: Callable[[], bool] = lambda: False) -> None:
        self._reset_each_message = reset_each_message
        self._needless = needless
        self._dictionaries = Dictionaries()
        self._id: int | None = None

    def datagram(self, messages: Iterable[Message]) -> bytes:
        """The messages one behind the other. Raises EncodingError."""
        data = bytearray()
        self._forget()
        for message in messages:
            if self._reset_each_message:
                self._forget()
            data += self._segment(message, "")
        return bytes(data)

    def _forget(self) -> None:
        self._dictionaries.reset()
        self._id = None

    def _segment(self, message: Message, path: str) -> bytes:
        number = message.template.id
        if number is None:
            raise EncodingError(path, f"template {message.template} has no identifier")
        bits, body = _Bits(), bytearray()
        bits.add(number != self._id or self._needless())
        if bits.last:
            body += self._padded(transfer.unsigned(number), signed=False)
            self._id = number
        if message.template.reset:
            self._dictionaries.reset()
        body += self._fields(message.template.items, message.fields, bits, path)
        return self._map(bits) + bytes(body)

    def _map(self, bits: "_Bits") -> bytes:
        data = transfer.presence_map(bits.all)
        if len(data) < ENTITY_BYTES and self._needless():
            data = data[:-1] + bytes([data[-1] & transfer.DATA, transfer.STOP])
        return data

    def _padded(self, entity: bytes, *, signed: bool) -> bytes:
        if len(entity) >= ENTITY_BYTES or not self._needless():
            return entity
        negative = signed and entity[0] & 0x40
        return bytes([transfer.DATA if negative else 0]) + entity

    def _signed(self, value: int, *, nullable: bool = False) -> bytes:
        return self._padded(transfer.signed(value, nullable=nullable), signed=True)

    def _fields(self, items: Sequence[Item], fields: Fields, bits: "_Bits", path: str) -> bytes:
        body = bytearray()
        for item in items:
            here = f"{path}.{item.label}" if path else item.label
            body += self._item(item, fields.get(item.label), bits, here)
        return bytes(body)

    def _item(self, item: Item, content: Content | None, bits: "_Bits", path: str) -> bytes:
        match item:
            case Scalar():
                return self._scalar(item, _value_of(content, path), bits, path)
            case SplitDecimal():
                return self._split(item, _as(content, (Scaled,), path), bits, path)
            case Group():
                return self._group(item, _as(content, (dict,), path), bits, path)
            case Repeated():
                return self._repeated(item, _as(content, (list,), path), bits, path)
            case Reference():
                if not isinstance(content, Message):
                    raise EncodingError(path, "a message must stand here")
                if path.count(_ARROW) >= REFERENCES:
                    raise EncodingError(path, Fault.U5.value)
                return self._segment(content, path + _ARROW)

    def _group(self, group: Group, fields: Fields | None, bits: "_Bits", path: str) -> bytes:
        if group.optional:
            bits.add(fields is not None)
            if fields is None:
                return b""
        return self._block(group.items, fields or {}, path, has_map=group.has_map)

    def _block(self, items: Sequence[Item], fields: Fields, path: str, *, has_map: bool) -> bytes:
        bits = _Bits()
        body = self._fields(items, fields, bits, path)
        return (self._map(bits) if has_map else b"") + body

    def _repeated(self, sequence: Repeated, elements: list[Fields] | None, bits: "_Bits", path: str) -> bytes:
        length = None if elements is None else len(elements)
        body = self._scalar(sequence.length, length, bits, f"{path} (length)")
        for at, element in enumerate(elements or []):
            body += self._block(sequence.items, element, f"{path}[{at}]", has_map=sequence.has_map)
        return body

    def _split(self, decimal: SplitDecimal, value: Scaled | None, bits: "_Bits", path: str) -> bytes:
        if value is None:
            return self._scalar(decimal.exponent, None, bits, path)
        _check(Kind.DECIMAL, value, path)
        body = self._scalar(decimal.exponent, value.exponent, bits, f"{path} (exponent)")
        return body + self._scalar(decimal.mantissa, value.mantissa, bits, f"{path} (mantissa)")

    def _scalar(self, field: Scalar, value: Value | None, bits: "_Bits", path: str) -> bytes:
        if value is None and field.operator is Operator.CONSTANT and not field.optional:
            return b""
        if value is None and not field.optional:
            raise EncodingError(path, "the field is mandatory")
        if value is not None:
            _check(field.kind, value, path)
        try:
            match field.operator:
                case Operator.NONE:
                    return self._value(field, value)
                case Operator.DELTA:
                    return self._delta(field, value, path)
                case Operator.CONSTANT:
                    return _constant(field, value, bits, path)
                case _:
                    return self._with_bit(field, value, bits, path)
        except OperatorError as fault:
            raise EncodingError(path, fault.fault.value) from None

    def _with_bit(self, field: Scalar, value: Value | None, bits: "_Bits", path: str) -> bytes:
        if not self._needless():
            with_entry = field.operator.has_entry
            before = self._dictionaries.get(field) if with_entry else None
            try:
                if self._dictionaries.implied(field) == value:
                    bits.add(False)
                    return b""
            except OperatorError:
                pass
            if before is not None:
                self._dictionaries.put(field, before)
        bits.add(True)
        if field.operator is Operator.TAIL and value is not None:
            assert isinstance(value, bytes)
            base = self._dictionaries.base(field)
            assert isinstance(base, bytes)
            data = self._value(field, _tail(base, value, path))
        else:
            data = self._value(field, value)
        if field.operator.has_entry:
            self._dictionaries.put(field, State.EMPTY if value is None else value)
        return data

    def _delta(self, field: Scalar, value: Value | None, path: str) -> bytes:
        if value is None:
            return transfer.NULL
        base = self._dictionaries.base(field)
        self._dictionaries.put(field, value)
        nullable = field.optional
        if isinstance(value, Scaled):
            assert isinstance(base, Scaled)
            first = self._signed(value.exponent - base.exponent, nullable=nullable)
            return first + self._signed(value.mantissa - base.mantissa)
        if isinstance(value, bytes):
            assert isinstance(base, bytes)
            subtraction, more = _difference(base, value)
            text = transfer.ascii_string(more) if field.kind is Kind.ASCII else transfer.vector(more)
            return self._signed(subtraction, nullable=nullable) + text
        assert isinstance(base, int), path
        return self._signed(value - base, nullable=nullable)

    def _value(self, field: Scalar, value: Value | None) -> bytes:
        nullable = field.optional
        if value is None:
            return transfer.NULL
        if isinstance(value, Scaled):
            return self._signed(value.exponent, nullable=nullable) + self._signed(value.mantissa)
        if isinstance(value, bytes):
            make = transfer.ascii_string if field.kind is Kind.ASCII else transfer.vector
            return make(value, nullable=nullable)
        if field.kind.is_signed:
            return self._signed(value, nullable=nullable)
        return self._padded(transfer.unsigned(value, nullable=nullable), signed=False)


class _Bits:
    """A presence map while it grows."""

    def __init__(self) -> None:
        self.all: list[bool] = []

    def add(self, bit: bool) -> None:
        self.all.append(bit)

    @property
    def last(self) -> bool:
        return self.all[-1]


def _as(content: Content | None, kinds: tuple[type[T], ...], path: str) -> T | None:
    if content is None or isinstance(content, kinds):
        return content
    raise EncodingError(path, f"this cannot stand here: {content!r}")


def _value_of(content: Content | None, path: str) -> Value | None:
    if content is None or isinstance(content, int | Scaled | bytes):
        return content
    raise EncodingError(path, f"this cannot stand here: {content!r}")


def _check(kind: Kind, value: Value, path: str) -> None:
    """Raises EncodingError for what the field's type cannot hold."""
    if kind is Kind.DECIMAL:
        fits = isinstance(value, Scaled) and EXPONENTS[0] <= value.exponent <= EXPONENTS[1]
        fits = fits and isinstance(value, Scaled) and INT64[0] <= value.mantissa <= INT64[1]
        what = "a decimal with an exponent from -63 to 63 and a mantissa of 64 bits"
    elif kind.is_bytes:
        fits = isinstance(value, bytes) and (kind is not Kind.ASCII or value.isascii())
        what = "ASCII text" if kind is Kind.ASCII else "bytes"
    else:
        low, high = RANGES[kind]
        fits = isinstance(value, int) and low <= value <= high
        what = f"a whole number from {low} to {high}"
    if not fits:
        raise EncodingError(path, f"it is {what}")


def _constant(field: Scalar, value: Value | None, bits: _Bits, path: str) -> bytes:
    if field.optional:
        bits.add(value is not None)
    if value is not None and value != field.initial:
        raise EncodingError(path, "it is a constant of another value")
    return b""


def _tail(base: bytes, value: bytes, path: str) -> bytes:
    if len(value) > len(base):
        return value
    if len(value) < len(base):
        raise EncodingError(path, f"a tail can make it no shorter than the {len(base)} bytes that it was")
    same = _common(base, value)
    return value[same:]


def _difference(base: bytes, value: bytes) -> tuple[int, bytes]:
    """What a delta takes away and puts in its place, at the end of the string where less has to be written."""
    front = _common(base, value)
    back = _common(base[::-1], value[::-1])
    if back > front:
        return -(len(base) - back) - 1, value[: len(value) - back]
    return len(base) - front, value[front:]


def _common(one: bytes, other: bytes) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
