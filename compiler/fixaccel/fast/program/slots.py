# SPDX-License-Identifier: Apache-2.0
"""Slots for previous and initial values, handed out in the order in which fields ask."""

from typing import TypeVar

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Report
from fixaccel.fast.layout import KEPT_BYTES
from fixaccel.fast.model import Key, Scalar, Scaled
from fixaccel.fast.program.program import Limits

V = TypeVar("V", Scaled, bytes)
_MASK = (1 << 64) - 1


class Slots:
    """Numbers and strings have slots of their own; each slot has room for a previous and an initial value."""

    def __init__(self, limits: Limits, report: Report) -> None:
        self._most = {False: limits.numbers, True: limits.strings}
        self._report = report
        self._entries: dict[Key, int] = {}
        self.used = {False: 0, True: 0}
        self.numbers: dict[int, Scaled] = {}
        self.strings: dict[int, bytes] = {}

    def entry(self, field: Scalar) -> int:
        """The slot of the previous value that ``field`` shares with all of its key."""
        assert field.key
        if field.key not in self._entries:
            self._entries[field.key] = self._new(field)
        return self._entries[field.key]

    def initial(self, field: Scalar, slot: int | None = None) -> int:
        """The slot in which the initial value of ``field`` stands: ``slot`` if it can, else another."""
        assert field.initial is not None
        value = field.initial
        if isinstance(value, bytes):
            if len(value) > KEPT_BYTES:
                message = f"the value has {len(value)} bytes, and a program keeps {KEPT_BYTES} of a string"
                way_out = "it can be decoded by `fixaccel fast decode`, but not by a program"
                self._report.add(codes.PROGRAM_CAPACITY, message, field.span, help=way_out)
                return 0
            return self._placed(self.strings, value, field, slot)
        number = as_row(value)
        return self._placed(self.numbers, number, field, slot)

    def _placed(self, rows: dict[int, V], value: V, field: Scalar, slot: int | None) -> int:
        if slot is not None and rows.setdefault(slot, value) == value:
            return slot
        for at, other in rows.items():
            if other == value:
                return at
        at = self._new(field)
        rows[at] = value
        return at

    def _new(self, field: Scalar) -> int:
        text = field.kind.is_bytes
        slot, most = self.used[text], self._most[text]
        self.used[text] += 1
        if slot == most:
            what = "strings" if text else "numbers"
            message = f"this needs one more slot for {what} than the {most} that there are"
            way_out = "each previous value and each initial value takes one; fields that nobody wants take none"
            self._report.add(codes.PROGRAM_CAPACITY, message, field.span, help=way_out)
        return min(slot, most - 1)


def as_row(value: int | Scaled) -> Scaled:
    """A number as it stands in a row: its mantissa without a sign, modulo 2^64."""
    exponent, mantissa = value if isinstance(value, Scaled) else (0, value)
    return Scaled(exponent, mantissa & _MASK)
