# SPDX-License-Identifier: Apache-2.0
"""Two banks of tables: loaded while armed, flipped between two messages. Every message is evaluated by exactly one."""

import random
from collections.abc import Callable, Iterator

import cocotb
from bench import CAPACITY, CONST, HWMAP, Bench, seed
from frames import fix_fields, parse
from prepared import base36, new_order

from market import Exchange, Instrument, Rule, Tables, trading

GOLD, OIL = Instrument("GC"), Instrument("CL", unit=10**6)
GENERATIONS = (3, 4)  # of the lower bank, of the upper one
EPOCHS = (b"E7Z0", b"E7Z1")
SLVERR = 2
STEPS = 24  # rules of a ladder, of which each message fires the next
TOP = 4000
SETTLED = 16  # cycles without a fire before a flip


def ladder(instruments: list[Instrument], index: int) -> Tables:
    """Message i of ``step`` fires rule i, and has fired all before it."""
    rules = [Rule(index, "last", "<=", TOP - i) for i in range(STEPS)]
    return Tables(instruments, rules, [new_order("GC", qty=f"{i + 1:06}") for i in range(STEPS)])


def step(exchange: Exchange, number: int) -> bytes:
    return exchange.snapshot("GC", [("last", GOLD.text(TOP - number))])


async def banked(dut, tables: Tables, **settings: int) -> tuple[Bench, Exchange]:
    """Armed, with ``tables`` in the lower bank."""
    bench, exchange = await trading(
        dut, tables, banked=True, generation_upper=GENERATIONS[1], max_unacked=2**31, **settings
    )
    await bench.set(
        **{f"epoch{end}": int.from_bytes(text, "little") for end, text in zip(("", "_upper"), EPOCHS, strict=True)}
    )
    return bench, exchange


async def ask(bench: Bench, head: int) -> dict[str, int]:
    """The status after a flip was asked for."""
    await bench.set(flip_head=head, flip=1)
    return await bench.status()


async def until(bench: Bench, done: Callable[[dict[str, int]], bool], limit: int = 200) -> dict[str, int]:
    for _ in range(limit):
        status = await bench.status()
        if done(status):
            return status
    raise AssertionError(status)


async def fires(bench: Bench) -> list[dict[str, int]]:
    return [await bench.read_record("ring", index) for index in range(await bench.get("ring_head"))]


async def first_message(bench: Bench) -> int:
    return int(f"{await bench.get('flip_seq_num'):x}")


def table_word(memory: str, half: int) -> int:
    """The first word of a half of ``memory``."""
    window = HWMAP.memories[memory]
    return window.base + half * HWMAP.depth(memory, CAPACITY) // 2 * window.record.stride_bytes


@cocotb.test
async def the_other_bank_is_open_while_armed(dut):
    bench, _ = await banked(dut, ladder([GOLD], 0))
    tables = [name for name, memory in HWMAP.memories.items() if memory.access == "rw"]
    for active in (0, 1):
        for name in tables:
            assert await bench.write_word(table_word(name, active), 0) == SLVERR, name
            assert await bench.write_word(table_word(name, 1 - active), 0) == 0, name
            memory = HWMAP.memories[name]
            last = memory.base + HWMAP.depth(name, CAPACITY) * memory.record.stride_bytes
            if last not in {other.base for other in HWMAP.memories.values()}:
                assert await bench.write_word(last, 0) == SLVERR, f"behind {name}"
        status = await ask(bench, 0)
        assert (status["bank"], status["flip_asked"]) == (1 - active, 0), "on a quiet line at once"
    assert await bench.get("flip_cycles") == 0
    await bench.set(banked=0)
    assert (await bench.status())["banked"] == 1, "not while armed"
    assert await bench.get("count_writes_refused") == 2 * len(tables) + 2 * sum(
        memory.base + HWMAP.depth(name, CAPACITY) * memory.record.stride_bytes
        not in {other.base for other in HWMAP.memories.values()}
        for name, memory in HWMAP.memories.items()
        if memory.access == "rw"
    )
    await bench.set(arm=0, banked=0)
    assert (await bench.status())["banked"] == 0
    await bench.set(arm=1)
    for name in tables:
        for half in (0, 1):
            assert await bench.write_word(table_word(name, half), 0) == SLVERR, name


