# SPDX-License-Identifier: Apache-2.0
"""What can be wrong in a stream: the standard's codes (D, R) and our own (U)."""

from collections import Counter
from enum import Enum


class Fault(Enum):
    """A code and what it says. A fatal one ends the datagram: nothing of it counts."""

    D2 = "an integer does not fit its type"
    D5 = "a mandatory field is not in the stream and has neither a previous nor an initial value"
    D6 = "a mandatory field is not in the stream and its previous value is empty"
    D7 = "a delta takes away more than there is, or a mandatory tail has nothing to stand on"
    D9 = "no template has this identifier"
    R1 = "a decimal's exponent is outside -63..63, or its mantissa outside 64 bits"
    R4 = "a sum does not fit its type"
    U1 = "the datagram ends inside a message"
    U2 = "a string that is kept is longer than the board holds"
    U3 = "an integer or a presence map is longer than ten bytes"
    U4 = "a message of market data names more of the venue's instruments than the board holds"
    U5 = "references stand in each other deeper than the board holds"
    R6 = "an integer is longer than it need be"
    R7 = "a presence map is longer than it need be"
    R8 = "a presence map has bits that nothing uses"
    R9 = "a string has a needless zero in front"

    @property
    def fatal(self) -> bool:
        """Whether the datagram ends with it; the others are counted, and decoding goes on with what stands there."""
        return self not in _COUNTED


_COUNTED = frozenset({Fault.R6, Fault.R7, Fault.R8, Fault.R9})


class FastError(Exception):
    """A fatal fault. ``at`` is the byte of the datagram, from 0, where the entity that shows it begins."""

    def __init__(self, fault: Fault, at: int, template: str | None = None, field: str | None = None) -> None:
        super().__init__(fault, at, template, field)
        assert fault.fatal, fault
        self.fault, self.at, self.template, self.field = fault, at, template, field

    def __str__(self) -> str:
        where = f"byte {self.at}"
        if self.template is not None:
            where += f", template {self.template}"
        if self.field is not None:
            where += f", field {self.field}"
        return f"{self.fault.name}: {self.fault.value} ({where})"


class EncodingError(Exception):
    """A message that its template cannot carry; ``path`` leads to the field (names and element numbers)."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path


Counts = Counter[Fault]  # of what was counted and not fatal
