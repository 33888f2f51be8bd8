# SPDX-License-Identifier: Apache-2.0
"""Our own orders that rest: until somebody reports that they are done, else to the end of the venue's day."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from fixaccel.language.terms import Instrument, OrderType, Side, TimeInForce
from fixaccel.semantics.calendar import NS_PER_S
from fixaccel.semantics.shots import Shot


@dataclass(frozen=True, slots=True, eq=False)
class RestingOrder:
    ts_ns: int
    symbol: str
    side: Side
    price: Decimal


class Resting:
    """The limit orders with `day` or `gtc` that were sent."""

    def __init__(self) -> None:
        self._orders: list[RestingOrder] = []

    def note(self, shot: Shot, instrument: Instrument, ts_ns: int) -> RestingOrder | None:
        """An order was sent. None if it does not rest."""
        if shot.price is not None and shot.order.tif in {TimeInForce.DAY, TimeInForce.GTC}:
            price = instrument.to_price(shot.price)
            self._orders.append(RestingOrder(ts_ns, instrument.symbol, shot.order.side, price))
            return self._orders[-1]
        return None

    def remove(self, order: RestingOrder) -> None:
        """It is done."""
        self._orders = [one for one in self._orders if one is not order]

    def meets(self, shot: Shot, instrument: Instrument, ts_ns: int, time_zone: str) -> bool:
        """Whether the order would meet one that was sent on the same day of the venue."""
        today = _day(ts_ns, time_zone)
        for resting in self._orders:
            opposite = resting.symbol == instrument.symbol and resting.side is not shot.order.side
            if opposite and _crosses(shot, instrument, resting.price) and _day(resting.ts_ns, time_zone) == today:
                return True
        return False


def _crosses(shot: Shot, instrument: Instrument, price: Decimal) -> bool:
    if shot.order.type is OrderType.MARKET or shot.price is None:
        return True
    own = instrument.to_price(shot.price)
    return own >= price if shot.order.side is Side.BUY else own <= price


def _day(ts_ns: int, time_zone: str) -> int:
    return datetime.fromtimestamp(ts_ns // NS_PER_S, ZoneInfo(time_zone)).toordinal()
