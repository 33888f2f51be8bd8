# SPDX-License-Identifier: Apache-2.0
"""Drives `receive` in cocotb: frames in, hits and verdicts out, tables over the host bus."""

import os
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from cocotb.clock import Clock
from cocotb.triggers import Event, FallingEdge, Timer
from drivers import Seen, drive, watch
from frames import ACK, PSH, SYN, Flow, Segment
from rx_messages import CLIENT, EXCHANGE
from rx_model import Model
from rx_tables import Hit, Tables

from fixaccel.hwmap.load import load_hwmap

HWMAP = load_hwmap()
FLOW = Flow()
NS_PER_CYCLE = 8
HOST_ANSWER_CYCLES, HOST_PERIOD = 5, 7  # as in fixaccel_types_pkg
_RESET_CYCLES = 4
WINDOWS = 2 ** HWMAP.memories["chain"].record.field("window").bits
# From the frame's last byte to the hit, where the message leaves the parser time.
HIT_CYCLES = 5
_INPUTS = (
    *("data", "valid", "last", "err", "flow_valid", "flow_reset", "resync", "resync_seq", "armed", "hash_seed"),
    *("collar", "known_forget", "seq_num", "sender_crc", "target_crc"),
    *("host_valid", "host_write", "host_addr", "host_wdata", "hit_ready"),
    *("local_mac", "local_mac_known", "window_known", "snd_nxt", "snd_una", "snd_max"),
    *("edge_known", "rx_ack", "rx_edge", "linked_orders", "rejects", "windows_current", "windows_open"),
    *("market_valid", "market_local_ip", "market_remote_ip", "market_local_port", "market_remote_port"),
    *("market_snd_known", "market_snd_nxt", "market_una_known", "market_snd_una", "market_wscale", "session_reset"),
)
# What each table holds that only the host writes, by memory and index: it outlives a reset, as the memories do.
_held: dict[tuple[str, int], dict[str, int]] = {}
COUNTERS = ("segment_old", "segment_hole", "bad_checksum", "desync", "poss_dup", "refused", "unread", "price_invalid")


def seed() -> int:
    """Seed of this run's random values; set RANDOM_SEED to repeat one."""
    return int(os.environ.get("RANDOM_SEED", "20250314"))


@dataclass(frozen=True)
class Taken:
    """A hit as it was taken: ``seen`` is the first cycle in which it stood, ``at`` the cycle in which it was taken."""

    hit: Hit
    seen: int
    at: int
    message_end_cycle: int
    frame_end_cycle: int
    time_ns: int


@dataclass(frozen=True)
class Verdict:
    good: bool
    is_flow: bool
    acceptable: bool
    flags: int
    seq: int
    ack: int
    window: int
    length: int
    end_cycle: int
    at: int


