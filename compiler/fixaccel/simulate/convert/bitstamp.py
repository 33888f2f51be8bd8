# SPDX-License-Identifier: Apache-2.0
"""An order log of Bitstamp: every order created, changed or deleted, and the trades in a file beside it."""

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from fixaccel.csv_text.cells import Cell
from fixaccel.events.write import Event
from fixaccel.simulate.convert.reading import Input, Table
from fixaccel.values import decimal_text

ORDERS = ("id", "timestamp", "exchange_timestamp", "price", "volume", "action", "direction")
TRADES = ("trade_id", "timestamp", "exchange_timestamp", "price", "amount", "buy_order_id", "sell_order_id", "side")
TRADES_FILE = "trades.csv"

_MILLISECOND = 10**6
_EMPTY = ("-", "")  # price and size of a side without orders
_MILLISECONDS = re.compile("[0-9]{1,13}")
_ACTIONS = ("created", "changed", "deleted")
_MAKERS = {"buy": "ask", "sell": "bid"}  # whose orders a trade meets, by the side that came later


@dataclass(slots=True)
class _Level:
    """The orders at one price."""

    orders: int = 0
    volume: Decimal = Decimal(0)


class _Side:
    """Orders of one side; ``sign`` is 1 where the lowest price is the best, -1 where the highest is."""

    def __init__(self, sign: int) -> None:
        self._sign = sign
        self._orders: dict[str, tuple[Decimal, Decimal]] = {}
        self._levels: dict[Decimal, _Level] = {}
        self._heap: list[Decimal] = []  # prices that have or had orders

    def put(self, order: str, price: Decimal, volume: Decimal) -> None:
        """A new order, or what is left of an old one, which may also have moved."""
        self.take(order)
        self._orders[order] = (price, volume)
        if price not in self._levels:
            heapq.heappush(self._heap, self._sign * price)
            self._levels[price] = _Level()
        self._levels[price].orders += 1
        self._levels[price].volume += volume

    def take(self, order: str) -> None:
        """An order that is gone; one that was never there changes nothing."""
        if order not in self._orders:
            return
        price, volume = self._orders.pop(order)
        level = self._levels[price]
        level.orders -= 1
        level.volume -= volume
        if not level.orders:
            del self._levels[price]

    def passed(self, price: Decimal) -> None:
        """Takes away the orders at better prices."""
        gone = [order for order, (at, _) in self._orders.items() if self._sign * at < self._sign * price]
        for order in gone:
            self.take(order)

    def best(self) -> tuple[str, str]:
        """Price and size as an event file has them, `-` for an empty side."""
        while self._heap and self._sign * self._heap[0] not in self._levels:
            heapq.heappop(self._heap)
        if not self._heap:
            return _EMPTY
        price = self._sign * self._heap[0]
        return decimal_text(price), decimal_text(self._levels[price].volume)


class _Book:
    """Both sides, and what the last quote said of them."""

    def __init__(self) -> None:
        self._sides = {"bid": _Side(-1), "ask": _Side(1)}
        self._said: dict[str, tuple[str, str]] = {}

    def order(self, table: Table, row: list[Cell]) -> None:
        """One row of the order log. Price 0 is a market order, which never rests."""
        order, _, _, price, volume, action, direction = row
        said, size = table.number(price), table.number(volume)
        if action.text not in _ACTIONS:
            table.wrong(action, "is no action", f"one of {', '.join(_ACTIONS)}")
        elif direction.text not in self._sides:
            table.wrong(direction, "is no side", f"one of {', '.join(self._sides)}")
        elif said is not None and size is not None:
            side = self._sides[direction.text]
            if action.text == "deleted" or not Decimal(size) or not Decimal(said):
                side.take(order.text)
            else:
                side.put(order.text, Decimal(said), Decimal(size))

    def trade(self, table: Table, row: list[Cell]) -> tuple[str, str] | None:
        """Price and size of one row of the trades. No order that would have traded before it is left.

        A log that was begun while the market ran misses some deletions.
        """
        price, size = table.number(row[3]), table.number(row[4])
        if row[7].text not in _MAKERS:
            table.wrong(row[7], "is no side", f"one of {', '.join(_MAKERS)}")
        elif price is not None and size is not None:
            self._sides[_MAKERS[row[7].text]].passed(Decimal(price))
            return decimal_text(Decimal(price)), size
        return None

    def quote(self, ts_ns: int, instrument: str) -> Event | None:
        """What has changed at the top since the last one; the first says it all."""
        best = {name: side.best() for name, side in self._sides.items()}
        if not self._said and set(best.values()) == {_EMPTY}:
            return None  # trades before the book
        bid, ask = (value if value != self._said.get(name) else ("", "") for name, value in best.items())
        kind = "" if self._said else "snapshot"
        self._said = best
        return Event(ts_ns, instrument, kind, *bid, *ask) if bid[0] or ask[0] else None


def read(source: Input) -> Iterator[Event]:
    """One event for each trade, and one for each millisecond in which the best bid or ask changed, trades first.

    The first event is a snapshot: the log begins with the whole book.
    """
    orders = source.table(ORDERS)
    streams = [_timed(orders)]
    place = source.path.parent / TRADES_FILE
    if place.is_file():
        streams.insert(0, _timed(source.table(TRADES, place)))
    book = _Book()
    for milliseconds, rows in groupby(heapq.merge(*streams, key=_by_time), key=_by_time):
        ts_ns = milliseconds * _MILLISECOND
        for _, table, row in rows:
            if table is orders:
                book.order(table, row)
            elif trade := book.trade(table, row):
                yield Event(ts_ns, source.instrument, last=trade[0], last_size=trade[1])
        if quote := book.quote(ts_ns, source.instrument):
            yield quote


_Timed = tuple[int, Table, list[Cell]]


def _by_time(timed: _Timed) -> int:
    return timed[0]


def _timed(table: Table) -> Iterator[_Timed]:
    """Rows with their arrival, as a running maximum: the book of the beginning was taken while the log ran."""
    latest = 0
    for row in table.rows():
        if _MILLISECONDS.fullmatch(row[1].text):
            latest = max(latest, int(row[1].text))
            yield latest, table, row
        else:
            table.wrong(row[1], "is no time", "write milliseconds since 1970")
