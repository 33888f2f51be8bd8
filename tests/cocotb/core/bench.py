# SPDX-License-Identifier: Apache-2.0
"""Drives fixaccel_core in cocotb: registers by name, records, frames both ways, and prepared orders."""

import os
from typing import Self

from cocotb.clock import Clock
from cocotb.triggers import Event, RisingEdge, Timer
from drivers import drive, watch
from frames import Flow, Segment
from ports import CpuSource, Frame, NetSource, Sink
from prepared import PreparedOrder

from fixaccel.hwmap.hwmap import Field
from fixaccel.hwmap.load import load_hwmap

HWMAP = load_hwmap()
NS_PER_CYCLE = 8
CAPACITY = {"instruments": 16, "triggers": 64, "orders": 64, "templates": 8, "groups": 16}
CONST = {name: constant.value for name, constant in HWMAP.constants.items()}
FLOW = Flow()
# What is left where there is no limit.
ANY_NUMBER = 2**32 - 1
ANY_QUANTITY = {field.name: field.high for field in HWMAP.memories["quantity_left"].record.fields}


class Bench:
    """The core with its clock, reset, host bus and four frame ports. Cycles are those of the core's own counter."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self._work, self._done = Event(), Event()
        self.net_tx = Sink(dut, "net_tx", self._work, has_error=True)
        self.cpu_rx = Sink(dut, "cpu_rx", self._work, has_error=False)
        self.net = NetSource(dut)
        self.cpu = CpuSource(dut)
        self.peer_seq = 5000  # of the last verdict that a test made up

    @classmethod
    async def start(cls, dut) -> Self:
        bench = cls(dut)
        for name in ("net_rx_valid", "net_rx_last", "net_rx_err", "net_rx_data", "cpu_tx_valid", "cpu_tx_last",
                     "cpu_tx_data", "s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "s_axil_bready",
                     "s_axil_rready"):  # fmt: skip
            getattr(dut, name).value = 0
        dut.elapsed_ns.value = NS_PER_CYCLE
        dut.net_tx_ready.value = 1
        dut.cpu_rx_ready.value = 1
        dut.rst.value = 1
        watches = (watch(valid, bench._work) for valid in (dut.net_tx_valid, dut.cpu_rx_valid))
        follows = (sink.valid.follow() for sink in (bench.net_tx, bench.cpu_rx))
        drive(Clock(dut.clk, NS_PER_CYCLE, unit="ns"), bench._ports(), *follows, *watches)
        await bench.cycles(4)
        dut.rst.value = 0
        bench.net_tx.forget()  # what a test before this one left on the ports
        bench.cpu_rx.forget()
        await bench.cycles(2)
        return bench

    async def cycles(self, count: int) -> None:
        """Waits for that many rising edges, and for the last of them only."""
        if count > 1:
            await Timer((count - 1) * NS_PER_CYCLE + NS_PER_CYCLE // 4, unit="ns")
        if count > 0:
            await RisingEdge(self.dut.clk)

    async def _ports(self) -> None:
        edge = RisingEdge(self.dut.clk)
        count = 0
        while True:
            await edge
            count += 1
            self.net_tx.step(count)
            self.cpu_rx.step(count)
            self.net.step()
            self.cpu.step()
            if self.net.idle and self.cpu.idle:
                self._done.set()
                # Most cycles are those of the host bus: to look at each takes longer than to simulate it.
                if self.net_tx.idle and self.cpu_rx.idle:
                    self._work.clear()
                    await self._work.wait()

    # ---- Frames

    def from_net(self, frame: bytes, *, error: bool = False, gap: int = 12, verdict: int = 0) -> None:
        """Queues a frame (with FCS) from the exchange and ``gap`` idle cycles behind it."""
        last = len(frame) - 1
        self.net.queue.extend((byte, i == last, error and i == last, verdict) for i, byte in enumerate(frame))
        self.net.queue.extend([None] * gap)
        self._work.set()

    def from_cpu(self, frame: bytes) -> None:
        """Queues a frame (with FCS) from the CPU."""
        last = len(frame) - 1
        self.cpu.queue.extend((byte, i == last) for i, byte in enumerate(frame))
        self._work.set()

    async def net_frames(self, count: int, limit: int = 20000) -> list[Frame]:
        """Waits until ``count`` frames have left to the exchange and returns them all."""
        return await self._frames(self.net_tx, count, limit)

    async def cpu_frames(self, count: int, limit: int = 20000) -> list[Frame]:
        """Waits until ``count`` frames have reached the CPU and returns them all."""
        return await self._frames(self.cpu_rx, count, limit)

    async def _frames(self, sink: Sink, count: int, limit: int) -> list[Frame]:
        for _ in range(limit):
            if len(sink.frames) >= count:
                break
            await RisingEdge(self.dut.clk)
        assert len(sink.frames) >= count, f"{len(sink.frames)} frames after {limit} cycles, expected {count}"
        return sink.frames

    async def settle(self, cycles: int = 400) -> None:
        """Waits until everything queued has gone in, and ``cycles`` more."""
        while self.net.queue or self.cpu.queue:
            self._done.clear()
            await self._done.wait()
        await self.cycles(cycles)

    async def cpu_sends(self, **segment) -> list[Frame]:
        """Sends one CPU segment of the flow; returns what left to the exchange because of it."""
        before = len(self.net_tx.frames)
        frame = Segment(outgoing=True, **segment).frame()
        self.from_cpu(frame)
        await self.settle(200 + len(frame))
        return self.net_tx.frames[before:]

    # ---- Host

    async def write_word(self, address: int, value: int, strobe: int = 15) -> int:
        """One AXI4-Lite write; returns the response."""
        dut = self.dut
        dut.s_axil_awaddr.value = address
        dut.s_axil_wdata.value = value & 0xFFFFFFFF
        dut.s_axil_wstrb.value = strobe
        dut.s_axil_awvalid.value = 1
        dut.s_axil_wvalid.value = 1
        while True:
            await RisingEdge(dut.clk)
            if bool(dut.s_axil_awready.value):
                break
        dut.s_axil_awvalid.value = 0
        dut.s_axil_wvalid.value = 0
        dut.s_axil_bready.value = 1
        while True:
            await RisingEdge(dut.clk)
            if bool(dut.s_axil_bvalid.value):
                break
        dut.s_axil_bready.value = 0
        return int(dut.s_axil_bresp.value)

    async def read_word(self, address: int) -> int:
        """One AXI4-Lite read."""
        dut = self.dut
        dut.s_axil_araddr.value = address
        dut.s_axil_arvalid.value = 1
        while True:
            await RisingEdge(dut.clk)
            if bool(dut.s_axil_arready.value):
                break
        dut.s_axil_arvalid.value = 0
        dut.s_axil_rready.value = 1
        while True:
            await RisingEdge(dut.clk)
            if bool(dut.s_axil_rvalid.value):
                break
        dut.s_axil_rready.value = 0
        return int(dut.s_axil_rdata.value)

    async def set(self, **registers: int) -> None:
        """Writes registers by name, in order."""
        for name, value in registers.items():
            assert await self.write_word(HWMAP.registers[name].address, value) == 0

    async def get(self, name: str) -> int:
        return await self.read_word(HWMAP.registers[name].address)

    async def fields(self, name: str) -> dict[str, int]:
        """A register by its fields."""
        word = await self.get(name)
        return {field.name: field.decode(word) for field in HWMAP.registers[name].fields}

    async def status(self) -> dict[str, int]:
        return await self.fields("status")

    async def write_bytes(self, address: int, data: bytes, words: int | None = None) -> None:
        """Writes little-endian words, the first ``words`` of them (default: all); none may be refused."""
        for i in range(len(data) // 4 if words is None else words):
            assert await self.write_word(address + 4 * i, int.from_bytes(data[4 * i : 4 * i + 4], "little")) == 0

    async def write_record(self, memory: str, index: int, **values: int) -> None:
        window = HWMAP.memories[memory]
        record = window.record
        await self.write_bytes(window.base + index * record.stride_bytes, record.pack(values), record.words)

    async def read_record(self, memory: str, index: int) -> dict[str, int]:
        window = HWMAP.memories[memory]
        record = window.record
        base = window.base + index * record.stride_bytes
        words = [await self.read_word(base + 4 * i) for i in range(record.stride_words)]
        return record.unpack(b"".join(word.to_bytes(4, "little") for word in words))

    # ---- A session, as the runtime would set it up

    async def open_flow(self, seq: int = 1000, ack: int = 5000, flow: Flow = FLOW) -> None:
        """Sets the flow registers and lets a handshake pass: snd_nxt is then ``seq``, acknowledged is ``ack``."""
        await self.set(
            flow_local_ip=flow.local_ip,
            flow_remote_ip=flow.remote_ip,
            flow_ports=flow.local_port << 16 | flow.remote_port,
            flow_valid=1,
            peer_wscale=2,
            max_unacked=60000,
            rx_gate_ns=1_000_000,
            hold_ns=100_000_000,
            lease_ns=10_000_000,
            epoch=int.from_bytes(b"E7Z0", "little"),
            next_seq_num=0x00000042,
            orders_left=ANY_NUMBER,
            unlimited_orders=1,
        )
        await self.cpu_sends(seq=seq - 1, flags=0x02, flow=flow)
        await self.cpu_sends(seq=seq, ack=ack, window=60000, flow=flow)

    async def set_clock(self, hms: int = 0x123456, ms: int = 0x789, sub_ns: int = 0, date: int = 0x20250314) -> None:
        await self.set(
            clock_date=date, clock_hms=hms, clock_ms=ms, clock_sub_ns=sub_ns, clock_ns_lo=0x89ABCDEF,
            clock_ns_hi=0x01234567, clock_set=1,
        )  # fmt: skip

    # ---- Orders

    async def load_order(self, index: int, order: PreparedOrder, template: int = 0, link: int = 0) -> None:
        await self.write_record("order", index, template_index=template, link=link, **order.order_record())

    async def load_template(self, index: int, order: PreparedOrder) -> None:
        await self.write_record("template_shape", index, **order.template_shape())
        for offset, (patch, value) in enumerate(order.stream()):
            await self.write_record("template_byte", index * CONST["message_bytes"] + offset, patch=patch, value=value)

    async def load_symbol(self, symbol: str) -> None:
        """Gives every instrument this symbol, and no limit of its quantity."""
        for index in range(CAPACITY["instruments"]):
            await self.write_record("symbol", index, key=int.from_bytes(symbol.encode(), "little"))
            await self.write_record("quantity_left", index, **ANY_QUANTITY)

    async def sent_bytes(self, index: int, length: int) -> bytes:
        """Payload kept for the ring record at ring index ``index``."""
        first = (await self.read_record("ring", index))["sent_at"]
        base, count = HWMAP.memories["sent"].base, HWMAP.depth("sent", CAPACITY)
        words = [await self.read_word(base + (first + i) % count * 4) for i in range((length + 3) // 4)]
        return b"".join(word.to_bytes(4, "little") for word in words)[:length]


def kept(field: Field) -> int:
    """The greatest value that this board stores: of an index, only the bits that its capacity needs."""
    return min(field.high, (1 << (CAPACITY[field.counts] - 1).bit_length()) - 1) if field.counts else field.high


def seed() -> int:
    """Seed of this run's random values; set RANDOM_SEED to repeat one."""
    return int(os.environ.get("RANDOM_SEED", "20250314"))
