# SPDX-License-Identifier: Apache-2.0
"""Cycles from the frame's last byte to the message at the queue and to the hit, by the shape of the message.

The frame's verdict comes two cycles behind its last byte: a message that is there by then costs nothing on the wire.
"""

import random
from collections.abc import Iterator

import cocotb
import cocotb.triggers
from rx_bench import HIT_CYCLES, RxBench, seed
from rx_messages import message, numbered, snapshot
from rx_tables import ASK, BID, GE, LAST, LE, Instrument, Rule, Tables

SYMBOLS = ["A", "ES", "GOOG", "LONGSYMBOL12", *(f"I{i}" for i in range(12))]
SIZE = (271, "1")
Field = tuple[int, str]

# Cycles from the frame's last byte to the push, at most, by shape of the last entry.
PUSHED = {
    "W, symbol first, a size behind the price": 0,
    "W, symbol first, the price last": 5,
    "W, symbol right ahead of the price": 5,
    "W, symbol first and again at the end": 0,
    "W, symbol last": 16,
    "X, symbol first, a size behind the price": 1,
    "X, symbol first, the price last": 5,
    "X, symbol of the entry before, the price last": 5,
    "X, symbol last": 16,
}


def shapes(symbol: str, kind: str, price: str) -> Iterator[tuple[str, bytes]]:
    """A message of each shape that says ``price`` of ``symbol``."""
    named, typed, priced, text = (55, symbol), (269, kind), (270, price), (58, "x" * 30)
    add: Field = (279, "0")
    yield "W, symbol first, a size behind the price", message("W", [named, text, typed, priced, SIZE])
    yield "W, symbol first, the price last", message("W", [named, text, typed, priced])
    yield "W, symbol right ahead of the price", message("W", [named, typed, priced])
    yield "W, symbol first and again at the end", message("W", [named, text, typed, priced, SIZE, named])
    yield "W, symbol last", message("W", [text, typed, priced, SIZE, named])
    yield "X, symbol first, a size behind the price", message("X", [add, named, typed, priced, SIZE])
    yield "X, symbol first, the price last", message("X", [add, typed, named, priced])
    other = "1" if kind == "0" else "0"
    yield (
        "X, symbol of the entry before, the price last",
        message("X", [add, (269, other), named, (270, "15"), SIZE, add, typed, named, priced]),
    )
    yield "X, symbol last", message("X", [add, typed, priced, SIZE, named])


class Pushes:
    """Cycle of the last push of the parser."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.at = 0

    async def watch(self) -> None:
        while True:
            await cocotb.triggers.FallingEdge(self.dut.clk)
            if int(self.dut.pushed.value):
                self.at = int(self.dut.cycle.value)


@cocotb.test
async def by_shape(dut):
    """Each shape has one figure, whatever the instrument, the source, the tables and what stands around the message."""
    rng = random.Random(seed())
    rules = [
        Rule(index, source, direction, 1000 - k if direction == LE else 2000 + k)
        for index in range(16)
        for source in (BID, ASK, LAST)
        for direction in (LE, GE)
        for k in range(2)
    ]
    kinds = {BID: "0", ASK: "1", LAST: "2"}
    pushed: dict[str, set[int]] = {}
    hit: dict[str, set[int]] = {}
    cases = [(i, s) for i in range(16) for s in (BID, ASK, LAST)]
    for shape in range(len(PUSHED)):
        bench = await RxBench.start(dut, Tables([Instrument(symbol) for symbol in SYMBOLS], rules))
        pushes = Pushes(dut)
        watcher = cocotb.start_soon(pushes.watch())
        number = 1
        for index, source in rng.sample(cases, 24):
            name, trigger = list(shapes(SYMBOLS[index], kinds[source], "10.00"))[shape]
            quiet = snapshot(rng.choice(SYMBOLS), [("0", "15"), ("1", "15.5"), ("2", "15.25")], positions=True)
            # First or last in its frame, alone, or with its first half in the frame before.
            place = rng.randrange(3)
            sent = numbered([quiet] * rng.randrange(3) * (place == 1) + [trigger], number)
            number += len(sent)
            stream = b"".join(sent)
            cut = rng.randrange(1, len(trigger) - 40) if place == 2 else 0
            if cut:
                bench.send(stream[:cut], gap=rng.choice((0, 12)))
            bench.send(stream[cut:], gap=rng.choice((0, 12)))
            count = len(bench.hits)
            await bench.settle(90)
            taken = bench.hits[count]
            assert (taken.hit.instrument, taken.hit.source) == (index, source)
            pushed.setdefault(name, set()).add(pushes.at - taken.frame_end_cycle)
            hit.setdefault(name, set()).add(taken.seen - taken.frame_end_cycle)
        watcher.cancel()
    for name in PUSHED:
        dut._log.info("%-48s pushed %s, hit %s cycles behind the frame", name, sorted(pushed[name]), sorted(hit[name]))
    assert {name: max(cycles) for name, cycles in pushed.items()} == PUSHED
    # Nothing waits but for the symbol and its price.
    assert {name for name, cycles in pushed.items() if len(cycles) > 1} == set()
    assert hit["W, symbol first, a size behind the price"] == {HIT_CYCLES}


@cocotb.test
async def hits_of_one_message(dut):
    """Further hits of a message follow a few cycles after the one before was taken: the second a cycle later than those
    behind it, because the message is first read from where it is parked."""
    rules = [Rule(0, LAST, LE, 500) for _ in range(20)] + [Rule(0, BID, GE, 1) for _ in range(5)]
    bench = await RxBench.start(dut, Tables([Instrument("ES")], rules))
    bench.send(snapshot("ES", [("0", "5"), ("2", "5")]))
    await bench.settle(900)
    assert len(bench.hits) == 25
    steps = [after.seen - before.at for before, after in zip(bench.hits, bench.hits[1:], strict=False)]
    dut._log.info("hit to next hit, cycles: %s", steps)
    assert steps[1:] == [steps[0] - 1] * 23
    assert steps[0] <= 32
