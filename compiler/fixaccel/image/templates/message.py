# SPDX-License-Identifier: Apache-2.0
"""Order messages as a venue reads them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from fixaccel.image.templates.template import SOH, before_checksum, fix_sum
from fixaccel.values import decimal_text, parse_decimal

_SIDES = {"1": "buy", "2": "sell"}
_TYPES = {"1": "market", "2": "limit"}


class MessageError(ValueError):
    """A message that no venue would take."""


@dataclass(frozen=True)
class ReadOrder:
    """An order as its FIX text says, in the words of the results."""

    seq_num: int
    cl_ord_id: str
    symbol: str
    side: str
    qty: int
    type: str
    price: str


def utc_text(time_ns: int) -> str:
    """``YYYYMMDD-HH:MM:SS.mmm``, milliseconds cut off."""
    seconds, rest = divmod(time_ns, 10**9)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return f"{moment:%Y%m%d-%H:%M:%S}.{rest // 10**6:03d}"


def fields_of(message: bytes) -> list[tuple[int, str]]:
    """Tags and values of one whole message, framing checked. Raises MessageError."""
    if not message.endswith(SOH):
        raise MessageError("the message does not end with SOH")
    fields: list[tuple[int, str]] = []
    for item in message[:-1].split(SOH):
        tag, equals, value = item.partition(b"=")
        if not equals or not tag.isdigit() or not value:
            raise MessageError(f"{item!r} is not a FIX field")
        fields.append((int(tag), value.decode("latin-1")))
    if [tag for tag, _ in fields[:3]] != [8, 9, 35] or fields[-1][0] != 10:
        raise MessageError("the message does not begin with 8, 9, 35 and end with 10")
    covered = before_checksum(message)
    start = message.index(SOH, message.index(SOH) + 1) + 1
    if int(fields[1][1]) != len(covered) - start:
        raise MessageError(f"BodyLength {fields[1][1]}, the body has {len(covered) - start} bytes")
    if fields[-1][1] != f"{fix_sum(covered):03d}":
        raise MessageError(f"CheckSum {fields[-1][1]}, the bytes have {fix_sum(covered):03d}")
    return fields


def read_order(message: bytes) -> ReadOrder:
    """Checks and reads a NewOrderSingle. Raises MessageError."""
    fields = fields_of(message)
    tags = [tag for tag, _ in fields]
    if len(set(tags)) != len(tags):
        raise MessageError(f"a tag stands twice in {message!r}")
    values = dict(fields)
    missing = [tag for tag in (11, 21, 34, 38, 40, 49, 52, 54, 55, 56, 59, 60) if tag not in values]
    if missing or values[35] != "D":
        raise MessageError(f"not a whole NewOrderSingle, tags {missing} are missing: {message!r}")
    price = parse_decimal(values[44]) if 44 in values else None
    if values[40] not in _TYPES or values[54] not in _SIDES or (price is None) is (_TYPES[values[40]] == "limit"):
        raise MessageError(f"side, type and price do not go together: {message!r}")
    return ReadOrder(
        seq_num=int(values[34]),
        cl_ord_id=values[11],
        symbol=values[55],
        side=_SIDES[values[54]],
        qty=int(values[38]),
        type=_TYPES[values[40]],
        price="" if price is None else decimal_text(price),
    )
