# SPDX-License-Identifier: Apache-2.0
"""What orders that were sent do to other triggers: `oco` groups, rules that arm others, watches that revive them."""

import random
from fractions import Fraction

import cocotb
from rx_bench import RxBench, seed
from rx_messages import message, numbered, snapshot, update
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, Instrument, Rule, Tables, some_decided

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


@cocotb.test
async def a_rejected_order_changes_nothing_else(dut):
    bench = await RxBench.start(dut, BRACKET)
    bench.dut.rejects.value = 0xFFFFFFFF
    for payload in last(94, 94, 112):
        bench.send(payload)
    await bench.settle(600)
    assert [hit.rule for hit in bench.taken()] == [ENTRY]
    await expect(bench, Model(BRACKET, rejects=0xFFFFFFFF), last(94, 94, 112))


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


@cocotb.test
async def a_watch_revives(dut):
    """A stop that is armed again: its watch waits for the next message, or for a later source of the same one."""
    stop, watch = 0, 1
    falls = [Rule(0, BID, LE, 100), Rule(0, BID, GE, 105)]
    trades = [Rule(0, BID, LE, 100), Rule(0, LAST, GE, 105)]
    same = Tables([Instrument("ES", Fraction(1))], falls, revived={stop: {watch}, watch: {stop}}, dead={watch})
    later = Tables(
        [Instrument("ES", Fraction(1))], trades, revived={watch: {stop}}, revived_at_once={stop: {watch}}, dead={watch}
    )
    both = [("0", "99"), ("2", "107")]
    for tables, entries, fires in (
        (same, [[("0", "99")], [("0", "98")], [("0", "106")], [("0", "104")], [("0", "90")]], [stop, watch, stop]),
        (same, [[("0", "106")], [("0", "99")], [("0", "106")], [("0", "106")], [("0", "99")]], [stop, watch, stop]),
        (later, [both, both, [("0", "99"), ("2", "1")]], [stop, watch, stop, watch, stop]),
        (later, [[("2", "107")], [("0", "99")], [("0", "99")], [("2", "107")], [("0", "99")]], [stop, watch, stop]),
    ):
        for gap in (0, 12, 400):
            messages = numbered([update([[(279, "0"), (269, kind), (55, "ES"), (270, price)] for kind, price in one])
                                 for one in entries])  # fmt: skip
            bench = await RxBench.start(dut, tables)
            for payload in messages:
                bench.send(payload, gap=gap)
            await bench.settle(600)
            assert [hit.rule for hit in bench.taken()] == fires
            await expect(bench, Model(tables), messages)


@cocotb.test
async def a_message_behind_one_that_may_revive_waits(dut):
    """A watch's hit is held back: what comes meanwhile satisfies nothing live, but the rule that is revived."""
    tables = Tables(
        [Instrument("ES", Fraction(1))], [Rule(0, BID, LE, 100), Rule(0, BID, GE, 105)], revived={1: {0}}, dead={0}
    )
    bench = await RxBench.start(dut, tables)
    bench.ready = lambda: False
    messages = numbered([snapshot("ES", [("0", price)]) for price in ("106", "99", "104")])
    for payload in messages:
        bench.send(payload)
    await bench.settle(1000)
    assert not bench.hits
    bench.ready = lambda: True
    await bench.settle(600)
    assert [hit.rule for hit in bench.taken()] == [1, 0]
    await expect(bench, Model(tables), messages)


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
    revived, at_once = {}, {}
    for rule in rng.sample(range(len(rules)), rng.randrange(len(rules))):
        other = rng.randrange(len(rules))
        revived[rule] = {other}
        later = {n for n, one in enumerate(rules) if one.source > rules[rule].source}
        if later and rng.random() < 0.5:
            at_once[rule] = {rng.choice(sorted(later))}
    dead = set(rng.sample(range(len(rules)), rng.randrange(len(rules)))) - {c for own in children.values() for c in own}
    return Tables(
        instruments, rules, groups=groups, children=children, revived=revived, revived_at_once=at_once,
        dead=dead if rng.random() < 0.5 else set(),
    )  # fmt: skip


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
    assert linked > 20, "hardly any run in which a link did something"
