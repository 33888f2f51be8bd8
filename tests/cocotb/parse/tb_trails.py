# SPDX-License-Identifier: Apache-2.0
"""Stops that follow the market: what fires them, what moves them, and that nothing of a bad frame does."""

import random
from fractions import Fraction

import cocotb
from rx_bench import HWMAP, WINDOWS, RxBench, seed
from rx_messages import message, numbered, snapshot, update
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, MID, Decision, Instrument, Rule, Tables, Trail, some_decided

from fixaccel.latency.cycles import trail_cycles

ONE = Instrument("ES", Fraction(1))
TWO = Instrument("NQ", Fraction(1))
KINDS = {BID: "0", ASK: "1", LAST: "2"}
BAD = 1  # of the last byte of an FCS


def said(*prices: tuple[str, dict[int, int]]) -> list[bytes]:
    """Snapshots: of each a symbol, and prices by source."""
    return numbered(
        [snapshot(symbol, [(KINDS[source], str(price)) for source, price in own.items()]) for symbol, own in prices]
    )


def last(*prices: int) -> list[bytes]:
    return said(*(("ES", {LAST: price}) for price in prices))


def bad(frame: bytes) -> bytes:
    return frame[:-1] + bytes([frame[-1] ^ BAD])


async def stops(bench: RxBench, tables: Tables) -> dict[int, dict[str, int]]:
    """By rule."""
    found = {rule: await bench.read_record("stop", bench.stop_of(slot)) for slot, rule in enumerate(tables.trails)}
    return {rule: comparable(stop) for rule, stop in found.items()}


def comparable(stop: dict[str, int]) -> dict[str, int]:
    """Of a stop that has not been set the price says nothing, unless it waits to be activated."""
    return stop | {"price": 0} if stop["active"] and not stop["set"] else stop


async def expect(bench: RxBench, model: Model, messages: list[bytes]) -> None:
    bench.expect(model, messages)
    assert await bench.read_live() == model.live
    assert await bench.read_live("dormant") == model.dormant
    # What was cancelled is armed no more: how far it had come says nothing.
    ahead = model.live | model.dormant
    wanted = {rule: comparable(stop) for rule, stop in model.stops.items() if model.tables.first_trigger[rule] in ahead}
    found = await stops(bench, model.tables)
    differ = {
        rule: (model.tables.rules[rule], found[rule], stop) for rule, stop in wanted.items() if found[rule] != stop
    }
    assert not differ


def framings(messages: list[bytes]) -> list[list[bytes]]:
    """Each message in a frame of its own, or all in one."""
    return [messages, [b"".join(messages)]]


async def play(dut, tables: Tables, messages: list[bytes], gap: int = 12, settle: int = 900) -> list[tuple[int, int]]:
    """Both framings on a bench of their own; trigger and message of each hit, the same in both."""
    found = []
    for frames in framings(messages):
        bench = await RxBench.start(dut, tables)
        for frame in frames:
            bench.send(frame, gap=gap)
        await bench.settle(settle)
        await expect(bench, Model(tables), messages)
        found.append([(hit.trigger, hit.message) for hit in bench.taken()])
    assert found[0] == found[1]
    return found[0]


@cocotb.test
async def two_stops_reached_by_two_messages_of_one_frame(dut):
    """The second message reaches another one while the first one's hit waits: it is parked, and fires in its turn."""
    tables = Tables([ONE], [Trail(0, LAST, True, 10), Trail(0, LAST, True, 20)])
    for gap in (0, 12, 400):
        assert await play(dut, tables, last(100, 90, 80), gap=gap) == [(0, 2), (1, 3)]


@cocotb.test
async def the_stop_follows(dut):
    """The first observation only sets it; each later one is compared with the stop before it."""
    sell, buy = Tables([ONE], [Trail(0, LAST, True, 10)]), Tables([ONE], [Trail(0, LAST, False, 10)])
    assert await play(dut, sell, last(100, 91, 120, 111, 110)) == [(0, 5)]
    assert await play(dut, sell, last(100, 200, 191, 200, 190)) == [(0, 5)]
    assert await play(dut, sell, last(100, 91, 91, 91)) == []
    assert await play(dut, buy, last(100, 109, 80, 89, 90)) == [(0, 5)]
    assert await play(dut, buy, last(-5, -50, -41, -40)) == [(0, 4)]


@cocotb.test
async def activation(dut):
    """What activates is an extreme if it is of the trail's own source, and sees what comes behind it in its message."""
    rules = [Trail(0, LAST, True, 10, (source, GE, 100)) for source in (LAST, BID)]
    tables = Tables([ONE], [*rules, Trail(0, BID, True, 10, (LAST, LE, 50))])
    messages = said(
        ("ES", {LAST: 80}),
        ("ES", {LAST: 100}),  # activates the first, and is its extreme
        ("ES", {LAST: 91, BID: 100}),  # activates the second; 91 is its extreme, and does not fire the first
        ("ES", {LAST: 90}),
        ("ES", {BID: 70, LAST: 50}),  # fires the second, and activates the third behind its own source
        ("ES", {BID: 60}),  # its extreme
        ("ES", {BID: 50}),
    )
    found = await play(dut, tables, messages)
    by_rule = {trigger: rule for rule, trigger in tables.first_trigger.items()}
    assert [(by_rule[trigger], message) for trigger, message in found] == [(0, 4), (1, 5), (2, 7)]


