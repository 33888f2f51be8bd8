# SPDX-License-Identifier: Apache-2.0
"""What orders that were sent do to other triggers: `oco` groups and rules that arm others."""

import random
from fractions import Fraction

import cocotb
from rx_bench import RxBench, seed
from rx_model import (
    ASK,
    BID,
    GE,
    LAST,
    LE,
    Instrument,
    Model,
    Rule,
    Tables,
    message,
    numbered,
    snapshot,
    some_decided,
    update,
)

ENTRY, STOP, TARGET = range(3)
BRACKET = Tables(
    [Instrument("ES", Fraction(1))],
    [Rule(0, LAST, LE, 100), Rule(0, LAST, LE, 95), Rule(0, LAST, GE, 110)],
    groups=[{STOP, TARGET}],
    children={ENTRY: {STOP, TARGET}},
)


def last(*prices: int, symbol: str = "ES") -> list[bytes]:
    return numbered([snapshot(symbol, [("2", str(price))]) for price in prices])


async def expect(bench: RxBench, model: Model, messages: list[bytes]) -> None:
    """Hits and states of all triggers are the model's."""
    bench.expect(model, messages)
    assert await bench.read_live() == model.live
    assert await bench.read_live("dormant") == model.dormant


@cocotb.test
async def bracket(dut):
    """What a message arms fires on the next one at the earliest; of stop and target one is sent."""
    for prices, fires in (
        ((94, 94, 112), [ENTRY, STOP]),
        ((100, 105, 110, 90), [ENTRY, TARGET]),
        ((101, 120, 90, 90), [ENTRY, STOP]),
        ((120, 112, 101), []),
    ):
        for gap in (0, 12, 400):
            bench = await RxBench.start(dut, BRACKET)
            for payload in last(*prices):
                bench.send(payload, gap=gap)
            await bench.settle(600)
            assert [hit.rule for hit in bench.taken()] == fires
            await expect(bench, Model(BRACKET), last(*prices))
            bench.stop()


@cocotb.test
async def a_rejected_order_changes_nothing_else(dut):
    bench = await RxBench.start(dut, BRACKET)
    bench.dut.rejects.value = 0xFFFFFFFF
    for payload in last(94, 94, 112):
        bench.send(payload)
    await bench.settle(600)
    assert [hit.rule for hit in bench.taken()] == [ENTRY]
    await expect(bench, Model(BRACKET, rejects=0xFFFFFFFF), last(94, 94, 112))
    bench.stop()


@cocotb.test
async def siblings_within_one_message(dut):
    """The first of a group in evaluation order cancels the others, of its own chain and of others, dormant ones too."""
    rules = [
        Rule(0, BID, LE, 100),
        Rule(0, BID, LE, 100),
        Rule(0, ASK, GE, 90),
        Rule(0, LAST, LE, 80),
        Rule(0, LAST, GE, 1),
    ]
    tables = Tables([Instrument("ES", Fraction(1))], rules, groups=[{1, 2, 3}], children={0: {3}})
    bench = await RxBench.start(dut, tables)
    messages = numbered([snapshot("ES", [("0", "100"), ("1", "95"), ("2", "50")]), snapshot("ES", [("2", "50")])])
    for payload in messages:
        bench.send(payload)
    await bench.settle(600)
    assert [hit.rule for hit in bench.taken()] == [0, 1, 4]
    await expect(bench, Model(tables), messages)
    bench.stop()


@cocotb.test
async def as_many_as_a_word_and_more(dut):
    """Ranges over several words; every parent of one message arms its child at the message's end."""
    parents = [Rule(0, LAST, LE, 100 + i % 7) for i in range(70)]
    children = [Rule(0, LAST, GE, 10 + i) for i in range(70)] + [Rule(0, BID, LE, 1) for _ in range(70)]
    tables = Tables(
        [Instrument("ES", Fraction(1))], [*parents, *children],
        groups=[set(range(140, 210))], children={i: {70 + i, *range(140, 210)} for i in range(70)},
    )  # fmt: skip
    bench = await RxBench.start(dut, tables)
    messages = numbered([snapshot("ES", [("2", "50")]), snapshot("ES", [("2", "60"), ("0", "0")])])
    for payload in messages:
        bench.send(payload)
    await bench.settle(12000)
    assert len(bench.hits) == 70 + 51 + 1
    await expect(bench, Model(tables), messages)
    bench.stop()


