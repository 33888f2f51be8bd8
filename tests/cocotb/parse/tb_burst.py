# SPDX-License-Identifier: Apache-2.0
"""What lies ahead of a fire costs nothing, and what waits behind it is not lost."""

import random

import cocotb
from rx_bench import HIT_CYCLES, RxBench, seed
from rx_messages import numbered, snapshot
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, MID, Instrument, Rule, Tables

ORDER = 100  # cycles that the line is taken for each order, here


def one_by_one(bench: RxBench, cycles: int) -> None:
    """The gate of a line on which each order takes ``cycles``."""
    bench.ready = lambda: not bench.hits or bench.value("cycle") - bench.hits[-1].at >= cycles


@cocotb.test
async def spent_triggers_cost_nothing(dut):
    """Whatever is spent ahead of the first live trigger, the fire comes in the same cycle, and the next one too."""
    count = int(dut.triggers.value) - 40
    tables = Tables([Instrument("ES")], [Rule(0, LAST, LE, 500) for _ in range(count)])
    bench = await RxBench.start(dut, tables, armed=False)
    steps = set()
    places = (0, 1, 31, 32, 33, 900, 1023, 1024, 1100, count - 33, count - 2)
    for number, place in enumerate(places, 1):
        dut.armed.value = 0
        await bench.write_live({place, count - 1})
        dut.armed.value = 1
        before = len(bench.hits)
        bench.send(snapshot("ES", [("2", "5.00")], number=number))
        await bench.settle(120)
        first, second = bench.hits[before:]
        assert (first.hit.trigger, second.hit.trigger) == (place, count - 1)
        assert first.seen - first.frame_end_cycle == HIT_CYCLES
        steps.add(second.seen - first.at)
    assert len(steps) == 1, steps
    assert await bench.read_live() == set()


@cocotb.test
async def a_thousand_stops_on_one_price(dut):
    """Quotes at line rate go on meanwhile, of other instruments and at the same price: every stop, once, no gap."""
    await stops_on_one_price(dut, Rule(0, LAST, LE, 500))


@cocotb.test
async def a_thousand_stops_on_one_mid(dut):
    await stops_on_one_price(dut, Rule(0, MID, LE, 1002))


async def stops_on_one_price(dut, stop: Rule) -> None:
    symbols = ["ES", *(f"Q{i}" for i in range(15))]
    rules = [stop] * 1000 + [Rule(i, BID, LE, 100) for i in range(1, 16)]
    tables = Tables([Instrument(symbol) for symbol in symbols], rules)
    bench = await RxBench.start(dut, tables)
    one_by_one(bench, ORDER)
    rng = random.Random(seed())
    messages = [snapshot("ES", [("0", "5.00"), ("1", "5.02"), ("2", "5.00")])]
    while sum(len(message) for message in messages) * 14 // 10 < 1010 * ORDER:
        if rng.random() < 0.3:
            messages.append(snapshot("ES", [("0", "5.00"), ("1", "5.02"), ("2", f"5.0{rng.randrange(3)}")]))
        else:
            symbol = symbols[rng.randrange(1, 16)]
            price = "1.00" if rng.random() < 0.02 else f"{rng.randrange(101, 200) / 100:.2f}"
            messages.append(snapshot(symbol, [("0", price), ("1", "2.50"), ("2", "2.25")]))
    messages = numbered(messages)
    for message in messages:
        bench.send(message, gap=0)
    await bench.settle(30 * ORDER)
    bench.expect(Model(tables), messages)
    assert len(bench.hits) > 1000
    assert bench.value("synced")
    assert not bench.value("gap")
    assert bench.counts() == {}


@cocotb.test
async def a_market_that_moves_while_orders_leave(dut):
    """Few instruments that fall and rise through their stops, both ways, much faster than the orders leave."""
    rng = random.Random(seed() + 2)
    for cycles in (3, ORDER, 3 * ORDER):
        instruments = [Instrument(f"S{i}") for i in range(3)]
        rules = [
            Rule(rng.randrange(3), source, rng.choice((LE, GE)), (500 + rng.randrange(-15, 16)) * (1 + (source == MID)))
            for source in rng.choices((BID, ASK, LAST, MID), k=120)
        ]
        tables = Tables(instruments, rules)
        bench = await RxBench.start(dut, tables)
        one_by_one(bench, cycles)
        at = [500] * 3
        messages = []
        for _ in range(150):
            index = rng.randrange(3)
            at[index] += rng.choice((-2, -1, 0, 0, 1, 2))
            prices = [f"{(at[index] + rng.randrange(-1, 2)) / 100:.2f}" for _ in range(3)]
            entries = [(kind, price) for kind, price in zip("012", prices, strict=True) if rng.random() < 0.7]
            messages.append(snapshot(f"S{index}", entries))
        messages = numbered(messages)
        bench.send_framed(rng, messages, (0,), (0,))
        await bench.settle(100 * cycles + 6000)
        bench.expect(Model(tables), messages)
        assert bench.value("synced")


@cocotb.test
async def random_live_bits(dut):
    """Chains anywhere, live bits anywhere: the fires are the model's."""
    rng = random.Random(seed() + 3)
    capacity = int(dut.triggers.value)
    for density in (0.5, 0.05, 0.003):
        rules = [
            Rule(rng.randrange(16), rng.choice((BID, ASK, LAST)), rng.choice((LE, GE)), 500) for _ in range(capacity)
        ]
        rules = [rule if rng.random() < 0.5 else Rule(3, LAST, LE, 500) for rule in rules]
        tables = Tables([Instrument(f"S{i}") for i in range(16)], rules)
        bench = await RxBench.start(dut, tables, armed=False)
        live = {trigger for trigger in range(capacity) if rng.random() < density}
        live = set(rng.sample(sorted(live), min(len(live), 60)))
        await bench.write_live(live)
        dut.armed.value = 1
        messages = [
            snapshot(f"S{i}", [(kind, "5.00") for kind in "012"]) for i in rng.sample(range(16), 16) for _ in range(2)
        ]
        messages = numbered(messages)
        for message in messages:
            bench.send(message)
        await bench.settle(60 * 40)
        bench.expect(Model(tables, live=live), messages)
        assert await bench.read_live() == set()
