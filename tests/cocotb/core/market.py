# SPDX-License-Identifier: Apache-2.0
"""Tables made by hand and an exchange's side of the session, for tests of the whole core."""

from dataclasses import dataclass, field
from zlib import crc32

from bench import ANY_QUANTITY, CAPACITY, CONST, HWMAP, Bench
from frames import ACK, PSH, Segment, fix
from prepared import PreparedOrder, new_order

from fixaccel.image.directory import place

SOURCES = {"bid": CONST["source_bid"], "ask": CONST["source_ask"], "last": CONST["source_last"]}
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

    async def load(self, bench: Bench) -> None:
        slots = HWMAP.depth("directory", CAPACITY)
        buckets = HWMAP.depth("displacement", CAPACITY)
        offsets = HWMAP.memories["displacement"].record.field("offset").high + 1
        found = place([i.symbol for i in self.instruments], slots, buckets, offsets)
        await bench.set(hash_seed=found.seed)
        for slot in range(slots):
            await bench.write_record("directory", slot, valid=0)
        for bucket, offset in found.displacement.items():
            await bench.write_record("displacement", bucket, offset=offset)
        for index, instrument in enumerate(self.instruments):
            key = int.from_bytes(instrument.symbol.encode(), "little")
            await bench.write_record("symbol", index, key=key)
            await bench.write_record("quantity_left", index, **ANY_QUANTITY)
            await bench.write_record("directory", found.slots[instrument.symbol], instrument=index, valid=1)
            shift = (instrument.unit & -instrument.unit).bit_length() - 1
            await bench.write_record(
                "instrument", index, inverse=pow(instrument.unit >> shift, -1, 2**64), shift=shift,
                price_min=instrument.price_min, price_max=instrument.price_max,
            )  # fmt: skip
            for chain in range(8):
                await bench.write_record("chain", index * 8 + chain, valid=0)
        for index in range(CAPACITY["triggers"]):
            await bench.write_record("fire_count", index, fires=0)
        for word in range(HWMAP.depth("live", CAPACITY)):
            live = min(max(len(self.rules) - 32 * word, 0), 32)
            await bench.write_record("live", word, triggers=(1 << live) - 1)
            await bench.write_record("dormant", word, triggers=0)
        at = 0
        for index, source, direction in sorted({(r.instrument, r.source, r.direction) for r in self.rules}):
            members = [
                i
                for i, r in enumerate(self.rules)
                if (r.instrument, r.source, r.direction) == (index, source, direction)
            ]
            members.sort(key=lambda i: self.rules[i].threshold * (1 if direction == ">=" else -1))
            chain = index * 8 + SOURCES[source] * 2 + DIRECTIONS[direction]
            for place_, rule in enumerate(members):
                threshold = self.rules[rule].threshold
                await bench.write_record("trigger", at + place_, threshold=threshold, rule=rule, order=rule)
            await bench.write_record("chain", chain, first=at, last=at + len(members) - 1, valid=1)
            at += len(members)
        if not self.orders:
            self.orders = [
                new_order(self.instruments[r.instrument].symbol, qty=f"{i + 1:06}") for i, r in enumerate(self.rules)
            ]
        templates: list[PreparedOrder] = []
        for index, order in enumerate(self.orders):
            if order.parts not in [t.parts for t in templates]:
                await bench.load_template(len(templates), order)
                templates.append(order)
            assert len(templates) <= CAPACITY["templates"]
            await bench.load_order(index, order, [t.parts for t in templates].index(order.parts))


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


async def trading(dut, tables: Tables, **settings: int) -> tuple[Bench, Exchange]:
    """A core with ``tables`` loaded, the session open and in step, armed."""
    bench = await Bench.start(dut)
    await tables.load(bench)
    await bench.open_flow()
    exchange = Exchange(bench)
    await bench.set_clock()
    await exchange.send(b"")
    await bench.cycles(10)
    await bench.set(sender_comp_crc=crc32(b"EXCH"), target_comp_crc=crc32(b"CPU"), generation=3, **settings)
    await exchange.resync()
    await bench.set(arm=1)
    await bench.cycles(5)
    status = await bench.status()
    assert (status["synced"], status["gap"], status["armed"]) == (1, 0, 1), status
    return bench, exchange
