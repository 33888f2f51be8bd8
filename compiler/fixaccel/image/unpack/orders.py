# SPDX-License-Identifier: Apache-2.0
"""What the fabric would send: orders read back from templates and order records, their sums checked."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.limits_left import read_bounds
from fixaccel.image.pack.orders import byte_sums
from fixaccel.image.software.columns import Array
from fixaccel.image.templates.digits import decoded, number_values, price_values
from fixaccel.image.templates.read import PARITIES, ReadTemplate, read_template
from fixaccel.image.templates.template import before_checksum, fix_sum, tcp_sum
from fixaccel.image.unpack.read_error import ImageReadError, require
from fixaccel.language.codes import ORDER_TYPES, SIDES
from fixaccel.language.terms import OrderType, Side

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_SELL = SIDES.index(Side.SELL)
_ONES = 0xFFFF  # both zeros of one's complement mean the same
_SAMPLES = 64  # records whose sums are also taken by definition, from the whole message


@dataclass(frozen=True, eq=False)
class SentOrders:
    """A row for each part. Codes as in `fixaccel.language.rules`."""

    symbol_chars: npt.NDArray[np.int64]
    side: npt.NDArray[np.uint8]
    type: npt.NDArray[np.uint8]
    qty: npt.NDArray[np.int64]
    price: npt.NDArray[np.int64]  # x 10^places
    places: npt.NDArray[np.int64]
    rests: npt.NDArray[np.bool_]  # the venue keeps it, whether or not the fabric notes that
    bound: npt.NDArray[np.int64]  # of the doubled price of a market order; -1: none

    def price_units(self, unit: Array, layout: Layout) -> npt.NDArray[np.int64]:
        """Prices in units, zero for market orders; ``unit`` of each part in the wire's unit. Raises ImageReadError."""
        decimals = layout.constant("wire_decimals")
        factor = 10 ** (decimals - self.places)
        most = 10 ** layout.constant("wire_digits") // factor
        require((np.abs(self.price) < most).all(), "a price has more digits than the wire")
        units, rest = np.divmod(self.price * factor, unit)
        require(not rest.any(), "a price is no whole number of units")
        return units


def read_orders(
    records: Mapping[str, dict[str, Array]], order: Array, instrument: Array, letters: Array, layout: Layout
) -> SentOrders:
    """The orders ``order`` (a record number for each part) of the parts' instruments. Raises ImageReadError.

    ``letters`` has a row of characters for each instrument.
    """
    record = records["order"]
    require((order < len(record["price"])).all(), "a trigger has an order that is not there")
    require(record["valid"].all(), "an order is not in use")
    template = record["template_index"]
    templates = _templates(records["template_byte"], records["template_shape"], template, layout)
    side, kind, width, chars = (_of(templates, name) for name in ("side", "type", "price_chars", "symbol_chars"))
    market = kind[template] != _LIMIT
    bound = np.where(market, read_bounds(record["price"], layout), -1)
    require((bound >= -1).all(), "a market order has a price that is no bound")
    require((record["sell"] == (side[template] == _SELL)).all(), "an order counts for the other side")
    texts = {
        "price": _price_texts(np.where(market, 0, record["price"]), width[template], layout),
        "qty": decoded(record["qty"], layout.constant("qty_text_chars")),
        "symbol": letters[_instruments(order, instrument, len(template))],
    }
    _check_sums(record, texts, templates)
    try:
        qty = number_values(texts["qty"])
        price, places = _prices(texts["price"], width[template], kind[template] == _LIMIT)
    except ValueError as error:
        raise ImageReadError(str(error)) from None
    require((qty > 0).all(), "an order of no quantity")
    row = template[order]
    return SentOrders(
        symbol_chars=chars[row],
        side=side[row].astype(np.uint8),
        type=kind[row].astype(np.uint8),
        qty=qty[order],
        price=price[order],
        rests=_of(templates, "rests")[row] == 1,
        places=places[order],
        bound=bound[order],
    )


