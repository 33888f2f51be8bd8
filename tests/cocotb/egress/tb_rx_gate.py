# SPDX-License-Identifier: Apache-2.0
"""Frames to the CPU: whole, in order, held on an acknowledgement that the kernel cannot know yet."""

import random

import cocotb
from bench import FLOW, NS_PER_CYCLE, seed
from frames import ACK, SYN, with_fcs
from stubbed import VERDICT, armed, fire, net_frame, packed, peer_segment

OTHER = with_fcs(FLOW.local_mac + FLOW.remote_mac + b"\x08\x06" + bytes(46))
HELD_FOR = 1_000_000 // NS_PER_CYCLE  # rx_gate_ns of armed(), in cycles


async def beyond(dut):
    """An armed core with an order out, uncommitted, and the number that acknowledges it."""
    bench = await armed(dut)
    await fire(bench)
    await bench.settle(300)
    return bench, await bench.get("snd_nxt")


@cocotb.test
async def frames_pass_whole_and_in_order(dut):
    rng = random.Random(seed())
    bench = await armed(dut)
    bench.cpu_rx.ready = lambda _cycle: rng.random() < 0.7
    sent = []
    for _ in range(30):
        frame = with_fcs(rng.randbytes(rng.randrange(14, 1514)))
        sent.append(frame)
        await net_frame(bench, frame)
    await bench.cpu_frames(len(sent))
    assert [frame.data for frame in bench.cpu_rx.frames] == sent
    assert await bench.get("count_gate_drops") == 0


@cocotb.test
async def back_to_back_frames(dut):
    """No gap between frames: the verdict of one comes with the first byte of the next."""
    bench = await armed(dut)
    frames = [with_fcs(bytes([i]) * (60 + i)) for i in range(6)]
    for i, frame in enumerate(frames):
        bench.from_net(frame, gap=0, verdict=packed(VERDICT, done=1, good=i % 3 != 1))
    await bench.settle(1000)
    assert [frame.data for frame in bench.cpu_rx.frames] == [frame for i, frame in enumerate(frames) if i % 3 != 1]


@cocotb.test
async def bad_frames_are_not_forwarded(dut):
    bench = await armed(dut)
    await net_frame(bench, OTHER, good=0)
    await net_frame(bench, OTHER)
    await bench.settle(300)
    assert [frame.data for frame in bench.cpu_rx.frames] == [OTHER]


@cocotb.test
async def held_until_the_commit(dut):
    bench, snd_nxt = await beyond(dut)
    early = await peer_segment(bench, seq=5000, ack=1000, payload=b"8=before")
    report = await peer_segment(bench, seq=5008, ack=snd_nxt, payload=b"8=report")
    await net_frame(bench, OTHER)
    await bench.cycles(3000)
    assert [frame.data for frame in bench.cpu_rx.frames] == [early], "what lies behind waits, too"
    await bench.set(committed=snd_nxt - 1)
    await bench.cycles(500)
    assert len(bench.cpu_rx.frames) == 1
    await bench.set(committed=snd_nxt)
    assert [frame.data for frame in await bench.cpu_frames(3)] == [early, report, OTHER]
    assert await bench.get("count_gate_timeouts") == 0


@cocotb.test
async def passed_after_the_time_limit(dut):
    bench, snd_nxt = await beyond(dut)
    before = await bench.get("cycle")
    report = await peer_segment(bench, ack=snd_nxt)
    frames = await bench.cpu_frames(1, HELD_FOR + 1000)
    assert frames[0].data == report
    assert HELD_FOR <= frames[0].first_cycle - before <= HELD_FOR + 200
    assert await bench.get("count_gate_timeouts") == 1


@cocotb.test
async def cpu_data_moves_the_limit(dut):
    """What the kernel itself sends is known to it: no commit is needed for its acknowledgement."""
    bench = await armed(dut)
    await bench.set(lease_request=1)
    await bench.cpu_sends(seq=1000, ack=5000, payload=b"heartbeat")
    report = await peer_segment(bench, ack=1009)
    assert (await bench.cpu_frames(1))[0].data == report
    assert await bench.get("count_gate_timeouts") == 0


@cocotb.test
async def not_held_before_arming(dut):
    bench = await armed(dut)
    await bench.set(arm=0, flow_valid=1)
    await bench.cpu_sends(seq=1000, ack=5000)
    report = await peer_segment(bench, ack=4000)
    assert (await bench.cpu_frames(1))[0].data == report


@cocotb.test
async def nothing_known_nothing_held(dut):
    bench = await armed(dut)
    await bench.set(flow_valid=1)
    report = await peer_segment(bench, ack=4000)
    assert (await bench.cpu_frames(1))[0].data == report


@cocotb.test
async def other_frames_are_never_held(dut):
    bench, snd_nxt = await beyond(dut)
    await net_frame(bench, OTHER, ack_flag=1, ack=snd_nxt + 1)
    await peer_segment(bench, ack=snd_nxt + 1, flags=SYN)
    await bench.cpu_frames(2)


@cocotb.test
async def wrapped_numbers(dut):
    bench = await armed(dut)
    await bench.set(arm=0, snd_nxt=20, committed=2**32 - 20)
    await bench.set(arm=1)
    first = await peer_segment(bench, ack=2**32 - 20)
    assert (await bench.cpu_frames(1))[0].data == first
    await peer_segment(bench, ack=20, flags=ACK)
    await bench.settle(500)
    assert len(bench.cpu_rx.frames) == 1
    await bench.set(committed=20)
    await bench.cpu_frames(2)


@cocotb.test
async def full_fifo_drops_whole_frames(dut):
    bench, snd_nxt = await beyond(dut)
    await bench.set(rx_gate_ns=0xFFFFFFFF)
    frames = [await peer_segment(bench, ack=snd_nxt)]
    big = [with_fcs(bytes([i]) * 1500) for i in range(14)]
    for frame in big:
        await net_frame(bench, frame)
    small = [with_fcs(bytes([100 + i]) * 60) for i in range(3)]
    for frame in small:
        await net_frame(bench, frame)
    kept = 16384 // 1504
    dropped = await bench.get("count_gate_drops")
    assert dropped == len(big) - (kept if kept * 1504 + 64 <= 16384 else kept - 1)
    await bench.set(committed=snd_nxt)
    survivors = frames + big[: len(big) - dropped] + small
    got = await bench.cpu_frames(len(survivors), 30000)
    assert [frame.data for frame in got][:1] == survivors[:1]
    assert [frame.data for frame in got] == survivors


@cocotb.test
async def many_small_frames(dut):
    """More frames than the FIFO keeps notes of."""
    bench, snd_nxt = await beyond(dut)
    await bench.set(rx_gate_ns=0xFFFFFFFF)
    await peer_segment(bench, ack=snd_nxt)
    frame = with_fcs(bytes(14))
    for _ in range(262):
        await net_frame(bench, frame)
    drops = await bench.get("count_gate_drops")
    assert drops == 263 - 256
    await bench.set(committed=snd_nxt)
    await bench.cpu_frames(256, 30000)
    await bench.settle(500)
    assert len(bench.cpu_rx.frames) == 256
