# SPDX-License-Identifier: Apache-2.0
"""Gaps on a stream that goes on at the rate of the wire, against a runtime that is late and a model of the parser."""

import random
from collections import deque

import cocotb
from rx_bench import RxBench, seed
from rx_messages import message, numbered, snapshot
from rx_tables import BID, GE, LAST, LE, Rule, Tables
from stream_model import StreamModel
from tb_resync import fired_late
from tb_stream import STAIRS, TABLES, damaged, fired, stair

CYCLES_A_SECOND = 125_000_000
OVERHEAD = 14 + 20 + 20 + 4  # headers and FCS of a frame


class Runtime:
    """Reads the stream ``latency`` cycles after it has come, and confirms what the parser has found."""

    def __init__(self, bench: RxBench, latency: int) -> None:
        self.bench, self.latency = bench, latency
        self.coming: deque[tuple[int, int, int]] = deque()
        self.read: dict[int, int] = {}
        self.newest = 0
        self.refused = 0
        self.confirmed = 0  # in which cycle

    def arrived(self, boundary: int, number: int) -> None:
        """A message has ended at ``boundary`` on the wire; ``number`` is the next one's."""
        self.coming.append((self.bench.value("cycle") + self.latency, boundary, number))

    async def run(self) -> None:
        while True:
            await self.bench.cycles(40)
            now = self.bench.value("cycle")
            while self.coming and self.coming[0][0] <= now:
                _, self.newest, number = self.coming.popleft()
                self.read[self.newest] = number
            if not self.bench.value("gap") or not self.read:
                continue
            at = self.newest if self.bench.value("rcv_nxt") == self.newest else None
            if at is None and self.bench.value("found"):
                at = self.bench.value("found_seq")
            if at in self.read:
                if await self.bench.say(at, self.read[at]):
                    self.confirmed = self.bench.value("cycle")
                else:
                    self.refused += 1


async def busy(dut, between: int, latency: int) -> tuple[int, int]:
    """Plays a hole on a stream with a message every ``between`` cycles (0: at line rate) and a runtime that reads them
    ``latency`` cycles late: cycles and bytes from the end of the segment that left the hole to the end of the first
    message that is evaluated."""
    bench = await RxBench.start(dut, TABLES)
    runtime = Runtime(bench, latency)
    running = cocotb.start_soon(runtime.run())
    lost = 3
    ends: dict[int, int] = {}  # cycle of a message's last byte
    step = after = 0  # the latter: how many when the word came
    while not runtime.confirmed or step < after + 3:
        began = bench.value("cycle")
        if step == lost:
            bench.seq += len(stair(step))
        else:
            bench.send(stair(step), gap=0)
            while bench.beats:
                await bench.cycles(1)
            ends[step] = bench.value("cycle") - 4  # behind it comes the FCS
        runtime.arrived(bench.seq, step + 2)
        step += 1
        if not runtime.confirmed:
            after = step
        if between:
            await bench.cycles(began + between - bench.value("cycle"))
        assert step < STAIRS
    running.cancel()
    await bench.settle(400)
    # The first one that counts is the first that ended when the gap was closed.
    first = next(step for step in ends if step > lost and ends[step] > runtime.confirmed)
    anchor = lost + 2
    before = [fired(step, step + 1) for step in range(lost)]
    passed = [fired_late(step, first, first - anchor) for step in range(lost, first)]
    assert bench.taken() == before + passed + [fired(s, s - anchor) for s in range(first, step)]
    assert bench.counts() == {"segment_hole": 1}
    assert bench.value("synced")
    # A runtime that has caught up may meet a segment that is half through.
    assert runtime.refused <= 2
    assert runtime.refused == 0 or latency < 200
    hole = lost + 1
    return ends[first] - ends[hole] - 4, sum(len(stair(step)) for step in range(hole + 1, first + 1))


@cocotb.test
async def fifty_thousand_messages_a_second(dut):
    """With 300 us of latency: the anchor, its way through the runtime, and the message behind it."""
    between, latency = CYCLES_A_SECOND // 50_000, CYCLES_A_SECOND * 300 // 1_000_000
    cycles, read = await busy(dut, between, latency)
    dut._log.info("from the hole to the message that is evaluated: %d cycles, %d bytes of stream", cycles, read)
    assert latency < cycles <= latency + 2 * between + 200


