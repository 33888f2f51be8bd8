# SPDX-License-Identifier: Apache-2.0
"""Chains, live bits and the message queue, driven through whole frames."""

import random
from fractions import Fraction

import cocotb
from rx_bench import HIT_CYCLES, RxBench, seed
from rx_messages import message, numbered, snapshot
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, MOST_FIRES, Hit, Instrument, Rule, Tables

UNITS = [
    Fraction(1, 100),
    Fraction(1, 20),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(1, 32),
    Fraction(5),
    Fraction(3, 10**8),
]


@cocotb.test
async def order_of_fires(dut):
    """bid <=, bid >=, ask <=, ask >=, last <=, last >=; nearest threshold first; equal ones as declared."""
    rules = [
        Rule(0, source, direction, 500 + (distance if direction == LE else -distance))
        for distance in (0, 2, 2, 1, 0)
        for source in (LAST, ASK, BID)
        for direction in (GE, LE)
    ]
    tables = Tables([Instrument("ES")], rules)
    bench = await RxBench.start(dut, tables)
    messages = [snapshot("ES", [("2", "5.00"), ("1", "5"), ("0", "5.0")])]
    bench.send(messages[0])
    await bench.settle(1000)
    bench.expect(Model(tables), messages)
    assert len(bench.hits) == len(rules)


@cocotb.test
async def equality_and_one_off(dut):
    rules = [Rule(0, source, direction, -7) for source in (BID, ASK, LAST) for direction in (LE, GE)]
    tables = Tables([Instrument("ES")], rules)
    for text, fired in (("-0.07", {LE, GE}), ("-0.08", {LE}), ("-0.06", {GE}), ("0", {GE}), ("-0.00", {GE})):
        bench = await RxBench.start(dut, tables)
        messages = [snapshot("ES", [("0", text), ("1", text), ("2", text)])]
        bench.send(messages[0])
        await bench.settle(300)
        bench.expect(Model(tables), messages)
        assert {rules[taken.hit.rule].direction for taken in bench.hits} == fired


@cocotb.test
async def tables_after_fires(dut):
    """A fire moves its chain and sets its latch, and nothing else."""
    rules = [Rule(0, LAST, LE, 500 - i) for i in range(4)] + [Rule(0, LAST, GE, 600)]
    tables = Tables([Instrument("ES")], rules)
    bench = await RxBench.start(dut, tables)
    for step, price in enumerate(("5.00", "4.99", "4.97")):
        bench.send(snapshot("ES", [("2", price)], number=step + 1))
        await bench.settle(200)
        fired = (1, 2, 4)[step]
        assert await bench.read_live() == set(range(fired, 5))
        counts = [await bench.read_record("fire_count", trigger) for trigger in range(5)]
        assert counts == [{"fires": int(trigger < fired)} for trigger in range(5)]
    bench.expect(Model(tables), numbered(snapshot("ES", [("2", price)]) for price in ("5.00", "4.99", "4.97")))


@cocotb.test
async def spent_before_the_load(dut):
    """Spent triggers are passed over, at no cost to the next fire; counts go on where they were."""
    rules = [Rule(0, LAST, LE, 500) for _ in range(12)]
    tables = Tables([Instrument("ES"), Instrument("NQ")], rules)
    bench = await RxBench.start(dut, tables, armed=False)
    live = set(range(12)) - {0, 1, 2, 5, 7, 8, 11}
    for trigger in range(12):
        await bench.write_record("fire_count", trigger, fires=trigger)
    await bench.write_live(live)
    dut.armed.value = 1
    bench.send(snapshot("ES", [("2", "5.01")]))
    bench.send(snapshot("ES", [("2", "5.00")], number=2))
    await bench.settle(400)
    assert [taken.hit.rule for taken in bench.hits] == [3, 4, 6, 9, 10]
    assert [taken.hit.fires for taken in bench.hits] == [4, 5, 7, 10, 11]
    assert bench.hits[0].seen - bench.hits[0].frame_end_cycle == HIT_CYCLES
    assert await bench.read_live() == set()


@cocotb.test
async def counts_end(dut):
    """The fire behind the last count is told as such; the count stays."""
    tables = Tables([Instrument("ES")], [Rule(0, LAST, LE, 500) for _ in range(2)])
    bench = await RxBench.start(dut, tables, armed=False)
    await bench.write_record("fire_count", 0, fires=MOST_FIRES)
    await bench.write_record("fire_count", 1, fires=MOST_FIRES - 1)
    dut.armed.value = 1
    bench.send(snapshot("ES", [("2", "5.00")]))
    await bench.settle(200)
    assert [(taken.hit.fires, taken.hit.exhausted) for taken in bench.hits] == [(MOST_FIRES, 1), (MOST_FIRES, 0)]
    assert [await bench.read_record("fire_count", i) for i in (0, 1)] == [{"fires": MOST_FIRES}] * 2


