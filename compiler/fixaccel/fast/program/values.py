# SPDX-License-Identifier: Apache-2.0
"""Values of fields: their types, their operators, and the slots in which previous values stand."""

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from fixaccel.fast.errors import Fault
from fixaccel.fast.layout import KEPT_BYTES
from fixaccel.fast.model import EXPONENTS, Operator, Scaled
from fixaccel.fast.program.cursor import Cursor, Map, StopError
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import FieldWord, InitialWord, Type

_BOUNDS = {
    Type.INT32: (-(1 << 31), (1 << 31) - 1),
    Type.UINT32: (0, (1 << 32) - 1),
    Type.INT64: (-(1 << 63), (1 << 63) - 1),
    Type.UINT64: (0, (1 << 64) - 1),
    Type.EXPONENT: (-(1 << 31), (1 << 31) - 1),
    Type.MANTISSA: (-(1 << 63), (1 << 63) - 1),
    Type.LENGTH: (0, (1 << 32) - 1),
}

Value: TypeAlias = int | Scaled | bytes


class _State(Enum):
    UNDEFINED = 0
    EMPTY = 1


@dataclass
class Slots:
    """Previous values of a datagram, and what the word before has left for the next."""

    cursor: Cursor
    map: Map | None = None
    exponent: int = 0
    absent: bool = False  # the exponent or length just read
    length: int = 0
    numbers: dict[int, Scaled | _State] = field(default_factory=dict)
    strings: dict[int, bytes | _State] = field(default_factory=dict)

    def forget(self) -> None:
        """Makes every previous value undefined."""
        self.numbers.clear()
        self.strings.clear()


class Values:
    """Reads fields as their words say."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def read(self, run: Slots, at: int, word: FieldWord) -> Value | None:
        """What the field at address ``at`` says; None where it is absent, or passed over. Raises StopError."""
        if word.type is Type.MANTISSA and run.absent:
            return None
        byte = run.cursor.at
        given = self._is_given(run, word)
        if word.passed:
            if given:
                _pass(run.cursor, word)
            return None
        try:
            value = self._value(run, at, word) if given else self._implied(run, at, word)
        except _OperatorError as wrong:
            raise StopError(wrong.fault, byte) from None
        if word.type in {Type.EXPONENT, Type.LENGTH}:
            run.absent = value is None
        if value is None:
            return None
        match word.type:
            case Type.EXPONENT:
                assert isinstance(value, int)
                if not EXPONENTS[0] <= value <= EXPONENTS[1]:
                    raise StopError(Fault.R1, byte)
                run.exponent = value
            case Type.LENGTH:
                assert isinstance(value, int)
                run.length = value
            case Type.MANTISSA:
                assert isinstance(value, int)
                value = Scaled(run.exponent, value)
        return value

    @staticmethod
    def _is_given(run: Slots, word: FieldWord) -> bool:
        """Whether the stream has it. Of an optional constant: whether it is there."""
        if word.takes_bit:
            assert run.map
            return run.map.take()
        return True

    def _value(self, run: Slots, at: int, word: FieldWord) -> Value | None:
        """A field that the stream has, or a constant."""
        match word.operator:
            case Operator.CONSTANT:
                return self._initial(at, word)
            case Operator.NONE | Operator.DEFAULT:
                return _read(run.cursor, word)
            case Operator.DELTA:
                return self._delta(run, at, word)
        value = _read(run.cursor, word)
        if value is not None and word.operator is Operator.TAIL:
            assert isinstance(value, bytes)
            value = _with_tail(self._base(run, at, word), value)
        _keep(run, word, value)
        return value

    def _implied(self, run: Slots, at: int, word: FieldWord) -> Value | None:
        """A field that takes a bit, and the bit is 0."""
        initial = self._initial(at, word)
        if word.operator is Operator.CONSTANT:
            return None
        if word.operator is Operator.DEFAULT:
            return initial
        tail = word.operator is Operator.TAIL
        state = _slot(run, word)
        if state is _State.UNDEFINED:
            if initial is None and not word.optional:
                raise _OperatorError(Fault.D6 if tail else Fault.D5)
            _keep(run, word, initial)
            return initial
        if state is _State.EMPTY:
            if not word.optional:
                raise _OperatorError(Fault.D7 if tail else Fault.D6)
            return None
        value = _typed(word, state)
        if word.operator is Operator.INCREMENT:
            assert isinstance(value, int)
            low, high = _BOUNDS[word.type]
            value = low if value == high else value + 1
            _keep(run, word, value)
        return value

    def _base(self, run: Slots, at: int, word: FieldWord) -> Value:
        state = _slot(run, word)
        if state is _State.EMPTY and word.operator is Operator.DELTA:
            raise _OperatorError(Fault.D6)
        if not isinstance(state, _State):
            return _typed(word, state)
        initial = self._initial(at, word)
        if initial is not None:
            return initial
        if word.type is Type.DECIMAL:
            return Scaled(0, 0)
        return b"" if word.type.is_text else 0

    def _delta(self, run: Slots, at: int, word: FieldWord) -> Value | None:
        cursor = run.cursor
        first = cursor.nullable(signed=True) if word.optional else cursor.number(signed=True)
        if first is None:
            return None
        value: Value
        match word.type:
            case Type.DECIMAL:
                more = cursor.number(signed=True)
                base = self._base(run, at, word)
                assert isinstance(base, Scaled)
                exponent = _sum(base.exponent, first, EXPONENTS)
                value = Scaled(exponent, _sum(base.mantissa, more, _BOUNDS[Type.INT64]))
            case Type.ASCII | Type.BYTES:
                text = cursor.ascii(nullable=False) if word.type is Type.ASCII else cursor.vector(nullable=False)
                assert text is not None
                value = _spliced(self._base(run, at, word), first, text)
            case _:
                number = self._base(run, at, word)
                assert isinstance(number, int)
                value = _sum(number, first, _BOUNDS[word.type], Fault.R4)
        _keep(run, word, value)
        return value

    def _initial(self, at: int, word: FieldWord) -> Value | None:
        if not word.initial:
            return None
        slot = word.slot
        if word.apart:
            named = self._program.words[at + 1]
            assert isinstance(named, InitialWord)
            slot = named.slot
        if word.type.is_text:
            return self._program.initial_strings.get(slot, b"")
        return _typed(word, self._program.initial_numbers.get(slot, Scaled(0, 0)))


class _OperatorError(Exception):
    """A fault of the byte at which its field begins."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def _slot(run: Slots, word: FieldWord) -> Scaled | bytes | _State:
    slots: dict[int, Scaled | bytes | _State] = run.strings if word.type.is_text else run.numbers  # type: ignore[assignment]
    return slots.get(word.slot, _State.UNDEFINED)


