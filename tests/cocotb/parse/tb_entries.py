# SPDX-License-Identifier: Apache-2.0
"""Entries of snapshots at the rate of the wire: each its own price, whatever came before it and how soon."""

import random
from fractions import Fraction

import cocotb
from rx_bench import RxBench, seed
from rx_messages import message, numbered
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, Instrument, Rule, Tables


@cocotb.test
async def nothing_of_the_message_before_counts(dut):
    """Snapshots of instruments with different units back to back, the symbol before, between or behind their prices."""
    rng = random.Random(seed())
    units = [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(1, 10_000)]
    instruments = [Instrument(f"U{i}", unit, price_min=-50) for i, unit in enumerate(units)]
    rules = [
        Rule(index, source, direction, level)
        for index in range(len(units))
        for source in (BID, ASK, LAST)
        for direction, levels in ((GE, (3, 9, 15)), (LE, (-15, -9, -3)))
        for level in levels
    ]
    tables = Tables(instruments, rules)
    shapes = [(entries, at) for entries in range(1, 14) for at in {0, 1, entries // 2, entries - 1, entries}]
    for _ in range(4):
        rng.shuffle(shapes)
        messages = []
        for entries, at in shapes:
            instrument = rng.choice(instruments)
            parts = []
            for _ in range(entries):
                price = float(rng.randrange(-20, 20) * instrument.unit)
                parts.append([(269, rng.choice("012")), (270, f"{price:.4f}")])
                if rng.random() < 0.1:
                    parts[-1][1] = (271, "100")
            parts.insert(at, [(55, instrument.symbol)])
            messages.append(message("W", [field for part in parts for field in part]))
        messages = numbered(messages)
        bench = await RxBench.start(dut, tables)
        stream = b"".join(messages)
        while stream:
            cut = rng.choice((rng.randrange(1, 40), rng.randrange(200, 1400)))
            bench.send(stream[:cut])
            stream = stream[cut:]
        await bench.settle(2000)
        assert bench.counts() == {}
        bench.expect(Model(tables), messages)
        assert len(bench.hits) > 20


@cocotb.test
async def the_shortest_entries(dut):
    """Twelve bytes each with a price of one digit, the symbol ahead of them or behind them."""
    rng = random.Random(seed())
    tables = Tables(
        [Instrument(symbol, Fraction(1)) for symbol in "ABCDEFGH"],
        [Rule(index, source, GE, level) for index in range(8) for source in (BID, ASK, LAST) for level in (1, 4, 7, 9)],
    )
    messages = []
    for number in range(120):
        parts = [[(269, rng.choice("012")), (270, str(rng.randrange(10)))] for _ in range(rng.randrange(1, 9))]
        parts.insert(rng.choice((0, len(parts))), [(55, "ABCDEFGH"[number % 8])])
        messages.append(message("W", [field for part in parts for field in part]))
    messages = numbered(messages)
    bench = await RxBench.start(dut, tables)
    for at in range(0, len(messages), 6):
        bench.send(b"".join(messages[at : at + 6]))
    await bench.settle(2000)
    assert bench.counts() == {}
    bench.expect(Model(tables), messages)


@cocotb.test
async def a_damaged_frame_behind_a_cut_symbol(dut):
    """Cut anywhere from the last symbol on; what comes in between, and is taken back, changes nothing."""
    tables = Tables(
        [Instrument("MSFT"), Instrument("EUR/USD", Fraction(1, 100_000))],
        [Rule(0, LAST, GE, 118_001), Rule(1, ASK, GE, 1)],
    )
    fields = [
        (279, "0"), (270, "1.10002"), (55, "EUR/USD"), (269, "1"), (279, "0"), (269, "0"), (270, "1180"), (55, "MSFT"),
        (279, "0"), (269, "2"), (270, "1180"), (279, "1"), (270, "1180.02"), (269, "2"), (55, "MSFT"),
    ]  # fmt: skip
    start = message("X", fields).index(b"55=MSFT")
    bench = await RxBench.start(dut, tables)
    seen = []
    for cut in range(start, len(message("X", fields)) - 1):
        await bench.write_live({0, 1})
        one = message("X", fields, len(seen) + 1)
        bench.send(one[:cut])
        frame = bench.segment(message("W", [(55, "EUR/USD"), (269, "2"), (270, "1")]), seq=bench.seq)
        bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]))
        bench.send(one[cut:])
        await bench.settle(120)
        seen.append([(taken.hit.rule, taken.hit.observed) for taken in bench.hits])
        bench.hits.clear()
    assert [cut for cut, hits in enumerate(seen, start) if hits != [(1, 110_002), (0, 118_002)]] == []
