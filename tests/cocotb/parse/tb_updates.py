# SPDX-License-Identifier: Apache-2.0
"""Incremental messages (35=X): several instruments, any order within an entry, at the rate of the wire."""

import random

import cocotb
from rx_bench import RxBench, seed
from rx_messages import framed, message, numbered, snapshot, update
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, Instrument, Rule, Tables
from tb_messages import HEAD

SYMBOLS = [f"S{i}" for i in range(20)]
TABLES = Tables(
    [Instrument(symbol) for symbol in SYMBOLS],
    [Rule(index, source, GE, level) for index in range(20) for source in (BID, ASK, LAST) for level in (1, 10, 20, 30)],
    capacity=32,
)


def raw(entries: bytes, head: bytes = HEAD) -> bytes:
    return framed((head.replace(b"35=W", b"35=X") + entries).replace(b"|", b"\x01"))


async def play(dut, messages: list[bytes], tables: Tables = TABLES, **options) -> RxBench:
    """Sends ``messages`` back to back and compares every hit and counter with the model's."""
    bench = await RxBench.start(dut, tables)
    bench.send(b"".join(messages), **options)
    await bench.settle(6000)
    model = Model(tables)
    wanted = [hit for one in messages for hit in model.message(one)]
    assert bench.taken() == wanted, f"{messages}: taken {bench.taken()}, expected {wanted}"
    assert bench.counts() == model.counts(), messages
    return bench


CASES = {
    b"279=0|269=0|55=S1|270=0.11|": [(1, BID, 11)],
    b"279=1|269=1|55=S1|270=0.12|": [(1, ASK, 12)],
    b"279=0|269=2|55=S1|270=0.13|": [(1, LAST, 13)],
    # Anything anywhere behind MDUpdateAction.
    b"279=0|55=S1|270=0.11|269=0|": [(1, BID, 11)],
    b"279=0|270=0.11|269=0|55=S1|": [(1, BID, 11)],
    b"279=0|290=1|270=0.11|55=S1|269=0|": [(1, BID, 11)],
    b"279=0|270=0.11|55=S2|269=0|279=0|55=S1|269=0|270=0.12|": [(2, BID, 11), (1, BID, 12)],
    b"279=0|270=0.11|55=S2|269=0|279=0|270=0.12|55=S1|269=0|": [(2, BID, 11), (1, BID, 12)],
    # A symbol that is left out is that of the entry before, or of the message.
    b"279=0|55=S1|269=0|270=0.11|279=0|269=1|270=0.12|": [(1, BID, 11), (1, ASK, 12)],
    b"55=S1|279=0|269=0|270=0.11|279=0|269=1|270=0.12|55=S2|": [(1, BID, 11), (2, ASK, 12)],
    b"279=0|269=0|270=0.11|": [],
    b"279=0|269=0|270=0.11|279=0|269=0|55=S1|270=0.12|": [],
    # Order of first appearance, also of an entry that says nothing.
    b"279=0|269=4|55=S3|270=1|279=0|269=0|55=S1|270=0.11|279=0|269=0|55=S3|270=0.12|": [(3, BID, 12), (1, BID, 11)],
    b"279=0|269=2|55=S1|270=0.11|279=0|269=0|55=S3|270=0.12|279=0|269=0|55=S1|270=0.13|":
        [(1, BID, 13), (1, LAST, 11), (3, BID, 12)],
    # Of a side the best level, else the first; deeper levels alone say nothing of it.
    b"279=0|269=0|55=S1|270=0.11|279=0|269=0|55=S1|270=0.12|": [(1, BID, 11)],
    b"279=0|269=0|55=S1|270=0.11|279=0|269=0|55=S1|270=0.12|290=1|": [(1, BID, 12)],
    b"279=0|269=0|55=S1|270=0.11|290=2|": [],
    b"279=0|269=0|55=S1|270=0.11|290=2|279=0|269=0|55=S1|270=0.12|": [(1, BID, 12)],
    b"279=0|269=0|55=S1|270=0.11|290=01|279=0|269=0|55=S1|270=0.12|290=1|": [(1, BID, 11)],
    # The final trade.
    b"279=0|269=2|55=S1|270=0.11|279=0|269=2|55=S1|270=0.12|": [(1, LAST, 12)],
    b"279=0|269=2|55=S1|270=0.11|279=2|269=2|55=S1|270=0.12|": [(1, LAST, 11)],
    # A deleted best level is no observation, nor is what stands behind it.
    b"279=2|269=0|55=S1|270=0.11|": [],
    b"279=2|269=0|55=S1|270=0.11|279=0|269=0|55=S1|270=0.12|": [],
    b"279=2|269=0|55=S1|270=0.11|279=0|269=0|55=S1|270=0.12|290=1|": [(1, BID, 12)],
    b"279=2|269=0|55=S1|270=0.11|290=1|279=0|269=1|55=S1|270=0.12|": [(1, ASK, 12)],
    b"279=22|269=0|55=S1|270=0.11|": [(1, BID, 11)],
    # Other instruments, and what is no symbol.
    b"279=0|269=0|55=XX|270=0.11|279=0|269=0|55=S1|270=0.12|": [(1, BID, 12)],
    b"279=0|269=0|55=S1|270=0.12|279=0|269=0|55=XX|270=0.11|279=0|269=1|270=0.13|": [(1, BID, 12)],
    b"279=0|269=0|55=MUCHTOOLONGSYMBOL|270=0.11|279=0|269=0|55=S1|270=0.12|": [(1, BID, 12)],
    b"279=0|269=0|55=S1\0|270=0.11|279=0|269=1|55=S1|270=0.12|": [(1, ASK, 12)],
    # Fields outside entries, other types, an entry without a price, one with two.
    b"269=0|55=S1|270=0.11|": [],
    b"279=0|269=4|55=S1|270=0.11|": [],
    b"279=0|269=00|55=S1|270=0.11|": [],
    b"279=0|269=0|55=S1|279=0|269=1|55=S1|270=0.12|": [(1, ASK, 12)],
    b"279=0|269=0|55=S1|270=0.11|270=0.12|": [(1, BID, 12)],
    b"279=0|269=0|55=S1|270=0.11|55=S2|279=0|269=1|55=S1|270=0.12|": [(2, BID, 11), (1, ASK, 12)],
    b"279=0|269=0|269=1|55=S1|270=0.11|": [(1, ASK, 11)],
    b"279=0|269=0|55=S1|270=x|279=0|269=1|55=S1|270=0.12|": [(1, ASK, 12)],
}  # fmt: skip


