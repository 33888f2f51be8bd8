# SPDX-License-Identifier: Apache-2.0
"""Cycles from the frame's last byte to the hit: the same, whatever the message, the instrument and the tables."""

import random

import cocotb
from rx_bench import HIT_CYCLES, RxBench, seed
from rx_model import ASK, BID, GE, LAST, LE, Instrument, Rule, Tables, message, numbered, snapshot


@cocotb.test
async def always_the_same(dut):
    rng = random.Random(seed())
    symbols = ["A", "ES", "GOOG", "LONGSYMBOL12", *(f"I{i}" for i in range(12))]
    rules = [
        Rule(index, source, direction, 1000 - k if direction == LE else 2000 + k)
        for index in range(16)
        for source in (BID, ASK, LAST)
        for direction in (LE, GE)
        for k in range(2)
    ]
    tables = Tables([Instrument(symbol) for symbol in symbols], rules)
    bench = await RxBench.start(dut, tables)
    kinds = {BID: "0", ASK: "1", LAST: "2"}
    waits: list[int] = []
    slow: list[object] = []
    number = 1
    cases = [(i, s, d, k) for k in range(2) for i in range(16) for s in (BID, ASK, LAST) for d in (LE, GE)]
    for index, source, direction, k in cases:
        price = f"{(1000 - k if direction == LE else 2000 + k) / 100:.2f}"
        quiet = snapshot(symbols[rng.randrange(16)], [("0", "15"), ("1", "15.5"), ("2", "15.25")], positions=True)
        form = rng.randrange(5)
        if form == 0:  # the smallest message there is: the symbol just ahead of the price
            trigger = message("W", [(55, symbols[index]), (269, kinds[source]), (270, price)])
        elif form == 1:  # long
            many = [("1" if source == BID else "0", "15")] * 12
            trigger = snapshot(symbols[index], [*many, (kinds[source], price)], extra=((58, "x" * 300),))
        elif form == 2:  # the position comes last
            trigger = snapshot(symbols[index], [(kinds[source], price)], positions=True)
        else:
            others = [(kind, "15") for kind in "012" if kind != kinds[source]]
            others.insert(rng.randrange(3), (kinds[source], price))
            trigger = snapshot(symbols[index], others)
        # First, in the middle, or last in its frame; its first half may have come before.
        place = rng.randrange(4)
        most = 1 if form == 1 else 3  # in one segment
        before = rng.randint(1, most) if place in {1, 2} else int(place == 3)
        behind = rng.randint(1, most) if place in {0, 1} else 0
        messages = numbered([quiet] * before + [trigger] + [quiet] * behind, number)
        number += len(messages)
        cut = len(messages[0]) + rng.randrange(1, len(messages[1])) if place == 3 else 0
        stream = b"".join(messages)
        if cut:
            bench.send(stream[:cut], gap=rng.choice((0, 12)))
        bench.send(stream[cut:], gap=rng.choice((0, 12)))
        count = len(bench.hits)
        await bench.settle(40)
        [taken] = bench.hits[count:]
        assert (taken.hit.instrument, taken.hit.source) == (index, source)
        waits.append(taken.seen - taken.frame_end_cycle)
        slow += [(form, place, len(trigger), symbols[index], source, before)] * (waits[-1] != HIT_CYCLES)
    dut._log.info("frame end to hit, cycles: min %d max %d over %d fires", min(waits), max(waits), len(waits))
    assert set(waits) == {HIT_CYCLES}, slow


@cocotb.test
async def hits_of_one_message(dut):
    """Further hits of a message follow a few cycles after the one before was taken, always the same number."""
    rules = [Rule(0, LAST, LE, 500) for _ in range(20)] + [Rule(0, BID, GE, 1) for _ in range(5)]
    bench = await RxBench.start(dut, Tables([Instrument("ES")], rules))
    bench.send(snapshot("ES", [("0", "5"), ("2", "5")]))
    await bench.settle(900)
    assert len(bench.hits) == 25
    steps = {after.seen - before.at for before, after in zip(bench.hits, bench.hits[1:], strict=False)}
    dut._log.info("hit to next hit, cycles: %s", sorted(steps))
    assert len(steps) == 1
    assert max(steps) <= 30
