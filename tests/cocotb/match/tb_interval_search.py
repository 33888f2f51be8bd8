# SPDX-License-Identifier: Apache-2.0
"""The search alone, over a memory that answers as the triggers do: what it finds, and that it takes the same time."""

import random
from dataclasses import dataclass

import cocotb
from bench import HWMAP, seed
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

from fixaccel.latency.cycles import search_cycles

TRIGGERS = 16384
OBSERVED = 4
ADDRESS_BITS = 14
PRICE_BITS = HWMAP.constant("price_bits")
MOST, LEAST = (1 << (PRICE_BITS - 1)) - 1, -(1 << (PRICE_BITS - 1))
RECORD = HWMAP.memories["trigger"].record


@dataclass
class Decision:
    first: int
    intervals: list[tuple[int, int]]

    @property
    def last(self) -> int:
        return self.first + 2 * len(self.intervals) - 1

    def lands(self, price: int) -> int | None:
        """Straight from the meaning: the interval that holds the price."""
        return next((n for n, (low, high) in enumerate(self.intervals) if low <= price <= high), None)

    def near(self, rng: random.Random) -> int:
        """A price at an end or beside it, or any."""
        if rng.random() < 0.1:
            return rng.choice([MOST, LEAST, rng.randint(LEAST, MOST)])
        return max(LEAST, min(MOST, rng.choice(rng.choice(self.intervals)) + rng.choice([-1, 0, 0, 1])))


def intervals(rng: random.Random, number: int, start: int | None = None) -> list[tuple[int, int]]:
    """Some of one price, some next to each other, some at the ends of what a price can be."""
    found, at = [], rng.choice([LEAST, 0, MOST - 20 * number]) if start is None else start
    for _ in range(number):
        low = at + rng.choice([0, 0, 1, 5])
        high = low + rng.choice([0, 0, 1, 9])
        found.append((low, high))
        at = high + 1
    if start is None and rng.random() < 0.2:
        found[-1] = (found[-1][0], MOST)
    return found


class Bench:
    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng = dut, rng
        self.memory: dict[int, int] = {}
        self.found: dict[int, int | None] = {}
        self.addresses = [0, 0]

    async def memory_answers(self) -> None:
        """Two cycles from the address to the record; what was not asked for is noise."""
        while True:
            await RisingEdge(self.dut.clk)
            asked = int(self.dut.address.value) if int(self.dut.reading.value) else None
            self.addresses = [asked, self.addresses[0]]
            at = self.addresses[1]
            noise = self.rng.getrandbits(RECORD.bits)
            self.dut.record.value = noise if at is None else self.memory.get(at, noise)

    async def results(self) -> None:
        while True:
            await RisingEdge(self.dut.clk)
            if pulse := int(self.dut.found.value):
                source = pulse.bit_length() - 1
                assert pulse == 1 << source
                assert source not in self.found
                self.found[source] = int(self.dut.order.value) if int(self.dut.lands.value) else None

    def place(self, decisions: dict[int, Decision]) -> None:
        """Into the memory, with an order of its own for each interval."""
        first = last = 0
        for source, decision in decisions.items():
            for n, ends in enumerate(decision.intervals):
                for side, price in enumerate(ends):
                    fields = {"threshold": price, "rule": source, "order": (source << 16) + n}
                    packed = int.from_bytes(RECORD.pack(fields), "little")
                    self.memory[decision.first + 2 * n + side] = packed & ((1 << RECORD.bits) - 1)
            first |= decision.first << source * ADDRESS_BITS
            last |= decision.last << source * ADDRESS_BITS
        self.dut.first.value = first
        self.dut.last.value = last

    async def look_up(self, prices: dict[int, int]) -> int:
        """Cycles from `run` to `settled`."""
        self.found.clear()
        noise = self.rng.getrandbits(PRICE_BITS)
        lanes = [prices.get(source, noise) & ((1 << PRICE_BITS) - 1) for source in range(OBSERVED)]
        self.dut.prices.value = sum(price << source * PRICE_BITS for source, price in enumerate(lanes))
        self.dut.wanted.value = sum(1 << source for source in prices)
        self.dut.run.value = 1
        for cycles in range(400):
            await ReadOnly()
            if int(self.dut.settled.value):
                await RisingEdge(self.dut.clk)
                return cycles
            await RisingEdge(self.dut.clk)
        raise AssertionError("it does not settle")

    async def rest(self, cycles: int) -> None:
        self.dut.run.value = 0
        for _ in range(cycles):
            await RisingEdge(self.dut.clk)


