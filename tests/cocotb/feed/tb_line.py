# SPDX-License-Identifier: Apache-2.0
"""feed_line beside a list: bytes in their order, ends with their verdict, read again from the first byte, no room."""

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from fixaccel.fast.layout import FEED

BYTES = FEED.constant("line_bytes")
END = 256  # in a list of bytes: the end of a good datagram; of a bad one, one more


async def started(dut):
    cocotb.start_soon(Clock(dut.clk, 8, "ns").start())
    for name in ("put", "put_end", "put_good", "take", "rewind", "put_data"):
        dut[name].value = 0
    dut.rst.value = 1
    for _ in range(4):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    await FallingEdge(dut.clk)


def head(dut):
    """What is there: a byte, an end, or None."""
    bits = int(dut.out.value)
    if not bits >> 9:
        return None
    return END + (bits & 1) if bits >> 8 & 1 else bits & 255


async def put(dut, item):
    dut.put.value, dut.put_end.value = item < END, item >= END
    dut.put_data.value, dut.put_good.value = item & 255, item == END
    await FallingEdge(dut.clk)
    dut.put.value = dut.put_end.value = 0


@cocotb.test()
async def what_goes_in_comes_out(dut):
    await started(dut)
    chance = random.Random(1)
    coming, waiting, begun = deque(), deque(), []
    again = 0
    for _ in range(60_000):
        if not coming and chance.random() < 0.05:
            coming.extend(chance.choices(range(256), k=chance.choice([0, 1, 2, 40, 300])))
            coming.append(END + (chance.random() < 0.3))
        dut.put.value = dut.put_end.value = dut.take.value = dut.rewind.value = 0
        seen = head(dut)
        if seen is not None:
            assert seen == waiting[0], (seen, waiting[0])
        if chance.random() < 0.02 and begun:
            dut.rewind.value = 1
            waiting.extendleft(reversed(begun))
            begun.clear()
            again += 1
        elif seen is not None and chance.random() < 0.7:
            dut.take.value = 1
            begun.append(waiting.popleft())
            if seen >= END:
                begun.clear()
        if coming and len(waiting) + len(begun) < 3000 and chance.random() < 0.6:
            item = coming.popleft()
            dut.put.value, dut.put_end.value = item < END, item >= END
            dut.put_data.value, dut.put_good.value = item & 255, item == END
            waiting.append(item)
        await FallingEdge(dut.clk)
    assert again > 100


@cocotb.test()
async def what_finds_no_room_is_lost_whole(dut):
    await started(dut)
    for item in [*([7] * (BYTES - 100)), END, *([8] * 200), END, *([9] * 3), END]:
        await put(dut, item)
    found = []
    while len(found) < BYTES + 2:
        await FallingEdge(dut.clk)
        dut.take.value = 0
        seen = head(dut)
        if seen is not None:
            found.append(seen)
            dut.take.value = 1
        elif len(found) > BYTES - 100:
            break
    assert found[: BYTES - 99] == [*([7] * (BYTES - 100)), END]
    # The second one ends as a bad one where there was no more room, and the third one found none at all.
    assert set(found[BYTES - 99 : found.index(END + 1)]) == {8}
    assert END not in found[BYTES - 99 :]
    await FallingEdge(dut.clk)
    dut.take.value = 0
    for item in (1, END):
        await put(dut, item)
    for _ in range(4):
        await FallingEdge(dut.clk)
    assert head(dut) == 1
