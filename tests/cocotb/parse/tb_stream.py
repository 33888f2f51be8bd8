# SPDX-License-Identifier: Apache-2.0
"""TCP order: segments cut anywhere, repeated, overlapping, missing, damaged."""

import random
import struct

import cocotb
from frames import ACK, SYN, Flow, Segment, fcs, ones_sum, with_fcs
from rx_bench import FLOW, HIT_CYCLES, RxBench, seed
from rx_messages import snapshot
from rx_model import Model
from rx_tables import BID, GE, LAST, LE, Hit, Instrument, Rule, Tables

STAIRS = 200
CHECKSUM_BYTES = len(b"10=000|")
COMPARED_AHEAD = 2  # cycles
# Every step down fires exactly one rule.
TABLES = Tables([Instrument("ES"), Instrument("NQ", price_min=0)], [Rule(0, LAST, LE, 5000 - i) for i in range(STAIRS)])


def stair(step: int) -> bytes:
    """The message that fires rule ``step`` and no later one."""
    return snapshot("ES", [("0", "7.25"), ("2", f"{50 - step / 100:.2f}")], number=step + 1)


def fired(step: int, message: int) -> Hit:
    return Hit(step, step, Tables.order_of(step), 0, LAST, 5000 - step, 1, message)


def damaged(frame: bytes, at: int, *, fix_fcs: bool) -> bytes:
    frame = bytearray(frame)
    frame[at] ^= 0x10
    return with_fcs(bytes(frame[:-4])) if fix_fcs else bytes(frame)


@cocotb.test
async def cut_at_every_byte(dut):
    bench = await RxBench.start(dut, TABLES)
    message = stair(0)
    steps = len(message) - 1
    assert steps < STAIRS
    for step in range(steps):
        message = stair(step)
        at = min(step + 1, len(message) - 1)
        bench.send(message[:at])
        bench.send(message[at:])
    await bench.settle()
    assert bench.taken() == [fired(step, step + 1) for step in range(steps)]
    # Wherever the segment begins. Where it is in the CheckSum, the message has been seen ahead and is compared when it
    # comes.
    ahead = [min(step + 1, len(message) - 1) >= len(message) - CHECKSUM_BYTES for step in range(steps)]
    cycles = [taken.seen - taken.frame_end_cycle for taken in bench.hits]
    assert cycles == [HIT_CYCLES - COMPARED_AHEAD if early else HIT_CYCLES for early in ahead]
    assert bench.counts() == {}
    assert bench.value("synced")


@cocotb.test
async def byte_by_byte_and_all_at_once(dut):
    bench = await RxBench.start(dut, TABLES)
    for byte in stair(0):
        bench.send(bytes([byte]))
    bench.send(b"".join(stair(step) for step in range(1, 12)))
    await bench.settle(600)
    assert bench.taken() == [fired(step, step + 1) for step in range(12)]


@cocotb.test
async def damaged_frame_then_retransmission(dut):
    """Nothing fires from the damaged frame, the rule fires once from the good one."""
    bench = await RxBench.start(dut, TABLES)
    step = 0
    bad = 0
    # FCS alone; IP checksum; TCP checksum; payload under a right FCS; TCP header under a right FCS; PHY error.
    for kind in ("fcs", "ip", "tcp", "payload", "ack", "phy", "price"):
        for before in (0, 40):
            message = stair(step)
            if before:
                bench.send(message[:before])
            tail = message[before:]
            at = bench.seq
            good = bench.segment(tail)
            # A digit of the price, changed so that it would fire everything.
            wild = bench.segment(tail.replace(b"270=4", b"270=0").replace(b"270=5", b"270=0"), seq=at)
            frame = {
                "fcs": damaged(good, len(good) - 2, fix_fcs=False),
                "ip": damaged(good, 24, fix_fcs=True),
                "tcp": damaged(good, 50, fix_fcs=True),
                "payload": damaged(good, 60, fix_fcs=True),
                "ack": damaged(good, 43, fix_fcs=True),
                "phy": good,
                "price": damaged(wild, 70, fix_fcs=False),
            }[kind]
            for gap in (0, 12):
                bench.frame(frame, err=kind == "phy", gap=gap)
                bad += 1
            await bench.settle()
            assert bench.taken() == [fired(i, i + 1) for i in range(step)], kind
            assert bench.value("rcv_nxt") == at
            bench.frame(good)
            step += 1
            await bench.settle()
            assert bench.taken() == [fired(i, i + 1) for i in range(step)], kind
    assert [verdict.good for verdict in bench.verdicts].count(False) == bad
    assert bench.counts() == {}


