# SPDX-License-Identifier: Apache-2.0
"""Drives fixaccel_core in cocotb: registers by name, records, frames both ways, and prepared orders."""

import os
from collections import deque
from dataclasses import dataclass

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from fixaccel.hwmap.load import load_hwmap
from frames import Flow, Segment, ones_sum

HWMAP = load_hwmap()
NS_PER_CYCLE = 8
CAPACITY = {"instruments": 16, "triggers": 64, "orders": 64, "templates": 8}
CONST = {name: constant.value for name, constant in HWMAP.constants.items()}
FLOW = Flow()


@dataclass
class Frame:
    """A frame as seen on a port: bytes with FCS, cycles of its first and last byte, its error flag."""

    data: bytes
    first_cycle: int
    last_cycle: int
    error: bool
    gaps: int


class Sink:
    """Collects frames; ``ready`` decides per cycle whether a byte is taken."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.part: list[int] = []
        self.first = 0
        self.gaps = 0

    def see(self, cycle, valid: bool, data: int, last: bool, error: bool) -> None:
        if not valid:
            self.gaps += bool(self.part)
            return
        if not self.part:
            self.first = int(cycle.value)
        self.part.append(data)
        if last:
            self.frames.append(Frame(bytes(self.part), self.first, int(cycle.value), error, self.gaps))
            self.part, self.gaps = [], 0


class Bench:
    """The core with its clock, reset, host bus and four frame ports. Cycles are those of the core's own counter."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.net_tx = Sink()
        self.cpu_rx = Sink()
        self.net_queue: deque[tuple[int, bool, bool, int] | None] = deque()
        self.verdict_port = None  # of a stubbed receive side: takes a verdict with the last byte of its frame
        self.cpu_queue: deque[tuple[int, bool]] = deque()
        self.net_ready = lambda _cycle: True
        self.cpu_ready = lambda _cycle: True
        self.net_last_cycles: list[int] = []

    @classmethod
    async def start(cls, dut) -> "Bench":
        bench = cls(dut)
        for name in ("net_rx_valid", "net_rx_last", "net_rx_err", "net_rx_data", "cpu_tx_valid", "cpu_tx_last",
                     "cpu_tx_data", "s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "s_axil_bready",
                     "s_axil_rready"):  # fmt: skip
            getattr(dut, name).value = 0
        dut.elapsed_ns.value = NS_PER_CYCLE
        dut.net_tx_ready.value = 1
        dut.cpu_rx_ready.value = 1
        dut.rst.value = 1
        Clock(dut.clk, NS_PER_CYCLE, unit="ns").start()
        cocotb.start_soon(bench._ports())
        await bench.cycles(4)
        dut.rst.value = 0
        bench.net_tx, bench.cpu_rx = Sink(), Sink()  # what a test before this one left on the ports is not ours
        await bench.cycles(2)
        return bench

    async def cycles(self, count: int) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    async def _ports(self) -> None:
        dut = self.dut
        edge = RisingEdge(dut.clk)
        net_busy = cpu_busy = False
        net_last = clear_verdict = False
        net_ready, cpu_ready = True, True
        count = 0
        while True:
            await edge
            count += 1
            if net_ready:
                valid = bool(dut.net_tx_valid.value)
                if valid:
                    self.net_tx.see(dut.cycle, True, int(dut.net_tx_data.value), bool(dut.net_tx_last.value),
                                    bool(dut.net_tx_err.value))  # fmt: skip
                else:
                    self.net_tx.see(dut.cycle, False, 0, False, False)
            if cpu_ready:
                valid = bool(dut.cpu_rx_valid.value)
                if valid:
                    self.cpu_rx.see(dut.cycle, True, int(dut.cpu_rx_data.value), bool(dut.cpu_rx_last.value), False)
                else:
                    self.cpu_rx.see(dut.cycle, False, 0, False, False)
            if net_last:
                self.net_last_cycles.append(int(dut.cycle.value))
            # exchange side: a byte a cycle
            beat = self.net_queue.popleft() if self.net_queue else None
            if clear_verdict:
                self.verdict_port.value = 0
                clear_verdict = False
            net_last = False
            if beat is not None:
                data, net_last, error, verdict = beat
                if net_last and self.verdict_port is not None:
                    self.verdict_port.value = verdict
                    clear_verdict = True
                dut.net_rx_data.value = data
                dut.net_rx_last.value = net_last
                dut.net_rx_err.value = error
            if (beat is not None) != net_busy:
                net_busy = beat is not None
                dut.net_rx_valid.value = net_busy
            # CPU side, with back pressure
            if cpu_busy and bool(dut.cpu_tx_ready.value):
                self.cpu_queue.popleft()
                cpu_busy = False
            if self.cpu_queue and not cpu_busy:
                data, last = self.cpu_queue[0]
                dut.cpu_tx_data.value = data
                dut.cpu_tx_last.value = last
                dut.cpu_tx_valid.value = 1
                cpu_busy = True
            elif not self.cpu_queue:
                dut.cpu_tx_valid.value = 0
            if net_ready != self.net_ready(count):
                net_ready = not net_ready
                dut.net_tx_ready.value = net_ready
            if cpu_ready != self.cpu_ready(count):
                cpu_ready = not cpu_ready
                dut.cpu_rx_ready.value = cpu_ready

    # ---- Frames

    def from_net(self, frame: bytes, *, error: bool = False, gap: int = 12, verdict: int = 0) -> None:
        """Queues a frame (with FCS) from the exchange and ``gap`` idle cycles behind it."""
        last = len(frame) - 1
        self.net_queue.extend((byte, i == last, error and i == last, verdict) for i, byte in enumerate(frame))
        self.net_queue.extend([None] * gap)

    def from_cpu(self, frame: bytes) -> None:
        """Queues a frame (with FCS) from the CPU."""
        last = len(frame) - 1
        self.cpu_queue.extend((byte, i == last) for i, byte in enumerate(frame))

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
        while self.net_queue or self.cpu_queue:
            await RisingEdge(self.dut.clk)
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

    async def status(self) -> dict[str, int]:
        """Fields of the status register."""
        word = await self.get("status")
        return {field.name: field.decode(word) for field in HWMAP.registers["status"].fields}

    async def write_bytes(self, address: int, data: bytes, words: int | None = None) -> None:
        """Writes little-endian words, the first ``words`` of them (default: all)."""
        for i in range(len(data) // 4 if words is None else words):
            await self.write_word(address + 4 * i, int.from_bytes(data[4 * i : 4 * i + 4], "little"))

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
        """Sets the flow registers and lets a handshake pass; snd_nxt is then ``seq`` and the CPU has acknowledged ``ack``."""
        await self.set(
            flow_local_ip=flow.local_ip,
            flow_remote_ip=flow.remote_ip,
            flow_ports=flow.local_port << 16 | flow.remote_port,
            flow_valid=1,
            peer_wscale=2,
            max_unacked=60000,
            rx_gate_ns=1_000_000,
            lease_ns=10_000_000,
            epoch=int.from_bytes(b"E7Z0", "little"),
            next_seq_num=0x00000042,
        )
        await self.cpu_sends(seq=seq - 1, flags=0x02, flow=flow)
        await self.cpu_sends(seq=seq, ack=ack, window=500, flow=flow)

    async def set_clock(self, hms: int = 0x123456, ms: int = 0x789, sub_ns: int = 0, date: int = 0x20250314) -> None:
        await self.set(
            clock_date=date, clock_hms=hms, clock_ms=ms, clock_sub_ns=sub_ns, clock_ns_lo=0x89ABCDEF,
            clock_ns_hi=0x01234567, clock_set=1,
        )  # fmt: skip

    # ---- Orders

    async def load_order(self, index: int, order: "PreparedOrder", template: int = 0) -> None:
        await self.write_record("order", index, template_index=template, **order.order_record())

    async def load_template(self, index: int, order: "PreparedOrder") -> None:
        for offset, (patch, value) in enumerate(order.stream()):
            await self.write_record("template_byte", index * CONST["message_bytes"] + offset, patch=patch, value=value)
        await self.write_record("template_header", index, **order.header_record())

    async def sent_bytes(self, index: int, length: int) -> bytes:
        """Payload kept in the ring's memory for ring index ``index``."""
        base = HWMAP.memories["sent"].base + index * CONST["message_bytes"]
        words = [await self.read_word(base + 4 * i) for i in range((length + 3) // 4)]
        return b"".join(word.to_bytes(4, "little") for word in words)[:length]


PATCH_WIDTHS = {
    "seq_num": CONST["seq_num_chars"],
    "time": CONST["time_chars"],
    "cl_ord_id": CONST["cl_ord_id_chars"],
    "checksum": CONST["checksum_chars"],
}
PATCH_SOURCES = {
    name: CONST[f"patch_{name}"] for name in ("seq_num", "time", "cl_ord_id", "checksum", "price", "qty")
}
BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class PreparedOrder:
    """A FIX message as a list of literal bytes and patched fields, made by hand: (name, width) or bytes."""

    parts: tuple[bytes | tuple[str, int], ...]
    price: str
    qty: str

    def _texts(self) -> dict[str, str]:
        return {"price": self.price, "qty": self.qty}

    def stream(self) -> list[tuple[int, int]]:
        """(patch, value) of every template byte."""
        out: list[tuple[int, int]] = []
        for part in self.parts:
            if isinstance(part, bytes):
                out += [(0, byte) for byte in part]
            else:
                out += [(1, PATCH_SOURCES[part[0]] << 5 | i) for i in range(part[1])]
        return out

    def offsets(self) -> list[tuple[str, int]]:
        at, found = 0, []
        for part in self.parts:
            if isinstance(part, bytes):
                at += len(part)
            else:
                found.append((part[0], at))
                at += part[1]
        return found

    def _filled(self, values: dict[str, bytes]) -> bytes:
        out = b""
        for part in self.parts:
            if isinstance(part, bytes):
                out += part
            else:
                out += values[part[0]][: part[1]].ljust(part[1], b"\0")
        return out

    def message(self, seq_num: int, utc: str, cl_ord_id: str) -> bytes:
        """The message as it must leave."""
        values = {name: text.encode() for name, text in self._texts().items()}
        values |= {"seq_num": b"%08d" % seq_num, "time": utc.encode(), "cl_ord_id": cl_ord_id.encode(), "checksum": b"000"}
        whole = self._filled(values)
        values["checksum"] = b"%03d" % (sum(whole[: whole.rindex(b"10=")]) % 256)
        return self._filled(values)

    def order_record(self) -> dict[str, int]:
        values = {name: text.encode() for name, text in self._texts().items()}
        static = self._filled(values | {name: b"" for name in PATCH_WIDTHS})
        return {
            "price": int.from_bytes(self.price.encode(), "little"),
            "qty": int.from_bytes(self.qty.encode(), "little"),
            "tcp_sum": ones_sum(static),
            "fix_sum": sum(static[: static.rindex(b"10=")]) % 256,
        }

    def header_record(self) -> dict[str, int]:
        at = self.offsets()
        times = [offset for name, offset in at if name == "time"]
        first = dict(reversed(at))
        return {
            "length": len(self.stream()),
            "seq_num_odd": first["seq_num"] % 2,
            "sending_time_odd": times[0] % 2,
            "transact_time_odd": times[1] % 2,
            "cl_ord_id_odd": first["cl_ord_id"] % 2,
            "checksum_odd": first["checksum"] % 2,
            "valid": 1,
        }


def new_order(symbol: str = "ES", price: str = "0001180.25", qty: str = "000010", sender: str = "CPU") -> PreparedOrder:
    """A NewOrderSingle with every kind of patch."""
    soh = b"\x01"
    body: list[bytes | tuple[str, int]] = [
        b"35=D" + soh + b"34=", ("seq_num", 8), soh + b"49=" + sender.encode() + soh + b"52=", ("time", 21),
        soh + b"56=EXCH" + soh + b"11=", ("cl_ord_id", 20), soh + b"21=1" + soh + b"55=" + symbol.encode() + soh + b"54=1" + soh + b"60=",
        ("time", 21), soh + b"38=", ("qty", len(qty)), soh + b"40=2" + soh + b"44=", ("price", len(price)), soh + b"59=0" + soh,
    ]  # fmt: skip
    length = sum(len(part) if isinstance(part, bytes) else part[1] for part in body)
    head = b"8=FIX.4.4" + soh + b"9=%d" % length + soh
    return PreparedOrder((head, *body, b"10=", ("checksum", 3), soh), price, qty)


def base36(value: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        value, digit = divmod(value, 36)
        digits = BASE36[digit] + digits
    return digits


def seed() -> int:
    """Seed of this run's random values; set RANDOM_SEED to repeat one."""
    return int(os.environ.get("RANDOM_SEED", "20250314"))
