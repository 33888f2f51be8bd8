# SPDX-License-Identifier: Apache-2.0
"""The counters alone: every event counts, however many come at once, and a read shows what came a round before it."""

import random
from collections import deque

import cocotb
from bench import HWMAP, seed
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

NAMES = [name for name in HWMAP.registers if name.startswith("count_")]
MESSAGES = NAMES.index("count_messages")  # a level of the receive side
ANSWER_CYCLES = 5  # HOST_ANSWER_CYCLES
ROUND = len(NAMES)
MOST = 7  # events of a counter in a round
LATE = ROUND + 5  # cycles from an event to a memory that shows it


class Counters:
    """Drives a mask of events every cycle and counts along."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng = dut, rng
        self.expected = [0] * len(NAMES)
        self.share = 0.5
        self.masks: deque[int] = deque([0] * LATE, LATE)

    async def cycle(self) -> None:
        mask = sum(1 << i for i in range(len(NAMES)) if i != MESSAGES and self._happens(i))
        self.dut.count.value = mask
        await RisingEdge(self.dut.clk)
        for i in range(len(NAMES)):
            self.expected[i] += mask >> i & 1
        self.masks.append(mask)

    def _happens(self, i: int) -> bool:
        return self.rng.random() < self.share and self.recent(i) < MOST

    def recent(self, i: int) -> int:
        """Events of a counter that need not be shown yet."""
        return sum(mask >> i & 1 for mask in self.masks)

    async def read(self, index: int) -> tuple[int, int, int]:
        """The answer, the counts that it must show at least and at most."""
        address = HWMAP.registers[NAMES[index]].address
        self.dut.host_req.value = 1 << 61 | address << 32  # valid, write, addr, wdata
        before = self.expected[index] - self.recent(index)
        await self.cycle()
        self.dut.host_req.value = 0
        for _ in range(ANSWER_CYCLES):
            await self.cycle()
        return int(self.dut.host_rdata.value), before, self.expected[index]


async def start(dut) -> Counters:
    dut.host_req.value = 0
    dut.count.value = 0
    dut.messages.value = 77
    dut.rst.value = 1
    Clock(dut.clk, 8, unit="ns").start()
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    return Counters(dut, random.Random(seed()))


@cocotb.test
async def none_is_lost(dut):
    counters = await start(dut)
    counters.share = 0.0
    for _ in range(LATE):  # until then a level reads as zero, too
        await counters.cycle()
    for counters.share in (0.0, 0.02, 0.5, 1.0):
        for _ in range(120):
            index = counters.rng.randrange(len(NAMES))
            got, low, high = await counters.read(index)
            if index == MESSAGES:
                assert got == 77
            else:
                assert low <= got <= high, NAMES[index]
    counters.share = 0.0
    for _ in range(LATE):
        await counters.cycle()
    for index in range(len(NAMES)):
        if index != MESSAGES:
            assert (await counters.read(index))[0] == counters.expected[index], NAMES[index]


@cocotb.test
async def a_reset_begins_at_zero(dut):
    """The memory keeps its numbers over a reset; nobody sees them, from the first cycle on."""
    for delay in range(0, 2 * len(NAMES), 5):
        counters = await start(dut)
        counters.share = 0.3
        for _ in range(delay):
            await counters.cycle()
        for index in counters.rng.sample([i for i in range(len(NAMES)) if i != MESSAGES], 4):
            got, low, high = await counters.read(index)
            assert low <= got <= high, (NAMES[index], delay)


@cocotb.test
async def nothing_is_answered_elsewhere(dut):
    counters = await start(dut)
    counters.share = 1.0
    for address in (HWMAP.registers[NAMES[0]].address - 4, HWMAP.registers[NAMES[-1]].address + 4, 0x200000):
        dut.host_req.value = 1 << 61 | address << 32
        await counters.cycle()
        dut.host_req.value = 0
        for _ in range(2 * ANSWER_CYCLES):
            await counters.cycle()
            assert int(dut.host_rdata.value) == 0
