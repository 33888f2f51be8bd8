# SPDX-License-Identifier: Apache-2.0
"""The table interpreter: what the fabric would do with a bundle's memories.

It sees the packed bytes and the manifest's names, nothing of the strategy: what was packed wrongly fires wrongly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fixaccel.hwmap.model import Hwmap
from fixaccel.image.directory import bucket_of, mix, slot_of
from fixaccel.image.layout import MEMORIES, Layout
from fixaccel.image.memory import Memory
from fixaccel.image.message import Sent, read_order, send_order
from fixaccel.image.price import price_units, wire_price
from fixaccel.language.model import Direction, Source
from fixaccel.semantics.cl_ord_id import cl_ord_id
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Fire, Kind, Message
from fixaccel.values import decimal_text, parse_decimal, scaled, unscaled


@dataclass
class _Feed:
    """What the runtime knows of an instrument's stream."""

    open: bool = True
    suspended: bool = False


@dataclass
class _Chain:
    """Live state of one chain: head and tail, indices into the trigger memory."""

    head: int
    tail: int


@dataclass
class _State:
    feeds: dict[int, _Feed]
    chains: dict[int, _Chain] = field(default_factory=dict)
    fires: dict[int, int] = field(default_factory=dict)
    seq_num: int = 0


class Interpreter:
    """Runs a bundle message by message: ``manifest`` as in its file, ``memories`` as in ``image/NAME.bin``."""

    def __init__(
        self, manifest: Mapping[str, Any], names: Sequence[str], memories: Mapping[str, bytes], hwmap: Hwmap
    ) -> None:
        self._layout = Layout(hwmap, manifest["board"]["capacity"])
        self._memories = {name: Memory(name, memories[name], self._layout) for name in MEMORIES}
        self._seed = manifest["hash_seed"]
        self._units = {entry["index"]: entry["unit"] for entry in manifest["instruments"] if "index" in entry}
        self._rules = dict(enumerate(names))
        self._state = _State(feeds={index: _Feed() for index in self._units})
        self.invalid_prices = 0

    def process(self, message: Message) -> Iterator[Fire]:
        """Takes one message; yields its fires in firing order."""
        if message.instrument is None:
            for feed in self._state.feeds.values():
                _apply(message.kind, feed)
            return
        index = self._find(message.instrument)
        if index is None or not _apply(message.kind, self._state.feeds[index]):
            return
        for source in CARRIED:
            observed = self._observe(message.prices.get(source, UNKNOWN), index)
            if observed is None:
                continue
            for direction in Direction:
                yield from self._match(message, index, source, direction, observed)

    def _find(self, symbol: str) -> int | None:
        """The instrument's index by the directory, None if it has no entry."""
        mixed = mix(symbol, self._seed)
        offset = self._memories["displacement"][bucket_of(mixed, self._layout.buckets)]["offset"]
        entry = self._memories["directory"][slot_of(mixed, offset, self._layout.slots)]
        found = entry["valid"] and entry["key"] == int.from_bytes(symbol.encode("ascii"), "little")
        return entry["instrument"] if found else None

    def _observe(self, text: str, index: int) -> int | None:
        if text == UNKNOWN:
            return None
        wire = wire_price(text, self._layout)
        units = None if wire is None else price_units(wire, self._memories["instrument"][index])
        self.invalid_prices += units is None
        return units

    def _match(
        self, message: Message, index: int, source: Source, direction: Direction, observed: int
    ) -> Iterator[Fire]:
        """Fires heads of one chain as long as the observation satisfies them."""
        number = self._layout.chain(index, source, direction)
        record = self._memories["chain"][number]
        chain = self._state.chains.setdefault(number, _Chain(record["head"], record["tail"]))
        if not record["valid"]:
            return
        # The chain record repeats its first trigger's threshold: the fabric compares that one.
        threshold = record["threshold"] if chain.head == record["head"] else None
        while chain.head < chain.tail:
            trigger = self._memories["trigger"][chain.head]
            limit = trigger["threshold"] if threshold is None else threshold
            if observed > limit if direction is Direction.LE else observed < limit:
                return
            chain.head, threshold = chain.head + 1, None
            if trigger["valid"] and trigger["rule"] not in self._state.fires:
                yield self._fire(message, trigger, index, source, observed)

    def _fire(self, message: Message, trigger: Mapping[str, int], index: int, source: Source, observed: int) -> Fire:
        rule = trigger["rule"]
        self._state.fires[rule] = 1
        self._state.seq_num += 1
        sent = Sent(self._state.seq_num, message.ts_ns, cl_ord_id(rule, self._state.fires[rule]))
        order = read_order(send_order(self._memories, trigger["order"], sent, self._layout))
        return Fire(
            ts_ns=message.ts_ns,
            event=message.event,
            rule=self._rules[rule],
            source=source.value,
            trigger=self._price(trigger["threshold"], index),
            observed=self._price(observed, index),
            side=order.side,
            qty=order.qty,
            type=order.type,
            price=order.price,
            cl_ord_id=order.cl_ord_id,
            outcome="sent",
        )

    def _price(self, units: int, index: int) -> str:
        unit = parse_decimal(self._units[index])
        places = self._layout.constant("wire_decimals")
        scale = None if unit is None else scaled(unit, places)
        assert scale is not None, "the manifest names the unit as a decimal"
        return decimal_text(unscaled(units * scale, places))


def _apply(kind: Kind, feed: _Feed) -> bool:
    """What a message does to the stream; whether its prices count."""
    match kind:
        case Kind.GAP:
            feed.suspended = True
        case Kind.HALT:
            feed.open = False
        case Kind.OPEN:
            feed.open = True
        case Kind.SNAPSHOT:
            feed.suspended = False
        case Kind.UPDATE:
            pass
    return kind in {Kind.SNAPSHOT, Kind.UPDATE} and feed.open and not feed.suspended