async def start(dut) -> Bench:
    bench = Bench(dut, random.Random(seed()))
    dut.run.value = 0
    dut.wanted.value = 0
    cocotb.start_soon(Clock(dut.clk, 8, "ns").start())
    cocotb.start_soon(bench.memory_answers())
    cocotb.start_soon(bench.results())
    await bench.rest(3)
    return bench


def random_decisions(rng: random.Random, most: int) -> dict[int, Decision]:
    """One for some of the sources, side by side up to the memory's end."""
    sources = [source for source in range(OBSERVED) if rng.random() < 0.7] or [0]
    counts = {source: rng.randint(1, rng.choice([1, 2, 3, 9, most])) for source in sources}
    room = TRIGGERS - 2 * sum(counts.values())
    at = rng.choice([0, 1, room, room, rng.randint(0, room)])
    decisions = {}
    for source, number in counts.items():
        decisions[source] = Decision(at, intervals(rng, number))
        at = decisions[source].last + 1
    return decisions


@cocotb.test()
async def any_price_finds_its_interval(dut):
    bench = await start(dut)
    for _ in range(250):
        decisions = random_decisions(bench.rng, 60)
        bench.place(decisions)
        await bench.rest(7)
        for _ in range(bench.rng.randint(1, 12)):
            some = {s: d for s, d in decisions.items() if bench.rng.random() < 0.8} or decisions
            prices = {source: decision.near(bench.rng) for source, decision in some.items()}
            cycles = await bench.look_up(prices)
            for source, decision in some.items():
                interval = decision.lands(prices[source])
                expected = None if interval is None else (source << 16) + interval
                assert bench.found[source] == expected, (decision, prices[source])
            assert cycles == sum(search_cycles(len(one.intervals)) for one in some.values())
            await bench.rest(bench.rng.choice([1, 1, 2, 7]))


@cocotb.test()
async def every_price_of_every_size(dut):
    """All prices around decisions of up to twenty intervals: no place among the ends is left out."""
    bench = await start(dut)
    for number in range(1, 21):
        decision = Decision(bench.rng.choice([0, 7, TRIGGERS - 2 * number]), intervals(bench.rng, number, -40))
        bench.place({1: decision})
        await bench.rest(7)
        for price in range(-42, decision.intervals[-1][1] + 3):
            cycles = await bench.look_up({1: price})
            assert bench.found[1] == (None if decision.lands(price) is None else (1 << 16) + decision.lands(price))
            assert cycles == search_cycles(number)
            await bench.rest(1)


@cocotb.test()
async def as_many_intervals_as_a_board_has(dut):
    bench = await start(dut)
    for number in (4096, 4095, 2049, 2048):
        decision = Decision(TRIGGERS - 2 * number, intervals(bench.rng, number))
        bench.place({2: decision})
        await bench.rest(7)
        for _ in range(60):
            price = decision.near(bench.rng)
            assert await bench.look_up({2: price}) == search_cycles(number)
            interval = decision.lands(price)
            assert bench.found[2] == (None if interval is None else (2 << 16) + interval)
            await bench.rest(1)


@cocotb.test()
async def a_search_that_is_broken_off_leaves_nothing(dut):
    bench = await start(dut)
    decisions = {0: Decision(0, intervals(bench.rng, 40)), 2: Decision(80, intervals(bench.rng, 3))}
    bench.place(decisions)
    await bench.rest(7)
    for _ in range(120):
        bench.found.clear()
        dut.wanted.value = bench.rng.choice([1, 4, 5])
        dut.run.value = 1
        for _ in range(bench.rng.randint(1, 45)):
            await RisingEdge(dut.clk)
        await bench.rest(1)
        prices = {source: decision.near(bench.rng) for source, decision in decisions.items()}
        cycles = await bench.look_up(prices)
        assert cycles == sum(search_cycles(len(one.intervals)) for one in decisions.values())
        for source, decision in decisions.items():
            interval = decision.lands(prices[source])
            assert bench.found[source] == (None if interval is None else (source << 16) + interval)
        await bench.rest(1)
