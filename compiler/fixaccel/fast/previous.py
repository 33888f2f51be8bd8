# SPDX-License-Identifier: Apache-2.0
"""Previous values, and what operators make of them: the part that decoder and encoder have in common."""

from enum import Enum
from typing import TypeAlias

from fixaccel.fast.errors import Fault
from fixaccel.fast.layout import KEPT_BYTES
from fixaccel.fast.model import EXPONENTS, RANGES, Key, Kind, Operator, Scalar, Scaled, Value

INT32 = RANGES[Kind.INT32]
INT64 = RANGES[Kind.INT64]


class State(Enum):
    """Of an entry without a value."""

    UNDEFINED = "undefined"
    EMPTY = "empty"


Previous: TypeAlias = Value | State


class OperatorError(Exception):
    """What an operator may not do; the caller knows where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class Dictionaries:
    """All entries of all dictionaries."""

    def __init__(self) -> None:
        self._entries: dict[Key, Previous] = {}

    def reset(self) -> None:
        """Makes every entry undefined."""
        self._entries.clear()

    def get(self, field: Scalar) -> Previous:
        """The previous value that ``field`` sees."""
        assert field.key
        return self._entries.get(field.key, State.UNDEFINED)

    def put(self, field: Scalar, value: Previous) -> None:
        """Makes ``value`` the previous one. Raises OperatorError if it is too long to be kept."""
        assert field.key
        if isinstance(value, bytes) and len(value) > KEPT_BYTES:
            raise OperatorError(Fault.U2)
        self._entries[field.key] = value

    def implied(self, field: Scalar) -> Value | None:
        """The value of ``field`` where the stream has none for it, which becomes the previous one; None: absent.

        For operators that take a bit. Raises OperatorError.
        """
        if field.operator in {Operator.CONSTANT, Operator.DEFAULT}:
            return field.initial
        previous = self.get(field)
        if previous is State.UNDEFINED:
            if field.initial is None and not field.optional:
                raise OperatorError(Fault.D6 if field.operator is Operator.TAIL else Fault.D5)
            self.put(field, State.EMPTY if field.initial is None else field.initial)
            return field.initial
        if previous is State.EMPTY:
            if not field.optional:
                raise OperatorError(Fault.D7 if field.operator is Operator.TAIL else Fault.D6)
            return None
        assert not isinstance(previous, State)
        if field.operator is Operator.INCREMENT:
            assert isinstance(previous, int)
            low, high = RANGES[field.kind]
            previous = low if previous == high else previous + 1
            self.put(field, previous)
        return previous

    def base(self, field: Scalar) -> Value:
        """What a delta or a tail stands on. Raises OperatorError."""
        previous = self.get(field)
        if previous is State.EMPTY and field.operator is Operator.DELTA:
            raise OperatorError(Fault.D6)
        if not isinstance(previous, State):
            return previous
        if field.initial is not None:
            return field.initial
        if field.kind is Kind.DECIMAL:
            return Scaled(0, 0)
        return b"" if field.kind.is_bytes else 0


def check_exponent(exponent: int) -> int:
    """It, if it is one. Raises OperatorError."""
    if not EXPONENTS[0] <= exponent <= EXPONENTS[1]:
        raise OperatorError(Fault.R1)
    return exponent


def plus_integer(base: int, delta: int, kind: Kind) -> int:
    """Their sum, if it fits. Raises OperatorError."""
    low, high = RANGES[kind]
    if not low <= base + delta <= high:
        raise OperatorError(Fault.R4)
    return base + delta


def plus_decimal(base: Scaled, exponent: int, mantissa: int) -> Scaled:
    """Both parts added. Raises OperatorError."""
    check_exponent(base.exponent + exponent)
    if not INT64[0] <= base.mantissa + mantissa <= INT64[1]:
        raise OperatorError(Fault.R1)
    return Scaled(base.exponent + exponent, base.mantissa + mantissa)


def plus_string(base: bytes, subtraction: int, more: bytes) -> bytes:
    """``base`` with ``subtraction`` bytes less and ``more`` in their place: at its end, at its front where negative.

    A negative subtraction is one less than what it takes away. Raises OperatorError.
    """
    away = subtraction if subtraction >= 0 else -subtraction - 1
    if not INT32[0] <= subtraction <= INT32[1] or away > len(base):
        raise OperatorError(Fault.D7)
    return base[: len(base) - away] + more if subtraction >= 0 else more + base[away:]


def with_tail(base: bytes, tail: bytes) -> bytes:
    """``tail`` in place of as many bytes at the end of ``base``, of all if it is longer."""
    return base[: max(len(base) - len(tail), 0)] + tail
