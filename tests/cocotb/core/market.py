# SPDX-License-Identifier: Apache-2.0
"""Tables made by hand and an exchange's side of the session, for tests of the whole core."""

from collections.abc import Collection
from dataclasses import dataclass, field
from zlib import crc32

from bench import ANY_QUANTITY, CAPACITY, CONST, HWMAP, Bench
from frames import ACK, PSH, Segment, fix, parse
from prepared import PreparedOrder, new_order

from fixaccel.image.directory import place

SOURCES = {source: CONST[f"source_{source}"] for source in ("bid", "ask", "last", "mid")}
DIRECTIONS = {"<=": CONST["direction_le"], ">=": CONST["direction_ge"]}
ENTRY_TYPES = {"bid": "0", "ask": "1", "last": "2"}
WIRE = 10 ** CONST["wire_decimals"]


@dataclass(frozen=True)
class Instrument:
    """``unit`` in 10^-8 of the currency; prices in units."""

    symbol: str
    unit: int = WIRE // 4
    price_min: int = -(10**6)
    price_max: int = 10**6

    def text(self, units: int) -> str:
        """A price as it stands on the wire."""
        scaled = abs(units * self.unit)
        decimals = f"{scaled % WIRE:08}".rstrip("0")
        return ("-" if units < 0 else "") + str(scaled // WIRE) + ("." + decimals if decimals else "")


@dataclass(frozen=True)
class Rule:
    """``threshold`` in units, of the mid in half units."""

    instrument: int
    source: str
    direction: str
    threshold: int


@dataclass
class Tables:
    """Everything that a compiler would put into the core's memories; order record i belongs to rule i."""

    instruments: list[Instrument]
    rules: list[Rule]
    orders: list[PreparedOrder] = field(default_factory=list)
    children: dict[int, list[int]] = field(default_factory=dict)  # rules that a rule arms, of neighbouring triggers
    confirms: bool = False  # all thresholds take two observations

    async def load(self, bench: Bench, bank: int | None = None, spent: Collection[int] = ()) -> None:
        """Into the whole memories, or into one of two banks; rules that are ``spent`` are not live."""

        def depth(memory: str) -> int:
            return HWMAP.depth(memory, CAPACITY) // (1 if bank is None else 2)

        async def write(memory: str, index: int, **values: int) -> None:
            await bench.write_record(memory, (bank or 0) * depth(memory) + index, **values)

        banked, upper = bank is not None, "_upper" if bank else ""
        slots, buckets = depth("directory"), depth("displacement")
        offsets = HWMAP.memories["displacement"].record.field("offset").high + 1
        found = place([i.symbol for i in self.instruments], slots, buckets, offsets, banked=banked)
        await bench.set(**{f"hash_seed{upper}": found.seed})
        for slot in range(slots):
            await write("directory", slot, valid=0)
        for bucket, offset in found.displacement.items():
            await write("displacement", bucket, offset=offset)
        for index, instrument in enumerate(self.instruments):
            key = int.from_bytes(instrument.symbol.encode(), "little")
            await write("symbol", index, key=key)
            await write("quantity_left", index, **ANY_QUANTITY)
            await write("directory", found.slots[instrument.symbol], instrument=index, valid=1)
            shift = (instrument.unit & -instrument.unit).bit_length() - 1
            await write(
                "instrument", index, inverse=pow(instrument.unit >> shift, -1, 2**64), shift=shift,
                price_min=instrument.price_min, price_max=instrument.price_max,
            )  # fmt: skip
            for chain in range(8):
                await write("chain", index * 8 + chain, valid=0)
        await self.set_live(bench, bank, spent)
        for chain, members in self.chains().items():
            at = self.triggers().index(members[0])
            arms = int(any(self.children.get(rule) for rule in members))
            ends = {"first": at, "last": at + len(members) - 1}
            await write("chain", chain, valid=1, arms=arms, confirms=int(self.confirms), **ends)
        for trigger, rule in enumerate(self.triggers()):
            await write("trigger", trigger, threshold=self.rules[rule].threshold, rule=rule, order=rule)
        links: dict[int, int] = {}
        for parent, children in self.children.items():
            places = sorted(self.triggers().index(child) for child in children)
            assert places == list(range(places[0], places[-1] + 1))
            links[parent] = len(links) + 1
            await write("link", links[parent], first=places[0], last=places[-1], arms=1, more=0)
        if not self.orders:
            self.orders = [
                new_order(self.instruments[r.instrument].symbol, qty=f"{i + 1:06}") for i, r in enumerate(self.rules)
            ]
        templates: list[PreparedOrder] = []
        first = (bank or 0) * depth("template_shape")
        for index, order in enumerate(self.orders):
            if order.parts not in [t.parts for t in templates]:
                await bench.load_template(first + len(templates), order)
                templates.append(order)
            assert len(templates) <= depth("template_shape")
            template = [t.parts for t in templates].index(order.parts)
            await write("order", index, template_index=template, link=links.get(index, 0), **order.order_record())

    async def set_live(self, bench: Bench, bank: int | None, spent: Collection[int] = ()) -> None:
        """Writes the one-shot state: rules that are ``spent`` have fired once, children wait for their parents."""
        children = {child for group in self.children.values() for child in group}
        triggers = self.triggers()
        depth = CAPACITY["triggers"] // (1 if bank is None else 2)
        base = (bank or 0) * depth
        for index in range(depth):
            fired = index < len(triggers) and triggers[index] in spent
            await bench.write_record("fire_count", base + index, fires=int(fired))
        for memory, chosen in (("live", set(range(len(triggers))) - children), ("dormant", children)):
            for word in range(depth // 32):
                rules = enumerate(triggers[32 * word : 32 * word + 32])
                bits = sum(1 << place_ for place_, rule in rules if rule in chosen and rule not in spent)
                await bench.write_record(memory, base // 32 + word, triggers=bits)

    def chains(self) -> dict[int, list[int]]:
        """Rules of each chain in firing order."""
        found: dict[int, list[int]] = {}
        for rule, terms in enumerate(self.rules):
            chain = terms.instrument * 8 + SOURCES[terms.source] * 2 + DIRECTIONS[terms.direction]
            found.setdefault(chain, []).append(rule)
        for members in found.values():
            members.sort(key=lambda i: self.rules[i].threshold * (1 if self.rules[i].direction == ">=" else -1))
        return dict(sorted(found.items()))

    def triggers(self) -> list[int]:
        """The rule of each trigger."""
        return [rule for members in self.chains().values() for rule in members]


class Exchange:
    """Sends on the session's flow and keeps count of its sequence numbers."""

    def __init__(self, bench: Bench, seq: int = 5000, ack: int = 1000) -> None:
        self.bench = bench
        self.seq, self.ack = seq, ack
        self.number = 1

    def snapshot(self, symbol: str, entries: list[tuple[str, str]], pad: str = "", **extra: str) -> bytes:
        """35=W of (source, price text) entries; ``pad`` goes into Text(58)."""
        fields = [(43, "Y")] if extra.get("poss_dup") else []
        fields += [(58, pad)] if pad else []
        fields += [(55, symbol), (268, str(len(entries)))]
        for source, price in entries:
            fields += [(269, ENTRY_TYPES[source]), (270, price), (271, "5")]
        return self.message("W", fields)

    def message(self, kind: str, fields: list[tuple[int, str]]) -> bytes:
        """The session's next message."""
        head = [(35, kind), (49, "EXCH"), (56, "CPU"), (34, str(self.number)), (52, "20250314-12:34:56.789")]
        self.number += 1
        return fix([*head, *fields])

    async def resync(self) -> None:
        """Says where the stream stands: the next byte begins the next message."""
        await self.bench.set(rx_seq_num=int(str(self.number), 16), resync_seq=self.seq)
        await self.bench.cycles(4)

    def segment(self, payload: bytes, *, advance: bool = True, **other) -> bytes:
        frame = Segment(outgoing=False, seq=self.seq, ack=self.ack, flags=ACK | PSH, payload=payload, **other).frame()
        if advance:
            self.seq = (self.seq + len(payload)) % 2**32
        return frame

    async def send(self, payload: bytes, **other) -> int:
        """Sends one segment; returns the cycle of its frame's last byte."""
        before = len(self.bench.net.last_cycles)
        self.bench.from_net(self.segment(payload, **other))
        while len(self.bench.net.last_cycles) == before:
            await self.bench.cycles(1)
        return self.bench.net.last_cycles[-1]


async def trading(dut, tables: Tables, *, banked: bool = False, **settings: int) -> tuple[Bench, Exchange]:
    """A core with ``tables`` loaded, of two banks into the lower one, the session open and in step, armed."""
    bench = await Bench.start(dut)
    await bench.set(banked=int(banked))
    await tables.load(bench, 0 if banked else None)
    await bench.open_flow()
    exchange = Exchange(bench)
    await bench.set_clock()
    await exchange.send(b"")
    await bench.cycles(10)
    await bench.set(sender_comp_crc=crc32(b"EXCH"), target_comp_crc=crc32(b"CPU"), **{"generation": 3, **settings})
    await exchange.resync()
    await bench.set(arm=1)
    await bench.cycles(5)
    status = await bench.status()
    assert (status["synced"], status["gap"], status["armed"]) == (1, 0, 1), status
    return bench, exchange


async def orders(bench: Bench, count: int) -> list:
    """The first ``count`` frames to the exchange behind the two of the handshake, parsed and right."""
    frames = (await bench.net_frames(2 + count))[2:]
    parsed = [parse(frame.data) for frame in frames]
    for frame, order in zip(frames, parsed, strict=True):
        assert not order.problems, order.problems
        assert not frame.gaps
    return list(zip(frames, parsed, strict=True))


async def quiet(bench: Bench, frames: int) -> None:
    """Nothing more than ``frames`` leaves behind the handshake."""
    await bench.settle(800)
    assert len(bench.net_tx.frames) == 2 + frames
