# SPDX-License-Identifier: Apache-2.0
"""feed_unit: a program through its window, datagrams, lines out of the ring; both kinds of export; what is counted."""

import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from feed_host import LINES, TAG, Host, end_of, expected, in_lines

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fast"))

from fast_support import one
from program_support import program_of, run

from fixaccel.fast.layout import FEED
from fixaccel.fast.program.words import RawWord, Role

FIELDS = one(
    '<uInt32 name="A"><increment value="7"/></uInt32><decimal name="P"><delta value="1.5"/></decimal>'
    '<string name="S"><default value="a text of more than seven"/></string>'
    '<sequence name="Q"><int64 name="B"><delta/></int64></sequence>'.replace('name="A"', 'name="A" id="1"')
)
GOOD = [
    bytes.fromhex(stream)
    for stream in (
        "c0 81 81 85 80",
        "e0 81 85 81 85 82 81 fe",
        "c0 81 81 85 82 81 82 80 81 85 80",
        "d0 81 81 85 41 c2 80",
    )
]
BAD = [bytes.fromhex(stream) for stream in ("c0 81 81", "c0 82", "c0 81 81 00 85 81 85 85", "")]


async def started(dut) -> Host:
    cocotb.start_soon(Clock(dut.clk, 8, "ns").start())
    dut.request.value = 0
    dut.rx_data.value = dut.rx_valid.value = dut.rx_last.value = dut.rx_err.value = 0
    dut.rst.value = 1
    for _ in range(8):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    host = Host(dut)
    await host.filters()
    return host


@cocotb.test()
async def decoded_fields_are_in_the_ring(dut):
    host = await started(dut)
    assert await host.register("magic") == FEED.constant("magic_word")
    assert await host.register("hwmap_hash") == FEED.short_hash
    program = program_of(FIELDS)
    await host.load(program)
    for data in GOOD:
        outcome = run(program, data)
        assert outcome.stopped is None
        await host.send(data)
        got, want = await host.lines(), in_lines(expected(program, data, outcome))
        assert got == want, f"{data.hex()}\n{got}\n{want}"
    assert await host.register("count_datagrams") == len(GOOD)
    assert await host.register("count_bad") == 0


@cocotb.test()
async def what_is_bad_ends_with_its_fault(dut):
    host = await started(dut)
    program = program_of(FIELDS)
    await host.load(program)
    counts = {}
    for data in BAD:
        outcome = run(program, data)
        await host.send(data)
        lines = await host.lines()
        assert lines[-1][-1] == (TAG["end"], end_of(data, outcome)), data.hex()
        if outcome.stopped is not None:
            code = FEED.constant(f"code_{outcome.stopped.fault.name.lower()}")
            counts[code] = counts.get(code, 0) + 1
            assert await host.register("fault") == code | outcome.stopped.at << 5 | outcome.stopped.byte << 16
    assert len(counts) > 1
    for code in range(1, 17):
        assert await host.read(FEED.memories["fault_counts"].base + 4 * code) == counts.get(code, 0)
    assert await host.register("count_bad") == sum(counts.values())
    assert await host.register("count_r6") == 1


@cocotb.test()
async def payloads_go_as_they_are(dut):
    host = await started(dut)
    await host.control(decode=True, raw=True)
    for size in (0, 1, 7, 8, 9, 64):
        data = bytes(range(1, size + 1))
        await host.send(data)
        values = [int.from_bytes(data[at : at + 8], "little") for at in range(0, size, 8)]
        entries = [*((TAG["raw"], value) for value in values), (TAG["end"], size << 32)]
        assert await host.lines() == in_lines(entries)
    # A program takes over with the next datagram.
    program = program_of(FIELDS)
    await host.load(program)
    await host.send(GOOD[0])
    assert await host.lines() == in_lines(expected(program, GOOD[0], run(program, GOOD[0])))