class RxBench:
    """Inputs change and outputs are read on the falling edge, in the middle of a cycle."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.beats: deque[tuple[int, bool, bool] | None] = deque()
        self.hits: list[Taken] = []
        self.verdicts: list[Verdict] = []
        self.ready: Callable[[], bool] = lambda: True
        self.seq = 0
        self._spared = 0  # cycles
        self._seen: int | None = None
        self._idle = True
        self._ready = False
        self._hit_valid, self._done = Seen(dut.hit_valid), Seen(dut.done)
        self._work, self._drained = Event(), Event()

    @classmethod
    async def start(cls, dut, tables: Tables | None = None, *, isn: int = 1000, armed: bool = True) -> "RxBench":
        """Resets, loads ``tables``, opens the flow and synchronises; the next byte has sequence number ``isn`` + 1."""
        bench = cls(dut)
        for name in _INPUTS:
            getattr(dut, name).value = 0
        for name in ("local_ip", "remote_ip", "local_port", "remote_port"):
            getattr(dut, name).value = getattr(FLOW, name)
        dut.windows_open.value = 1 << WINDOWS | 1
        dut.seq_num.value = 1
        dut.sender_crc.value = zlib.crc32(EXCHANGE.encode())
        dut.target_crc.value = zlib.crc32(CLIENT.encode())
        dut.rst.value = 1
        clock = Clock(dut.clk, NS_PER_CYCLE, unit="ns")
        follows = (bench._hit_valid.follow(), bench._done.follow())
        drive(clock, bench._run(), *follows, watch(dut.hit_valid, bench._work), watch(dut.done, bench._work))
        await bench.cycles(_RESET_CYCLES)
        dut.rst.value = 0
        if tables is not None:
            await bench.load(tables)
        await bench.open(isn)
        dut.armed.value = int(armed)
        await bench.cycles(2)
        return bench

    async def open(self, isn: int) -> None:
        """Writes the flow, lets the exchange's SYN pass and synchronises at ``isn`` + 1."""
        dut = self.dut
        dut.flow_valid.value = 1
        dut.flow_reset.value = 1
        await FallingEdge(dut.clk)
        dut.flow_reset.value = 0
        self.frame(Segment(outgoing=False, seq=isn, flags=SYN | ACK).frame())
        await self.settle()
        assert await self.resync((isn + 1) % 2**32)

    async def resync(self, seq: int, number: int = 1) -> bool:
        """Lets the stream begin at ``seq``; whether the gap is closed. The next message has MsgSeqNum ``number``."""
        self.seq = seq
        return await self.say(seq, number)

    async def say(self, seq: int, number: int) -> bool:
        """Writes the resync registers; whether the gap is closed."""
        self.dut.seq_num.value = int(str(number), 16)
        self.dut.resync_seq.value = seq
        self.dut.resync.value = 1
        await FallingEdge(self.dut.clk)
        self.dut.resync.value = 0
        await self.cycles(2)
        return not int(self.dut.gap.value)

    async def cycles(self, count: int) -> None:
        """Waits for that many falling edges, and for the last of them only."""
        if count > 1:
            await Timer((count - 1) * NS_PER_CYCLE + NS_PER_CYCLE // 4, unit="ns")
        if count > 0:
            await FallingEdge(self.dut.clk)

    async def settle(self, cycles: int = 60) -> None:
        """Waits until all queued bytes are in, and ``cycles`` more."""
        while self.beats:
            self._drained.clear()
            await self._drained.wait()
        await self.cycles(cycles)

    async def _run(self) -> None:
        dut = self.dut
        data, last, err = dut.data, dut.last, dut.err
        edge = FallingEdge(dut.clk)
        driven: tuple[int, bool, bool] | None = None
        await self.cycles(_RESET_CYCLES)
        while True:
            await edge
            hit, judged = self._hit_valid.value, self._done.value
            if hit:
                if self._seen is None:
                    self._seen = int(dut.cycle.value)
                self._set_ready(self.ready())
                if self._ready:
                    self._take()
            else:
                self._seen = None
            if judged:
                self._verdict()
            beat = self.beats.popleft() if self.beats else None
            if beat is not None:
                # Most bytes are in the middle of a frame: to drive a port that stays takes as long as one that changes.
                if driven is None or beat[1:] != driven[1:]:
                    _, last.value, err.value = beat
                data.value = beat[0]
                driven = beat
                if self._idle:
                    dut.valid.value = 1
                    self._idle = False
            elif not self._idle:
                dut.valid.value = 0
                self._idle = True
            if not self.beats:
                self._drained.set()
                # Most cycles are those in which tables are written: to look at each takes longer than to simulate it.
                if self._idle and not hit and not judged:
                    self._work.clear()
                    await self._work.wait()

    def _set_ready(self, ready: bool) -> None:
        if ready != self._ready:
            self.dut.hit_ready.value = ready
            self._ready = ready

    def _take(self) -> None:
        dut = self.dut
        names = ("trigger", "rule", "order", "instrument", "source", "fires", "exhausted", "outside", "message")
        value = {name: int(getattr(dut, f"hit_{name}").value) for name in names}
        observed = dut.hit_observed.value.to_signed()
        assert self._seen is not None
        self.hits.append(
            Taken(
                Hit(observed=observed, **value),
                self._seen,
                int(dut.cycle.value),
                int(dut.hit_message_end_cycle.value),
                int(dut.hit_frame_end_cycle.value),
                int(dut.hit_time_ns.value),
            )
        )
        self._seen = None

    def _verdict(self) -> None:
        dut = self.dut
        flags = int(dut.fin.value) | int(dut.syn.value) << 1 | int(dut.reset.value) << 2 | int(dut.ack_flag.value) << 4
        self.verdicts.append(
            Verdict(bool(dut.good.value), bool(dut.is_flow.value), bool(dut.acceptable.value), flags,
                    int(dut.seq.value), int(dut.ack.value), int(dut.window.value), int(dut.length.value),
                    int(dut.end_cycle.value), int(dut.cycle.value))
        )  # fmt: skip

    # ---- Frames

    def frame(self, frame: bytes, *, gap: int = 12, err: bool = False, bubbles: Callable[[], int] = lambda: 0) -> None:
        """Queues a frame (with FCS), ``bubbles()`` idle cycles before each later byte and ``gap`` behind the last."""
        last = len(frame) - 1
        for i, byte in enumerate(frame):
            if i:
                self.beats.extend([None] * bubbles())
            self.beats.append((byte, i == last, err and i == last))
        self.beats.extend([None] * gap)
        self._work.set()

    def segment(self, payload: bytes, *, seq: int | None = None, **options) -> bytes:
        """A frame of the flow. Without ``seq`` it is the next in order."""
        at = self.seq if seq is None else seq
        if seq is None:
            self.seq = (self.seq + len(payload)) % 2**32
        return Segment(outgoing=False, seq=at, flags=ACK | PSH, payload=payload, **options).frame()

    def send(self, payload: bytes, *, gap: int = 12, bubbles: Callable[[], int] = lambda: 0) -> None:
        """Queues the next bytes of the stream in one frame."""
        self.frame(self.segment(payload), gap=gap, bubbles=bubbles)

    def send_framed(self, rng: Random, messages: list[bytes], bad_gaps: Sequence[int], gaps: Sequence[int]) -> None:
        """Queues the messages, one to seven in a frame; a fifth of the frames first with a wrong FCS."""
        sent = 0
        while sent < len(messages):
            count = rng.randrange(1, 8)
            frame = self.segment(b"".join(messages[sent : sent + count]))
            if rng.random() < 0.2:
                self.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=rng.choice(bad_gaps))
            self.frame(frame, gap=rng.choice(gaps))
            sent += count

    # ---- Checks

    def taken(self) -> list[Hit]:
        return [taken.hit for taken in self.hits]

    def count(self, name: str) -> int:
        return int(getattr(self.dut, f"count_{name}").value)

    def counts(self) -> dict[str, int]:
        """Counters that are not zero."""
        return {name: self.count(name) for name in COUNTERS if self.count(name)}

    def value(self, name: str) -> int:
        return int(getattr(self.dut, name).value)

    def expect(self, model: Model, messages: list[bytes]) -> None:
        """All hits so far are those of ``messages`` on ``model``."""
        wanted = [hit for message in messages for hit in model.message(message)]
        for taken, hit in zip_longest(self.taken(), wanted):
            number = min(one.message for one in (taken, hit) if one is not None)
            assert taken == hit, f"message {number}: taken {taken}, expected {hit}: {messages[number - 1 : number + 1]}"
        assert self.value("messages") == model.messages
        assert self.value("next_seq_num") == int(str(model.expected), 16) or model.lost

    # ---- Host

    async def write(self, address: int, value: int) -> None:
        dut = self.dut
        dut.host_addr.value = address
        dut.host_wdata.value = value
        dut.host_write.value = 1
        dut.host_valid.value = 1
        await FallingEdge(dut.clk)
        dut.host_valid.value = 0
        await self.cycles(HOST_PERIOD - 1)

    async def read(self, address: int) -> int:
        dut = self.dut
        dut.host_addr.value = address
        dut.host_write.value = 0
        dut.host_valid.value = 1
        await FallingEdge(dut.clk)
        dut.host_valid.value = 0
        await self.cycles(HOST_ANSWER_CYCLES - 1)
        return int(dut.host_rdata.value)

    async def write_record(self, memory: str, index: int, **values: int) -> None:
        _held[memory, index] = values
        window = HWMAP.memories[memory]
        data = window.record.pack(values)
        base = window.base + index * window.record.stride_bytes
        for i in range(window.record.words):
            await self.write(base + 4 * i, int.from_bytes(data[4 * i : 4 * i + 4], "little"))

    async def read_record(self, memory: str, index: int) -> dict[str, int]:
        window = HWMAP.memories[memory]
        base = window.base + index * window.record.stride_bytes
        words = [await self.read(base + 4 * i) for i in range(window.record.stride_words)]
        return window.record.unpack(b"".join(word.to_bytes(4, "little") for word in words))

    async def hold(self, memory: str, index: int, **values: int) -> None:
        """Writes a record that the fabric only reads, unless it is there already from what was loaded before."""
        if _held.get((memory, index)) == values:
            self._spare(memory)
        else:
            await self.write_record(memory, index, **values)

    def _spare(self, memory: str) -> None:
        """Lets the time of a write pass at the end of `load`: then it takes as long whatever was loaded before."""
        self._spared += HOST_PERIOD * HWMAP.memories[memory].record.words

    async def load(self, tables: Tables) -> None:
        """Writes all tables and the hash seed; memories outlive a reset, so what is not used is cleared."""
        hash_seed = tables.seed()
        placed = tables.directory(hash_seed)
        assert placed is not None
        slots = {slot: index for index, slot in placed[0].items()}
        ends = {instrument * 8 + source * 2 + direction for instrument, source, direction in tables.ends}
        for memory, depth, used in (("directory", 2, slots.keys()), ("chain", 8, ends)):
            for index in range(depth * tables.capacity):
                if index in used:
                    self._spare(memory)
                else:
                    await self.hold(memory, index, valid=0)
        for trigger in range(len(tables.triggers)):
            await self.write_record("fire_count", trigger, fires=0)
        waiting = tables.triggers_of(tables.waiting)
        await self.write_live(tables.live)
        await self.write_live(waiting, "dormant")
        self.dut.linked_orders.value = int(tables.linked)
        for index, link in enumerate(tables.links[1:], 1):
            await self.hold("link", index, **link)
        self.dut.hash_seed.value = hash_seed
        for slot, index in slots.items():
            symbol = tables.instruments[index].symbol.encode()
            await self.hold("directory", slot, instrument=index, valid=1)
            await self.hold("symbol", index, key=int.from_bytes(symbol, "little"))
        for bucket, offset in placed[1].items():
            await self.hold("displacement", bucket, offset=offset)
        for index, instrument in enumerate(tables.instruments):
            await self.hold("instrument", index, **instrument.record())
        for trigger, (threshold, rule, interval) in enumerate(tables.triggers):
            order = tables.order(rule, interval)
            await self.hold("trigger", trigger, threshold=threshold, rule=rule, order=order)
        for (instrument, source, direction), (first, last) in tables.ends.items():
            chain = instrument * 8 + source * 2 + direction
            arms = int(tables.arms((instrument, source, direction)))
            window = tables.windows.get((instrument, source, direction), 0)
            kind = HWMAP.constant(
                "kind_decide" if tables.decides((instrument, source, direction)) else "kind_thresholds"
            )
            confirms = int((instrument, source, direction) in tables.confirmed)
            await self.hold(
                "chain", chain, first=first, last=last, valid=1, arms=arms, window=window, kind=kind, confirms=confirms
            )
        spared, self._spared = self._spared, 0
        await self.cycles(spared)

    async def write_live(self, live: set[int], memory: str = "live") -> None:
        """Makes the triggers ``live`` (or dormant), and no others."""
        for word in range(self.value("triggers") // 32):
            bits = sum(1 << place for place in range(32) if 32 * word + place in live)
            await self.write_record(memory, word, triggers=bits)

    async def read_live(self, memory: str = "live") -> set[int]:
        words = [await self.read_record(memory, word) for word in range(self.value("triggers") // 32)]
        return {32 * n + place for n, word in enumerate(words) for place in range(32) if word["triggers"] >> place & 1}
