# SPDX-License-Identifier: Apache-2.0
"""What orders say: one by one, and in columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fixaccel.language.codes import ORDER_TYPES, SIDES, Codes, Indices, Units
from fixaccel.language.terms import OrderType, Side, TimeInForce


@dataclass(frozen=True)
class Envelope:
    """What orders carry besides side, quantity, type and price."""

    tif: TimeInForce = TimeInForce.DAY
    account: str | None = None
    fields: Mapping[int, str] = field(default_factory=dict)  # text by tag, in rising order of tags


@dataclass(frozen=True)
class Order:
    """What to send. ``price`` in price units, None for a market order and where it follows a trail.

    ``ticks`` is the distance from the stop of a trail (`trigger + N ticks`), None everywhere else: thresholds turn it
    into a price. ``filled``: the quantity is what the parents have filled when the part fires; ``qty`` is 0.
    """

    side: Side
    qty: int
    type: OrderType
    price: int | None
    tif: TimeInForce
    account: str | None
    fields: Mapping[int, str]
    ticks: int | None = None
    filled: bool = False


@dataclass(frozen=True, eq=False)
class Orders:
    """Columns of orders; ``price`` (price units) counts only where ``type`` says limit.

    ``ticks`` and ``filled`` are as in `Order`, for all rows alike; where ``filled``, the quantity is rounded down to
    whole lots.
    """

    side: Codes
    qty: Units
    type: Codes
    price: Units
    envelope: Indices  # into `envelopes`
    envelopes: tuple[Envelope, ...]
    ticks: int | None = None
    filled: bool = False

    def __len__(self) -> int:
        return len(self.qty)

    def __getitem__(self, row: int) -> Order:
        envelope = self.envelopes[self.envelope[row]]
        kind = ORDER_TYPES[self.type[row]]
        fixed = kind is OrderType.LIMIT and self.ticks is None
        return Order(
            side=SIDES[self.side[row]],
            qty=int(self.qty[row]),
            type=kind,
            price=int(self.price[row]) if fixed else None,
            tif=envelope.tif,
            account=envelope.account,
            fields=envelope.fields,
            ticks=self.ticks if kind is OrderType.LIMIT else None,
            filled=self.filled,
        )

    @classmethod
    def of(cls, orders: Sequence[Order]) -> "Orders":
        """Columns of these orders, which all have the same ``ticks`` and ``filled``."""
        envelopes: dict[tuple[object, ...], int] = {}
        kept: list[Envelope] = []
        index: list[int] = []
        for order in orders:
            key = (order.tif, order.account, tuple(sorted(order.fields.items())))
            if key not in envelopes:
                envelopes[key] = len(kept)
                kept.append(Envelope(order.tif, order.account, dict(sorted(order.fields.items()))))
            index.append(envelopes[key])
        return cls(
            side=np.array([SIDES.index(order.side) for order in orders], np.uint8),
            qty=np.array([order.qty for order in orders], np.int64),
            type=np.array([ORDER_TYPES.index(order.type) for order in orders], np.uint8),
            price=np.array([order.price or 0 for order in orders], np.int64),
            envelope=np.array(index, np.int32),
            envelopes=tuple(kept),
            ticks=next((order.ticks for order in orders), None),
            filled=any(order.filled for order in orders),
        )
