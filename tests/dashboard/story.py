# SPDX-License-Identifier: Apache-2.0
"""A made-up venue whose market goes where a test wants it, with the house's orders in its books."""

import math
import time
from collections.abc import Iterable
from typing import Any

from fake_daemon import FakeDaemon
from fake_exchange import Json, RandomVenue, price_text

_TICKS = {"MSFT": (5, 1), "TOYOTA": (50, 100), "AAPL": (1, 1)}  # cents, lot
_DEPTH = 10


def cents(text: str) -> int:
    return round(float(text) * 100)


class Story(RandomVenue):
    """Books stay as they are until `move` or `flow` changes them."""

    def __init__(self, seed: int = 7) -> None:
        super().__init__(seed)
        self._sizes: dict[tuple[str, str, int], int] = {}
        self._numbers = 0
        self.last_books: dict[str, Json] = {}

    def _size(self, symbol: str, side: str, price: int, away: int) -> int:
        key = (symbol, side, price)
        if key not in self._sizes or self._random.random() < 0.08:
            self._sizes[key] = self._random.randint(2, 14 + 5 * away)
        return self._sizes[key] * _TICKS[symbol][1]

    def _house(self, symbol: str) -> list[Json]:
        return [
            one for one in self.orders.values() if one["house"] and one["symbol"] == symbol and one["leaves_qty"] != "0"
        ]

    def book(self, symbol: str) -> Json:
        middle, tick = self.middles[symbol], _TICKS[symbol][0]
        sides: dict[str, dict[int, list[int]]] = {"buy": {}, "sell": {}}
        for side, sign in (("buy", -1), ("sell", 1)):
            for level in range(1, _DEPTH + 1):
                price = middle + sign * level * tick
                sides[side][price] = [self._size(symbol, side, price, level), 1 + level % 4]
        for order in self._house(symbol):
            level_of = sides[order["side"]].setdefault(cents(order["price"]), [0, 0])
            level_of[0] += int(order["leaves_qty"])
            level_of[1] += 1
        levels = {
            side: [[price_text(price), str(size), count] for price, (size, count) in sorted(found.items())]
            for side, found in sides.items()
        }
        return {
            "event": "book", "symbol": symbol, "time_ns": time.time_ns(), "bids": levels["buy"][::-1][:_DEPTH],
            "asks": levels["sell"][:_DEPTH], "last": self.last[symbol], "phase": self.phases[symbol],
        }  # fmt: skip

    def traded(self, symbol: str, price: int, qty: int, side: str, with_house: bool = False) -> Json:
        self.last[symbol] = [price_text(price), str(qty)]
        other = "house" if with_house else "CLIENT2"
        buyer, seller = ("CLIENT1", other) if side == "buy" else (other, "CLIENT1")
        return {
            "event": "trade", "symbol": symbol, "price": price_text(price), "qty": str(qty),
            "time_ns": time.time_ns(), "side": side, "buyer": buyer, "seller": seller,
        }  # fmt: skip

    def move(self, symbol: str, ticks: int) -> list[Json]:
        """The middle goes so many ticks up; orders of the house that it reaches trade."""
        tick = _TICKS[symbol][0]
        self.middles[symbol] += ticks * tick
        events: list[Json] = []
        for order in self._house(symbol):
            price, buys = cents(order["price"]), order["side"] == "buy"
            if (self.middles[symbol] <= price) if buys else (self.middles[symbol] >= price):
                events += self.filled(order, int(order["leaves_qty"]))
        return [*events, self.book(symbol)]

    def filled(self, order: Json, qty: int) -> list[Json]:
        """An order of the house trades at its price."""
        whole = qty == int(order["leaves_qty"])
        order |= {
            "status": "filled" if whole else "partially_filled",
            "cum_qty": str(int(order["cum_qty"]) + qty),
            "leaves_qty": str(int(order["leaves_qty"]) - qty),
            "avg_px": order["price"],
        }
        aggressor = "sell" if order["side"] == "buy" else "buy"
        trade = self.traded(order["symbol"], cents(order["price"]), qty, aggressor, with_house=True)
        return [trade, self.told(order, "trade", str(qty), order["price"])]

    def client_order(self, symbol: str, side: str, qty: int, price: int, fills: bool) -> list[Json]:
        """A client's order over FIX with what the venue answers."""
        code, text = ("1" if side == "buy" else "2"), price_text(price)
        order = self.new_order("CLIENT1", symbol, side, str(qty), text)
        terms = (f"55={symbol}", f"54={code}", f"38={qty}", "40=2", f"44={text}")
        asks = ("D", f"11={order['cl_ord_id']}", *terms, "59=0")
        events = [*self.message("CLIENT1", "in", *asks), self.told(order, "new"), *self._report(order, "0", "0", terms)]
        if fills:
            order |= {"status": "filled", "cum_qty": str(qty), "leaves_qty": "0", "avg_px": text}
            events += [self.traded(symbol, price, qty, side), self.told(order, "trade", str(qty), text)]
            events += self._report(order, "F", "2", (*terms, f"31={text}", f"32={qty}"))
        return events

    def _report(self, order: Json, exec_type: str, status: str, terms: tuple[str, ...]) -> Iterable[Json]:
        self._numbers += 1
        names = (f"37={order['order']}", f"11={order['cl_ord_id']}", f"17=E{self._numbers}")
        sums = (f"14={order['cum_qty']}", f"151={order['leaves_qty']}", f"6={order['avg_px']}")
        return self.message("CLIENT1", "out", "8", *names, f"150={exec_type}", f"39={status}", *terms, *sums)

    def snapshot(self, symbol: str) -> Iterable[Json]:
        """What the market data session gets."""
        book = self.book(symbol)
        entries = [
            f"269={kind}|270={level[0]}|271={level[1]}"
            for kind, level in (("0", book["bids"][0]), ("1", book["asks"][0]))
        ]
        return self.message("CLIENT1-MD", "out", "W", "262=MD1", f"55={symbol}", "268=2", *entries)

    def flow(self, step: int) -> list[Json]:
        """A stretch of a day: MSFT swings, the others idle along, clients trade."""
        draw, events = self._random, list[Json]()
        for symbol in _TICKS if step % 4 == 0 else ("MSFT",):
            tick, lot = _TICKS[symbol]
            goals = {
                "MSFT": 41_250 + 5 * round(24 * math.sin(step / 42) + 3 * math.sin(step / 7)),
                "TOYOTA": 281_900 - 50 * round(7 * math.sin(step / 35)),
            }
            goal = goals.get(symbol, self.middles[symbol])
            ticks = max(-2, min(2, (goal - self.middles[symbol]) // tick)) + draw.choice((-1, 0, 0, 0, 1))
            events += self.move(symbol, ticks)
            side = "buy" if ticks + draw.choice((-1, 0, 1)) > 0 else "sell"
            at = self.middles[symbol] + (tick if side == "buy" else -tick)
            if draw.random() < 0.6:
                events += self.client_order(symbol, side, lot * draw.randint(1, 30), at, fills=True)
            elif draw.random() < 0.2:
                away = at + (-1 if side == "buy" else 1) * tick * draw.randint(2, 6)
                events += self.client_order(symbol, side, lot * draw.randint(1, 30), away, fills=False)
            events += self.snapshot(symbol)
        if step % 25 == 0:
            events += [*self.message("CLIENT1", "in", "0"), *self.message("CLIENT1", "out", "0")]
        return [*events, *({"event": "session", **one} for one in self.sessions.values())]


def crossings(daemon: FakeDaemon, before: Json | None, now: Json) -> Iterable[dict[str, Any]]:
    """Fires of the rules that the way from one book to the next satisfies."""
    rules = {
        "MSFT": {"breakout-msft": ("asks", 41_375, 1), "protect-msft": ("bids", 41_150, -1)},
        "TOYOTA": {"protect-toyota": ("bids", 281_600, -1)},
    }
    for rule, (side, threshold, sign) in rules.get(now["symbol"], {}).items():
        if before is None:
            continue
        was, is_ = (sign * (cents(book[side][0][0]) - threshold) for book in (before, now))
        if was < 0 <= is_:
            yield daemon.fire(rule)
