# SPDX-License-Identifier: Apache-2.0
"""Prepared FIX messages: literal bytes and patches, and the sums of what is static in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.language.orders import Order
from fixaccel.language.terms import OrderType, Session, Side, TimeInForce

SOH = b"\x01"

SIDE_CODES = {Side.BUY: "1", Side.SELL: "2"}
TYPE_CODES = {OrderType.MARKET: "1", OrderType.LIMIT: "2"}
TIF_CODES = {TimeInForce.DAY: "0", TimeInForce.GTC: "1", TimeInForce.IOC: "3", TimeInForce.FOK: "4"}


class Patched(Enum):
    """What the fabric writes into a message; the value is the hwmap's name for it, after ``patch_``."""

    SEQ_NUM = "seq_num"
    TIME = "time"
    CL_ORD_ID = "cl_ord_id"
    CHECKSUM = "checksum"
    PRICE = "price"
    QTY = "qty"
    SYMBOL = "symbol"

    @property
    def chars(self) -> str:
        """The hwmap's constant for its width; of a price or a symbol the most that it can have."""
        return f"{self.value}_text_chars" if self in {Patched.PRICE, Patched.QTY} else f"{self.value}_chars"


@dataclass(frozen=True)
class Patch:
    """``chars`` characters that are written when the order leaves."""

    what: Patched
    chars: int


Part = bytes | Patch


@dataclass(frozen=True)
class Template:
    """A whole message, 8= to the SOH behind CheckSum(10). Equal templates are shared."""

    parts: tuple[Part, ...]

    @property
    def length(self) -> int:
        """Bytes of the message; constant, as every patch has a fixed width."""
        return sum(_length(part) for part in self.parts)

    def offsets(self, what: Patched) -> list[int]:
        """Where each patch of ``what`` starts."""
        found, offset = [], 0
        for part in self.parts:
            if isinstance(part, Patch) and part.what is what:
                found.append(offset)
            offset += _length(part)
        return found

    def fill(self, texts: Mapping[Patched, bytes]) -> bytes:
        """The message with patches taken from ``texts``, others as zero bytes."""
        return b"".join(
            part if isinstance(part, bytes) else texts.get(part.what, b"").ljust(part.chars, b"\0")[: part.chars]
            for part in self.parts
        )


def new_order_single(order: Order, symbol_chars: int, session: Session, price_chars: int, hwmap: Hwmap) -> Template:
    """NewOrderSingle for ``order``; ``price_chars`` is the width of Price(44) of a limit order."""

    def patch(what: Patched) -> Patch:
        return Patch(what, hwmap.constant(what.chars))

    time = patch(Patched.TIME)
    fields: list[tuple[int, str | Patch]] = [
        (35, "D"),
        (34, patch(Patched.SEQ_NUM)),
        (49, session.sender_comp_id),
        (52, time),
        (56, session.target_comp_id),
    ]
    if order.account is not None:
        fields.append((1, order.account))
    fields += [
        (11, patch(Patched.CL_ORD_ID)),
        (21, "1"),  # automated execution, no broker intervention
        (38, patch(Patched.QTY)),
        (40, TYPE_CODES[order.type]),
    ]
    if order.price is not None:
        fields.append((44, Patch(Patched.PRICE, price_chars)))
    fields += [
        (54, SIDE_CODES[order.side]),
        (55, Patch(Patched.SYMBOL, symbol_chars)),
        (59, TIF_CODES[order.tif]),
        (60, time),
    ]
    fields += sorted(order.fields.items())
    body = [part for tag, value in fields for part in _field(tag, value)]
    size = sum(_length(part) for part in body)
    head = [*_field(8, session.begin_string), *_field(9, str(size))]
    trailer = _field(10, patch(Patched.CHECKSUM))
    return Template(_joined([*head, *body, *trailer]))


def tcp_sum(data: bytes) -> int:
    """One's complement sum of 16-bit big-endian words, an odd last byte padded with zero."""
    data += b"\0" * (len(data) % 2)
    total = sum(int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def fix_sum(data: bytes) -> int:
    """CheckSum(10) of ``data``: the sum of its bytes modulo 256."""
    return sum(data) % 256


def before_checksum(message: bytes) -> bytes:
    """The bytes of ``message`` that CheckSum(10) covers. Raises ValueError if it has none."""
    return message[: message.rindex(SOH + b"10=") + 1]


def _field(tag: int, value: str | Patch) -> Sequence[Part]:
    if isinstance(value, Patch):
        return (f"{tag}=".encode("ascii"), value, SOH)
    return (f"{tag}={value}".encode("ascii") + SOH,)


def _joined(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Neighbouring literals as one."""
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, bytes) and joined and isinstance(joined[-1], bytes):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


def _length(part: Part) -> int:
    return len(part) if isinstance(part, bytes) else part.chars