@cocotb.test
async def what_an_update_says(dut):
    for entries, expected in CASES.items():
        bench = await play(dut, [raw(entries)])
        seen = dict.fromkeys((taken.hit.instrument, taken.hit.source, taken.hit.observed) for taken in bench.hits)
        assert list(seen) == expected, entries


@cocotb.test
async def cut_and_damaged_at_every_byte(dut):
    """The state of an unfinished message survives any frame border and any bad frame."""
    entries = b"279=0|269=0|55=S1|270=0.11|290=2|279=0|270=0.15|269=1|55=S2|"
    entries += b"279=0|269=2|55=S1|270=0.12|279=1|269=0|55=S2|270=0.13|"
    bench = await RxBench.start(dut, TABLES)
    model = Model(TABLES)
    sent = []
    one = raw(entries)
    for at in range(1, len(one), 1):
        one = numbered([one], len(sent) + 1)[0]
        sent.append(one)
        tail = one[at:]
        bench.send(one[:at], gap=0)
        wild = bench.segment(tail.replace(b"0.1", b"0.3").replace(b"55=S", b"55=S1"), seq=bench.seq)
        bench.frame(wild[:-1] + bytes([wild[-1] ^ 1]), gap=0)
        bench.send(tail, gap=0)
    await bench.settle(500)
    bench.expect(model, sent)
    assert bench.counts() == {}


def short(rng: random.Random, symbol: str, kind: str, price: str) -> list[tuple[int, str]]:
    """The shortest entry there is, its fields in any order."""
    fields = [(269, kind), (55, symbol), (270, price)]
    rng.shuffle(fields)
    return [(279, rng.choice("01")), *fields]


@cocotb.test
async def the_shortest_entries_without_a_pause(dut):
    """22 bytes an entry, each of another instrument, in messages that follow each other at once."""
    rng = random.Random(seed())
    instruments = [Instrument(symbol) for symbol in "ABCDEFGHIJKLMNOPQRST"]
    tables = Tables(instruments, [Rule(i, BID, GE, 100 * k) for i in range(20) for k in range(1, 10)], capacity=32)
    for _ in range(6):
        messages = []
        for number in range(1, 8):
            some = rng.sample(instruments, rng.choice((1, 2, 5, 16)))
            entries = [short(rng, one.symbol, "0", str(rng.randrange(1, 9))) for one in some]
            messages.append(message("X", [field for entry in entries for field in entry], number))
        if sum(map(len, messages)) > 1450:
            messages = messages[:2]
        bench = await play(dut, messages, tables, gap=0)
        assert not bench.value("gap")


