# SPDX-License-Identifier: Apache-2.0
"""The parts of a strategy in one set of columns, whatever blocks they come from."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.language.codes import ORDER_TYPES, SIDES, SOURCES, Codes, Indices, Units
from fixaccel.language.forms import At, Decision, Trail, Triggers
from fixaccel.language.orders import Envelope, Order, Orders
from fixaccel.language.placements import FABRIC
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import OrderType, TimeInForce

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_RESTING = {TimeInForce.DAY, TimeInForce.GTC}
NO_CODE = 255  # the direction of what is no threshold, side and type of a decision


def rests(types: Codes, envelope: Indices, envelopes: Sequence[Envelope]) -> npt.NDArray[np.bool_]:
    """Whether the venue keeps each of these orders, whose envelopes these are: limit orders with `day` or `gtc`."""
    kept = np.array([one.tif in _RESTING for one in envelopes], np.bool_)
    return (types == _LIMIT) & kept[envelope] if len(kept) else np.zeros(len(types), np.bool_)


@dataclass(frozen=True, eq=False)
class Parts:
    """One row a part. Codes are those of `fixaccel.language.rules`; what does not apply is zero or `NO_CODE`.

    A quantity of zero is what others have filled.
    """

    index: Indices  # number over the whole strategy
    block: Indices  # place in `Strategy.blocks`
    instrument: Indices  # place in the venue
    source: Codes
    direction: Codes
    threshold: Units  # price units, on mid half units
    confirm: Codes
    side: Codes
    type: Codes
    qty: Units
    price: Units  # zero for a market order and where it follows a trail
    envelope: Indices  # into `envelopes`; -1 for a decision
    envelopes: tuple[Envelope, ...]  # no two alike, in the order of first use

    def __len__(self) -> int:
        return len(self.index)

    def take(self, rows: npt.NDArray[Any]) -> "Parts":
        """The parts of these rows only."""
        columns = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "envelopes"}
        return Parts(**{name: column[rows] for name, column in columns.items()}, envelopes=self.envelopes)

    def order(self, row: int) -> Order:
        """What the part sends, which is no decision and follows no trail."""
        kind, envelope = ORDER_TYPES[self.type[row]], self.envelopes[self.envelope[row]]
        price = int(self.price[row]) if kind is OrderType.LIMIT else None
        side, qty = SIDES[self.side[row]], int(self.qty[row])
        return Order(side, qty, kind, price, envelope.tif, envelope.account, envelope.fields)

    @classmethod
    def of(cls, strategy: Strategy) -> "Parts":
        """All parts of ``strategy``."""
        places = {symbol: place for place, symbol in enumerate(strategy.venue.instruments)}
        counts = [len(block) for block in strategy.blocks]
        envelopes = Envelopes()
        columns = [_columns(block, envelopes) for block in strategy.blocks]

        def joined(name: str, dtype: str) -> npt.NDArray[Any]:
            return np.concatenate([np.zeros(0, dtype), *(column[name] for column in columns)], dtype=dtype)

        return cls(
            index=np.arange(sum(counts), dtype=np.int32),
            block=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            instrument=np.repeat(np.array([places[b.instrument.symbol] for b in strategy.blocks], np.int32), counts),
            source=joined("source", "u1"),
            direction=joined("direction", "u1"),
            threshold=joined("threshold", "i8"),
            confirm=joined("confirm", "u1"),
            side=joined("side", "u1"),
            type=joined("type", "u1"),
            qty=joined("qty", "i8"),
            price=joined("price", "i8"),
            envelope=joined("envelope", "i4"),
            envelopes=envelopes.kept(),
        )

    @classmethod
    def fabric(cls, strategy: Strategy) -> "Parts":
        """The parts that the fabric runs. Raises ValueError where not all parts of ``strategy`` were placed."""
        parts = cls.of(strategy)
        if len(strategy.placement) != len(parts):
            raise ValueError(f"{len(parts)} parts, {len(strategy.placement)} of them placed")
        there = strategy.placement == FABRIC
        return parts if there.all() else parts.take(np.flatnonzero(there))


class Envelopes:
    """Envelopes of several sets of orders, equal ones once, in the order of first use; those of ``known`` first."""

    def __init__(self, known: Sequence[Envelope] = ()) -> None:
        self._envelopes: dict[tuple[Any, ...], tuple[int, Envelope]] = {}
        for envelope in known:
            self._place(envelope)

    def places(self, orders: Orders) -> Indices:
        """Place in ``kept`` of each row's envelope."""
        own = np.array([self._place(envelope) for envelope in orders.envelopes], np.int32)
        return own[orders.envelope]

    def kept(self) -> tuple[Envelope, ...]:
        return tuple(envelope for _, envelope in self._envelopes.values())

    def _place(self, envelope: Envelope) -> int:
        key = (envelope.tif, envelope.account, tuple(sorted(envelope.fields.items())))
        return self._envelopes.setdefault(key, (len(self._envelopes), envelope))[0]


def _columns(block: Block, envelopes: Envelopes) -> dict[str, npt.NDArray[Any]]:
    form = block.form
    condition: dict[str, npt.NDArray[Any]]
    match form:
        case Triggers():
            condition = {
                "source": form.source,
                "direction": form.direction,
                "threshold": form.threshold,
                "confirm": form.confirm,
            }
        case Decision() | Trail() | At():
            source = 0 if isinstance(form, At) else SOURCES.index(form.source)
            condition = {
                "source": np.array([source], np.uint8),
                "direction": np.array([NO_CODE], np.uint8),
                "threshold": np.zeros(1, np.int64),
                "confirm": np.zeros(1, np.uint8),
            }
    if isinstance(form, Decision):
        code, zero = np.array([NO_CODE], np.uint8), np.zeros(1, np.int64)
        return condition | {"side": code, "type": code, "qty": zero, "price": zero, "envelope": np.array([-1])}
    orders = form.orders
    return condition | {
        "side": orders.side,
        "type": orders.type,
        "qty": orders.qty,
        "price": np.where((orders.type == _LIMIT) & (orders.ticks is None), orders.price, 0),
        "envelope": envelopes.places(orders),
    }
