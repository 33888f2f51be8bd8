# SPDX-License-Identifier: Apache-2.0
"""The RX gate at line rate: what it does with five milliseconds of market data while the runtime is busy elsewhere."""

import random

import cocotb
from bench import NS_PER_CYCLE, seed
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from frames import Segment, with_fcs
from stubbed import VERDICT, packed

# Fields from the most significant bit down, as in rtl/egress/egress_pkg.sv.
FLOW_STATE = {
    "spliced": 1, "snd_known": 1, "snd_nxt": 32, "committed": 32, "fin_sent": 1, "fin_seq": 32, "closed": 1,
    "learned": 1, "dst_mac": 48, "src_mac": 48, "cpu_ack": 32, "cpu_window": 16, "peer_known": 1, "peer_ack": 32,
    "peer_window": 32, "told_known": 1, "told_ack": 32,
}  # fmt: skip
GAP = 20  # preamble and inter-frame gap, on both sides
RUNTIME_CYCLES = 5_000_000 // NS_PER_CYCLE  # the runtime commits 5 ms after the fire
KERNEL, FABRIC = 1000, 1273  # what the kernel has sent as far as it knows; what was sent


async def start(dut) -> None:
    for name in ("net_rx_valid", "net_rx_last", "net_rx_data", "verdict", "committing"):
        getattr(dut, name).value = 0
    dut.elapsed_ns.value = NS_PER_CYCLE
    dut.limit_ns.value = 100_000_000
    dut.cpu_rx_ready.value = 1
    dut.flow.value = packed(FLOW_STATE, spliced=1, snd_known=1, snd_nxt=FABRIC, committed=KERNEL)
    dut.rst.value = 1
    Clock(dut.clk, NS_PER_CYCLE, unit="ns").start()
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0


class Wire:
    """Frames back to back, each with its verdict; remembers what was sent."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng = dut, rng
        self.sent: list[tuple[bytes, Segment | None]] = []
        self.seq = 5000
        self.bytes = iter(b"")
        self.left = self.rest = 0
        self.verdict = 0

    def next_frame(self) -> None:
        segment = None
        if self.rng.random() < 0.9:
            payload = self.rng.randbytes(self.rng.choice([120, 200, 300, 1460]))
            segment = Segment(outgoing=False, seq=self.seq, ack=FABRIC, payload=payload)
            self.seq += len(payload)
        frame = segment.frame() if segment else with_fcs(self.rng.randbytes(60))
        self.sent.append((frame, segment))
        self.bytes, self.left = iter(frame), len(frame)
        fields = {"is_flow": 1, "acceptable": 1, "ack_flag": 1, "ack": FABRIC} if segment else {}
        self.verdict = packed(VERDICT, done=1, good=1, **fields)
        self.dut.net_rx_valid.value = 1

    def step(self, more: bool) -> None:
        dut = self.dut
        if self.left == 0 and self.rest == GAP:
            dut.net_rx_valid.value = 0
            dut.net_rx_last.value = 0
            dut.verdict.value = self.verdict  # stands until the next frame: it is looked at RX_VERDICT_CYCLES later
        elif self.rest == 1:
            dut.verdict.value = 0
        if self.left:
            dut.net_rx_data.value = next(self.bytes)
            self.left -= 1
            self.rest = GAP
            if self.left == 0:
                dut.net_rx_last.value = 1
        elif self.rest > 0:
            self.rest -= 1
        elif more:
            self.next_frame()
            dut.net_rx_data.value = next(self.bytes)
            self.left -= 1


@cocotb.test
async def five_milliseconds_at_line_rate_lose_nothing(dut):
    await start(dut)
    wire = Wire(dut, random.Random(seed()))
    got: list[bytes] = []
    part = bytearray()
    pause = lowered = 0
    ready = True
    for cycle in range(RUNTIME_CYCLES + 20_000):
        await RisingEdge(dut.clk)
        if ready and dut.cpu_rx_valid.value:
            part.append(int(dut.cpu_rx_data.value))
            if dut.cpu_rx_last.value:
                got.append(bytes(part))
                part.clear()
                pause = GAP  # the MAC towards the CPU sends a preamble, too
        if ready != (pause == 0):
            ready = pause == 0
            dut.cpu_rx_ready.value = ready
        pause -= pause > 0
        assert not dut.dropped.value, f"cycle {cycle}"
        lowered += bool(dut.lowered.value)
        if cycle == RUNTIME_CYCLES:
            waiting = len(wire.sent) - len(got)
            dut.flow.value = packed(FLOW_STATE, spliced=1, snd_known=1, snd_nxt=FABRIC, committed=FABRIC)
        wire.step(more=cycle < RUNTIME_CYCLES)
    dut._log.info(f"{len(got)} frames, {lowered} with the kernel's acknowledgement, {waiting} waited for the commit")
    assert len(got) == len(wire.sent)
    flow_frames = 0
    for data, (frame, segment) in zip(got, wire.sent, strict=True):
        if segment is None:
            assert data == frame
            continue
        flow_frames += 1
        low = Segment(outgoing=False, seq=segment.seq, ack=KERNEL, payload=segment.payload).frame()
        assert data == (low if flow_frames <= lowered else frame), flow_frames
    assert 0 < lowered < flow_frames, "the last ones carry the true acknowledgement"
    assert waiting > 5
