# SPDX-License-Identifier: Apache-2.0
"""What the page shows: the events of exchange and daemon added up, and what of it has changed. No socket and no clock.

Whoever asks with `take` gets a change once; `everything` is for somebody who knows nothing yet.
"""

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fixaccel.dashboard.fix_names import FixNames

if TYPE_CHECKING:
    from fixaccel.dashboard.accelerator import Accelerator

Json = dict[str, Any]

TRADES = 200
MESSAGES = 500
ORDERS_OVER = 500  # orders that are over and still shown
MOST_A_FRAME = 200  # trades or messages in one frame; more cannot be read anyway

_CONNECTED, _WAITING = "connected", "waiting"


class Model:
    """Events go in by `apply`; they are few a frame, however many there were."""

    def __init__(self, names: FixNames | None = None) -> None:
        self._names = names or FixNames()
        self.accelerator: Accelerator | None = None
        self._exchange: Json = {"state": _WAITING, "why": "not connected yet"}
        self._books: dict[str, Json] = {}
        self._orders: dict[str, Json] = {}
        self._sessions: dict[str, Json] = {}
        self._trades: deque[Json] = deque(maxlen=TRADES)
        self._messages: deque[Json] = deque(maxlen=MESSAGES)
        self._lost = 0
        self._restart = False
        self._forget_changes()

    def _forget_changes(self) -> None:
        self._exchange_changed = False
        self._changed: dict[str, dict[str, Json]] = {"books": {}, "orders": {}, "sessions": {}}
        self._new: dict[str, deque[Json]] = {"trades": deque(), "messages": deque()}
        self._new_lost = 0

    # ---- What is heard

    def exchange_away(self, why: str) -> None:
        """Nobody knows what holds now; what was last known stays."""
        if self._exchange != {"state": _WAITING, "why": why}:
            self._exchange = {"state": _WAITING, "why": why}
            self._exchange_changed = True

    def exchange_back(self, status: Json, orders: Iterable[Json]) -> None:
        """The exchange answers: all that was known of another one is forgotten."""
        named = ("venue", "version", "instruments")
        self._exchange = {"state": _CONNECTED, "why": "", **{name: status[name] for name in named if name in status}}
        heard = self._changed  # it may have told more already, and that is newer
        symbols = {instrument["symbol"] for instrument in status.get("instruments", [])}
        self._books = {symbol: book for symbol, book in self._books.items() if symbol in symbols}
        self._orders = {order["order"]: order for order in orders} | heard["orders"]
        self._sessions = {session["client"]: session for session in status.get("sessions", [])} | heard["sessions"]
        self._restart = True

    def apply(self, event: Json) -> None:
        """One event of the exchange's control socket; what is not known is left out."""
        handler = getattr(self, f"_on_{event['event']}", None)
        if handler is not None:
            handler({key: value for key, value in event.items() if key != "event"})

    def _on_book(self, book: Json) -> None:
        self._books[book["symbol"]] = self._changed["books"][book["symbol"]] = book

    def _on_order(self, order: Json) -> None:
        name = order["order"]
        self._orders.pop(name, None)  # the newest stand last
        self._orders[name] = self._changed["orders"][name] = order
        if len(self._orders) > 2 * ORDERS_OVER:
            self._forget_orders()

    def _forget_orders(self) -> None:
        over = [name for name, order in self._orders.items() if is_over(order)]
        for name in over[:-ORDERS_OVER]:
            del self._orders[name]

    def _on_session(self, session: Json) -> None:
        self._sessions[session["client"]] = self._changed["sessions"][session["client"]] = session

    def _on_trade(self, trade: Json) -> None:
        self._trades.append(trade)
        self._add("trades", trade)

    def _on_message(self, message: Json) -> None:
        self._messages.append(message)
        self._add("messages", message)

    def _add(self, kind: str, item: Json) -> None:
        new = self._new[kind]
        new.append(item)
        if len(new) > MOST_A_FRAME:
            new.popleft()
            self._new_lost += 1

    def _on_lost(self, event: Json) -> None:
        self._new_lost += int(event.get("count", 0))

    # ---- What is shown

    def take(self) -> Json | None:
        """What has changed since the last call; None if nothing has. With ``full`` it is all there is."""
        if self._restart:
            self._lost += self._new_lost
            self._restart = False
            self._forget_changes()
            if self.accelerator is not None:
                self.accelerator.take()
            return self.everything()
        frame: Json = {}
        if self._exchange_changed:
            frame["exchange"] = self._exchange
        if self._changed["books"]:
            frame["books"] = self._changed["books"]
        for name in ("orders", "sessions"):
            if self._changed[name]:
                frame[name] = list(self._changed[name].values())
        if self._new["trades"]:
            frame["trades"] = list(self._new["trades"])
        if self._new["messages"]:
            frame["messages"] = [self._decoded(message) for message in self._new["messages"]]
        accelerator = self.accelerator.take() if self.accelerator is not None else None
        if accelerator:
            frame["accelerator"] = accelerator
        if self._new_lost:
            self._lost += self._new_lost
            frame["lost"] = self._lost
        self._forget_changes()
        return frame or None

    def everything(self) -> Json:
        """All that is known, for somebody who comes."""
        self._forget_orders()
        frame: Json = {
            "full": True,
            "exchange": self._exchange,
            "books": self._books,
            "trades": list(self._trades),
            "orders": list(self._orders.values()),
            "sessions": list(self._sessions.values()),
            "messages": [self._decoded(message) for message in self._messages],
            "lost": self._lost,
        }
        frame["accelerator"] = None if self.accelerator is None else self.accelerator.everything()
        return frame

    def _decoded(self, message: Json) -> Json:
        if "fields" not in message:
            fields = message["fields"] = self._names.decode(message["raw"])
            message["type"], message["name"] = next((field[2:] for field in fields if field[0] == "35"), ["", ""])
        return message


def is_over(order: Json) -> bool:
    """Whether nothing more can come of an order."""
    return order.get("status") in {"filled", "canceled", "rejected", "expired"}
