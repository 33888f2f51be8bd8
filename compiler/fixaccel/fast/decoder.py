# SPDX-License-Identifier: Apache-2.0
"""The reference decoder: the standard's text, one sentence after the other. Slow and plain."""

from collections.abc import Iterable
from dataclasses import dataclass

from fixaccel.fast.errors import Counts, FastError, Fault
from fixaccel.fast.layout import MESSAGE_INSTRUMENTS, REFERENCES
from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import (
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
    Templates,
    Value,
)
from fixaccel.fast.observed import Observed
from fixaccel.fast.previous import (
    INT32,
    INT64,
    Dictionaries,
    OperatorError,
    State,
    check_exponent,
    plus_decimal,
    plus_integer,
    plus_string,
    with_tail,
)
from fixaccel.fast.transfer import PresenceMap, Reader


@dataclass(frozen=True)
class Datagram:
    """``messages`` are none where there is an ``error``: nothing of such a datagram counts."""

    messages: tuple[Message, ...]
    counts: Counts
    error: FastError | None = None


class Decoder:
    """Decodes one channel's datagrams. ``reset_each_message``: dictionaries are forgotten at each message.

    ``observed``: what names instruments, where it is known which of them the board is to hold.
    """

    def __init__(
        self, templates: Templates, *, reset_each_message: bool = False, observed: Observed | None = None
    ) -> None:
        self._templates = templates
        self._reset_each_message = reset_each_message
        self._observed = observed
        self._named: set[int | bytes] | None = None  # instruments of the message, where it is market data
        self._dictionaries = Dictionaries()
        self._id: int | None = None  # of the last message: identifiers are copied

    def datagram(self, data: bytes, skip: int = 0) -> Datagram:
        """All messages of ``data`` behind its first ``skip`` bytes. What other datagrams said is forgotten."""
        reader = Reader(data, at=skip)
        messages = []
        self._forget()
        try:
            if skip > len(data):
                raise FastError(Fault.U1, len(data))
            while not reader.at_end:
                if self._reset_each_message:
                    self._forget()
                messages.append(self._segment(reader, 0))
        except FastError as error:
            return Datagram((), reader.counts, error)
        return Datagram(tuple(messages), reader.counts)

    def _forget(self) -> None:
        self._dictionaries.reset()
        self._id = None

    def _segment(self, reader: Reader, depth: int) -> Message:
        """A map, an identifier and what it names."""
        outer = reader.template
        reader.template = None if depth == 0 else outer
        bits = reader.presence_map()
        start, number = reader.at, self._id
        if bits.take():
            number = self._id = reader.unsigned(nullable=False)
        if number is None:
            raise reader.fail(Fault.D5, start)
        template = self._templates.by_id.get(number)
        if template is None:
            raise reader.fail(Fault.D9, start)
        if template.reset:
            # The identifier is that of the message which asks for it, and stays.
            self._dictionaries.reset()
        reader.template = template.name.local
        if depth == 0:
            self._named = set() if self._observed and number in self._observed.templates else None
        fields = self._fields(template.items, bits, reader, depth)
        bits.close()
        reader.template = outer
        return Message(template, fields)

    def _fields(self, items: Iterable[Item], bits: PresenceMap, reader: Reader, depth: int) -> Fields:
        found: Fields = {}
        for item in items:
            with reader.reading(item.label):
                content = self._item(item, bits, reader, depth)
            if content is not None:
                found[item.label] = content
        return found

    def _item(self, item: Item, bits: PresenceMap, reader: Reader, depth: int) -> Content | None:
        match item:
            case Scalar():
                start = reader.at
                value = self._scalar(item, bits, reader)
                self._name(item, value, reader, start)
                return value
            case SplitDecimal():
                return self._split(item, bits, reader)
            case Group():
                return self._group(item, bits, reader, depth)
            case Repeated():
                return self._repeated(item, bits, reader, depth)
            case Reference():
                if depth >= REFERENCES:
                    raise reader.fail(Fault.U5, reader.at)
                return self._segment(reader, depth + 1)

    def _name(self, item: Scalar, value: Value | None, reader: Reader, start: int) -> None:
        """Takes note of an instrument of the venue."""
        if self._observed and self._named is not None and self._observed.names(item) and value in self._observed.known:
            assert isinstance(value, int | bytes)
            self._named.add(value)
            if len(self._named) > MESSAGE_INSTRUMENTS:
                raise reader.fail(Fault.U4, start)

    def _group(self, group: Group, bits: PresenceMap, reader: Reader, depth: int) -> Fields | None:
        if group.optional and not bits.take():
            return None
        return self._block(group.items, reader, depth, has_map=group.has_map)

    def _block(self, items: Iterable[Item], reader: Reader, depth: int, *, has_map: bool) -> Fields:
        inner = reader.presence_map() if has_map else PresenceMap(0, 0, reader.counts)
        fields = self._fields(items, inner, reader, depth)
        inner.close()
        return fields

    def _repeated(self, sequence: Repeated, bits: PresenceMap, reader: Reader, depth: int) -> list[Fields] | None:
        length = self._scalar(sequence.length, bits, reader)
        if length is None:
            return None
        assert isinstance(length, int)
        return [self._block(sequence.items, reader, depth, has_map=sequence.has_map) for _ in range(length)]

    def _split(self, decimal: SplitDecimal, bits: PresenceMap, reader: Reader) -> Scaled | None:
        start = reader.at
        exponent = self._scalar(decimal.exponent, bits, reader)
        if exponent is None:
            return None
        assert isinstance(exponent, int)
        try:
            check_exponent(exponent)
        except OperatorError as fault:
            raise reader.fail(fault.fault, start) from None
        mantissa = self._scalar(decimal.mantissa, bits, reader)
        assert isinstance(mantissa, int)
        return Scaled(exponent, mantissa)

    def _scalar(self, field: Scalar, bits: PresenceMap, reader: Reader) -> Value | None:
        """The field's value; None where it is absent."""
        start = reader.at
        try:
            match field.operator:
                case Operator.NONE:
                    return _value(field, reader)
                case Operator.DELTA:
                    return self._delta(field, reader)
                case Operator.CONSTANT:
                    return field.initial if not field.optional or bits.take() else None
                case _:
                    if not bits.take():
                        return self._dictionaries.implied(field)
                    return self._given(field, reader)
        except OperatorError as fault:
            raise reader.fail(fault.fault, start) from None

    def _given(self, field: Scalar, reader: Reader) -> Value | None:
        """What the stream has for a field whose bit is set."""
        value = _value(field, reader)
        if field.operator is Operator.DEFAULT:
            return value
        if value is not None and field.operator is Operator.TAIL:
            base = self._dictionaries.base(field)
            assert isinstance(base, bytes)
            assert isinstance(value, bytes)
            value = with_tail(base, value)
        self._dictionaries.put(field, State.EMPTY if value is None else value)
        return value

    def _delta(self, field: Scalar, reader: Reader) -> Value | None:
        first = reader.signed(nullable=field.optional)
        if first is None:
            return None
        more = _delta_rest(field, reader)
        base = self._dictionaries.base(field)
        value: Value
        if isinstance(base, Scaled):
            assert isinstance(more, int)
            value = plus_decimal(base, first, more)
        elif isinstance(base, bytes):
            assert isinstance(more, bytes)
            value = plus_string(base, first, more)
        else:
            value = plus_integer(base, first, field.kind)
        self._dictionaries.put(field, value)
        return value


