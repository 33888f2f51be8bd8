# SPDX-License-Identifier: Apache-2.0
"""Frames to the CPU: whole, in order, held on an acknowledgement that the kernel cannot know yet."""

import random

import cocotb
from bench import FLOW, NS_PER_CYCLE, seed
from frames import ACK, MAX_FRAME_BYTES, SYN, Segment, with_fcs
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
    """With the acknowledgement that the kernel knows, or it would drop the frame; later ones wait no longer."""
    bench, snd_nxt = await beyond(dut)
    before = await bench.get("cycle")
    await peer_segment(bench, ack=snd_nxt, payload=b"8=report")
    frames = await bench.cpu_frames(1, HELD_FOR + 1000)
    assert frames[0].data == Segment(outgoing=False, seq=5000, ack=1000, payload=b"8=report").frame()
    assert HELD_FOR <= frames[0].first_cycle - before <= HELD_FOR + 200
    assert await bench.get("count_gate_timeouts") == 1
    await peer_segment(bench, seq=5008, ack=snd_nxt)
    assert (await bench.cpu_frames(2, 200))[1].data == Segment(outgoing=False, seq=5008, ack=1000).frame()
    await bench.set(committed=snd_nxt)
    report = await peer_segment(bench, seq=5008, ack=snd_nxt)
    assert (await bench.cpu_frames(3, 200))[2].data == report
    assert await bench.get("count_gate_timeouts") == 2


@cocotb.test
async def a_commit_gives_the_next_wait_its_whole_time(dut):
    bench, snd_nxt = await beyond(dut)
    await peer_segment(bench, ack=snd_nxt)
    await bench.cpu_frames(1, HELD_FOR + 1000)
    await bench.set(committed=snd_nxt)
    await fire(bench)
    await bench.settle(300)
    await peer_segment(bench, ack=await bench.get("snd_nxt"))
    await bench.cycles(HELD_FOR - 1000)
    assert len(bench.cpu_rx.frames) == 1


@cocotb.test
async def what_the_kernel_would_not_take_is_not_held(dut):
    """An acknowledgement of bytes that nobody sent, for one: it must not stop the frames behind it."""
    bench, snd_nxt = await beyond(dut)
    bogus = await peer_segment(bench, ack=snd_nxt + 1, acceptable=False)
    assert (await bench.cpu_frames(1))[0].data == bogus


@cocotb.test
async def checksums_of_lowered_acknowledgements(dut):
    """Random numbers, IP and TCP options: the incremental update is right in every carry, the FCS is made anew."""
    rng = random.Random(seed())
    bench = await armed(dut)
    await bench.set(rx_gate_ns=1)
    for n in range(60):
        ack = rng.choice([0, 2**32 - 1, 0xFFFF, 0xFFFF0000, rng.getrandbits(32)])
        committed = (ack - rng.choice([1, 0xFFFF, 0x10000, rng.randrange(1, 2**30)])) % 2**32
        await bench.set(arm=0, committed=committed)
        segment = {"seq": rng.getrandbits(32), "window": rng.getrandbits(16),
                   "payload": rng.randbytes(rng.randrange(99)), "ip_options": bytes(4 * rng.choice([0, 0, 1, 10])),
                   "tcp_options": b"\1" * 4 * rng.choice([0, 3])}  # fmt: skip
        await peer_segment(bench, ack=ack, **segment)
        frame = (await bench.cpu_frames(n + 1))[n]
        assert frame.data == Segment(outgoing=False, ack=committed, **segment).frame()


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


def held_frames(snd_nxt: int, count: int, length: int) -> list[dict]:
    """Segments in order that acknowledge an order which is not committed."""
    return [{"seq": 5000 + i * length, "ack": snd_nxt, "payload": bytes([i % 256]) * length} for i in range(count)]


@cocotb.test
async def a_fifo_that_fills_up_loses_nothing(dut):
    """The oldest pass with the kernel's acknowledgement; those that still fit wait for the commit with their own."""
    bench, snd_nxt = await beyond(dut)
    await bench.set(rx_gate_ns=0xFFFFFFFF)
    segments = held_frames(snd_nxt, 40, 1000)
    for segment in segments:
        await peer_segment(bench, **segment)
    await bench.settle(1500)
    passed = len(bench.cpu_rx.frames)
    assert (40 - passed) * 1058 in range(16384 // 2, 16384 // 4 * 3), "the rest is what the FIFO holds"
    await bench.set(committed=snd_nxt)
    got = [frame.data for frame in await bench.cpu_frames(40, 30000)]
    low = [Segment(outgoing=False, **{**segment, "ack": 1000}).frame() for segment in segments[:passed]]
    assert got == low + [Segment(outgoing=False, **segment).frame() for segment in segments[passed:]]
    assert await bench.get("count_gate_lowered") == passed
    assert (await bench.get("count_gate_drops"), await bench.get("count_gate_timeouts")) == (0, 0)


@cocotb.test
async def many_small_frames(dut):
    """More frames than the FIFO keeps notes of, other connections' among them."""
    bench, snd_nxt = await beyond(dut)
    await bench.set(rx_gate_ns=0xFFFFFFFF)
    segments = held_frames(snd_nxt, 150, 6)
    for segment in segments:
        await peer_segment(bench, **segment)
        await net_frame(bench, OTHER)
    await bench.settle(1000)
    await bench.set(committed=snd_nxt)
    got = [frame.data for frame in await bench.cpu_frames(300, 30000)]
    assert got[1::2] == [OTHER] * 150
    lowered = await bench.get("count_gate_lowered")
    assert 0 < lowered < 150
    for i, (segment, data) in enumerate(zip(segments, got[::2], strict=True)):
        assert data == Segment(outgoing=False, **{**segment, **({"ack": 1000} if i < lowered else {})}).frame()
    assert await bench.get("count_gate_drops") == 0


@cocotb.test
async def a_slow_cpu_port_drops_whole_frames(dut):
    bench = await armed(dut)
    bench.cpu_rx.ready = lambda _cycle: False
    big = [with_fcs(bytes([i]) * 1500) for i in range(14)]
    for frame in big:
        await net_frame(bench, frame)
    small = [with_fcs(bytes([100 + i]) * 60) for i in range(3)]
    for frame in small:
        await net_frame(bench, frame)
    dropped = await bench.get("count_gate_drops")
    assert dropped in (3, 4)
    bench.cpu_rx.ready = lambda _cycle: True
    survivors = big[: len(big) - dropped] + small
    assert [frame.data for frame in await bench.cpu_frames(len(survivors), 30000)] == survivors


@cocotb.test
async def frames_beyond_the_longest(dut):
    """The longest passes; a byte more never reaches the CPU, whatever the verdict."""
    bench = await armed(dut)
    longest = with_fcs(bytes(i % 251 for i in range(MAX_FRAME_BYTES - 4)))
    await net_frame(bench, with_fcs(bytes(MAX_FRAME_BYTES - 3)))
    await net_frame(bench, longest)
    await bench.settle(1800)
    assert [frame.data for frame in bench.cpu_rx.frames] == [longest]
    assert await bench.get("count_gate_drops") == 1