@cocotb.test
async def disarmed_before_the_message_is_over(dut):
    """What an order that was sent arms is armed, whether the message was evaluated to its end or not."""
    rules = [Rule(0, LAST, LE, 100), Rule(0, LAST, LE, 100), Rule(0, LAST, GE, 500)]
    tables = Tables([Instrument("ES", Fraction(1))], rules, children={0: {2}, 1: {2}})
    for late in range(60):
        bench = await RxBench.start(dut, tables)
        taken = bench.hits
        bench.ready = lambda: not taken  # noqa: B023
        bench.send(last(100)[0])
        await bench.settle(0)
        for _ in range(200):
            if bench.hits:
                break
            await bench.cycles(1)
        assert len(bench.hits) == 1
        await bench.cycles(late % 15)
        dut.armed.value = 0
        await bench.settle(60)
        assert not bench.value("spending")
        assert await bench.read_live() == {1, 2}
        assert await bench.read_live("dormant") == set()
        bench.stop()


def random_tables(rng: random.Random) -> Tables:
    instruments = [Instrument(f"S{index}", Fraction(1)) for index in range(rng.randrange(1, 4))]
    rules = [
        Rule(rng.randrange(len(instruments)), rng.choice((BID, ASK, LAST)), rng.choice((LE, GE)), rng.randrange(20))
        for _ in range(rng.randrange(2, 40))
    ]
    rules = some_decided(rng, rules, rng.choice((0, 0.5)), 20)
    order = rng.sample(range(len(rules)), len(rules))
    groups: list[set[int]] = []
    while len(order) > 1 and rng.random() < 0.8:
        groups.append({order.pop() for _ in range(rng.randrange(2, 6)) if order})
    children: dict[int, set[int]] = {}
    for child in rng.sample(range(1, len(rules)), rng.randrange(len(rules))):
        for parent in rng.sample(range(child), min(child, rng.randrange(1, 3))):
            children.setdefault(parent, set()).add(child)
    return Tables(instruments, rules, groups=groups, children=children)


@cocotb.test
async def random_links(dut):
    """Random groups and parents under random messages, at line rate and not, with fires taken at once and late."""
    rng = random.Random(seed() + 17)
    linked = 0
    for _ in range(60):
        tables = random_tables(rng)
        rejects = rng.choice((0, 0, 0, rng.getrandbits(32)))
        bench = await RxBench.start(dut, tables)
        bench.dut.rejects.value = rejects
        messages = []
        for _ in range(rng.randrange(1, 25)):
            symbols = rng.sample(tables.instruments, rng.randrange(1, len(tables.instruments) + 1))
            kinds = [
                (one.symbol, rng.choice("012"), str(rng.randrange(20)))
                for one in symbols
                for _ in range(rng.randrange(1, 3))
            ]
            if rng.random() < 0.5:
                messages.append(
                    update([[(279, "0"), (269, kind), (55, symbol), (270, price)] for symbol, kind, price in kinds])
                )
            elif rng.random() < 0.9:
                messages.append(
                    snapshot(
                        symbols[0].symbol,
                        [(kind, price) for symbol, kind, price in kinds if symbol == symbols[0].symbol],
                    )
                )
            else:
                messages.append(message("0", []))
        messages = numbered(messages)
        stream = b"".join(messages)
        ready = rng.choice((1.0, 0.5, 0.02))
        bench.ready = lambda: rng.random() < ready  # noqa: B023
        at = 0
        while at < len(stream):
            end = at + rng.randrange(1, 600)
            frame = bench.segment(stream[at:end])
            if rng.random() < 0.2:
                bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=rng.choice((0, 12)))
            bench.frame(frame, gap=rng.choice((0, 12, 300)))
            at = end
        await bench.settle(400)
        bench.ready = lambda: True
        await bench.settle(3000)
        model = Model(tables, rejects=rejects)
        before = set(model.live)
        await expect(bench, model, messages)
        linked += bool(model.live - before) + (len(before - model.live) > len(bench.hits))
        bench.stop()
    assert linked > 20, "hardly any run in which a link did something"
