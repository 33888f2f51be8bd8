# SPDX-License-Identifier: Apache-2.0
"""Cycles from a frame's last byte to its order's first, by the shape of the message: as printed by `explain`."""

import random
from collections.abc import Iterator
from itertools import product

import cocotb
from bench import CAPACITY, Bench, seed
from frames import FCS_BYTES, behind
from ports import Frame
from prepared import new_order

from fixaccel.latency.cycles import latency_of
from market import ENTRY_TYPES, Exchange, Instrument, Rule, Tables, trading

Fields = list[tuple[int, str]]
FIRES = 1000  # price units
KINDS = {"snapshot": "W", "incremental": "X"}
TRAILER_BYTES = 11
SHAPES = 6  # that `shapes` yields
INHERITING = (1, 2)  # those of updates whose last entry has no symbol of its own
HEADER_AND_FCS_BYTES = 14 + 20 + 20 + FCS_BYTES


def shapes(message: str, symbol: str, kind: str, price: str, rng: random.Random) -> Iterator[Fields]:
    """Bodies in which ``price`` fires, its symbol ahead of it, behind it, and of the entry before."""
    named, priced, size, text = (55, symbol), [(269, kind), (270, price)], (271, "5"), (58, "t" * rng.randrange(1, 9))
    quiet = [(269, "4"), (270, "7.5"), size]
    tail = rng.choice([[size], [size, text], [text], [(271, "500")]])
    if message == "snapshot":
        yield [named, *quiet, *priced, *tail]
        yield [named, *quiet, *priced]
        yield [named, text, *priced, *tail]
        yield [named, *priced]
        yield [*quiet, *priced, named]
        yield [*priced, *tail, named, *tail]
    else:
        begins = (279, "0")
        yield [begins, named, *quiet, begins, named, *priced, *tail]
        yield [begins, named, *quiet, begins, *priced, *tail]
        yield [begins, named, *quiet, begins, *priced]
        yield [begins, named, *priced, *tail]
        yield [begins, named, *priced]
        yield [begins, *priced, *tail, named]


@cocotb.test
async def cycles_by_shape(dut):
    """Never more than the figures say, and as many for some, wherever the message stands in its frame."""
    rng = random.Random(seed())
    symbols = [f"I{i}" * (1 + i % 4) for i in range(CAPACITY["instruments"])]
    instruments = [Instrument(symbol, unit=rng.choice([1, 25, 10**6, 5 * 10**7])) for symbol in symbols]
    rules = [
        Rule(index, source, rng.choice(["<=", ">="]), FIRES)
        for index in range(len(symbols))
        for source in ("bid", "ask", "last")
    ]
    prepared = [new_order(symbols[rule.instrument], qty=f"{i:06}") for i, rule in enumerate(rules)]
    # The first variant takes all rules for each shape, and so fresh tables; the others differ in one thing from it.
    for message, (unlimited, confirms, whole) in product(
        KINDS, ((True, False, True), (False, False, False), (True, True, False))
    ):
        latency = latency_of(message, unlimited_orders=unlimited, confirms=confirms)
        at_bound, least, followed = set(), set(), set()
        tables = Tables(instruments, rules, prepared, confirms=confirms)
        shuffled = rng.sample(rules, len(rules))
        for shape in range(SHAPES):
            if whole or shape == 0:
                bench, exchange = await trading(dut, tables, max_unacked=2**31, unlimited_orders=int(unlimited))
                fired = 0
            for rule in shuffled if whole else shuffled[shape::SHAPES]:
                fired += 1
                instrument = instruments[rule.instrument]
                price = instrument.text(FIRES)
                body = list(shapes(message, instrument.symbol, ENTRY_TYPES[rule.source], price, rng))[shape]
                place = rng.choice(("alone", "last", "split", "followed"))
                other = [(55, rng.choice(symbols)), (268, "0")]
                listed = {"last": (other, body), "followed": (body, other)}.get(place, (body,))
                if confirms:
                    await exchange.send(exchange.snapshot(instrument.symbol, [(rule.source, price)]))
                    await exchange.send(exchange.snapshot(rng.choice(symbols), []))  # whose chains stand then
                payload = b"".join(exchange.message(KINDS[message], one) for one in listed)
                if place == "split":
                    cut = rng.randrange(1, len(payload) - 60)
                    await exchange.send(payload[:cut])
                    payload = payload[cut:]
                end = await exchange.send(payload)
                frames = (await bench.net_frames(2 + fired))[2:]
                cycles = frames[-1].first_cycle - end
                if place == "followed":
                    followed.add(cycles)
                else:
                    behind_price = behind(payload, b"270=" + price.encode())
                    if message == "incremental" and shape in INHERITING:
                        behind_price = TRAILER_BYTES
                    bound = latency.cycles(behind(payload, b"55=" + instrument.symbol.encode()), behind_price)
                    assert latency.least <= cycles <= bound, (cycles, bound, place, payload)
                    at_bound |= {bound} if cycles == bound else set()
                    least.add(cycles)
                await acknowledge(bench, exchange, frames)
        dut._log.info("%s: %s cycles alone or last, %s followed", latency, sorted(least), sorted(followed))
        assert followed == {latency.followed}
        # Each bound is reached: with enough behind, with nothing behind the price, with nothing behind the symbol.
        assert {latency.least, latency.price_bytes - TRAILER_BYTES, latency.most} <= at_bound


async def acknowledge(bench: Bench, exchange: Exchange, frames: list[Frame]) -> None:
    await bench.settle(60)
    exchange.ack = 1000 + sum(len(frame.data) - HEADER_AND_FCS_BYTES for frame in frames)
    await bench.set(committed=exchange.ack, ring_tail=len(frames))