def _delta_rest(field: Scalar, reader: Reader) -> int | bytes | None:
    """What follows the first integer of a delta."""
    if field.kind is Kind.DECIMAL:
        return reader.signed(nullable=False)
    if field.kind is Kind.ASCII:
        return reader.ascii(nullable=False)
    return reader.vector(nullable=False) if field.kind.is_bytes else None


def _value(field: Scalar, reader: Reader) -> Value | None:
    """A value as it stands in the stream; None for null."""
    nullable = field.optional
    if field.kind is Kind.ASCII:
        return reader.ascii(nullable=nullable)
    if field.kind.is_bytes:
        return reader.vector(nullable=nullable)
    if field.kind is Kind.DECIMAL:
        exponent = _bounded(reader, INT32, nullable=nullable)
        if exponent is None:
            return None
        mantissa = _bounded(reader, INT64, nullable=False)
        assert mantissa is not None
        return Scaled(check_exponent(exponent), mantissa)
    return _bounded(reader, RANGES[field.kind], nullable=nullable, signed=field.kind.is_signed)


def _bounded(reader: Reader, bounds: tuple[int, int], *, nullable: bool, signed: bool = True) -> int | None:
    start = reader.at
    value = reader.signed(nullable=nullable) if signed else reader.unsigned(nullable=nullable)
    if value is not None and not bounds[0] <= value <= bounds[1]:
        raise reader.fail(Fault.D2, start)
    return value
