# SPDX-License-Identifier: Apache-2.0
"""What the console knows: the daemon's events added up. No screen and no clock."""

from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from fixaccel.board.feed import Event
from fixaccel.board.orders import Order, is_over, sender_text, state_text, terms_text
from fixaccel.cli.status_text import fire_text

_LINES = 500
_NS = 10**9


@dataclass
class Model:
    """Events go in by `apply`; whatever they say is there until the daemon is away, and then marked as old."""

    session: Event = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)  # states by id
    orders: dict[str, Order] = field(default_factory=dict)  # by ClOrdID
    books: dict[str, Event] = field(default_factory=dict)  # by instrument
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=_LINES))
    away: str = "not connected yet"  # why nothing here is known to hold; empty: it holds

    def apply(self, event: Event) -> None:
        """Takes one event."""
        kind = event["event"]
        if kind not in {"away", "dropped", "missed"} and self.away:
            # What is told first is all that is.
            self.rules, self.orders, self.books, self.away = {}, {}, {}, ""
        handler = getattr(self, f"_on_{kind}", None)
        if handler is not None:
            handler(event)

    def say(self, text: str) -> None:
        """A line of the log."""
        self.lines.append(text)

    def _on_away(self, event: Event) -> None:
        self.away = event["reason"]
        self.say(f"DISCONNECTED: {self.away}")

    def _on_back(self, _: Event) -> None:
        self.say("the daemon answers again")

    def _on_dropped(self, event: Event) -> None:
        self.away = f"{event['events']} events were lost"
        self.say(f"{event['events']} events were not read in time")

    def _on_missed(self, event: Event) -> None:
        self.say(f"{event['fires']} fires are not shown: `fixaccel fires` has them")

    def _on_session(self, event: Event) -> None:
        before, self.session = self.session, event
        if event.get("problem") and event.get("problem") != before.get("problem"):
            self.say(f"problem: {event['problem']}")

    def _on_rule(self, event: Event) -> None:
        if event["state"] == "gone":
            self.rules.pop(event["id"], None)
        else:
            self.rules[event["id"]] = event["state"]

    def _on_order(self, event: Event) -> None:
        before = self.orders.get(event["cl_ord_id"])
        self.orders[event["cl_ord_id"]] = event
        if before is not None and (before["status"], before["cum_qty"]) != (event["status"], event["cum_qty"]):
            self.say(f"order {event['cl_ord_id']} {terms_text(event)}: {state_text(event)}, {sender_text(event)}")

    def _on_fire(self, event: Event) -> None:
        when = datetime.fromtimestamp(event.get("trigger_time_ns", 0) / _NS, UTC)
        self.say(f"fire {when:%H:%M:%S.%f} {fire_text(event)}")

    def _on_book(self, event: Event) -> None:
        self.books[event["instrument"]] = event

    def best(self, instrument: str, side: str) -> Decimal | None:
        """The best price of buyers (`buy`) or sellers (`sell`), None if there is none."""
        levels = self.books.get(instrument, {}).get("bids" if side == "buy" else "asks")
        return Decimal(levels[0][0]) if levels else None

    def last(self, instrument: str) -> Decimal | None:
        """The last trade's price."""
        last = self.books.get(instrument, {}).get("last")
        return Decimal(last[0]) if last else None

    def open_orders(self) -> list[Order]:
        """Those that are not over, the newest first."""
        found = [order for order in self.orders.values() if not is_over(order)]
        return sorted(found, key=lambda order: order["time_ns"], reverse=True)

    def shown_orders(self, most: int = 200) -> list[Order]:
        """Those that are not over, then the last that are."""
        over = [order for order in self.orders.values() if is_over(order)]
        over.sort(key=lambda order: order["time_ns"], reverse=True)
        return (self.open_orders() + over)[:most]

    def current(self, cl_ord_id: str) -> Order | None:
        """The order that one goes on as: itself, or what has replaced it."""
        order = self.orders.get(cl_ord_id)
        while order is not None and order["status"] == "replaced":
            order = next((one for one in self.orders.values() if one["replaces"] == order["cl_ord_id"]), None)
        return order


def state_line(session: Event, away: str) -> tuple[str, str]:
    """The first line of the screen, and how it is to be taken: `bad`, `warn` or `good`."""
    if away:
        return f"DISCONNECTED: {away}", "bad"
    known: dict[str, Any] = session or {"phase": "unknown"}
    strategy = known.get("strategy") or "nothing loaded"
    if known.get("killed"):
        return f"KILL SWITCH ON   {known['phase']}   {strategy}", "bad"
    how = "DRY RUN" if known.get("dry_run") else "ARMED" if known.get("armed") else "disarmed"
    problem = f"   {known['problem']}" if known.get("problem") else ""
    return f"{how}   {known['phase']}   {strategy}{problem}", "good" if known.get("armed") and not problem else "warn"