@cocotb.test
async def old_and_overlapping_segments(dut):
    bench = await RxBench.start(dut, TABLES)
    stream = b"".join(stair(step) for step in range(6))
    start = bench.seq
    ends = (70, 150, 260, 400, len(stream))
    at = 0
    for end in ends:
        bench.frame(bench.segment(stream[max(0, at - 33) : end], seq=start + max(0, at - 33)))
        bench.frame(bench.segment(stream[:at], seq=start))
        bench.frame(bench.segment(stream[at - 1 : at], seq=start + at - 1) if at else bench.segment(b"", seq=start - 1))
        at = end
    await bench.settle()
    assert bench.taken() == [fired(step, step + 1) for step in range(6)]
    # Empty segments are not old: four repeats of the beginning and four keep-alives with a byte are.
    assert bench.counts() == {"segment_old": 8}
    assert bench.value("rcv_nxt") == start + len(stream)


@cocotb.test
async def hole_stops_until_resync(dut):
    bench = await RxBench.start(dut, TABLES)
    lost, late = stair(0), stair(1)
    bench.send(lost[:20])
    start = bench.seq
    bench.seq += len(lost) - 20
    bench.send(late)
    await bench.settle()
    assert bench.value("gap")
    assert not bench.value("synced")
    assert bench.counts() == {"segment_hole": 1}
    assert bench.value("rcv_nxt") == bench.seq
    # Even the missing bytes do not help any more, nor do later ones.
    end = bench.seq
    bench.frame(bench.segment(lost[20:], seq=start))
    bench.send(stair(2))
    await bench.settle()
    assert bench.taken() == []
    assert bench.counts() == {"segment_hole": 1}
    # The boundary must be where the wire is.
    wire = bench.seq
    assert not await bench.resync(end)
    assert await bench.resync(wire, 4)
    assert bench.value("synced")
    bench.send(stair(3))
    await bench.settle(200)
    # All that was passed over fires now: it is the first observation.
    assert bench.taken() == [Hit(step, step, Tables.order_of(step), 0, LAST, 4997, 1, 1) for step in range(4)]


@cocotb.test
async def empty_segment_beyond_is_no_hole(dut):
    bench = await RxBench.start(dut, TABLES)
    bench.frame(bench.segment(b"", seq=bench.seq + 500))
    bench.send(stair(0))
    await bench.settle()
    assert bench.taken() == [fired(0, 1)]
    assert bench.value("synced")


@cocotb.test
async def resync_while_a_segment_passes(dut):
    """A segment that is half through when the resync comes is not parsed from its middle: the resync is refused."""
    bench = await RxBench.start(dut, TABLES)
    bench.frame(bench.segment(b"x" * 20, seq=bench.seq + 100))
    await bench.settle()
    boundary = bench.value("rcv_nxt")
    accepted = 0
    for wait in range(2, 130, 3):
        message = stair(accepted)
        bench.seq = boundary
        bench.send(message)
        await bench.cycles(wait)
        taken = await bench.resync(boundary, accepted + 1)
        await bench.settle()
        boundary += len(message)
        if taken:
            accepted += 1
            assert bench.value("rcv_nxt") == boundary, wait
            assert len(bench.hits) == accepted
        else:
            assert bench.value("gap")
            assert len(bench.hits) == accepted
        # Lose the stream again.
        bench.frame(bench.segment(b"x" * 20, seq=boundary + 100))
        await bench.settle()
        assert bench.value("gap")
        boundary = bench.value("rcv_nxt")
    assert 5 < accepted < 30


