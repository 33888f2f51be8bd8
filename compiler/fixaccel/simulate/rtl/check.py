# SPDX-License-Identifier: Apache-2.0
"""Reads what the fabric did, and believes none of it: every order frame is checked from Ethernet to ClOrdID."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from fixaccel.emit.rule_report import order_entry
from fixaccel.emit.rules import BundleRule, BundleRules
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.templates.message import MessageError, fields_of, read_order, utc_text
from fixaccel.language.forms import Decision
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Source
from fixaccel.semantics.cl_ord_id import cl_ord_id
from fixaccel.semantics.messages import Fire, Message
from fixaccel.simulate.engines import EngineError
from fixaccel.simulate.rtl.frames import ACK, PSH, FrameError, parse
from fixaccel.simulate.rtl.stream import Traffic
from fixaccel.values import decimal_text, parse_decimal, scaled, unscaled

# TimeInForce(59) by its word in manifests.
_TIF = {"day": "0", "gtc": "1", "ioc": "3", "fok": "4"}
# Outcomes that stand for themselves; all others are reasons of a rejection.
_UNREJECTED = ("sent", "dry")


class Results:
    """Turns ring records and order frames into fires, of one bundle after the other. Raises EngineError."""

    def __init__(self, traffic: Traffic, frames: Iterator[bytes], hwmap: Hwmap) -> None:
        self._hwmap = hwmap
        self._traffic = traffic
        self._frames = frames
        self._outcomes = _names(hwmap, "outcome_")
        self._sources = _names(hwmap, "source_")
        self._entries = 0
        self._seq_num = 0
        self._next_byte = traffic.isn_client

    def load(
        self,
        manifest: Mapping[str, Any],
        rules: BundleRules,
        strategy: Strategy,
        instruments: Mapping[str, int] | None = None,
        watches: Mapping[int, int | None] | None = None,
    ) -> None:
        """Fires are those of this bundle from now on.

        ``manifest`` and ``rules`` as in the bundle, made of ``strategy``, which knows what its decisions send.
        ``instruments`` are their numbers by symbol, where they are not those of the manifest; ``watches`` names the
        rule of each trigger that is a watch, None where its hits do not.
        """
        listed = [entry for entry in manifest["instruments"] if "index" in entry]
        numbers = instruments or {entry["symbol"]: entry["index"] for entry in listed}
        self._strategy = strategy
        self._session = manifest["venue"]["session"]
        self._rules = rules
        self._watches = watches or {}
        self._units = {numbers[entry["symbol"]]: entry["unit"] for entry in listed}
        self._symbols = {number: symbol for symbol, number in numbers.items()}

    def fires(self, records: Sequence[Mapping[str, Any]]) -> list[Fire]:
        """One fire a ring record, the next ones; what watches have hit is none."""
        found = []
        for record in records:
            self._entries += 1
            _expect("entry", record["entry"], self._entries, f"fire {self._entries}")
            if record["trigger"] in self._watches:
                self._check_watch(record)
            else:
                found.append(self._fire(record, self._frames))
        return found

    def end(self) -> None:
        """There are no more records."""
        if next(self._frames, None) is not None:
            raise EngineError("more orders left than the ring has records of")

    def _check_watch(self, record: Mapping[str, Any]) -> None:
        where = f"watch of fire {record['entry']}"
        rule = self._watches[record["trigger"]]
        if rule is not None:
            _expect("rule", record["rule"], rule, where)
        outcome = self._outcomes[record["outcome"]]
        if outcome not in {"watch", "exhausted"}:
            raise EngineError(f"{where}: the outcome is {outcome}")
        for name in ("msg_seq_num", "tcp_seq", "length"):
            _expect(name, record[name], 0, where)

    def _threshold(self, rule: BundleRule, record: Mapping[str, Any]) -> str:
        """That of the rule; of a trail, where its stop was."""
        return (
            rule.threshold if "stop" not in record else self._price(record["stop"], record["instrument"], rule.source)
        )

    def _fire(self, record: Mapping[str, Any], frames: Iterator[bytes]) -> Fire:
        where = f"fire {record['entry']}"
        rule = self._rules.by_trigger(record["trigger"])
        if rule is None:
            raise EngineError(f"{where}: trigger {record['trigger']} is no rule's")
        _expect("rule", record["rule"], rule.index, where)
        _expect("instrument", self._symbols.get(record["instrument"]), rule.instrument, where)
        _expect("source", self._sources.get(record["source"]), rule.source, where)
        message = self._event(record["message"], rule.instrument, where)
        outcome = self._outcomes[record["outcome"]]
        order = rule.order or self._landing(rule, record["observed"], where)
        if outcome == "sent":
            self._check_order(record, rule, order, frames, where)
        return Fire(
            ts_ns=message.ts_ns,
            event=message.event,
            rule=rule.id,
            source=rule.source,
            trigger=self._threshold(rule, record),
            observed=self._price(record["observed"], record["instrument"], rule.source),
            side=order["side"],
            qty=int(order["qty"]),
            type=order["type"],
            price=order.get("price", ""),
            cl_ord_id=cl_ord_id(rule.index, record["fires"]) if outcome == "sent" else "",
            outcome=outcome if outcome in _UNREJECTED else f"rejected:{outcome}",
        )

    def _landing(self, rule: BundleRule, observed: int, where: str) -> Mapping[str, Any]:
        """The terms that a decision has for that price."""
        part = self._strategy.rules[rule.index]
        form = part.block.form
        if not isinstance(form, Decision):
            raise EngineError(f"{where}: {rule.id} has no order")
        rows = np.flatnonzero((form.low <= observed) & (observed <= form.high)).tolist()
        if not rows:
            raise EngineError(f"{where}: {rule.id} decided nothing for {observed}")
        order = form.orders[rows[0]]
        terms = order_entry(order, part)
        return terms if order.price is None else terms | {"price": decimal_text(part.instrument.to_price(order.price))}

    def _event(self, number: int, instrument: str, where: str) -> Message:
        numbered = self._traffic.numbered
        for message in numbered[number - 1] if 1 <= number <= len(numbered) else ():
            if message.instrument == instrument:
                return message
        raise EngineError(f"{where}: fired on message {number}, which stands for no event of {instrument}")

    def _check_order(
        self,
        record: Mapping[str, Any],
        rule: BundleRule,
        terms: Mapping[str, Any],
        frames: Iterator[bytes],
        where: str,
    ) -> None:
        frame = next(frames, None)
        if frame is None:
            raise EngineError(f"{where}: the ring says sent, no order left")
        try:
            segment = parse(frame)
            fields = dict(fields_of(segment.payload))
            order = read_order(segment.payload)
        except (FrameError, MessageError) as error:
            raise EngineError(f"{where}: {error}") from None
        self._seq_num += 1
        length = len(segment.payload)
        expected = {
            "source address": (segment.source, self._traffic.client),
            "target address": (segment.target, self._traffic.venue),
            "TCP flags": (segment.flags, ACK | PSH),
            "TCP sequence number": (segment.seq, self._next_byte),
            "TCP sequence number of the record": (record["tcp_seq"], self._next_byte),
            "length of the record": (record["length"], length),
            "bytes of the record": (record["payload"], segment.payload.decode("latin-1")),
            "MsgSeqNum": (order.seq_num, self._seq_num),
            "MsgSeqNum of the record": (f"{record['msg_seq_num']:x}", str(self._seq_num)),
            "ClOrdID": (order.cl_ord_id, cl_ord_id(rule.index, record["fires"])),
            "BeginString": (fields[8], self._session["begin_string"]),
            "SenderCompID": (fields[49], self._session["sender_comp_id"]),
            "TargetCompID": (fields[56], self._session["target_comp_id"]),
            "SendingTime": (fields[52], utc_text(record["time_ns"])),
            "TransactTime": (fields[60], fields[52]),
            "Symbol": (order.symbol, rule.instrument),
            "Side": (order.side, terms["side"]),
            "OrderQty": (order.qty, int(terms["qty"])),
            "OrdType": (order.type, terms["type"]),
            "Price": (order.price, terms.get("price", "")),
            "TimeInForce": (fields[59], _TIF[terms["tif"]]),
            "Account": (fields.get(1), terms.get("account")),
        }
        expected |= {f"field {tag}": (fields.get(int(tag)), text) for tag, text in terms.get("fields", {}).items()}
        for name, (seen, wanted) in expected.items():
            _expect(name, seen, wanted, where)
        self._next_byte = (self._next_byte + length) % 2**32

    def _price(self, units: int, instrument: int, source: str) -> str:
        places = self._hwmap.constant("wire_decimals")
        unit = parse_decimal(self._units[instrument])
        scale = None if unit is None else scaled(unit, places)
        assert scale is not None, "the manifest names the unit as a decimal"
        price = unscaled(units * scale, places)
        return decimal_text(price / 2 if Source(source) is Source.MID else price)


def _names(hwmap: Hwmap, prefix: str) -> dict[int, str]:
    """Constants with this prefix, name by value."""
    return {
        constant.value: name.removeprefix(prefix)
        for name, constant in hwmap.constants.items()
        if name.startswith(prefix)
    }


def _expect(name: str, seen: object, wanted: object, where: str) -> None:
    if seen != wanted:
        raise EngineError(f"{where}: {name} is {seen!r}, expected {wanted!r}")
