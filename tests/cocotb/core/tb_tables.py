# SPDX-License-Identifier: Apache-2.0
"""Tables that the host writes: read back, and loaded while messages are under way."""

import random

import cocotb
from bench import CAPACITY, CONST, HWMAP, Bench, kept, seed

from market import Exchange, Instrument, Rule, Tables, orders, quiet, trading


@cocotb.test
async def tables_survive_the_round_trip(dut):
    """Random records of every writable memory, packed in Python, read back the same through the RTL."""
    rng = random.Random(seed())
    bench = await Bench.start(dut)
    for name, memory in HWMAP.memories.items():
        if memory.access != "rw":
            continue
        depth = HWMAP.depth(name, CAPACITY)
        written = {}
        for index in {0, depth - 1, *(rng.randrange(depth) for _ in range(12))}:
            if name == "chain" and index % 8 // 2 == CONST["source_mid"]:
                continue  # the fabric has no such chains
            written[index] = {field.name: rng.randint(field.low, kept(field)) for field in memory.record.fields}
            await bench.write_record(name, index, **written[index])
        for index, values in written.items():
            assert await bench.read_record(name, index) == values, (name, index)
    assert Exchange(bench).number == 1


@cocotb.test
async def a_message_over_a_load_is_of_no_other_instrument(dut):
    """Its symbol is looked up, disarmed other tables are written, its price comes while they are armed."""
    bench, exchange = await trading(dut, Tables([Instrument("GC")], [Rule(0, "bid", "<=", 0)]), max_unacked=2**31)
    others = [Instrument(f"I{i}") for i in range(CAPACITY["instruments"])]
    after = Tables(others, [Rule(i, "last", "<=", 4000) for i in range(len(others))])
    before = [Instrument(f"B{i}") for i in range(CAPACITY["instruments"])]
    for instrument in before[:6]:  # whose places in the directory are others' afterwards
        await bench.set(arm=0)
        await Tables(before, [Rule(0, "bid", "<=", 0)]).load(bench, None)
        await bench.set(arm=1)
        message = exchange.snapshot(instrument.symbol, [("last", "700")])
        named = message.index(b"\x01268=") + 8
        await exchange.send(message[:named])
        await bench.settle(100)
        await bench.set(arm=0)
        await after.load(bench, None)
        await bench.set(arm=1)
        assert (await bench.status())["armed"] == 1
        await exchange.send(message[named:])
        await quiet(bench, 0)
        # The same symbol is looked up anew.
        await exchange.send(exchange.snapshot(instrument.symbol, [("last", "700")]))
        await quiet(bench, 0)
    await exchange.send(exchange.snapshot(others[0].symbol, [("last", "700")]))
    await orders(bench, 1)
