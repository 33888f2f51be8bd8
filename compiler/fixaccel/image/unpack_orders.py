# SPDX-License-Identifier: Apache-2.0
"""What the fabric would send: orders read back from templates and order records, their sums checked."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.columns import SYMBOL_CHARS, Array
from fixaccel.image.digits import number_values, price_values
from fixaccel.image.layout import Layout
from fixaccel.image.orders import byte_sums
from fixaccel.image.read_error import ImageReadError, require
from fixaccel.image.read_template import ReadTemplate, read_template
from fixaccel.image.template import before_checksum, fix_sum, tcp_sum
from fixaccel.language.model import OrderType
from fixaccel.language.rules import ORDER_TYPES

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_ONES = 0xFFFF  # both zeros of one's complement mean the same
_SAMPLES = 64  # records whose sums are also taken by definition, from the whole message


@dataclass(frozen=True, eq=False)
class SentOrders:
    """A row for each part. Codes as in `fixaccel.language.rules`."""

    symbol: npt.NDArray[np.uint8]  # rows of characters
    side: npt.NDArray[np.uint8]
    type: npt.NDArray[np.uint8]
    qty: npt.NDArray[np.int64]
    price: npt.NDArray[np.int64]  # x 10^places
    places: npt.NDArray[np.int64]

    def price_units(self, unit: Array, layout: Layout) -> npt.NDArray[np.int64]:
        """Prices in units, zero for market orders; ``unit`` of each part in the wire's unit. Raises ImageReadError."""
        decimals = layout.constant("wire_decimals")
        factor = 10 ** (decimals - self.places)
        most = 10 ** layout.constant("wire_digits") // factor
        require((np.abs(self.price) < most).all(), "a price has more digits than the wire")
        units, rest = np.divmod(self.price * factor, unit)
        require(not rest.any(), "a price is no whole number of units")
        return units


def read_orders(records: Mapping[str, dict[str, Array]], order: Array, layout: Layout) -> SentOrders:
    """The orders ``order`` (a record number for each part). Raises ImageReadError."""
    record = records["order"]
    require((order < len(record["price"])).all(), "a trigger has an order that is not there")
    templates = _templates(records, record["template_index"], layout)
    template = record["template_index"]
    side, kind, width = (_of(templates, name) for name in ("side", "type", "price_chars"))
    symbol = np.zeros((len(templates), SYMBOL_CHARS), np.uint8)
    for number, one in enumerate(templates):
        if one is not None:
            symbol[number, : len(one.symbol)] = np.frombuffer(one.symbol, np.uint8)
    _check_sums(record, templates)
    try:
        qty = number_values(record["qty"])
        price, places = _prices(record["price"], width[template], kind[template] == _LIMIT)
    except ValueError as error:
        raise ImageReadError(str(error)) from None
    require((qty > 0).all(), "an order of no quantity")
    row = template[order]
    return SentOrders(
        symbol=symbol[row],
        side=side[row].astype(np.uint8),
        type=kind[row].astype(np.uint8),
        qty=qty[order],
        price=price[order],
        places=places[order],
    )


def _templates(records: Mapping[str, dict[str, Array]], used: Array, layout: Layout) -> list[ReadTemplate | None]:
    """Templates by number; None for one that no order has."""
    room = layout.constant("message_bytes")
    headers = records["template_header"]
    count = len(headers["length"])
    require((used < count).all(), "an order has a template that is not there")
    cells = np.zeros((count, room), np.int64)
    packed = records["template_byte"]
    require(len(packed["value"]) <= cells.size, "more template bytes than templates")
    cells.reshape(-1)[: len(packed["value"])] = packed["value"] | packed["patch"] << 8
    templates: list[ReadTemplate | None] = [None] * count
    for number in np.flatnonzero(np.bincount(used)).tolist():
        header = {name: int(column[number]) for name, column in headers.items()}
        try:
            templates[number] = read_template(cells[number], header, layout)
        except ImageReadError as error:
            raise ImageReadError(f"template {number}: {error}") from None
    return templates


def _of(templates: list[ReadTemplate | None], name: str) -> npt.NDArray[np.int64]:
    return np.array([0 if one is None else getattr(one, name) for one in templates], np.int64)


def _prices(texts: Array, width: Array, limit: Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Prices x 10^places and their places, zero for market orders. Raises ValueError."""
    price, places = (np.zeros(len(texts), np.int64) for _ in range(2))
    beyond = np.arange(texts.shape[1]) >= width[:, None]
    require(not (texts.astype(bool) & beyond).any(), "a price that is longer than its field")
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


def _check_sums(record: Mapping[str, Array], templates: list[ReadTemplate | None]) -> None:
    """Sums of the literals and the record's texts against what the record says, all of them by their bytes."""
    template = record["template_index"]
    tcp, fix = _of(templates, "tcp_sum")[template], _of(templates, "fix_sum")[template]
    for name in ("price", "qty"):
        even, odd = byte_sums(record[name])
        at_odd = _of(templates, f"{name}_at")[template] % 2 == 1
        tcp = tcp + np.where(at_odd, odd * 256 + even, even * 256 + odd)
        fix = fix + even + odd
    wrong = np.flatnonzero((tcp % _ONES != record["tcp_sum"] % _ONES) | (fix % 256 != record["fix_sum"]))
    require(not len(wrong), f"order {wrong[:1]} has sums that are not those of its bytes")
    for number in np.unique(np.linspace(0, len(template) - 1, _SAMPLES).astype(int)).tolist() if len(template) else ():
        one = templates[int(template[number])]
        assert one is not None
        message = one.filled(record["price"][number].tobytes(), record["qty"][number].tobytes())
        sums = (tcp_sum(message) % _ONES, fix_sum(before_checksum(message)))
        right = (int(record["tcp_sum"][number]) % _ONES, int(record["fix_sum"][number]))
        require(sums == right, f"order {number} has sums that are not those of its message")
