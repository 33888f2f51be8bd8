# SPDX-License-Identifier: Apache-2.0
"""A simple model of fills, for recorded market data that says nothing of our own: an order fills whole when touched.

A limit order fills at its price once an observation of the other side's quote, or of `last`, is at or through it; a
market order at once at the known quote of the other side, else at `last`. Size, queues and our own effect on the
market are not modelled.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from fixaccel.language.terms import OrderType, Side, Source, TimeInForce
from fixaccel.semantics.market import Market, Observation
from fixaccel.semantics.orders import OwnOrder

OPPOSITE = {Side.BUY: Source.ASK, Side.SELL: Source.BID}
_AT_ONCE = (TimeInForce.IOC, TimeInForce.FOK)


class Sent(Enum):
    """What becomes of an order as it is sent."""

    FILLED = "filled"
    DONE = "done"  # with nothing
    WORKING = "working"


@dataclass(frozen=True, slots=True)
class TouchFill:
    """One fill of the model: ``price`` in price units."""

    order: OwnOrder
    price: int


class Touch:
    """Keeps the orders that work. ``fills`` are all that it filled, in their order."""

    def __init__(self) -> None:
        self.fills: list[TouchFill] = []
        self._working: list[OwnOrder] = []

    def load(self, kept: Iterable[OwnOrder]) -> None:
        """Other rules were loaded: orders of those that are gone are nobody's, and are filled no more."""
        alive = {id(order) for order in kept}
        self._working = [order for order in self._working if id(order) in alive]

    def sent(self, order: OwnOrder, market: Market) -> Sent:
        """An order was sent; the message in hand is known to ``market``."""
        symbol, terms = order.instrument.symbol, order.shot.order
        # Nothing trades while the instrument is halted, and nothing is known while it is suspended.
        live = market.is_open(symbol) and not market.is_suspended(symbol)
        quote = market.known(symbol, OPPOSITE[terms.side]) if live else None
        if terms.type is OrderType.MARKET:
            price = quote if quote is not None or not live else market.known(symbol, Source.LAST)
            if price is not None:
                return self._filled(order, price)
        elif terms.tif in _AT_ONCE:
            return self._filled(order, _limit(order)) if quote is not None and _meets(order, quote) else Sent.DONE
        self._working.append(order)
        return Sent.WORKING

    def filled_by(self, observation: Observation) -> list[OwnOrder]:
        """The working orders that the observation fills, oldest first."""
        found = [order for order in self._working if not order.done and _touches(order, observation)]
        self._working = [order for order in self._working if not order.done and order not in found]
        for order in found:
            market = order.shot.order.type is OrderType.MARKET
            self._filled(order, observation.price if market else _limit(order))
        return found

    def _filled(self, order: OwnOrder, price: int) -> Sent:
        self.fills.append(TouchFill(order, price))
        return Sent.FILLED


def _touches(order: OwnOrder, observation: Observation) -> bool:
    if observation.instrument.symbol != order.instrument.symbol:
        return False
    if observation.source not in {Source.LAST, OPPOSITE[order.shot.order.side]}:
        return False
    return order.shot.order.type is OrderType.MARKET or _meets(order, observation.price)


def _meets(order: OwnOrder, price: int) -> bool:
    """Whether a price is at or through the limit."""
    return price <= _limit(order) if order.shot.order.side is Side.BUY else price >= _limit(order)


def _limit(order: OwnOrder) -> int:
    assert order.shot.price is not None
    return order.shot.price