@cocotb.test
async def handshake_and_new_flow(dut):
    bench = await RxBench.start(dut, TABLES)
    bench.send(stair(0)[:50])
    await bench.settle()
    # RFC 5961: a SYN on a known connection changes nothing.
    for seq in (77, bench.seq, bench.seq - 1):
        bench.frame(Segment(outgoing=False, seq=seq, flags=SYN | ACK).frame())
    await bench.settle()
    assert bench.verdicts[-1].flags & SYN == 0
    assert bench.value("synced")
    bench.send(stair(0)[50:])
    await bench.settle()
    assert bench.taken() == [fired(0, 1)]
    # A new flow forgets the old one; without any segment seen, any boundary is taken.
    dut.remote_port.value = 1234
    dut.flow_reset.value = 1
    await bench.cycles(1)
    dut.flow_reset.value = 0
    await bench.cycles(1)
    assert bench.value("gap")
    assert await bench.resync(123456, 2)
    bench.frame(bench.segment(stair(1)))
    bench.seq = 123456
    bench.frame(bench.segment(stair(1), flow=Flow(remote_port=1234)))
    await bench.settle()
    assert bench.taken() == [fired(0, 1), fired(1, 1)]


@cocotb.test
async def sequence_numbers_wrap(dut):
    bench = await RxBench.start(dut, TABLES, isn=2**32 - 151)
    for step in range(6):
        if step % 2:
            message = stair(step)
            bench.frame(bench.segment(stair(step - 1)[-10:] + message, seq=bench.seq - 10))
            bench.seq = (bench.seq + len(message)) % 2**32
        else:
            bench.send(stair(step))
    await bench.settle()
    assert bench.taken() == [fired(step, step + 1) for step in range(6)]
    assert bench.value("synced")


@cocotb.test
async def frames_that_are_not_the_flows(dut):
    bench = await RxBench.start(dut, TABLES)
    at = bench.seq
    good = bench.segment(stair(0), seq=at)
    strange = [
        bench.segment(stair(0), seq=at, flow=Flow(remote_ip=0x0A000003)),
        bench.segment(stair(0), seq=at, flow=Flow(local_ip=0x0A000003)),
        bench.segment(stair(0), seq=at, flow=Flow(remote_port=9879)),
        bench.segment(stair(0), seq=at, flow=Flow(local_port=40257)),
        bench.segment(stair(0), seq=at, fragment=0x2000),
        bench.segment(stair(0), seq=at, fragment=0x4001),
        with_fcs(good[:12] + b"\x81\x00\x00\x05" + good[12:-4]),
        with_fcs(good[:12] + b"\x86\xdd" + good[14:-4]),
        with_fcs(good[:23] + b"\x11" + good[24:-4]),
        with_fcs(b"\xff" * 60),
        with_fcs(b"\x00" * 1500),
        *(with_fcs(good[:n]) for n in (12, 16, 20, 30)),
        bytes(8), bytes(1),
    ]  # fmt: skip
    for frame in strange:
        bench.frame(frame, gap=0)
    await bench.settle()
    assert bench.taken() == []
    assert [verdict.is_flow for verdict in bench.verdicts[1:]] == [False] * len(strange)
    assert [verdict.good for verdict in bench.verdicts[1:]] == [True] * (len(strange) - 2) + [False, False]
    assert bench.value("rcv_nxt") == at
    bench.frame(good)
    await bench.settle()
    assert bench.taken() == [fired(0, 1)]