@cocotb.test()
async def a_full_ring_loses_lines_and_says_how_many(dut):
    host = await started(dut)
    program = program_of(FIELDS)
    await host.load(program)
    whole = in_lines(expected(program, GOOD[0], run(program, GOOD[0])))
    fit = LINES // len(whole)
    sent = fit + 10
    for _ in range(sent):
        await host.send(GOOD[0])
    lines = await host.lines()
    assert len(lines) == LINES
    assert lines == (whole * (fit + 1))[:LINES]
    lost = sent * len(whole) - LINES
    assert await host.register("lines_lost") == lost
    await host.send(GOOD[0])
    entries = [(TAG["lost"], lost), *expected(program, GOOD[0], run(program, GOOD[0]))]
    assert await host.lines() == in_lines(entries)
    for _ in range(3 * LINES // len(whole)):  # round and round
        await host.send(GOOD[0])
        assert await host.lines() == whole
    assert await host.register("lines_lost") == lost


@cocotb.test()
async def a_datagram_that_is_cut_by_turning_it_off_is_torn(dut):
    host = await started(dut)
    program = program_of(FIELDS)
    await host.load(program)
    await host.send(GOOD[1][:6], whole=False)
    await host.control(decode=False)
    for _ in range(16):
        await RisingEdge(dut.clk)
    lines = await host.lines()
    assert lines[-1][-1][0] == TAG["end"]
    assert FEED.records["ring_end"].unpack(lines[-1][-1][1].to_bytes(8, "little"))["torn"] == 1
    await host.send(GOOD[1][6:])  # its rest finds nobody
    await host.control(decode=True)
    await host.send(GOOD[0])
    assert await host.lines() == in_lines(expected(program, GOOD[0], run(program, GOOD[0])))
    await host.control(decode=False)
    assert await host.lines() == []


def gap_lines(cause: str, channel: int, first: int, last: int) -> list[tuple[int, int]]:
    """The two values of a gap."""
    return [
        (TAG["gap"], first | (last & 0xFFFFFFFF) << 32),
        (TAG["continued"], channel | FEED.constant(f"cause_{cause}") << 2),
    ]


@cocotb.test()
async def two_lines_are_one_in_the_ring(dut):
    host = await started(dut)
    program = program_of(one('<uInt32 name="A" id="1"/>'), raw=(RawWord(4, True, role=Role.NUMBER),))
    await host.set("wait_cycles", 0xFFFFFF)
    await host.set("numbering", 1 | 4 << 2)
    await host.load(program)
    for _ in range(32):
        await RisingEdge(dut.clk)
    assert await host.lines() == [gap_lines("start", channel, 0, -1) for channel in range(2)]

    def datagram(number: int, value: int, messages: int = 1) -> bytes:
        return number.to_bytes(4, "big") + bytes([0xC0, 0x81, 0x80 | value]) * messages

    def told(number: int, value: int, line: int, gap: list[tuple[int, int]] | None = None) -> list[tuple[int, int]]:
        data = datagram(number, value)
        end = TAG["end"], end_of(data, run(program, data), line=line)
        return [(TAG["message"], 1 | number << 32), (1, value), *(gap or []), end]

    await host.send(datagram(7, 1), line=0)
    await host.send(datagram(7, 2), line=1)  # was there before
    await host.send(datagram(8, 3), line=3)  # of the other channel, which begins with it
    assert await host.lines() == [told(7, 1, 0), told(8, 3, 3)]
    await host.send(datagram(10, 4), line=0)  # waits
    assert await host.lines() == []
    await host.send(datagram(8, 5), line=1)
    assert await host.lines() == [told(8, 5, 1)]
    await host.send(datagram(11, 6), line=1)  # both are beyond 9
    assert await host.lines() == [told(10, 4, 0, gap_lines("numbers", 0, 9, 9)), told(11, 6, 1)]
    # One of which a line of the ring was full before its number is judged would say so; those here leave nothing.
    await host.send(datagram(9, 7, 40), line=1)
    assert await host.lines() == []
    counts = await host.counts(1)
    assert (counts["taken"], counts["duplicate"], counts["late"]) == (2, 1, 1)