@cocotb.test
async def disarmed_changes_nothing(dut):
    rules = [Rule(0, LAST, LE, 500), Rule(1, BID, GE, 1)]
    tables = Tables([Instrument("ES"), Instrument("NQ")], rules)
    bench = await RxBench.start(dut, tables, armed=False)
    for number in range(1, 200, 2):
        bench.send(snapshot("ES", [("2", "1")], number=number) + snapshot("NQ", [("0", "1")], number=number + 1))
    await bench.settle()
    assert bench.taken() == []
    assert bench.value("synced")
    assert bench.value("messages") == 200
    dut.armed.value = 1
    await bench.settle()
    assert bench.taken() == []
    bench.send(snapshot("ES", [("2", "4.99")], number=201))
    await bench.settle()
    assert bench.taken() == [Hit(0, 0, 0, 0, LAST, 499, 1, 201)]
    # A hit that waits is withdrawn at disarming; the message is gone.
    bench.ready = lambda: False
    bench.send(snapshot("NQ", [("0", "1")], number=202))
    await bench.settle()
    assert int(dut.hit_valid.value)
    dut.armed.value = 0
    await bench.cycles(2)
    assert not int(dut.hit_valid.value)
    bench.ready = lambda: True
    dut.armed.value = 1
    await bench.settle()
    assert len(bench.hits) == 1
    assert await bench.read_live() == {1}
    assert await bench.read_record("fire_count", 1) == {"fires": 0}


@cocotb.test
async def a_hit_stands_until_it_is_taken(dut):
    """While the gate waits, messages queue up and nothing is lost or repeated; stamps are those of the own frame."""
    rules = [Rule(0, LAST, LE, 1000 - i) for i in range(100)]
    tables = Tables([Instrument("ES")], rules)
    bench = await RxBench.start(dut, tables)
    bench.ready = lambda: False
    messages = [snapshot("ES", [("2", f"{10 - i / 100:.2f}")]) for i in range(50)]
    messages = numbered(messages)
    for first in range(0, 50, 2):
        bench.send(messages[first] + messages[first + 1])
    await bench.settle()
    before = bench.value("cycle")
    assert bench.hits == []
    assert int(dut.hit_valid.value)
    bench.ready = lambda: True
    await bench.settle(2500)
    bench.expect(Model(tables), messages)
    ends = [verdict.end_cycle for verdict in bench.verdicts[1:]]
    assert [taken.frame_end_cycle for taken in bench.hits] == [end for end in ends for _ in range(2)]
    assert {taken.time_ns - 8 * taken.frame_end_cycle for taken in bench.hits} == {1_000_000}
    assert [taken.frame_end_cycle - taken.message_end_cycle for taken in bench.hits] == [
        length for after in messages[1::2] for length in (4 + len(after), 4)
    ]
    assert bench.hits[0].at >= before > bench.hits[0].seen
    assert bench.value("synced")


@cocotb.test
async def queue_overflow_is_a_gap(dut):
    """More messages that fire than there is room for: those that fit do, in order, and the stream is lost."""
    rules = [Rule(0, LAST, LE, 1000 - i) for i in range(150)]
    tables = Tables([Instrument("ES")], rules)
    bench = await RxBench.start(dut, tables)
    bench.ready = lambda: False
    messages = [snapshot("ES", [("2", f"{10 - i / 100:.2f}")]) for i in range(100)]
    messages = numbered(messages)
    for one in messages:
        bench.send(one)
    await bench.settle()
    assert bench.value("gap")
    assert bench.counts() == {}
    bench.ready = lambda: True
    await bench.settle(4000)
    held = len(bench.hits)
    assert held == 32 + 30, "parked, and queued from as many frames"
    assert bench.taken() == Model(tables).message(messages[0]) + [
        Hit(i, i, tables.order_of(i), 0, LAST, 1000 - i, 1, i + 1) for i in range(1, held)
    ]
    assert await bench.resync(bench.value("rcv_nxt"), held + 1)
    bench.send(messages[held])
    await bench.settle()
    assert bench.hits[-1].hit == Hit(held, held, tables.order_of(held), 0, LAST, 1000 - held, 1, 1)