def _instruments(order: Array, instrument: Array, records: int) -> Array:
    """The instrument of each record, all of whose parts are of it: its sums count the symbol."""
    of_record = np.zeros(records, np.int64)
    of_record[order] = instrument
    require((of_record[order] == instrument).all(), "an order is for another instrument than its trigger")
    require(len(np.unique(order)) == records, "an order that no trigger has")
    return of_record


def _price_texts(codes: Array, width: Array, layout: Layout) -> npt.NDArray[np.uint8]:
    """Rows of characters, zeros behind the width."""
    texts = decoded(codes, layout.constant("price_text_chars"))
    beyond = np.arange(texts.shape[1]) >= width[:, None]
    require((texts[beyond] == ord("0")).all(), "a price that is longer than its field")
    return np.where(beyond, np.uint8(0), texts)


def _templates(
    packed: Mapping[str, Array], shape: Mapping[str, Array], used: Array, layout: Layout
) -> list[ReadTemplate | None]:
    """Templates by number; None for one that no order has."""
    room, count = layout.constant("message_bytes"), len(shape["last_byte"])
    require(count <= layout.capacity["templates"], "more templates than the board holds")
    require((used < count).all(), "an order has a template that is not there")
    cells = np.zeros((count, room), np.int64)
    require(len(packed["value"]) <= cells.size, "more template bytes than templates")
    cells.reshape(-1)[: len(packed["value"])] = packed["value"] | packed["patch"] << 8
    templates: list[ReadTemplate | None] = [None] * count
    for number in np.unique(used).tolist():
        try:
            templates[number] = one = read_template(cells[number, : shape["last_byte"][number] + 1], layout)
            for name in PARITIES:
                require(shape[name][number] == one.parities[name], f"{name} is not what its offset says")
        except ImageReadError as error:
            raise ImageReadError(f"template {number}: {error}") from None
    return templates


def _of(templates: list[ReadTemplate | None], name: str) -> npt.NDArray[np.int64]:
    return np.array([0 if one is None else getattr(one, name) for one in templates], np.int64)


def _prices(texts: Array, width: Array, limit: Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Prices x 10^places and their places, zero for market orders. Raises ValueError."""
    price, places = (np.zeros(len(texts), np.int64) for _ in range(2))
    points = texts == ord(".")
    point = np.where(points.any(axis=1), points.argmax(axis=1), width)
    forms = np.where(limit, width * (texts.shape[1] + 1) + point, -1)
    for form in np.flatnonzero(np.bincount(forms[limit])).tolist():
        chars, at = divmod(form, texts.shape[1] + 1)
        rows = np.flatnonzero(forms == form)
        require(chars > 0 and at != 0 and at != chars - 1, "a price without digits")
        places[rows] = max(chars - at - 1, 0)
        price[rows] = price_values(texts[rows], chars, max(chars - at - 1, 0))
    return price, places


def _check_sums(
    record: Mapping[str, Array], texts: Mapping[str, npt.NDArray[np.uint8]], templates: list[ReadTemplate | None]
) -> None:
    """Sums of literals and patched texts against what the record says, all of them by their bytes."""
    template = record["template_index"]
    tcp, fix = _of(templates, "tcp_sum")[template], _of(templates, "fix_sum")[template]
    for name, rows in texts.items():
        even, odd = byte_sums(rows)
        at_odd = _of(templates, f"{name}_at")[template] % 2 == 1
        tcp = tcp + np.where(at_odd, odd * 256 + even, even * 256 + odd)
        fix = fix + even + odd
    wrong = np.flatnonzero((tcp % _ONES != record["tcp_sum"] % _ONES) | (fix % 256 != record["fix_sum"]))
    require(not len(wrong), f"order {wrong[:1]} has sums that are not those of its bytes")
    for number in np.unique(np.linspace(0, len(template) - 1, _SAMPLES).astype(int)).tolist() if len(template) else ():
        one = templates[int(template[number])]
        assert one is not None
        message = one.filled(**{name: rows[number].tobytes() for name, rows in texts.items()})
        sums = (tcp_sum(message) % _ONES, fix_sum(before_checksum(message)))
        right = (int(record["tcp_sum"][number]) % _ONES, int(record["fix_sum"][number]))
        require(sums == right, f"order {number} has sums that are not those of its message")
