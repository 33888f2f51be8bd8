# SPDX-License-Identifier: Apache-2.0
"""Chains that fire in windows of time only: each message by the set of windows that held when its body began."""

import random
from fractions import Fraction

import cocotb
from rx_bench import WINDOWS, RxBench, seed
from rx_messages import numbered, snapshot
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, Hit, Instrument, Rule, Tables

ALWAYS = {0}
SYMBOLS = ("ES", "NQ")
OPENS_AT_ONCE = Tables(
    [Instrument("ES", Fraction(1))],
    [Rule(0, LAST, LE, 100), Rule(0, LAST, LE, 99), Rule(0, LAST, GE, 110), Rule(0, BID, LE, 100)],
    windows={(0, LAST, LE): 1, (0, LAST, GE): WINDOWS - 1},
)


class Timed(Model):
    """A model that knows which windows were open as each of its messages began."""

    def __init__(self, tables: Tables, opens: list[set[int]]) -> None:
        super().__init__(tables)
        self.opens = opens

    def message(self, message: bytes) -> list[Hit]:
        self.open = self.opens[self.messages]
        return super().message(message)


class Sets:
    """The two sets of windows, which take turns as the host side has them."""

    def __init__(self, bench: RxBench) -> None:
        self.dut = bench.dut
        self.sets = [ALWAYS, ALWAYS]
        self.current = 0

    def turn(self, following: set[int]) -> None:
        self.current = 1 - self.current
        self.sets[self.current] = following | ALWAYS
        masks = [sum(1 << window for window in one) for one in self.sets]
        self.dut.windows_open.value = masks[1] << WINDOWS | masks[0]
        self.dut.windows_current.value = self.current


def last(*prices: int) -> list[bytes]:
    return numbered([snapshot("ES", [("2", str(price)), ("0", "200")]) for price in prices])


@cocotb.test
async def opens_and_closes(dut):
    """A closed window fires nothing and spends nothing, while the chains of its instrument stand."""
    opens = [set(), {1}, {1}, set(), {WINDOWS - 1}, {WINDOWS - 1}]
    prices = (90, 100, 90, 120, 90, 110)
    bench = await RxBench.start(dut, OPENS_AT_ONCE)
    sets = Sets(bench)
    for payload, windows in zip(last(*prices), opens, strict=True):
        sets.turn(windows)
        bench.send(payload)
        await bench.settle()
    assert [hit.rule for hit in bench.taken()] == [0, 1, 2]
    bench.expect(Timed(OPENS_AT_ONCE, [one | ALWAYS for one in opens]), last(*prices))


@cocotb.test
async def what_waits_keeps_its_windows(dut):
    """Behind a fire that is held back, a message is judged by the windows that it came with, not by those of later; and
    what one of them could not fire in a closed window is left to the next."""
    rules = [Rule(0, LAST, LE, 100), Rule(0, BID, LE, 100), Rule(0, ASK, LE, 100)]
    tables = Tables([Instrument("ES", Fraction(1))], rules, windows={(0, LAST, LE): 1})
    bench = await RxBench.start(dut, tables)
    sets = Sets(bench)
    holding = True
    bench.ready = lambda: not holding
    entries = ([("0", "90")], [("1", "90"), ("2", "90")], [("2", "91")])
    messages = numbered([snapshot("ES", one) for one in entries])
    for payload, turns in zip(messages, (False, False, True), strict=True):
        if turns:
            sets.turn({1})
        bench.send(payload)
        await bench.settle(200)
    holding = False
    await bench.settle(300)
    assert [(hit.rule, hit.message) for hit in bench.taken()] == [(1, 1), (2, 2), (0, 3)]


@cocotb.test
async def the_body_begins(dut):
    """A turn before a message's body counts for it, one behind that does not."""
    for before_end, fires in ((160, [0, 1]), (40, []), (10, [])):
        bench = await RxBench.start(dut, OPENS_AT_ONCE)
        sets = Sets(bench)
        bench.send(last(90)[0])
        while len(bench.beats) > before_end:
            await bench.cycles(1)
        sets.turn({1})
        await bench.settle(200)
        assert [hit.rule for hit in bench.taken()] == fires, before_end


@cocotb.test
async def a_bad_frame_takes_its_beginnings_back(dut):
    """A message that began before a bad frame keeps its windows, whatever began in that frame."""
    bench = await RxBench.start(dut, OPENS_AT_ONCE)
    sets = Sets(bench)
    first, second = last(90, 90)
    bench.send(first[:-20])
    await bench.settle(200)
    sets.turn({1})
    rest = bench.segment(first[-20:] + second)
    bench.frame(rest, err=True)
    await bench.settle(200)
    bench.frame(rest)
    await bench.settle(300)
    assert [(hit.rule, hit.message) for hit in bench.taken()] == [(0, 2), (1, 2)]


@cocotb.test
async def any_windows(dut):
    """Random chains, windows and turns, one turn while messages are under way."""
    rng = random.Random(seed())
    for _ in range(12):
        keys = [(i, s, d) for i in range(len(SYMBOLS)) for s in (BID, ASK, LAST) for d in (LE, GE)]
        rules = [Rule(*rng.choice(keys), rng.randint(90, 110)) for _ in range(40)]
        windows = {key: rng.choice((0, 1, 2, WINDOWS - 1)) for key in keys}
        tables = Tables([Instrument(symbol, Fraction(1)) for symbol in SYMBOLS], rules, windows=windows)
        bench = await RxBench.start(dut, tables)
        sets = Sets(bench)
        wait = rng.choice((0, 0, 40))
        bench.ready = lambda wait=wait: rng.randrange(wait + 1) == 0
        texts, opens = [], []
        for turn in range(12):
            sets.turn({window for window in (1, 2, WINDOWS - 1) if rng.random() < 0.5})
            for _ in range(rng.randint(1, 4)):
                entries = [(kind, str(rng.randint(88, 112))) for kind in "012" if rng.random() < 0.6]
                texts.append(snapshot(rng.choice(SYMBOLS), entries or [("2", "100")]))
                opens.append(sets.sets[sets.current])
                bench.send(numbered(texts)[-1], gap=rng.choice((0, 12, 60)))
            while bench.beats:  # what is still being parsed has begun
                await bench.cycles(1)
            if turn % 2:
                await bench.settle(2500)
        bench.expect(Timed(tables, opens), numbered(texts))