@cocotb.test
async def in_the_order_of_the_rules(dut):
    """Of one observation thresholds fire first; a trail of an earlier source comes before thresholds of later ones."""
    rules = [
        Trail(0, LAST, True, 5), Trail(0, BID, True, 5), Trail(0, MID, True, 5),
        Rule(0, BID, LE, 95), Rule(0, BID, GE, 10), Rule(0, ASK, LE, 200), Rule(0, LAST, LE, 95), Rule(0, MID, LE, 250),
    ]  # fmt: skip
    tables = Tables([ONE], rules)
    messages = said(("ES", {BID: 100, ASK: 300, LAST: 100}), ("ES", {BID: 90, ASK: 110, LAST: 90}))
    found = await play(dut, tables, messages)
    by_rule = {trigger: rule for rule, trigger in tables.first_trigger.items()}
    assert [by_rule[trigger] for trigger, _ in found] == [4, 3, 1, 5, 6, 0, 7, 2]


@cocotb.test
async def a_bad_frame_moves_nothing(dut):
    tables = Tables([ONE], [Trail(0, LAST, True, 10), Trail(0, LAST, True, 3, (LAST, GE, 150))])
    bench = await RxBench.start(dut, tables)
    messages = last(100, 200, 150, 189)
    bench.send(messages[0])
    await bench.settle(300)
    before = await stops(bench, tables)
    frame = bench.segment(b"".join(messages[1:]))
    for gap in (0, 100, 400):
        bench.frame(bad(frame), gap=gap)
    await bench.settle(300)
    assert not bench.hits
    assert await stops(bench, tables) == before
    bench.frame(frame)
    await bench.settle(900)
    await expect(bench, Model(tables), messages)
    assert len(bench.hits) == 2


@cocotb.test
async def written_behind_the_verdict(dut):
    """What a message moves is not written while its frame is under way, however long that takes."""
    tables = Tables([ONE], [Trail(0, LAST, True, 10)])
    bench = await RxBench.start(dut, tables)
    messages = last(100, 300)
    bench.send(messages[0])
    await bench.settle(300)
    padding = numbered([snapshot("ZZ", [("2", "1")])] * 6)
    del padding[:2]
    for byte in bench.segment(b"".join([messages[1], *padding])):
        bench.beats.append((byte, False, False))
    bench._work.set()
    await bench.settle(0)
    assert (await stops(bench, tables))[0]["price"] == 90


@cocotb.test
async def closed_windows_and_disarmed(dut):
    """Outside its window a trail neither fires nor moves; disarmed, messages move nothing."""
    tables = Tables([ONE], [Trail(0, LAST, True, 10, window=3)])
    bench = await RxBench.start(dut, tables)
    model = Model(tables)
    messages = last(100, 50, 100, 60, 95, 60, 60)
    for text, windows, armed in zip(messages, (1, 1, 9, 1, 9, 9, 9), (1, 1, 1, 1, 0, 1, 1), strict=True):
        dut.armed.value = armed
        dut.windows_open.value = windows << WINDOWS | windows
        model.armed, model.open = bool(armed), {0, 3} if windows == 9 else {0}
        hits = model.message(text)
        before = len(bench.hits)
        bench.send(text)
        await bench.settle(300)
        assert bench.taken()[before:] == hits
        assert await stops(bench, tables) == {0: comparable(model.stops[0])}
    assert [hit.message for hit in bench.taken()] == [6]


SHAPES = {
    "symbol first": lambda price: message("W", [(55, "ES"), (58, "x" * 40), (269, "2"), (270, price), (271, "1")]),
    "symbol last": lambda price: message("W", [(58, "x" * 40), (269, "2"), (270, price), (271, "1"), (55, "ES")]),
}


async def waited(dut, tables: Tables, shape: str) -> dict[int, int]:
    """Cycles from the frame to the hit by trigger, of the last of three messages that reaches all there is."""
    bench = await RxBench.start(dut, tables)
    for one in numbered([SHAPES[shape](price) for price in ("100", "100", "50")]):
        bench.send(one, gap=300)
    await bench.settle(900)
    return {taken.hit.trigger: taken.seen - taken.frame_end_cycle for taken in bench.hits}


