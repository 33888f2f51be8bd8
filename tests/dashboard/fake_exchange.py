# SPDX-License-Identifier: Apache-2.0
"""A control socket of the exchange simulator without an exchange: a seeded random market, its orders and sessions."""

import asyncio
import json
import random
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PHASES = ("continuous", "opening_call", "closing_call", "halted", "closed")
FAULTS = (
    *("clear", "delay", "drop", "duplicate", "garble", "hold", "early", "sequence-jump", "window-close"),
    *("test-requests", "resend-request", "split", "disconnect", "reset", "no-heartbeats"),
)
_COUNTS = (
    *("messages_in", "messages_out", "bytes_in", "bytes_out", "outbox", "outbox_high"),
    *("dropped", "connects", "disconnects", "resends"),
)
# Where the price begins and its tick, in cents; the lot.
_INSTRUMENTS = {"MSFT": (41_250, 5, 1), "TOYOTA": (281_900, 50, 100), "AAPL": (19_000, 1, 1)}
_CLIENTS = {"CLIENT1": False, "CLIENT2": False, "CLIENT1-MD": True}
_DEPTH = 10


def price_text(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def raw(msg_type: str, sender: str, target: str, number: int, *fields: str) -> str:
    """A whole message, with `|` for SOH and a right length and check sum."""
    stamp = time.strftime("%Y%m%d-%H:%M:%S", time.gmtime()) + ".000"
    body = "".join(
        f"{field}|"
        for field in (f"35={msg_type}", f"34={number}", f"49={sender}", f"52={stamp}", f"56={target}", *fields)
    )
    whole = f"8=FIX.4.4|9={len(body)}|{body}"
    return f"{whole}10={sum(whole.replace('|', chr(1)).encode()) % 256:03}|"


class RandomVenue:
    """What a venue would know; `step` moves it on and hands back events."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self.middles = {symbol: start for symbol, (start, _, _) in _INSTRUMENTS.items()}
        self.phases = dict.fromkeys(_INSTRUMENTS, "continuous")
        self.last: dict[str, list[str] | None] = dict.fromkeys(_INSTRUMENTS)
        self.orders: dict[str, Json] = {}
        self.sessions = {client: self._session(client, md) for client, md in _CLIENTS.items()}
        self.faults: list[Json] = []
        self._order_id = 0

    @staticmethod
    def _session(client: str, market_data: bool) -> Json:
        counts = dict.fromkeys(_COUNTS, 0)
        return {
            "client": client,
            "market_data": market_data,
            "logged_on": client != "CLIENT2",
            "next_sender": 1,
            "next_target": 1,
            "peer": "127.0.0.1:50123",
            **counts,
        }

    def book(self, symbol: str) -> Json:
        middle, tick = self.middles[symbol], _INSTRUMENTS[symbol][1]
        lot, draw = _INSTRUMENTS[symbol][2], self._random

        def side(sign: int) -> list[list[Any]]:
            return [
                [
                    price_text(middle + sign * tick * level),
                    str(lot * draw.randint(1, 40 + 10 * level)),
                    draw.randint(1, 6),
                ]
                for level in range(1, _DEPTH + 1)
            ]

        return {
            "event": "book",
            "symbol": symbol,
            "time_ns": time.time_ns(),
            "bids": side(-1),
            "asks": side(+1),
            "last": self.last[symbol],
            "phase": self.phases[symbol],
        }

    def instruments(self) -> list[Json]:
        return [
            {"symbol": symbol, "tick": price_text(tick), "lot": str(lot), "phase": self.phases[symbol]}
            for symbol, (_, tick, lot) in _INSTRUMENTS.items()
        ]

    def new_order(self, client: str, symbol: str, side: str, qty: str, price: str, **more: Any) -> Json:
        self._order_id += 1
        order = {
            "order": str(self._order_id),
            "client": client,
            "cl_ord_id": f"{client}-{self._order_id}",
            "symbol": symbol,
            "side": side,
            "type": "limit",
            "tif": "day",
            "qty": qty,
            "price": price,
            "stop_price": "",
            "status": "new",
            "cum_qty": "0",
            "leaves_qty": qty,
            "avg_px": "0",
            "house": client == "house",
            **more,
        }
        self.orders[order["order"]] = order
        while len(self.orders) > 500:
            self.orders.pop(next(iter(self.orders)))
        return order

    def told(self, order: Json, exec_type: str, last_qty: str = "0", last_px: str = "", text: str = "") -> Json:
        return {
            "event": "order",
            **order,
            "exec_type": exec_type,
            "last_qty": last_qty,
            "last_px": last_px,
            "text": text,
        }

    def message(self, client: str, direction: str, msg_type: str, *fields: str) -> Iterable[Json]:
        session = self.sessions[client]
        if not session["logged_on"]:
            return
        out = direction == "out"
        number = session["next_sender" if out else "next_target"]
        session["next_sender" if out else "next_target"] += 1
        session["messages_out" if out else "messages_in"] += 1
        sender, target = ("SIMULATOR", client) if out else (client, "SIMULATOR")
        text = raw(msg_type, sender, target, number, *fields)
        session["bytes_out" if out else "bytes_in"] += len(text)
        yield {"event": "message", "client": client, "direction": direction, "time_ns": time.time_ns(), "raw": text}

    def step(self) -> list[Json]:
        """The next tenth of a second of one instrument."""
        draw = self._random
        symbol = draw.choice(list(_INSTRUMENTS))
        events: list[Json] = []
        if self.phases[symbol] == "continuous":
            tick, lot = _INSTRUMENTS[symbol][1:]
            self.middles[symbol] = max(20 * tick, self.middles[symbol] + draw.choice((-tick, 0, 0, tick)))
            if draw.random() < 0.4:
                events += self._traded(symbol, price_text(self.middles[symbol]), str(lot * draw.randint(1, 20)))
            if draw.random() < 0.5:
                events += self._ordered(symbol, str(lot * draw.randint(1, 30)))
            events.append(self.book(symbol))
            events += self.message(
                "CLIENT1-MD", "out", "W", f"55={symbol}", "268=1", "269=0", f"270={self.middles[symbol]}"
            )
        if draw.random() < 0.1:
            events += self.message("CLIENT1", draw.choice(("in", "out")), "0")
        session = self.sessions[draw.choice(list(self.sessions))]
        return [*events, {"event": "session", **session}]

    def _traded(self, symbol: str, price: str, qty: str) -> list[Json]:
        self.last[symbol] = [price, qty]
        names = ["CLIENT1", "house"]
        self._random.shuffle(names)
        trade = {"event": "trade", "symbol": symbol, "price": price, "qty": qty, "time_ns": time.time_ns()}
        return [{**trade, "side": self._random.choice(("buy", "sell")), "buyer": names[0], "seller": names[1]}]

    def _ordered(self, symbol: str, qty: str) -> list[Json]:
        draw = self._random
        side = draw.choice(("buy", "sell"))
        away = draw.randint(1, 9) * _INSTRUMENTS[symbol][1] * (-1 if side == "buy" else 1)
        price = price_text(self.middles[symbol] + away)
        code = "1" if side == "buy" else "2"
        order = self.new_order("CLIENT1", symbol, side, qty, price)
        events = list(
            self.message(
                "CLIENT1", "in", "D", f"11={order['cl_ord_id']}", f"55={symbol}", f"54={code}", f"38={qty}", "40=2",
                f"44={price}", "59=0",
            )
        )  # fmt: skip
        events.append(self.told(order, "new"))
        if draw.random() < 0.5:
            order |= {"status": "filled", "cum_qty": qty, "leaves_qty": "0", "avg_px": price}
            events.append(self.told(order, "trade", qty, price))
        elif draw.random() < 0.3:
            order |= {"status": "canceled", "leaves_qty": "0"}
            events.append(self.told(order, "canceled"))
        status = {"new": "0", "filled": "2", "canceled": "4"}[order["status"]]
        report = "F" if status == "2" else status
        events += self.message(
            "CLIENT1", "out", "8", f"37={order['order']}", f"11={order['cl_ord_id']}", f"17=E{order['order']}",
            f"150={report}", f"39={status}", f"55={symbol}", f"54={code}", f"38={qty}", f"44={price}",
            f"14={order['cum_qty']}", f"151={order['leaves_qty']}", f"6={order['avg_px']}",
        )  # fmt: skip
        return events


class RefusedError(Exception):
    def __init__(self, error: str, help_text: str) -> None:
        super().__init__(error)
        self.help = help_text


class FakeExchange:
    """Serves ``path``; a test may `publish` events itself, and see in `asked` what it was asked for."""

    def __init__(self, path: Path, venue: RandomVenue | None = None) -> None:
        self.path = path
        self.venue = venue or RandomVenue()
        self.asked: list[Json] = []
        self._watchers: dict[asyncio.StreamWriter, list[str]] = {}
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.path, limit=1 << 20)

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.close()
        await self._server.wait_closed()
        self.path.unlink(missing_ok=True)

    @property
    def watched(self) -> bool:
        return bool(self._watchers)

    def publish(self, *events: Json) -> None:
        kinds = {"book": "books", "trade": "trades", "order": "orders", "session": "sessions", "message": "messages"}
        for writer, what in self._watchers.items():
            for event in events:
                if kinds.get(event["event"], "") in {*what, ""}:
                    writer.write(json.dumps(event).encode() + b"\n")

    async def play(self, every_s: float = 0.03) -> None:
        """Moves the market for ever."""
        while True:
            self.publish(*self.venue.step())
            await asyncio.sleep(every_s)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                request = json.loads(line)
                self.asked.append(request)
                try:
                    answer = {"id": request.get("id"), "ok": True, **self._answer(request, writer)}
                except RefusedError as error:
                    answer = {"id": request.get("id"), "ok": False, "error": str(error), "help": error.help}
                writer.write(json.dumps(answer).encode() + b"\n")
                if request["do"] == "watch":
                    self.publish(*(self.venue.book(symbol) for symbol in _INSTRUMENTS))
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            self._watchers.pop(writer, None)
            self._writers.discard(writer)
            writer.close()

    def _answer(self, request: Json, writer: asyncio.StreamWriter) -> Json:
        do = request.get("do")
        if do == "watch":
            self._watchers[writer] = request["what"]
            return {}
        handler = getattr(self, f"_do_{do}", None)
        if handler is None:
            raise RefusedError(
                f"unknown request '{do}'", "known are status, order, cancel, quote, trade, phase, fault, ..."
            )
        answer: Json = handler(request)
        return answer

    def _do_status(self, _: Json) -> Json:
        return {
            "venue": "SIMULATOR",
            "version": "0.1.0",
            "time_ns": time.time_ns(),
            "instruments": self.venue.instruments(),
            "sessions": list(self.venue.sessions.values()),
            "counts": {"orders": len(self.venue.orders), "trades": 0, "messages": 0},
        }

    def _do_orders(self, request: Json) -> Json:
        found = [o for o in self.venue.orders.values() if request.get("client") in {None, o["client"]}]
        if request.get("open"):
            found = [o for o in found if o["leaves_qty"] != "0"]
        return {"orders": found[-request.get("limit", 500) :]}

    def _symbol(self, request: Json) -> str:
        symbol = str(request.get("symbol"))
        if symbol not in self.venue.middles:
            raise RefusedError(f"unknown symbol '{symbol}'", "the venue has " + ", ".join(self.venue.middles))
        return symbol

    def _do_order(self, request: Json) -> Json:
        symbol = self._symbol(request)
        terms = {key: str(request.get(key, "")) for key in ("side", "qty", "price")}
        order = self.venue.new_order("house", symbol, terms["side"], terms["qty"], terms["price"])
        self.publish(self.venue.told(order, "new"), self.venue.book(symbol))
        return {"order": order["order"]}

    def _do_cancel(self, request: Json) -> Json:
        order = self.venue.orders.get(str(request.get("order")))
        if order is None:
            raise RefusedError(f"no order {request.get('order')}", "`orders` lists them")
        if not order["house"] and not request.get("force"):
            raise RefusedError(f"order {order['order']} is {order['client']}'s", "add force to cancel it all the same")
        order |= {"status": "canceled", "leaves_qty": "0"}
        self.publish(self.venue.told(order, "canceled"))
        return {}

    def _do_quote(self, request: Json) -> Json:
        self._symbol(request)
        return {}

    def _do_trade(self, request: Json) -> Json:
        self.publish(*self.venue._traded(self._symbol(request), str(request["price"]), str(request["qty"])))
        return {}

    def _do_phase(self, request: Json) -> Json:
        symbol = self._symbol(request)
        if request.get("phase") not in PHASES:
            raise RefusedError(f"unknown phase '{request.get('phase')}'", "known are " + ", ".join(PHASES))
        self.venue.phases[symbol] = request["phase"]
        self.publish(self.venue.book(symbol))
        return {}

    def _client(self, request: Json) -> Json:
        session = self.venue.sessions.get(str(request.get("client")))
        if session is None:
            raise RefusedError(
                f"unknown client '{request.get('client')}'", "known are " + ", ".join(self.venue.sessions)
            )
        return session

    def _do_logout(self, request: Json) -> Json:
        session = self._client(request)
        session["logged_on"] = False
        self.publish({"event": "session", **session})
        return {}

    def _do_resend(self, request: Json) -> Json:
        self.publish(*self.venue.message(self._client(request)["client"], "out", "2", "7=1", "16=0"))
        return {}

    def _do_test_request(self, request: Json) -> Json:
        self.publish(*self.venue.message(self._client(request)["client"], "out", "1", "112=TEST"))
        return {}

    def _do_fault(self, request: Json) -> Json:
        session = self._client(request)
        if request.get("kind") not in FAULTS:
            raise RefusedError(f"unknown fault '{request.get('kind')}'", "known are " + ", ".join(FAULTS))
        self.venue.faults.append(request)
        if request["kind"] in {"disconnect", "reset"}:
            session |= {"logged_on": False, "disconnects": session["disconnects"] + 1}
            self.publish({"event": "session", **session})
        return {}
