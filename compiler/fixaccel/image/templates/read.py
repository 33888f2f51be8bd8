# SPDX-License-Identifier: Apache-2.0
"""One template read back: its fields, where the fabric writes into it, and the sums of its literals."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.templates.template import SIDE_CODES, SOH, TIF_CODES, TYPE_CODES, Patched
from fixaccel.image.unpack.read_error import require
from fixaccel.language.codes import ORDER_TYPES, SIDES
from fixaccel.language.terms import OrderType, TimeInForce

# Tag -> what the fabric writes there.
_PATCHES = {
    b"34": Patched.SEQ_NUM,
    b"52": Patched.TIME,
    b"60": Patched.TIME,
    b"11": Patched.CL_ORD_ID,
    b"38": Patched.QTY,
    b"44": Patched.PRICE,
    b"10": Patched.CHECKSUM,
    b"55": Patched.SYMBOL,
}
# Field of a template's shape -> the tag that it speaks of.
PARITIES = {
    "seq_num_odd": b"34",
    "sending_time_odd": b"52",
    "transact_time_odd": b"60",
    "cl_ord_id_odd": b"11",
}
_VARYING = {Patched.PRICE, Patched.SYMBOL}  # as wide as the template says
_PATCH = 0x100  # set in a cell that is patched
_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_SIDES = {code.encode(): SIDES.index(side) for side, code in SIDE_CODES.items()}
_TYPES = {code.encode(): ORDER_TYPES.index(kind) for kind, code in TYPE_CODES.items()}
_TIFS = {code.encode(): tif for tif, code in TIF_CODES.items()}
_RESTING = {TimeInForce.DAY, TimeInForce.GTC}


@dataclass(frozen=True)
class ReadTemplate:
    """A template as its bytes tell it. ``_at`` are offsets, 0 where it has no price."""

    symbol_at: int
    symbol_chars: int
    side: int
    type: int
    rests: int  # 1: the venue keeps such an order
    price_at: int
    price_chars: int
    qty_at: int
    tcp_sum: int  # of the literals in 16-bit big-endian words, not folded
    fix_sum: int
    parities: Mapping[str, int]  # what its shape must say
    literals: bytes  # the whole message, zero where it is patched

    def filled(self, price: bytes, qty: bytes, symbol: bytes) -> bytes:
        """The message with what stands in an order record and in the instrument's symbol."""
        message = bytearray(self.literals)
        message[self.price_at : self.price_at + self.price_chars] = price[: self.price_chars]
        message[self.qty_at : self.qty_at + len(qty)] = qty
        message[self.symbol_at : self.symbol_at + self.symbol_chars] = symbol[: self.symbol_chars]
        return bytes(message)


def read_template(cells: npt.NDArray[np.int64], layout: Layout) -> ReadTemplate:
    """From the cells of a whole message (a literal, or a patch code with `_PATCH`). Raises ImageReadError."""
    literals = np.where(cells < _PATCH, cells, 0).astype(np.uint8).tobytes()
    # Patched characters stand for themselves in no field: any that is not where it must be breaks a value.
    fields = _fields(np.where(cells < _PATCH, cells, ord("?")).astype(np.uint8).tobytes())
    require(len(fields) > 3 and [tag for tag, _, _ in fields][:3] == [b"8", b"9", b"35"], "no 8, 9, 35 at the start")
    places = {tag: (at, value) for tag, at, value in fields}
    require(len(places) == len(fields), "a tag stands twice")
    needed = {b"49", b"56", b"21", b"40", b"54", b"59"} | _PATCHES.keys() - {b"44"}
    require(needed <= places.keys() and places[b"35"][1] == b"D", "not a whole NewOrderSingle")
    require(fields[-1][0] == b"10", "it does not end with the checksum")
    end = len(literals) - len(b"10=") - len(fields[-1][2]) - len(SOH)
    start = places[b"35"][0] - len(b"35=")
    require(places[b"9"][1] == str(end - start).encode(), "BodyLength is not the body's")
    _check_patches(cells, places, layout)
    side, kind = _SIDES.get(places[b"54"][1]), _TYPES.get(places[b"40"][1])
    require(None not in {side, kind} and places[b"59"][1] in _TIFS, "an unknown side, type or time in force")
    assert side is not None
    assert kind is not None
    require((b"44" in places) == (kind == _LIMIT), "type and price do not go together")
    price_at, price = places.get(b"44", (0, b""))
    return ReadTemplate(
        symbol_at=places[b"55"][0],
        symbol_chars=len(places[b"55"][1]),
        side=side,
        type=kind,
        rests=kind == _LIMIT and _TIFS[places[b"59"][1]] in _RESTING,
        price_at=price_at,
        price_chars=len(price),
        qty_at=places[b"38"][0],
        tcp_sum=sum(literals[0::2]) * 256 + sum(literals[1::2]),
        fix_sum=sum(literals[:end]),
        parities={name: places[tag][0] % 2 for name, tag in PARITIES.items()},
        literals=literals,
    )


def _fields(message: bytes) -> list[tuple[bytes, int, bytes]]:
    """Tag, offset of the value and value of each field."""
    require(message.endswith(SOH), "it does not end with SOH")
    fields, at = [], 0
    for item in message[:-1].split(SOH):
        tag, equals, value = item.partition(b"=")
        require(equals and tag.isdigit() and value, f"{item!r} is not a FIX field")
        fields.append((tag, at + len(tag) + 1, value))
        at += len(item) + 1
    return fields


def _check_patches(cells: npt.NDArray[np.int64], places: Mapping[bytes, tuple[int, bytes]], layout: Layout) -> None:
    """Each patched field is patched whole, character by character, and nothing else is."""
    rest = cells.copy()
    for tag, what in _PATCHES.items():
        if tag not in places:
            continue
        at, value = places[tag]
        chars = len(value) if what in _VARYING else layout.constant(what.chars)
        source = layout.constant(f"patch_{what.value}") << layout.constant("patch_index_bits")
        wanted = _PATCH | source | np.arange(chars)
        require(
            np.array_equal(cells[at : at + len(value)], wanted), f"field {tag.decode()} is not patched as it must be"
        )
        rest[at : at + chars] = 0
    require((rest < _PATCH).all(), "a patch stands in a field that has none")
    for tag, name in ((b"44", "price"), (b"55", "symbol")):
        room = layout.constant(_PATCHES[tag].chars)
        require(len(places.get(tag, (0, b""))[1]) <= room, f"a {name} that is too wide")