@cocotb.test
async def full_segment_of_small_messages(dut):
    """1460 bytes of the smallest snapshots while the gate is slow."""
    rules = [Rule(0, LAST, LE, 100 - i) for i in range(90)]
    tables = Tables([Instrument("A")], rules)
    bench = await RxBench.start(dut, tables)
    messages = [message("W", [(55, "A"), (269, "2"), (270, str(i))]) for i in range(9, 0, -1)]
    stream = b""
    sent = []
    while len(stream) + 100 < 1460:
        sent.append(messages[len(sent) % 9])
        stream += sent[-1]
    sent = numbered(sent * 2)
    bench.send(b"".join(sent[: len(sent) // 2]), gap=0)
    bench.send(b"".join(sent[len(sent) // 2 :]), gap=0)
    rng = random.Random(seed())
    bench.ready = lambda: rng.random() < 0.02
    await bench.settle(12000)
    bench.expect(Model(tables), sent)
    assert bench.value("synced")


@cocotb.test
async def fires_of_a_bad_frame_are_taken_back(dut):
    """A hit of a committed message that waits survives a bad frame behind it; the bad frame's own messages do not."""
    rules = [Rule(0, LAST, LE, 1000 - i) for i in range(20)]
    tables = Tables([Instrument("ES"), Instrument("NQ")], rules)
    steps = [snapshot("ES", [("2", f"{10 - i / 100:.2f}")]) for i in range(4)]
    messages = numbered([*steps[:2], snapshot("NQ", [("2", "1")]), *steps[2:]])
    for hold in range(0, 400, 13):
        bench = await RxBench.start(dut, tables)
        from_cycle = bench.value("cycle") + hold
        bench.ready = lambda: bench.value("cycle") > from_cycle  # noqa: B023
        bench.send(messages[0], gap=0)
        frame = bench.segment(b"".join(messages[1:4]))
        bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=0)
        bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=0)
        bench.frame(frame, gap=0)
        bench.send(messages[4])
        await bench.settle(400)
        bench.expect(Model(tables), messages)


@cocotb.test
async def random_rules_and_messages(dut):
    rng = random.Random(seed() + 1)
    for _ in range(8):
        instruments = [
            Instrument(f"S{i}", rng.choice(UNITS), price_min=-rng.randrange(10**7), price_max=rng.randrange(1, 10**7))
            for i in range(rng.randrange(1, 16))
        ]
        centre = [rng.randrange(-500, 500) for _ in instruments]
        rules = []
        for _ in range(rng.randrange(1, 250)):
            index = rng.randrange(len(instruments))
            rules.append(
                Rule(index, rng.choice((BID, ASK, LAST)), rng.choice((LE, GE)), centre[index] + rng.randrange(-20, 20))
            )
        tables = Tables(instruments, rules)
        bench = await RxBench.start(dut, tables)
        messages = []
        for number in range(rng.randrange(20, 80)):
            index = rng.randrange(len(instruments))
            entries = []
            for _ in range(rng.randrange(5)):
                units = centre[index] + rng.randrange(-22, 22)
                value = units * instruments[index].unit
                scaled = abs(value) * 10**8
                text = f"{'-' if value < 0 else ''}{int(scaled) // 10**8}.{int(scaled) % 10**8:08d}"
                if rng.random() < 0.5:
                    text = text.rstrip("0").rstrip(".")
                if rng.random() < 0.05:
                    text = rng.choice(("-", "x", "1e3", "+1", "1.", ".5", "--1", text + "1", "99999999999"))
                entries.append((rng.choice("012"), text))
            messages.append(
                snapshot(f"S{index}", entries, positions=rng.random() < 0.3, number=number + 1)
                if rng.random() < 0.9
                else message(rng.choice("0180"), [(55, f"S{index}"), (269, "0"), (270, "0")], number + 1)
            )
        stream = b"".join(messages)
        ready = rng.choice((1.0, 0.5, 0.05))
        bench.ready = lambda: rng.random() < ready  # noqa: B023
        at = 0
        while at < len(stream):
            end = at + rng.randrange(1, 900)
            bench.send(stream[at:end], gap=rng.choice((0, 12)))
            if rng.random() < 0.2:
                bench.frame(bench.segment(b""))
            at = end
        await bench.settle(20000)
        model = Model(tables)
        bench.expect(model, messages)
        assert bench.count("price_invalid") == model.invalid


@cocotb.test
async def symbol_behind_the_prices(dut):
    """The division then ends after the frame's verdict; the fire is a few cycles late, but it is the right one."""
    rules = [Rule(index, source, LE, 1000 - i) for index in (0, 1) for source in (BID, ASK, LAST) for i in range(20)]
    tables = Tables([Instrument("ES"), Instrument("NQ", Fraction("0.05"), -10, 10**6)], rules)
    bench = await RxBench.start(dut, tables)
    sent = []
    for step, symbol in enumerate(("ES", "NQ", "ES", "XX", "NQ", "ES", "NQ")):
        unit = tables.instruments[symbol == "NQ"].unit
        text = f"{float((1000 - step) * unit):.2f}"
        ahead = [] if step % 3 == 1 else [(55, symbol)]
        entries = [field for kind in "021" for field in ((269, kind), (270, text))]
        last = message("W", [*ahead, *entries, (55, symbol)], step + 1)
        frame = bench.segment(last)
        damaged = frame[:-1] + bytes([frame[-1] ^ 1])
        if step % 2:
            bench.frame(damaged, gap=0)
        # What follows at once, whole or broken, must not take the message away.
        bench.frame(frame, gap=0)
        for junk in (bytes(3), bytes(1), bytes(2)):
            bench.frame(junk, gap=0, err=True)
        before = len(bench.hits)
        await bench.settle(300)
        sent.append(last)
        ends = {taken.frame_end_cycle for taken in bench.hits[before:]}
        assert ends == ({bench.verdicts[-4].end_cycle} if symbol != "XX" else set())
        if ends:
            assert bench.hits[before].seen - bench.hits[before].frame_end_cycle <= HIT_CYCLES + 28
    bench.expect(Model(tables), sent)
    assert bench.counts() == {}
