# SPDX-License-Identifier: Apache-2.0
"""Orders first at a frame boundary, whole frames always."""

import cocotb
from bench import FLOW
from cocotb.triggers import RisingEdge
from frames import Segment, parse, with_fcs
from stubbed import armed, fire, verdict

LONG = with_fcs(FLOW.remote_mac + FLOW.local_mac + b"\x88\x99" + bytes(1000))


@cocotb.test
async def an_order_goes_before_waiting_cpu_frames(dut):
    bench = await armed(dut)
    for _ in range(3):
        bench.from_cpu(LONG)
    while not bool(dut.net_tx_valid.value):
        await RisingEdge(dut.clk)
    await fire(bench)
    frames = (await bench.net_frames(6))[2:]
    kinds = ["cpu" if frame.data == LONG else "order" for frame in frames]
    assert kinds == ["cpu", "order", "cpu", "cpu"]
    assert frames[1].first_cycle == frames[0].last_cycle + 2, "behind the frame that was leaving"
    assert not any(frame.gaps for frame in frames)


@cocotb.test
async def a_fire_at_any_moment_of_a_cpu_frame(dut):
    """Around the start and the end of a CPU frame, cycle by cycle."""
    bench = await armed(dut)
    small = Segment(outgoing=True, seq=1000, ack=5000).frame()
    total = 2
    for delay in [*range(56, 84), *range(120, 150)]:
        await bench.set(ring_tail=await bench.get("ring_head"), committed=await bench.get("snd_nxt"))
        bench.from_cpu(small)
        await bench.cycles(delay)
        seq = await bench.get("snd_nxt")
        await fire(bench)
        await bench.settle(500)
        total += 2
        frames = bench.net_tx.frames
        assert len(frames) == total, delay
        pair = [parse(frame.data) for frame in frames[-2:]]
        assert not any(p.problems for p in pair), (delay, pair)
        assert not any(frame.gaps for frame in frames[-2:])
        order = next(p for p in pair if p.payload)
        ack = next(p for p in pair if not p.payload)
        assert order.seq == seq
        first = pair[0] is order
        assert ack.seq == seq + (len(order.payload) if first else 0), (delay, first)
        await verdict(bench, ack=await bench.get("snd_nxt"), window=16000)


@cocotb.test
async def ready_low_holds_every_byte(dut):
    bench = await armed(dut)
    bench.net_tx.ready = lambda cycle: cycle % 3 == 0
    bench.from_cpu(LONG)
    await bench.cycles(5)
    await fire(bench)
    frames = (await bench.net_frames(4))[2:]
    assert [frame.data == LONG for frame in frames].count(True) == 1
    order = next(frame for frame in frames if frame.data != LONG)
    assert not parse(order.data).problems