@cocotb.test
async def what_a_message_waits_for(dut):
    """Nobody waits for the trails of others. Of an instrument all wait for its own: so much, by how many they are."""
    for shape in SHAPES:
        stop, others = Rule(0, LAST, LE, 60), [Trail(1, LAST, True, 10)] * 8
        alone = await waited(dut, Tables([ONE, TWO], [stop]), shape)
        assert await waited(dut, Tables([ONE, TWO], [stop, *others]), shape) == alone
        for count in range(1, 9):
            own = [Trail(0, LAST, True, 60 if n < count - 1 else 10) for n in range(count)]
            beside = await waited(dut, Tables([ONE, TWO], [stop, *own]), shape)
            reached = await waited(dut, Tables([ONE, TWO], own), shape)
            more = beside[0] - alone[0], max(reached.values()) - alone[0]
            dut._log.info("%s, %d trails: %s cycles more", shape, count, more)
            assert max(more) <= trail_cycles(count)


def random_tables(rng: random.Random) -> Tables:
    instruments = [Instrument(f"S{index}", Fraction(1)) for index in range(rng.randrange(1, 4))]
    rules: list[Rule | Decision | Trail] = [
        Rule(rng.randrange(len(instruments)), rng.choice((BID, ASK, LAST)), rng.choice((LE, GE)), rng.randrange(20))
        for _ in range(rng.randrange(12))
    ]
    rules = some_decided(rng, rules, rng.choice((0, 0.5)), 20)
    room = dict.fromkeys(range(len(instruments)), HWMAP.constant("trails_an_instrument"))
    for _ in range(rng.randrange(1, 16)):
        index, source = rng.randrange(len(instruments)), rng.choice((BID, ASK, LAST, LAST, MID))
        wait = (rng.choice((BID, ASK, LAST, MID)), rng.choice((LE, GE)), rng.randrange(30))
        if room[index]:
            room[index] -= 1
            distance = rng.randrange(1, 8)
            waits = wait if rng.random() < 0.4 else None
            rules.insert(rng.randrange(len(rules) + 1), Trail(index, source, rng.random() < 0.5, distance, waits))
    order = rng.sample(range(len(rules)), len(rules))
    groups: list[set[int]] = []
    while len(order) > 1 and rng.random() < 0.5:
        groups.append({order.pop() for _ in range(rng.randrange(2, 5)) if order})
    children: dict[int, set[int]] = {}
    for child in rng.sample(range(1, len(rules)), rng.choice((0, 0, rng.randrange(len(rules))))):
        for parent in rng.sample(range(child), min(child, rng.randrange(1, 3))):
            children.setdefault(parent, set()).add(child)
    revived = {rule: {rng.randrange(len(rules))} for rule in rng.sample(range(len(rules)), len(rules) // 4)}
    return Tables(instruments, rules, groups=groups, children=children, revived={} if groups else revived)


def random_messages(rng: random.Random, tables: Tables) -> list[bytes]:
    texts = []
    for _ in range(rng.randrange(1, 40)):
        symbols = [one.symbol for one in rng.sample(tables.instruments, rng.randrange(1, len(tables.instruments) + 1))]
        said = [
            (symbol, rng.choice("0122"), str(rng.randrange(20)))
            for symbol in symbols
            for _ in range(rng.randrange(1, 4))
        ]
        if rng.random() < 0.5:
            texts.append(
                update([[(279, "0"), (269, kind), (55, symbol), (270, price)] for symbol, kind, price in said])
            )
        else:
            texts.append(snapshot(symbols[0], [(kind, price) for symbol, kind, price in said if symbol == symbols[0]]))
    return numbered(texts)


@cocotb.test
async def random_trails(dut):
    """Random rules, links and trails under random messages, at any rate, with bad frames and fires taken late."""
    rng = random.Random(seed() + 31)
    fired = moved = parked = 0
    for case in range(50):
        tables = random_tables(rng)
        rejects = rng.choice((0, 0, 0, rng.getrandbits(32)))
        bench = await RxBench.start(dut, tables)
        dut.rejects.value = rejects
        messages = random_messages(rng, tables)
        ready = rng.choice((1.0, 0.5, 0.02, 0.004))
        bench.ready = lambda: rng.random() < ready  # noqa: B023
        stream, at = b"".join(messages), 0
        while at < len(stream):
            end = at + rng.choice((rng.randrange(1, 600), rng.randrange(600, 1400)))
            frame = bench.segment(stream[at:end])
            if rng.random() < 0.2:
                bench.frame(bad(frame), gap=rng.choice((0, 12)))
            bench.frame(frame, gap=rng.choice((0, 12, 300)))
            at = end
        await bench.settle(400)
        bench.ready = lambda: True
        await bench.settle(6000)
        assert not bench.value("gap"), case
        model = Model(tables, rejects=rejects)
        await expect(bench, model, messages)
        own = {tables.first_trigger[rule] for rule in tables.trails}
        fired += sum(hit.trigger in own for hit in bench.taken())
        moved += sum(stop["set"] for stop in model.stops.values())
        parked += ready < 0.1 and bool(bench.hits)
    assert min(fired / 40, moved / 40, parked / 8) > 1, (fired, moved, parked)
