# SPDX-License-Identifier: Apache-2.0
"""feed_datagram: which frames carry a datagram, of which line, its bytes and its verdict."""

import random
import struct
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from feed_host import filter_words, with_fcs

from fixaccel.fast.capture import frame_of
from fixaccel.language.terms import Group

LINES = [
    Group("239.195.1.1", 16001),
    Group("239.195.1.2", 16001),
    Group("239.195.1.1", 16002),
    Group("239.195.1.1", 16001),
]
SENDERS = [None, "10.50.129.200", None, "10.50.129.200"]
SOURCE = Group("10.50.129.200", 16000)
INTO_FILTERS = 6  # as feed_pkg's into_t


async def started(dut):
    cocotb.start_soon(Clock(dut.clk, 8, "ns").start())
    dut.data.value = dut.valid.value = dut.last.value = dut.err.value = dut.load.value = 0
    dut.run.value = dut.rst.value = 1
    for _ in range(4):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    for line, (group, sender) in enumerate(zip(LINES, SENDERS, strict=True)):
        for word, value in enumerate(filter_words(group, sender)):
            for byte in range(4):
                at = line << 4 | (2 - word) << 2 | byte
                dut.load.value = 1 << 85 | INTO_FILTERS << 82 | at << 71 | value >> 8 * byte & 255
                await FallingEdge(dut.clk)
    dut.load.value = 0
    await FallingEdge(dut.clk)


async def told(dut, frame: bytes, err: bool = False):
    """Bytes of the payload, the line and the verdict: None where it was none of the lines'."""
    payload, verdict = bytearray(), None
    for at in range(len(frame) + 12):
        dut.valid.value = at < len(frame)
        dut.data.value = frame[at] if at < len(frame) else 0
        dut.last.value = at == len(frame) - 1
        dut.err.value = err and at == len(frame) - 1
        await FallingEdge(dut.clk)
        if dut.put.value:
            assert verdict is None
            payload.append(int(dut.put_data.value))
        if dut.ends.value:
            assert verdict is None
            verdict = int(dut.lines.value).bit_length() - 1, bool(dut.good.value)
    return bytes(payload), verdict


def sent(payload: bytes, to: Group = LINES[0], source: Group = SOURCE) -> bytes:
    return frame_of(to, source, payload, 1)


@cocotb.test()
async def datagrams_of_all_lengths(dut):
    await started(dut)
    chance = random.Random(2)
    for size in [*range(40), 100, 1471, 1472]:
        payload = chance.randbytes(size)
        assert await told(dut, with_fcs(sent(payload))) == (payload, (0, True)), size


@cocotb.test()
async def whose_they_are(dut):
    await started(dut)
    other = Group("10.50.129.201", 16000)
    for to, source, line in (
        (LINES[1], SOURCE, 1), (LINES[1], other, None), (LINES[2], other, 2), (LINES[0], other, 0),
        (Group("239.195.1.3", 16001), SOURCE, None), (Group("239.195.1.2", 16002), SOURCE, None),
    ):  # fmt: skip
        payload, verdict = await told(dut, with_fcs(sent(b"abc", to, source)))
        assert verdict == (None if line is None else (line, True))
        assert payload == (b"" if line is None else b"abc")


@cocotb.test()
async def what_is_none(dut):
    await started(dut)
    whole = sent(b"some payload")

    def changed(at: int, to: int) -> bytes:
        frame = bytearray(whole)
        frame[at] = to
        if 14 <= at < 34:  # the header's sum is right again
            frame[24:26] = b"\0\0"
            frame[24:26] = struct.pack("!H", ones(frame[14:34]))
        return bytes(frame)

    tagged = whole[:12] + b"\x81\x00\x00\x01" + whole[12:]
    for frame in (
        tagged, changed(13, 6), changed(14, 0x46), changed(20, 0x20), changed(21, 1), changed(23, 6), changed(17, 41),
        changed(39, 21), whole[:30], whole[:36],
    ):  # fmt: skip
        payload, verdict = await told(dut, with_fcs(frame))
        assert (payload, verdict) == (b"", None)


def ones(data: bytes) -> int:
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


@cocotb.test()
async def what_is_bad(dut):
    await started(dut)
    whole = sent(b"some payload, which is long")
    good = with_fcs(whole)
    assert (await told(dut, good))[1] == (0, True)
    assert (await told(dut, good, err=True))[1] == (0, False)
    for at in (14 + 10, 24, 40, 50, len(whole) - 1):  # the sums do not fit, and the FCS does
        frame = bytearray(whole)
        frame[at] ^= 4
        assert (await told(dut, with_fcs(bytes(frame))))[1] == (0, False), at
    for at in range(42, len(good), 5):
        frame = bytearray(good)
        frame[at] ^= 0x10
        assert (await told(dut, bytes(frame)))[1] == (0, False), at
    # No sum of UDP; one that is there and wrong; cut, so that its bytes reach into the FCS.
    assert (await told(dut, with_fcs(whole[:40] + b"\0\0" + whole[42:])))[1] == (0, True)
    assert (await told(dut, with_fcs(whole[:40] + b"\0\1" + whole[42:])))[1] == (0, False)
    for cut in range(1, 5):
        short = whole[:-cut]
        frame = short + zlib.crc32(short).to_bytes(4, "little")
        assert (await told(dut, frame))[1] == (0, False), cut
    assert (await told(dut, good))[1] == (0, True)


@cocotb.test()
async def one_that_is_turned_off_amid(dut):
    await started(dut)
    frame = with_fcs(sent(bytes(100)))
    for at, byte in enumerate(frame):
        dut.valid.value, dut.data.value, dut.last.value = 1, byte, at == len(frame) - 1
        dut.run.value = not 60 <= at < 64
        await FallingEdge(dut.clk)
        assert not dut.ends.value
        assert at < 61 or not dut.put.value
    dut.valid.value = 0
    for _ in range(8):
        await FallingEdge(dut.clk)
        assert not dut.ends.value
    assert await told(dut, frame) == (bytes(100), (0, True))
