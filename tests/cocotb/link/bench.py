# SPDX-License-Identifier: Apache-2.0
"""link_unit between a wire and streams of records, and the other end of it played by far_end."""

import os
import random
from collections import deque
from collections.abc import Callable

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from drivers import drive
from far_end import CHANNELS, HELLO, FarEnd, network

MAC, FAR_MAC = 0x02FACC00000A, 0x02FACC00000B
GAP = 20  # bytes' time between two frames: preamble and the least gap
WORD = 64
STATE = {"hwmap_hash": 1 << 60, "bundle_hash": 2, "venue_hash": 3, "capacities": 4, "generation": 5, "role": 0}
INPUTS = ("rx_valid", "rx_last", "rx_err", "in_valid", "in_last", "in_urgent", "own_set", "state", "out_ready")

# What becomes of a frame on the wire: what arrives instead of it.
Wire = Callable[[bytes], list[bytes]]


class Bench:
    """The unit with its clock running. ``sent`` has all frames that it put on the wire, ``got`` what it gave on."""

    def __init__(self, dut, far: FarEnd | None = None) -> None:
        seed = int(os.environ.get("FIXACCEL_SEED", "1"))
        dut._log.info("FIXACCEL_SEED=%d", seed)
        self.dut, self.random = dut, random.Random(seed)
        self.far = far or FarEnd(FAR_MAC, MAC, 0x5151, STATE)
        self.there: Wire = lambda frame: [frame]  # to the far end
        self.here: Wire = lambda frame: [frame]  # from it
        self.to_unit: deque[tuple[int, int, int]] = deque()  # bytes of frames; then None is a pause
        self.records: dict[int, deque[tuple[int, int, int]]] = {channel: deque() for channel in CHANNELS}
        self.stalled: set[int] = set()  # channels of which nothing is taken
        self.got: dict[int, list[int]] = {channel: [] for channel in CHANNELS}
        self.sent: list[tuple[int, bytes, bool]] = []  # cycle of the first byte
        self.pulses = dict.fromkeys(("bad", "foreign", "unknown", "stale"), 0)
        self.again = 0
        self.cycle = self.last_arrival = self.taken_at = 0  # taken_at: of the last word that went in
        self.retry_at = self.retry = 3000
        self.wire_ready = lambda: True

    async def start(self, own: int = 0x3131, beat_cycles: int = 2000, **hello: int) -> "Bench":
        """Resets the unit and gives it its incarnation; 0: none yet."""
        dut = self.dut
        for name in INPUTS:
            getattr(dut, name).value = 0
        dut.own_mac.value, dut.other_mac.value = MAC, FAR_MAC
        dut.own.value, dut.beat_cycles.value = 0, beat_cycles
        dut.hello.value = int.from_bytes(network(HELLO, STATE | hello), "big")
        dut.tx_ready.value = 1
        dut.rst.value = 1
        drive(Clock(dut.clk, 8, "ns"), self._run())
        await self.cycles(4)
        dut.rst.value = 0
        await self.cycles(2)
        if own:
            await self.begin(own)
        return self

    async def begin(self, own: int) -> None:
        """Another incarnation of the unit."""
        self.dut.own.value, self.dut.own_set.value = own, 1
        await self.cycles(1)
        self.dut.own_set.value = 0
        await self.cycles(1)

    async def cycles(self, count: int) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    async def until(self, condition: Callable[[], bool], limit: int = 200_000) -> None:
        """Waits until it holds. Raises AssertionError beyond ``limit`` cycles."""
        for _ in range(limit // 20):
            if condition():
                return
            await self.cycles(20)
        raise AssertionError(f"not within {limit} cycles")

    async def up(self) -> "Bench":
        """Waits until both ends are, each with the other's present life."""
        known = self.dut.known
        await self.until(lambda: bool(self.dut.up.value) and self.far.up and int(known.value) == self.far.own)
        await self.until(lambda: self.far.known == int(self.dut.own.value))
        return self

    # ---- What goes in

    def give(self, channel: int, record: list[int], *, urgent: bool = False) -> None:
        """A record for the unit to send."""
        last = len(record) - 1
        self.records[channel].extend((word, int(n == last), int(urgent)) for n, word in enumerate(record))

    def arrives(self, frame: bytes, *, error: bool = False) -> None:
        """A frame on the unit's wire."""
        last = len(frame) - 1
        self.to_unit.extend((byte, int(n == last), int(error and n == last)) for n, byte in enumerate(frame))
        self.to_unit.extend([(-1, 0, 0)] * GAP)

    def quiet(self) -> bool:
        """All that was given is with the other end, both ways."""
        given = not any(self.records.values()) and int(self.dut.idle.value) == 7
        return given and not self.to_unit and all(sender.idle for sender in self.far.senders.values())

    # ---- A cycle after the other

    async def _run(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        part, began = bytearray(), 0
        while True:
            await edge
            self.cycle += 1
            # As it stood at the edge.
            if self.shown("tx_valid") and self.shown("tx_ready"):
                if not part:
                    began = self.cycle
                part.append(int(dut.tx_data.value))
                if self.shown("tx_last"):
                    self.sent.append((began, bytes(part), bool(dut.tx_err.value)))
                    for frame in self.there(bytes(part)):
                        self.far.heard(frame)
                    part = bytearray()
            valid, ready = int(dut.in_valid.value), int(dut.in_ready.value)
            for n, channel in enumerate(CHANNELS):
                if valid >> n & 1 and ready >> n & 1:
                    self.records[channel].popleft()
                    self.taken_at = self.cycle
                if int(dut.out_valid.value) >> n & 1 and int(dut.out_ready.value) >> n & 1:
                    self.got[channel].append(int(dut.out_word.value) >> WORD * n & (1 << WORD) - 1)
            for name in self.pulses:
                self.pulses[name] += self.shown(name)
            self.again += int(dut.again.value).bit_count() if dut.again.value.is_resolvable else 0
            while self.far.out:
                for frame in self.here(self.far.out.popleft()):
                    self.arrives(frame)
            self._far_retries()
            self._drive()

    def shown(self, name: str) -> bool:
        value = getattr(self.dut, name).value
        return value.is_resolvable and bool(value)

    def _far_retries(self) -> None:
        if self.cycle >= self.retry_at and not self.to_unit:
            self.retry_at = self.cycle + self.retry
            if not self.far.up:
                self.far.say_hello()
            for channel in CHANNELS:
                self.far.send_again(channel)
            self.far.send()

    def _drive(self) -> None:
        dut = self.dut
        byte, last, error = self.to_unit.popleft() if self.to_unit else (-1, 0, 0)
        dut.rx_valid.value, dut.rx_last.value, dut.rx_err.value = int(byte >= 0), last, error
        if byte >= 0:
            dut.rx_data.value = byte
            if last:
                self.last_arrival = self.cycle + 1
        words = valid = lasts = urgents = 0
        for n, channel in enumerate(CHANNELS):
            if self.records[channel]:
                word, is_last, urgent = self.records[channel][0]
                words |= word << WORD * n
                valid, lasts, urgents = valid | 1 << n, lasts | is_last << n, urgents | urgent << n
        dut.in_valid.value, dut.in_word.value, dut.in_last.value, dut.in_urgent.value = valid, words, lasts, urgents
        dut.out_ready.value = sum(1 << n for n, channel in enumerate(CHANNELS) if channel not in self.stalled)
        dut.tx_ready.value = int(self.wire_ready())
