# SPDX-License-Identifier: Apache-2.0
"""Segments that the session's kernel takes, and those that it does not look at."""

from dataclasses import replace

import cocotb
from frames import ACK, FIN, RST, SYN, Flow, Segment, with_fcs
from rx_bench import FLOW, RxBench
from tb_stream import TABLES, fired, stair


def know(bench: RxBench, *, edge: int = 65536) -> None:
    """What the egress side knows: bytes 5000 to 5999 are on their way, the window is ``edge`` bytes."""
    dut = bench.dut
    dut.window_known.value = dut.edge_known.value = dut.local_mac_known.value = 1
    dut.snd_una.value, dut.snd_nxt.value, dut.snd_max.value = 5000, 6000, 4000
    dut.rx_edge.value = (bench.seq + edge) % 2**32
    dut.local_mac.value = int.from_bytes(FLOW.local_mac, "big")


@cocotb.test
async def what_a_kernel_ignores_is_ignored(dut):
    """Segments that the session's kernel would not look at: no byte, sequence number or flag of them counts."""
    bench = await RxBench.start(dut, TABLES)
    know(bench)
    at, wild = bench.seq, stair(5)
    void = [
        bench.segment(wild, seq=at, ack=6001),  # acknowledges what was never sent
        bench.segment(wild, seq=at, ack=5000 + 2**31),
        bench.segment(wild, seq=at, ack=999),  # older than any window
        bench.segment(wild, seq=at + 2**30, ack=5500),
        bench.segment(wild, seq=at + 65536, ack=5500),
        bench.segment(wild, seq=at + 65537 - len(wild), ack=5500),
        Segment(outgoing=False, seq=at, flags=0x08, payload=wild).frame(),  # no ACK
        Segment(outgoing=False, seq=at, flags=SYN | ACK, ack=5500, payload=wild).frame(),
        *(Segment(outgoing=False, seq=at + off, flags=RST, ip_options=b"\x01" * (4 * (off % 3))).frame()
          for off in (-1, 1, 2, 1000, 2**31)),
        *(Segment(outgoing=False, seq=at + off, flags=FIN | ACK, ack=5500).frame() for off in (-1, 1, 2, 1000)),
        Segment(outgoing=False, seq=at, flags=FIN | ACK, ack=6001).frame(),
        bench.segment(wild, seq=at, ack=5500, flow=Flow(local_mac=bytes.fromhex("020000000009"))),
    ]  # fmt: skip
    for frame in void:
        bench.frame(frame, gap=0)
    await bench.settle()
    assert bench.taken() == []
    assert {verdict.flags & ~ACK for verdict in bench.verdicts[1:]} == {0}
    assert bench.value("rcv_nxt") == at
    assert bench.value("synced")
    assert bench.counts() == {}
    # And what it takes counts: the oldest and the newest acknowledgement, up to the edge of the window.
    bench.frame(bench.segment(stair(0), ack=1000))
    bench.frame(bench.segment(stair(1), ack=6000))
    dut.rx_edge.value = bench.seq + len(stair(2))
    bench.frame(bench.segment(stair(2), ack=5500, ip_options=b"\x01" * 8))
    await bench.settle()
    assert bench.taken() == [fired(step, step + 1) for step in range(3)]


@cocotb.test
async def a_checksum_of_minus_zero_is_right(dut):
    """Linux sends 0xFFFF for a checksum of zero where it sums itself; of another checksum it is wrong."""
    bench = await RxBench.start(dut, TABLES)
    know(bench)
    for step in range(3):
        segment = Segment(outgoing=False, seq=bench.seq, ack=5500, flags=ACK, payload=stair(step), minus_zero=True)
        zero = segment.that_sums_to_zero()
        assert zero.frame() != replace(zero, minus_zero=False).frame()
        wrong = zero.frame().replace(b"\xff\xff", b"\xff\xfe")[:-4]
        bench.frame(with_fcs(wrong))
        bench.frame(zero.frame())
        bench.seq += len(segment.payload)
    await bench.settle()
    assert bench.taken() == [fired(step, step + 1) for step in range(3)]


@cocotb.test
async def what_is_acknowledged_already_says_nothing(dut):
    """A kernel does not look at a segment that ends before what it has acknowledged, its acknowledgement included."""
    bench = await RxBench.start(dut, TABLES)
    know(bench)
    at = bench.seq
    dut.rx_ack.value = at
    for end, counts in ((at - 1, False), (at - 2**30, False), (at, True), (at + 1, True)):
        bench.frame(bench.segment(b"12345678", seq=end - 8, ack=5500))
        await bench.settle()
        assert bench.verdicts[-1].acceptable == counts, end
    assert bench.counts()["segment_old"] == 3, "old all the same"
    bench.frame(bench.segment(b"", seq=at - 1, ack=5500))  # asks whether we are alive
    await bench.settle()
    assert not bench.verdicts[-1].acceptable


@cocotb.test
async def far_ahead_does_not_keep_from_resync(dut):
    bench = await RxBench.start(dut, TABLES)
    know(bench)
    bench.frame(bench.segment(b"x" * 20, seq=bench.seq + 100, ack=5500))
    await bench.settle()
    assert bench.value("gap")
    boundary = bench.value("rcv_nxt")
    bench.frame(bench.segment(b"x" * 20, seq=boundary + 2**30, ack=5500))
    await bench.settle()
    assert bench.value("rcv_nxt") == boundary
    assert await bench.resync(boundary)


@cocotb.test
async def the_end_of_the_session_counts_where_it_is_next(dut):
    for flags, payload, options in ((RST, b"", b""), (RST | ACK, b"", b"\x01" * 4), (FIN | ACK, b"", b""),
                                    (FIN | ACK, stair(1), b"\x01" * 12)):  # fmt: skip
        bench = await RxBench.start(dut, TABLES)
        know(bench)
        message = stair(0)
        bench.frame(bench.segment(message[:30], ack=5500))
        early = Segment(
            outgoing=False,
            seq=bench.seq + len(message) - 30,
            flags=flags,
            ack=5500,
            payload=payload,
            ip_options=options,
        ).frame()
        bench.frame(bench.segment(message[30:], ack=5500))
        bench.frame(early)
        bench.frame(early)
        await bench.settle()
        assert [v.flags & (FIN | RST) for v in bench.verdicts[1:]] == [0, 0, flags & ~ACK, flags & ~ACK]


@cocotb.test
async def frames_that_the_cpu_cannot_get_are_not_parsed(dut):
    bench = await RxBench.start(dut, TABLES)
    padding = stair(0)
    longest = 1522 - 4 - 54
    bench.frame(bench.segment(padding.ljust(longest + 1, b"8"), seq=bench.seq))
    await bench.settle()
    assert bench.taken() == []
    assert not bench.verdicts[-1].good
    bench.frame(bench.segment(padding, seq=bench.seq))
    await bench.settle()
    assert bench.taken() == [fired(0, 1)]