@cocotb.test
async def more_instruments_than_there_is_room(dut):
    """Sixteen instruments fit; with one more nothing of the message fires and the software path takes over."""
    for count in (16, 17):
        entries = [[(279, "0"), (269, "0"), (55, symbol), (270, "0.30")] for symbol in SYMBOLS[:count]]
        # What is not ours takes no room, nor does a symbol again.
        strangers = [[(279, "0"), (269, "0"), (55, f"X{i}"), (270, "0.30")] for i in range(30)]
        again = [[(279, "0"), (269, "1"), (55, symbol), (270, "0.30")] for symbol in SYMBOLS[:count]]
        one = update([*strangers[:20], *entries, *strangers, *again])
        bench = await RxBench.start(dut, TABLES)
        bench.send(one[:1200])
        bench.send(one[1200:2400])
        bench.send(one[2400:])
        bench.send(snapshot("S1", [("0", "0.40")], number=2))
        await bench.settle(6000)
        if count == 16:
            bench.expect(Model(TABLES), [one, snapshot("S1", [("0", "0.40")], number=2)])
            assert len({taken.hit.instrument for taken in bench.hits}) == 16
        else:
            assert bench.taken() == []
            assert bench.value("gap")


@cocotb.test
async def random_messages(dut):
    """Snapshots and updates of all shapes, cut at random, some frames damaged, against the model."""
    rng = random.Random(seed() + 2)
    for _ in range(8):
        centre = rng.randrange(100, 900)
        rules = [
            Rule(rng.randrange(20), rng.choice((BID, ASK, LAST)), rng.choice((LE, GE)), centre + rng.randrange(-30, 30))
            for _ in range(200)
        ]
        tables = Tables(TABLES.instruments, rules, capacity=32)
        messages = [random_message(rng, number, centre) for number in range(1, 60)]
        stream = b"".join(messages)
        bench = await RxBench.start(dut, tables, isn=rng.randrange(2**32))
        at = 0
        while at < len(stream):
            end = at + rng.choice((1, 9, 50, 200, 700, 1400))
            frame = bench.segment(stream[at:end])
            gap = rng.choice((0, 0, 12))
            for _ in range(rng.choice((0, 0, 1, 2))):
                bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=gap)
            bench.frame(frame, gap=gap)
            at = end
        await bench.settle(6000)
        model = Model(tables)
        bench.expect(model, messages)
        assert bench.counts() == model.counts()


def random_message(rng: random.Random, number: int, centre: int) -> bytes:
    def price() -> str:
        text = f"{(centre + rng.randrange(-33, 33)) / 100:.{rng.choice((2, 2, 2, 4))}f}"
        return rng.choice((text, text, text, text, text, "x", text + "1")) if rng.random() < 0.3 else text

    few = rng.sample(SYMBOLS, 3)
    body: list[tuple[int, str]] = [(43, "N")] if rng.random() < 0.1 else [(43, "Y")] if rng.random() < 0.05 else []
    kind = rng.choice("WXXX0")
    if kind == "W" and rng.random() < 0.9:
        body.append((55, rng.choice(few)))
    if kind == "X" and rng.random() < 0.1:
        body.append((55, rng.choice(few)))
    for index in range(rng.randrange(0, 9)):
        fields = [(269, rng.choice("00112234"))] if kind == "X" or rng.random() < 0.1 else []
        if kind == "X" and (index == 0 or rng.random() < 0.8):
            fields.append((55, rng.choice([*few, *few, "XX", "S1234567890123"])))
        if rng.random() < 0.9:
            fields.append((270, price()))
        fields += [
            field for field in ((290, rng.choice(("1", "2", "01"))), (271, "5"), (58, "55=S1")) if rng.random() < 0.3
        ]
        # An entry takes at least 18 bytes.
        fields += [(278, "Q17")] * (sum(len(f"{tag}={value}|") for tag, value in fields) < 12)
        rng.shuffle(fields)
        body += [(279, rng.choice("00112")) if kind == "X" else (269, rng.choice("00112234")), *fields]
    if kind == "W" and rng.random() < 0.1:
        body.append((55, rng.choice(few)))
    return message(kind, body, number)


@cocotb.test
async def an_update_that_does_not_fit(dut):
    """Instruments come to the queue a cycle apart, also where room ends: what fits fires in order, the rest is told."""
    rules = [Rule(index, LAST, GE, level) for index in range(16) for level in range(1, 16)]
    tables = Tables([Instrument(symbol) for symbol in SYMBOLS], rules)
    for lead in range(1, 17):
        bench = await RxBench.start(dut, tables)
        bench.ready = lambda: False
        # A first message of a few instruments shifts where the room ends within a later one.
        sizes = [lead, *[16] * 8]
        messages = numbered(
            [
                update([[(279, "0"), (269, "2"), (55, symbol), (270, f"0.{level:02d}")] for symbol in SYMBOLS[:size]])
                for level, size in enumerate(sizes, 1)
            ]
        )
        for one in messages:
            bench.send(one)
        await bench.settle()
        assert bench.value("gap")
        bench.ready = lambda: True
        await bench.settle(6000)
        model = Model(tables)
        wanted = [hit for one in messages for hit in model.message(one)]
        taken = bench.taken()
        assert 32 < len(taken) < len(wanted)
        assert taken == wanted[: len(taken)]