def _keep(run: Slots, word: FieldWord, value: Value | None) -> None:
    if word.type.is_text:
        assert value is None or isinstance(value, bytes)
        if value is not None and len(value) > KEPT_BYTES:
            raise _OperatorError(Fault.U2)
        run.strings[word.slot] = _State.EMPTY if value is None else value
    elif value is None:
        run.numbers[word.slot] = _State.EMPTY
    else:
        exponent, mantissa = value if isinstance(value, Scaled) else (0, value)
        assert isinstance(mantissa, int)
        run.numbers[word.slot] = Scaled(exponent, mantissa & ((1 << 64) - 1))


def _typed(word: FieldWord, kept: Scaled | bytes) -> Value:
    """What a slot holds as the field's type reads it: 64 bits, with a sign or without."""
    if isinstance(kept, bytes):
        return kept
    mantissa = kept.mantissa
    if not word.type.is_unsigned and mantissa >> 63:
        mantissa -= 1 << 64
    if word.type is Type.DECIMAL:
        return Scaled(kept.exponent, mantissa)
    return mantissa


def _read(cursor: Cursor, word: FieldWord) -> Value | None:
    """A value as it stands in the stream; None for null."""
    if word.type is Type.ASCII:
        return cursor.ascii(nullable=word.optional)
    if word.type is Type.BYTES:
        return cursor.vector(nullable=word.optional)
    if word.type is Type.DECIMAL:
        exponent = _bounded(cursor, Type.INT32, optional=word.optional)
        if exponent is None:
            return None
        mantissa = _bounded(cursor, Type.INT64, optional=False)
        assert mantissa is not None
        if not EXPONENTS[0] <= exponent <= EXPONENTS[1]:
            raise _OperatorError(Fault.R1)
        return Scaled(exponent, mantissa)
    return _bounded(cursor, word.type, optional=word.optional)


def _bounded(cursor: Cursor, kind: Type, *, optional: bool) -> int | None:
    byte, signed = cursor.at, not kind.is_unsigned
    value = cursor.nullable(signed=signed) if optional else cursor.number(signed=signed)
    if value is not None and not _BOUNDS[kind][0] <= value <= _BOUNDS[kind][1]:
        raise StopError(Fault.D2, byte)
    return value


def _pass(cursor: Cursor, word: FieldWord) -> None:
    """The bytes of a field that nobody wants and whose length depends on what it says."""
    if word.operator is Operator.CONSTANT:
        return
    delta = word.operator is Operator.DELTA
    if word.type in {Type.DECIMAL, Type.ASCII, Type.BYTES} and (delta or word.type is Type.DECIMAL):
        null = cursor.pass_entity()
        if word.optional and null:
            return
    if word.type is Type.BYTES:
        cursor.vector(nullable=word.optional and not delta)
    else:
        cursor.pass_entity()


def _sum(base: int, delta: int, bounds: tuple[int, int], fault: Fault = Fault.R1) -> int:
    if not bounds[0] <= base + delta <= bounds[1]:
        raise _OperatorError(fault)
    return base + delta


def _spliced(base: Value, subtraction: int, text: bytes) -> bytes:
    assert isinstance(base, bytes)
    away = ~subtraction if subtraction < 0 else subtraction
    if away > len(base):
        raise _OperatorError(Fault.D7)
    return text + base[away:] if subtraction < 0 else base[: len(base) - away] + text


def _with_tail(base: Value, tail: bytes) -> bytes:
    assert isinstance(base, bytes)
    return base[: max(0, len(base) - len(tail))] + tail