@cocotb.test
async def the_upper_bank_is_a_whole_set_of_tables(dut):
    """Another instrument under the same number, another order, template and epoch, links of its own."""
    bench, exchange = await banked(dut, ladder([GOLD], 0))
    rules = [Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 3000), Rule(0, "last", "<=", 2000)]
    orders = [new_order("CL", price=f"{i}") for i in range(3)]
    other = Tables([OIL, GOLD], rules, orders, children={0: [1]})
    await other.load(bench, 1)
    await exchange.send(exchange.snapshot("GC", [("last", "2000")]))
    await bench.settle(300)
    assert await fires(bench) == []
    assert (await ask(bench, 0))["bank"] == 1
    await exchange.send(exchange.snapshot("GC", [("last", "0")]))
    await exchange.send(exchange.snapshot("CL", [("last", "25")]))  # 2,500 units: the parent, which arms its child
    await exchange.send(exchange.snapshot("CL", [("last", "25")]))
    await exchange.send(exchange.snapshot("CL", [("last", "19")]))
    await bench.settle(1500)
    got = await fires(bench)
    expected = {"generation": GENERATIONS[1], "instrument": 0, "outcome": CONST["outcome_sent"], "fires": 1}
    for record, rule in zip(got, (0, 1, 2), strict=True):
        assert {name: record[name] for name in expected} == expected
        assert (record["rule"], record["trigger"], record["order"]) == (rule, rule, rule)
    assert [record["message"] for record in got] == [3, 4, 5]
    sent = [parse(frame.data) for frame in (await bench.net_frames(5))[2:]]
    for number, (order, prepared) in enumerate(zip(sent, orders, strict=True)):
        assert not order.problems
        utc = dict(fix_fields(order.payload))[52]
        name = EPOCHS[1].decode() + base36(number, 8) + base36(1, 8)
        assert order.payload == prepared.message(42 + number, utc, name)
    half = CAPACITY["triggers"] // 2
    assert (await bench.read_record("live", 0))["triggers"] == (1 << STEPS) - 1, "the lower bank's are as they were"
    assert (await bench.read_record("live", half // 32))["triggers"] == 0
    assert [(await bench.read_record("fire_count", half + i))["fires"] for i in range(3)] == [1, 1, 1]


@cocotb.test
async def between_two_messages_that_follow_at_once(dut):
    """The message that is half through stays the old bank's, whatever it fires; the next is the new one's."""
    bench, exchange = await banked(dut, ladder([GOLD], 0))
    await ladder([OIL, GOLD], 1).load(bench, 1, spent=[0])
    first, second = step(exchange, 0), step(exchange, 1)
    bench.from_net(exchange.segment(first[: len(first) // 2]))
    while bench.net.queue:
        await bench.cycles(1)
    status = await ask(bench, 0)
    assert (status["flip_asked"], status["flip_begun"], status["bank"]) == (1, 0, 0), "the message is half through"
    for half in (0, 1):
        assert await bench.write_word(table_word("order", half), 0) == SLVERR, "what is evaluated next is in use, too"
    bench.from_net(exchange.segment(first[len(first) // 2 :] + second))
    await bench.settle(100)
    status = await until(bench, lambda status: status["flip_waits"])
    assert (status["bank"], status["flip_begun"], await first_message(bench)) == (0, 1, 2)
    (record,) = await fires(bench)
    assert (record["rule"], record["generation"], record["message"]) == (0, GENERATIONS[0], 1)
    assert await bench.write_word(table_word("live", 0), 0) == SLVERR
    await ladder([OIL, GOLD], 1).set_live(bench, 1, spent=[0])
    await bench.set(flip_head=1)
    await bench.settle(600)
    status = await bench.status()
    assert (status["bank"], status["flip_asked"]) == (1, 0)
    assert [(r["rule"], r["generation"], r["message"]) for r in (await fires(bench))[1:]] == [(1, GENERATIONS[1], 2)]
    assert await bench.get("flip_cycles") > 300, "the test's own time to look at the fire"


@cocotb.test
async def a_hold_is_short_and_counted(dut):
    """Where nothing fires, the first message of the new bank waits for its verdict and the settled fires."""
    bench, exchange = await banked(dut, ladder([GOLD], 0))
    await ladder([GOLD], 0).load(bench, 1)
    quiet = [exchange.snapshot("GC", [("last", "1500")]) for _ in range(4)]
    bench.from_net(exchange.segment(quiet[0] + quiet[1][:60]))
    while bench.net.queue:
        await bench.cycles(1)
    assert (await ask(bench, 0))["flip_asked"]
    bench.from_net(exchange.segment(quiet[1][60:] + quiet[2] + quiet[3]))
    await bench.settle(100)
    status = await bench.status()
    assert (status["bank"], status["flip_asked"], await first_message(bench)) == (1, 0, 3)
    # The third message has ended as long before the frame's verdict as the fourth is long, and the FCS.
    held = await bench.get("flip_cycles")
    dut._log.info(f"held for {held} cycles")
    assert len(quiet[3]) < held < len(quiet[3]) + 4 + SETTLED
    await exchange.send(step(exchange, 0))
    await bench.settle(600)
    assert [(r["rule"], r["generation"], r["message"]) for r in await fires(bench)] == [(0, GENERATIONS[1], 5)]


@cocotb.test
async def a_request_that_is_too_late_is_refused(dut):
    bench, exchange = await banked(dut, ladder([GOLD], 0))
    await ladder([GOLD], 0).load(bench, 1, spent=[0])
    await exchange.send(step(exchange, 0))
    await bench.settle(600)
    assert not (await ask(bench, 0))["flip_asked"], "one has fired since"
    assert not (await ask(bench, 2))["flip_asked"], "one that has not"
    await bench.set(lease_request=1)
    await exchange.send(step(exchange, 1))
    await bench.settle(100)
    status = await ask(bench, 1)
    assert (status["lease_held"], status["flip_asked"], status["bank"]) == (1, 0, 0), "a fire waits"
    await bench.set(arm=0)
    status = await ask(bench, 1)
    assert (status["flip_asked"], status["bank"]) == (0, 0), "disarmed"


@cocotb.test
async def what_is_older_is_done_first(dut):
    """A fire that waits for the lease, parked messages behind it, and the new bank's messages behind them."""
    bench, exchange = await banked(dut, ladder([GOLD], 0), lease_ns=10**9, hold_ns=10**9)
    await ladder([OIL, GOLD], 1).load(bench, 1)
    await bench.set(lease_request=1)
    messages = [step(exchange, i) for i in range(6)]
    stream = b"".join(messages)
    cut = len(b"".join(messages[:2])) + 30
    bench.from_net(exchange.segment(messages[0][:30]))
    await bench.settle(50)
    status = await ask(bench, 0)
    assert (status["lease_held"], status["flip_asked"]) == (1, 1)
    bench.from_net(exchange.segment(stream[30:cut]))
    bench.from_net(exchange.segment(stream[cut:]))
    await bench.settle(1000)
    status = await bench.status()
    assert (status["flip_begun"], status["flip_waits"], status["bank"], await first_message(bench)) == (1, 0, 0, 2)
    assert await fires(bench) == []
    await bench.set(lease_seq_num=0x42, lease_snd_nxt=1000, lease_release=1)
    await until(bench, lambda status: status["flip_waits"])
    assert [record["rule"] for record in await fires(bench)] == [0]
    await ladder([OIL, GOLD], 1).set_live(bench, 1, spent=[0])
    await bench.set(flip_head=1)
    await bench.settle(3000)
    got = await fires(bench)
    assert [record["rule"] for record in got] == list(range(6))
    assert [record["generation"] for record in got] == [GENERATIONS[0]] + [GENERATIONS[1]] * 5
    assert [record["instrument"] for record in got] == [0] + [1] * 5


@cocotb.test
async def held_too_long_it_disarms(dut):
    """Nothing is spent, and the bank is that whose messages have begun."""
    bench, exchange = await banked(dut, ladder([GOLD], 0), hold_ns=8000)
    await ladder([GOLD], 0).load(bench, 1)
    first = step(exchange, 0)
    bench.from_net(exchange.segment(first[:30]))
    await bench.settle(50)
    assert (await ask(bench, 0))["flip_asked"]
    bench.from_net(exchange.segment(first[30:] + step(exchange, 1)))
    await bench.settle(100)
    await until(bench, lambda status: status["flip_waits"])
    await bench.cycles(1100)
    status = await bench.status()
    assert (status["held"], status["armed"], status["flip_asked"], status["bank"]) == (1, 0, 0, 1)
    half = CAPACITY["triggers"] // 2
    assert (await bench.read_record("live", half // 32))["triggers"] == (1 << STEPS) - 1
    await bench.set(arm=1)
    await exchange.send(step(exchange, 1))
    await bench.settle(1500)
    assert [(r["rule"], r["generation"]) for r in (await fires(bench))[1:]] == [
        (0, GENERATIONS[1]),
        (1, GENERATIONS[1]),
    ]


@cocotb.test
async def disarmed_before_it_has_begun_it_is_off(dut):
    bench, exchange = await banked(dut, ladder([GOLD], 0))
    await ladder([GOLD], 0).load(bench, 1)
    first = step(exchange, 0)
    bench.from_net(exchange.segment(first[:30]))
    await bench.settle(50)
    assert (await ask(bench, 0))["flip_asked"]
    await bench.set(arm=0)
    status = await bench.status()
    assert (status["flip_asked"], status["bank"]) == (0, 0)
    await bench.set(arm=1)
    bench.from_net(exchange.segment(first[30:] + step(exchange, 1)))
    await bench.settle(1500)
    assert [(r["rule"], r["generation"]) for r in await fires(bench)] == [(0, GENERATIONS[0]), (1, GENERATIONS[0])]
    status = await ask(bench, 2)
    assert (status["flip_asked"], status["bank"]) == (0, 1), "another one goes as ever"


@cocotb.test
async def chains_that_were_read_are_read_again(dut):
    """Two flips, and no message in between: the lower bank is another one now."""
    bench, exchange = await banked(dut, ladder([GOLD], 0))
    await exchange.send(exchange.snapshot("GC", [("last", "1500")]))
    await bench.settle(200)
    await ladder([GOLD], 0).load(bench, 1)
    assert (await ask(bench, 0))["bank"] == 1
    await Tables([GOLD], [Rule(0, "last", "<=", 10)]).load(bench, 0)
    assert (await ask(bench, 0))["bank"] == 0
    await exchange.send(step(exchange, 0))
    await bench.settle(600)
    assert await fires(bench) == []


class Daemon:
    """Loads one generation after the other, and keeps account of fires as the runtime does."""

    def __init__(self, bench: Bench, tables: list[Tables]) -> None:
        self.bench, self.tables, self.generation = bench, tables, 1
        self.taken: list[dict[str, int]] = []
        self.generations: list[tuple[int, int]] = [(1, 1)]  # first message, generation
        self.flips = self.refused = self.mended = self.held = 0

    @property
    def spent(self) -> list[int]:
        return [record["rule"] for record in self.taken]

    async def take(self) -> None:
        head = await self.bench.get("ring_head")
        for index in range(len(self.taken), head):
            self.taken.append(await self.bench.read_record("ring", index % CONST["ring_entries"]))
        await self.bench.set(ring_tail=len(self.taken))

    async def load(self) -> None:
        bank = 1 - (await self.bench.status())["bank"]
        self.generation += 1
        tables = self.tables[self.generation % len(self.tables)]
        await self.take()
        await tables.load(self.bench, bank, self.spent)
        await self.bench.set(**{"generation_upper" if bank else "generation": self.generation})
        while True:
            await self.take()
            await tables.set_live(self.bench, bank, self.spent)
            status = await ask(self.bench, len(self.taken))
            if status["flip_asked"] or status["bank"] == bank:
                break
            self.refused += 1
        while status["flip_asked"]:
            if status["flip_waits"]:
                await self.take()
                await tables.set_live(self.bench, bank, self.spent)
                await self.bench.set(flip_head=len(self.taken))
                self.mended += 1
            status = await self.bench.status()
        assert status["bank"] == bank
        self.flips += 1
        self.held = max(self.held, await self.bench.get("flip_cycles"))
        self.generations.append((await first_message(self.bench), self.generation))

    def generation_of(self, message: int) -> int:
        return [generation for first, generation in self.generations if first <= message][-1]


def cuts(stream: bytes, rng: random.Random) -> Iterator[bytes]:
    while stream:
        size = rng.choice([1, 20, 60, 200, 700, 1400])
        yield stream[:size]
        stream = stream[size:]


@cocotb.test
@cocotb.parametrize(case=range(8))
async def random_flips(dut, case):
    """Each message is evaluated by exactly one generation, that which flip_seq_num says, and each rule fires once.

    Segments end anywhere, frames are damaged and sent again, and other messages stand between those that fire.
    """
    rng = random.Random(seed() + case)
    tables = [ladder([GOLD], 0), ladder([OIL, GOLD], 1), ladder([OIL, Instrument("NG"), GOLD], 2)]
    bench, exchange = await banked(dut, tables[1], generation=1, hold_ns=2**31)
    daemon = Daemon(bench, tables)
    noise = [
        lambda: exchange.snapshot("CL", [("last", "0")]),
        lambda: exchange.snapshot("GC", [("bid", "1"), ("last", "1500")]),
        lambda: exchange.message("0", []),
        lambda: exchange.snapshot("ZZ", [("last", "1")], pad="t" * rng.randrange(1, 300)),
    ]
    messages: list[bytes] = []
    expected: list[int] = []  # message of each rule's fire
    for number in range(STEPS):
        messages += [rng.choice(noise)() for _ in range(rng.choice([0, 0, 1, 3, 8]))]
        expected.append(exchange.number)
        messages.append(step(exchange, number))
    pace = rng.choice([0, 200, 3000])
    for piece in cuts(b"".join(messages), rng):
        if rng.random() < 0.1:
            frame = exchange.segment(piece, advance=False)
            bench.from_net(frame[:-1] + bytes([frame[-1] ^ 1]))
        bench.from_net(exchange.segment(piece), gap=12 + rng.choice([0, pace]))
    while bench.net.queue:
        await daemon.load()
    await bench.settle(STEPS * 400)
    await daemon.take()
    status = await bench.status()
    assert (status["armed"], status["gap"]) == (1, 0), status
    assert [record["rule"] for record in daemon.taken] == list(range(STEPS))
    assert [record["message"] for record in daemon.taken] == expected
    for record in daemon.taken:
        assert record["generation"] == daemon.generation_of(record["message"]), daemon.generations
    assert await bench.get("count_messages") == len(messages)
    dut._log.info(
        f"{daemon.flips} flips, {daemon.refused} refused, {daemon.mended} mended, held for {daemon.held} cycles at most"
    )
    assert daemon.flips > 0