@cocotb.test
async def lengths_that_do_not_fit(dut):
    """Frames of the flow whose IP or TCP lengths contradict the frame are bad and change nothing."""
    bench = await RxBench.start(dut, TABLES)
    at = bench.seq
    good = bench.segment(stair(0), seq=at)
    total = int.from_bytes(good[16:18], "big")

    def with_total(value: int, frame: bytes = good) -> bytes:
        # Recompute the IP checksum; the TCP checksum is then wrong or right as it falls.
        head = frame[14:24] + b"\0\0" + frame[26:34]
        head = head[:2] + value.to_bytes(2, "big") + head[4:]
        check = 0xFFFF ^ ones_sum(head)
        return with_fcs(frame[:14] + head[:10] + check.to_bytes(2, "big") + head[12:] + frame[34:-4])

    frames = [with_total(total + extra) for extra in (1, 2, 3, 4, 5, 1000, 60000)]
    frames += [with_total(value) for value in (0, 3, 4, 19, 20, 39)]
    frames += [with_fcs(good[:46] + bytes([offset << 4]) + good[47:-4]) for offset in (0, 1, 4, 15)]
    for cut in (1, 20, 60):
        frames.append(with_fcs(good[: -4 - cut]))
    frames += [fcs_as_payload(good, extra) for extra in (2, 4)]
    for frame in frames:
        bench.frame(frame, gap=0)
    await bench.settle()
    assert [(v.good, v.is_flow) for v in bench.verdicts[1:]] == [(False, True)] * len(frames)
    assert bench.taken() == []
    assert bench.value("rcv_nxt") == at
    bench.frame(good, gap=0)
    await bench.settle()
    assert bench.taken() == [fired(0, 1)]


def fcs_as_payload(good: bytes, extra: int) -> bytes:
    """A frame whose IP packet claims ``extra`` bytes of the FCS, all checksums right. The IP identification is free."""
    packet = good[14:-4]
    total = (len(packet) + extra).to_bytes(2, "big")
    for ident in range(2**16):
        head = packet[:2] + total + ident.to_bytes(2, "big") + packet[6:10] + b"\0\0" + packet[12:20]
        head = head[:10] + (0xFFFF ^ ones_sum(head)).to_bytes(2, "big") + head[12:]
        frame = with_fcs(good[:14] + head + packet[20:])
        tcp = frame[34 : len(frame) - 4 + extra]
        if ones_sum(head[12:20] + struct.pack(">HH", 6, len(tcp)) + tcp) == 0xFFFF:
            return frame
    raise AssertionError("no identification does")


@cocotb.test
async def verdict_fields(dut):
    bench = await RxBench.start(dut, TABLES)
    for flags, length in ((0x11, 0), (0x14, 0), (0x04, 3), (0x18, 9), (0x10, 0)):  # all where they count
        payload = b"8=FIX.4.4"[:length]
        frame = Segment(
            outgoing=False, seq=bench.seq, ack=0x89ABCDEF, flags=flags, window=0x1234, payload=payload, flow=FLOW
        ).frame()
        bench.frame(frame)
        await bench.settle()
        verdict = bench.verdicts[-1]
        assert (verdict.good, verdict.is_flow, verdict.flags) == (True, True, flags & 0x17)
        assert (verdict.seq, verdict.ack, verdict.window) == (bench.seq, 0x89ABCDEF, 0x1234)
        assert verdict.length == length
        assert verdict.at == verdict.end_cycle + 2
        assert bench.value("rcv_nxt") == bench.seq + (9 if flags == 0x18 else 0)
        if flags == 0x18:
            bench.seq += 9


