# SPDX-License-Identifier: Apache-2.0
"""Simple algorithms of the console: each looks at the market and says what to send next. No daemon and no clock here.

They live as long as the console does and have no latency bound: what must not wait is a rule.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

from fixaccel.board.control import ControlClient
from fixaccel.board.orders import Answer, cancel, is_over, replace, send_order
from fixaccel.console.state import Model


@dataclass(frozen=True)
class Action:
    """What to ask the daemon for, and the words for it."""

    text: str
    ask: Callable[[ControlClient], Answer]


class BadTermsError(ValueError):
    """The terms of an algorithm make no sense; the text says which."""


def _number(text: str, what: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise BadTermsError(f"{what} must be a whole number above zero")
    return int(text)


def _price(text: str, what: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation:
        raise BadTermsError(f"{what} must be a price") from None
    if not price.is_finite():
        raise BadTermsError(f"{what} must be a price")
    return price


def _side(text: str) -> str:
    if text not in {"buy", "sell"}:
        raise BadTermsError("the side is buy or sell")
    return text


@dataclass
class Algorithm:
    """One at work. `step` says what to do next; nothing more is asked of it before `answered`."""

    kind: ClassVar[str] = ""
    terms: ClassVar[tuple[str, ...]] = ()  # that `of` takes, as texts

    instrument: str
    side: str
    qty: int
    ended: str = ""  # why it does nothing any more
    order: str = ""  # ClOrdID of its last order

    def step(self, now_s: float, model: Model) -> Action | None:
        """The next action, None if there is nothing to do now."""
        raise NotImplementedError

    def answered(self, answer: Answer | None, refusal: str) -> None:
        """What became of the last action: the daemon's answer, or None and why it was refused."""
        if answer is None:
            self.ended = f"stopped: {refusal}"
        else:
            self.order = answer["cl_ord_id"]

    def text(self) -> str:
        """What it is for."""
        return f"{self.kind} {self.side} {self.qty} {self.instrument}"

    def _send(self, qty: int, price: str | None, tif: str = "day") -> Action:
        instrument, side = self.instrument, self.side
        at = f"at {price}" if price else "at market"
        return Action(
            f"{self.text()}: {side} {qty} {instrument} {at}",
            lambda client: send_order(client, instrument, side, qty, price=price, tif=tif),
        )


@dataclass
class Stop(Algorithm):
    """Buys once the last trade is at or above a price, sells once it is at or below it."""

    kind: ClassVar[str] = "stop"
    terms: ClassVar[tuple[str, ...]] = ("instrument", "side", "qty", "trigger", "price")

    trigger: Decimal = Decimal(0)
    price: str = ""  # empty: at market

    @classmethod
    def of(cls, instrument: str, side: str, qty: str, trigger: str, price: str) -> "Stop":
        """From texts. Raises BadTermsError."""
        if price:
            _price(price, "the price")
        return cls(
            instrument, _side(side), _number(qty, "the quantity"), trigger=_price(trigger, "trigger"), price=price
        )

    def step(self, now_s: float, model: Model) -> Action | None:  # noqa: ARG002 - it does not depend on the time
        last = model.last(self.instrument)
        if last is None or (last < self.trigger if self.side == "buy" else last > self.trigger):
            return None
        return self._send(self.qty, self.price or None)

    def answered(self, answer: Answer | None, refusal: str) -> None:
        super().answered(answer, refusal)
        self.ended = self.ended or f"sent {self.order}"

    def text(self) -> str:
        return f"{super().text()} from {self.trigger} on"


@dataclass
class Best(Algorithm):
    """Keeps an order at the best price of its own side until it is filled; it never goes back behind others."""

    kind: ClassVar[str] = "best"
    terms: ClassVar[tuple[str, ...]] = ("instrument", "side", "qty")

    @classmethod
    def of(cls, instrument: str, side: str, qty: str) -> "Best":
        """From texts. Raises BadTermsError."""
        return cls(instrument, _side(side), _number(qty, "the quantity"))

    def step(self, now_s: float, model: Model) -> Action | None:  # noqa: ARG002 - it does not depend on the time
        best = model.best(self.instrument, self.side)
        if not self.order:
            return None if best is None else self._send(self.qty, str(best))
        order = model.current(self.order)
        if order is None or order["asked"] or order["status"] == "sent":
            return None  # the venue has not answered yet
        if is_over(order):
            self.ended = str(order["status"])
            return None
        ours = Decimal(order["price"])
        if best is None or (best <= ours if self.side == "buy" else best >= ours):
            return None
        name, price = order["cl_ord_id"], str(best)
        return Action(f"{self.text()}: {name} to {price}", lambda client: replace(client, name, price=price))


@dataclass
class Slices(Algorithm):
    """Sends a quantity in equal parts, one every so many seconds, the rest with the last."""

    kind: ClassVar[str] = "slices"
    terms: ClassVar[tuple[str, ...]] = ("instrument", "side", "qty", "price", "parts", "seconds")

    parts: int = 1
    seconds: float = 1
    price: str = ""  # empty: at market
    sent: int = field(default=0, init=False)
    next_s: float | None = field(default=None, init=False)

    @classmethod
    def of(cls, instrument: str, side: str, qty: str, price: str, parts: str, seconds: str) -> "Slices":
        """From texts. Raises BadTermsError."""
        if price:
            _price(price, "the price")
        every = _price(seconds, "seconds")
        if every <= 0:
            raise BadTermsError("seconds must be above zero")
        whole, count = _number(qty, "the quantity"), _number(parts, "parts")
        if count > whole:
            raise BadTermsError("there are more parts than there is to send")
        return cls(instrument, _side(side), whole, parts=count, seconds=float(every), price=price)

    def step(self, now_s: float, model: Model) -> Action | None:  # noqa: ARG002 - it does not depend on the market
        if self.next_s is not None and now_s < self.next_s:
            return None
        self.next_s = now_s + self.seconds
        last = self.sent == self.parts - 1
        part = self.qty // self.parts
        return self._send(self.qty - part * self.sent if last else part, self.price or None)

    def answered(self, answer: Answer | None, refusal: str) -> None:
        super().answered(answer, refusal)
        self.sent += answer is not None
        if self.sent == self.parts:
            self.ended = "all is sent"

    def text(self) -> str:
        return f"{super().text()}, {self.sent} of {self.parts} parts sent"


ALGORITHMS: dict[str, Any] = {each.kind: each for each in (Stop, Best, Slices)}


def cancel_action(cl_ord_id: str) -> Action:
    """To cancel one order."""
    return Action(f"cancel {cl_ord_id}", lambda client: cancel(client, cl_ord_id))