@cocotb.test
async def never_quiet(dut):
    """Messages back to back at line rate."""
    longest = len(stair(0)) + 3 + OVERHEAD
    for latency in (100, 3000):
        cycles, read = await busy(dut, 0, latency)
        dut._log.info("latency %d: %d cycles, %d bytes of stream", latency, cycles, read)
        assert cycles <= latency + 3 * longest


def random_messages(rng: random.Random) -> list[bytes]:
    """Messages that count on; some are broken, have a wrong sum, or something stands behind them."""
    texts = []
    for _ in range(150):
        entries = [(rng.choice("0123"), f"{rng.randrange(3900, 6100) / 100:.2f}") for _ in range(rng.randrange(0, 5))]
        texts.append(message("0", []) if rng.random() < 0.1 else snapshot(rng.choice(("ES", "NQ", "XX")), entries))
    texts = numbered(texts)
    for i in range(len(texts)):
        chance = rng.random()
        if chance < 0.04:
            texts[i] = texts[i].replace(b"\x0110=", b"\x01" + rng.choice((b"10", b"8=FIX.4.4\x019=", b"9=", b"8")))
        elif chance < 0.06:
            texts[i] = texts[i][:-4] + b"000\x01"
        elif chance < 0.08:
            texts[i] = texts[i] + rng.choice((b"8", b"\x01", texts[i][:30], texts[i]))
    return texts


@cocotb.test
async def random_stream_with_holes(dut):
    """Messages, cut at random, with holes, breaks, repeats, damage and words of the runtime, true and false."""
    rng = random.Random(seed() + 7)
    confirmed = refused = 0
    for number in range(30):
        if number >= 6 and confirmed > 20 and refused > 10:
            break
        rules = [
            Rule(rng.randrange(2), rng.choice((BID, LAST)), rng.choice((LE, GE)), rng.randrange(4000, 6000))
            for _ in range(80)
        ]
        bench = await RxBench.start(dut, Tables(TABLES.instruments, rules), isn=rng.randrange(2**32))
        model = StreamModel(Tables(TABLES.instruments, rules), bench.seq)
        stream = b"".join(random_messages(rng))
        start, at = bench.seq, 0
        while at < len(stream):
            end = min(len(stream), at + rng.choice((1, 5, 20, 60, 150, 400, 1300)))
            begin = max(0, at - rng.choice((0, 0, 0, 7, 100)))
            frame = bench.segment(stream[begin:end], seq=(start + begin) % 2**32)
            if rng.random() < 0.2:
                bench.frame(damaged(frame, rng.randrange(34, len(frame) - 4), fix_fcs=False), gap=0)
            if rng.random() < 0.06:
                at = end
                continue  # the segment is lost
            pause = rng.choice((0.0, 0.0, 0.2))
            bench.frame(frame, bubbles=lambda: int(rng.random() < pause))  # noqa: B023
            model.segment((start + begin) % 2**32, stream[begin:end])
            at = end
            await bench.settle(200)
            assert bench.value("gap") == model.gap
            assert bench.value("rcv_nxt") == model.rcv_nxt
            assert bench.value("found") == (model.found is not None)
            if model.found is not None:
                assert bench.value("found_seq") == model.found[0]
                if rng.random() < 0.5:
                    off = rng.choice(((0, 0), (0, 0), (0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)))
                    word = ((model.found[0] + off[0]) % 2**32, max(0, model.found[1] + off[1]))
                    told = model.say(*word)
                    assert await bench.say(*word) == told
                    confirmed += told
                    refused += not told
            elif model.gap and rng.random() < 0.01:
                word = (model.rcv_nxt, rng.randrange(1, 200))
                assert await bench.say(*word) == model.say(*word)
        await bench.settle(1000)
        assert bench.taken() == model.hits
        assert bench.count("price_invalid") == model.market.invalid
    dut._log.info("%d confirmed, %d refused", confirmed, refused)
    assert confirmed > 20
    assert refused > 10