@cocotb.test
async def no_frame_leaves_anything_behind(dut):
    """Foreign frames of every length, cut anywhere inside their headers too, between the frames of the session."""
    bench = await RxBench.start(dut, TABLES)
    foreign = [bench.segment(bytes(range(length)), seq=0, flow=Flow(remote_port=53)) for length in range(64)]
    # Header lengths that contradict the frame would be used by the frame behind it.
    odd = [bytes([*foreign[40][:46], offset << 4, *foreign[40][47:-4]]) for offset in range(16)]
    odd += [bytes([*foreign[40][:14], 0x40 | ihl, *foreign[40][15:-4]]) for ihl in range(16)]
    udp = [with_fcs(bytes([*foreign[length][:23], 17, *foreign[length][24:-4]])) for length in range(64)]
    cut = [foreign[40][:length] + fcs(foreign[40][:length]) for length in range(1, 60)]
    between = [*udp, *foreign, *(frame + fcs(frame) for frame in odd), *cut]
    start = bench.seq
    stream = b"".join(stair(step) for step in range(STAIRS))
    at = 0
    while between:
        bench.frame(between.pop(), gap=0)
        end = min(at + 97, len(stream))
        bench.frame(bench.segment(stream[at:end], seq=start + at), gap=0)
        at = end
    await bench.settle()
    assert bench.value("rcv_nxt") == start + at
    assert bench.counts() == {}
    whole = [step for step in range(STAIRS) if len(b"".join(stair(s) for s in range(step + 1))) <= at]
    assert bench.taken() == [fired(step, step + 1) for step in whole]
    assert len(whole) > 100


@cocotb.test
async def tcp_options_are_skipped(dut):
    bench = await RxBench.start(dut, TABLES)
    for step, words in enumerate((1, 2, 3, 5, 10)):
        # Options that look like a message.
        options = stair(9)[: 4 * words]
        bench.frame(bench.segment(stair(step), tcp_options=options))
    await bench.settle()
    assert bench.taken() == [fired(step, step + 1) for step in range(5)]
    assert {taken.seen - taken.frame_end_cycle for taken in bench.hits} == {HIT_CYCLES}


@cocotb.test
async def random_stream(dut):
    """Messages of all kinds, cut at random, with losses, repeats, damage, bubbles and gaps of any length."""
    rng = random.Random(seed())
    for _ in range(4):
        rules = [
            Rule(rng.randrange(2), rng.choice((BID, LAST)), rng.choice((LE, GE)), rng.randrange(4000, 6000))
            for _ in range(60)
        ]
        tables = Tables(TABLES.instruments, rules)
        bench = await RxBench.start(dut, tables, isn=rng.randrange(2**32))
        messages = []
        for number in range(60):
            entries = [
                (rng.choice("0123"), f"{rng.randrange(3900, 6100) / 100:.{rng.choice((2, 2, 2, 3, 5))}f}")
                for _ in range(rng.randrange(0, 6))
            ]
            extra = ((43, "Y"),) if rng.random() < 0.1 else ()
            symbol = rng.choice(("ES", "NQ", "ES", "NQ", "XX"))
            positions = rng.random() < 0.5
            messages.append(snapshot(symbol, entries, positions=positions, extra=extra, number=number + 1))
        stream = b"".join(messages)
        start = bench.seq
        at = 0
        while at < len(stream):
            end = min(len(stream), at + rng.choice((1, 5, 20, 60, 150, 400, 1300)))
            back = rng.choice((0, 0, 0, 7, 100))
            begin = max(0, at - back)
            frame = bench.segment(stream[begin:end], seq=(start + begin) % 2**32)
            gap = rng.choice((0, 1, 12))
            pause = rng.choice((0.0, 0.0, 0.2))
            if rng.random() < 0.3:
                junk = bytearray(frame)
                for _ in range(rng.randrange(1, 4)):
                    junk[rng.randrange(34, len(junk))] ^= 1 << rng.randrange(8)
                bench.frame(bytes(junk), gap=gap)
            bench.frame(frame, gap=gap, bubbles=lambda: int(rng.random() < pause))  # noqa: B023
            if rng.random() < 0.1:
                bench.frame(bench.segment(stream[: min(begin, 1400)], seq=start), gap=gap)
            at = end
        bench.ready = lambda: rng.random() < 0.7
        await bench.settle(1000)
        model = Model(tables)
        bench.expect(model, messages)
        assert bench.count("price_invalid") == model.invalid
        assert bench.count("poss_dup") == model.poss_dup
        assert bench.value("synced")
