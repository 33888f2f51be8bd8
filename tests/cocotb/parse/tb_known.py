# SPDX-License-Identifier: Apache-2.0
"""What is known of instruments: messages change it, bad frames take it back, gaps forget it."""

import random
from fractions import Fraction

import cocotb
from rx_bench import RxBench, seed
from rx_messages import message, numbered, snapshot, update
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, MID, Hit, Instrument, Rule, Tables
from tb_latency import PUSHED, shapes
from tb_stream import damaged

KINDS = {BID: "0", ASK: "1", LAST: "2"}
INSTRUMENTS = [Instrument(f"I{i}", price_min=-400, price_max=400) for i in range(6)]


def share(basis_points: int | None) -> int:
    """The collar's register."""
    return 0 if basis_points is None else -(-basis_points * 2**62 // 10_000)


def prices(rng: random.Random) -> str:
    """Mostly within a few units of each other, some negative, some beyond the range or off the unit."""
    units = rng.choice((rng.randint(-12, 12), rng.randint(90, 110), rng.randint(90, 110), rng.randint(-500, 500)))
    return f"{units / 100:.2f}" + rng.choice(("", "", "", "0", "1"))


def some_snapshot(rng: random.Random, symbol: str, number: int) -> bytes:
    """Of some sources, some with unknown ones among them, some without any entry, some late with their symbol."""
    kinds = [kind for kind in ("0", "1", "2", "4") if rng.random() < 0.6]
    rng.shuffle(kinds)
    entries = [field for kind in kinds for field in ((269, kind), (270, prices(rng)), (271, "1"))]
    fields = [(55, symbol), (268, str(len(kinds))), *entries]
    if rng.random() < 0.3:
        fields = [*fields[1:], fields[0]]
    return message("W", fields, number)


def some_update(rng: random.Random, number: int) -> bytes:
    """Of some instruments: new prices, deletions, deeper levels, entries without a price."""
    entries = []
    for one in rng.sample(INSTRUMENTS, rng.choice((1, 1, 2, 4))):
        for _ in range(rng.choice((1, 1, 2, 3))):
            entry = [(279, rng.choice("0012")), (269, rng.choice("0012")), (55, one.symbol)]
            entry += [(270, prices(rng))] if rng.random() < 0.9 else []
            entry += [(290, rng.choice("1123"))] if rng.random() < 0.3 else []
            entries.append([*entry, (271, "100"), (1023, "1")])
    return update(entries, number)


def some_message(rng: random.Random, number: int) -> bytes:
    if rng.random() < 0.4:
        return some_update(rng, number)
    return some_snapshot(rng, rng.choice(INSTRUMENTS).symbol, number)


def tables_for(rng: random.Random) -> Tables:
    rules = [
        Rule(
            index,
            source,
            direction,
            rng.randint(-20, 120) * (1 + (source == MID)) + (source == MID) * rng.randint(0, 1),
        )
        for index in range(len(INSTRUMENTS))
        for source in (*KINDS, MID)
        for direction in (LE, GE)
        for _ in range(5)
    ]
    rng.shuffle(rules)
    children = {rule: {rule + 1} for rule in rng.sample(range(0, len(rules) - 1, 2), 8)}
    chains = [
        (index, source, direction) for index in range(len(INSTRUMENTS)) for source in KINDS for direction in (LE, GE)
    ]
    confirmed = set(rng.sample(chains, rng.choice((0, 6, 18))))
    return Tables(INSTRUMENTS, rules[:200], children=children, confirmed=confirmed)


class Session:
    """The stream of one bench with its model, message by message."""

    def __init__(self, bench: RxBench, model: Model, rng: random.Random) -> None:
        self.bench, self.model, self.rng = bench, model, rng
        self.number = 1
        self.wanted: list[Hit] = []

    def messages(self, count: int) -> list[bytes]:
        return [some_message(self.rng, self.number + k) for k in range(count)]

    def send(self, texts: list[bytes]) -> None:
        """In one segment, or cut in two."""
        stream = b"".join(texts)
        cut = self.rng.randrange(1, len(stream)) if self.rng.random() < 0.3 else 0
        for part in (stream[:cut], stream[cut:]):
            if part:
                self.bench.send(part, gap=self.rng.choice((12, 12, 12, 200)))
        for text in texts:
            self.wanted += self.model.message(text)
        self.number += len(texts)

    def send_bad(self, texts: list[bytes]) -> None:
        """A frame with a wrong FCS: what is in it counts for nothing, whether the same comes again or not."""
        frame = self.bench.segment(b"".join(texts), seq=self.bench.seq)
        self.bench.frame(damaged(frame, len(frame) - 2, fix_fcs=False), gap=self.rng.choice((12, 12, 400)))

    async def drain(self) -> None:
        await self.bench.settle(100)
        for _ in range(400):
            if len(self.bench.hits) >= len(self.wanted):
                break
            await self.bench.cycles(500)
        await self.bench.cycles(500)

    async def disarmed(self) -> None:
        """What goes by while it is disarmed is known when it is armed again, unless it was told to forget."""
        await self.drain()
        self.bench.dut.armed.value = 0
        self.model.armed = False
        await self.bench.cycles(5)
        self.send(self.messages(3))
        await self.bench.settle(60)
        if self.rng.random() < 0.3:
            self.bench.dut.known_forget.value = 1
            await self.bench.cycles(1)
            self.bench.dut.known_forget.value = 0
            self.model.forget()
            self.send(self.messages(1))
            await self.bench.settle(60)
        self.bench.dut.armed.value = 1
        self.model.armed = True
        await self.bench.cycles(5)

    async def lost(self) -> None:
        """A message is lost, and the one behind it: all is unknown then, but not to what waits to be fired on."""
        bench, rng = self.bench, self.rng
        bench.seq += 100
        bench.send(some_message(rng, self.number))
        await bench.settle(rng.choice((60, 60, 3000)))
        assert bench.value("gap")
        assert await bench.resync(bench.seq, self.number)
        self.model.forget()
        self.model.messages = 0

    def check(self) -> None:
        for got, want in zip(self.bench.taken(), self.wanted, strict=False):
            assert got == want, f"collar {self.model.collar}: taken {got}, expected {want}"
        assert len(self.bench.hits) == len(self.wanted), (
            f"{len(self.bench.hits)} of {len(self.wanted)}, {self.bench.counts()}"
        )


@cocotb.test
async def as_the_model(dut):
    """Random messages in random frames, some of them bad, with orders that leave at once or slowly; gaps between."""
    rng = random.Random(seed())
    outside = mids = bad = gaps = 0
    for collar in (None, 1, 333, 2000, 2000, 10_000):
        tables = tables_for(rng)
        bench = await RxBench.start(dut, tables)
        dut.collar.value = share(collar)
        slowness = rng.choice((0.0, 0.9, 0.98))
        bench.ready = lambda slowness=slowness: rng.random() >= slowness
        session = Session(bench, Model(tables, collar=collar), rng)
        dut.rejects.value = session.model.rejects = rng.getrandbits(32)
        for _ in range(120):
            texts = session.messages(rng.choice((1, 1, 2, 4)))
            if rng.random() < 0.25:
                session.send_bad(texts if rng.random() < 0.3 else session.messages(rng.choice((1, 3, 6))))
                bad += 1
            session.send(texts)
            chance = rng.random()
            if chance < 0.03:
                await session.disarmed()
            elif chance < 0.07:
                await session.lost()
                gaps += 1
        await session.drain()
        session.check()
        found = sum(hit.outside for hit in session.wanted)
        dut._log.info("collar %s: %d hits, %d outside", collar, len(session.wanted), found)
        outside += found
        mids += sum(hit.source == MID for hit in session.wanted)
    dut._log.info("%d bad frames, %d gaps", bad, gaps)
    assert outside > 20
    assert mids > 50
    assert bad > 50
    assert gaps > 3


@cocotb.test
async def a_gap_behind_what_waits(dut):
    """Messages that wait in the queue while the stream is lost and found again are judged by what was known before."""
    count = 50  # more than are parked
    rules = [Rule(0, BID, LE, 200 - k) for k in range(count + 10)]
    tables = Tables([Instrument("ES")], rules)
    bench = await RxBench.start(dut, tables)
    dut.collar.value = share(10_000)
    bench.ready = lambda: False
    session = Session(bench, Model(tables, collar=10_000), random.Random(seed()))
    falling = [
        update([[(279, "0"), (269, "0"), (55, "ES"), (270, f"{(200 - k) / 100:.2f}")]], 2 + k) for k in range(count)
    ]
    for text in [snapshot("ES", [("2", "2.00")]), *falling]:
        session.send([text])
    await bench.settle(600)
    await session.lost()
    behind = [update([[(279, "0"), (269, kind), (55, "ES"), (270, "1.45")]]) for kind in "002020"]
    for text in numbered(behind, session.number):
        session.send([text])
    await bench.settle(600)
    bench.ready = lambda: True
    await session.drain()
    session.check()
    fired = [hit.message for hit in session.wanted]
    assert len(fired) == count + 6
    assert fired[-6:] == [4] * 6, "the fourth behind the gap is the first with a reference"


@cocotb.test
async def boundary(dut):
    """Exactly as far as the collar reaches, and a unit beyond: for the largest prices too, on both sides of zero."""
    rng = random.Random(seed())
    most = 2**47 - 1
    many = [Instrument(f"I{i}", unit=Fraction(1, 10**5), price_min=-most, price_max=most) for i in range(8)]
    tables = Tables(many, [Rule(i, BID, LE, most) for i in range(8)])

    def text_of(units: int) -> str:
        return f"{'-' * (units < 0)}{abs(units) // 10**5}.{abs(units) % 10**5:05d}"

    for reference in (1, 3, 9_999, 10_000, most // 2, *(rng.randrange(2**45, 2**46) for _ in range(6))):
        basis_points = rng.choice((1, 7, 500, 3333, 9_999, 10_000))
        middle, reach = rng.choice((1, -1)) * reference, reference * basis_points // 10_000
        texts = []
        for i, one in enumerate(many):
            first = [("0", middle - 1), ("1", middle + 1)] if i % 2 else [("2", middle)]
            units = (middle + reach, middle + reach + 1, middle - reach, middle - reach - 1)[i // 2]
            texts.append(snapshot(one.symbol, [(kind, text_of(price)) for kind, price in first]))
            quote = [(279, "0"), (269, "0"), (55, one.symbol), (270, text_of(units)), (271, "1")]
            texts.append(update([quote]))
        texts = numbered(texts)
        bench = await RxBench.start(dut, tables)
        dut.collar.value = share(basis_points)
        for text in texts:
            bench.send(text)
        await bench.settle(200)
        bench.expect(Model(tables, collar=basis_points), texts)
        assert [taken.hit.outside for taken in bench.hits] == [0, 0, 1, 1, 0, 0, 1, 1]


@cocotb.test
async def costs_nothing(dut):
    """With a collar a hit stands in the same cycle as without one, whatever the shape of the message."""
    rules = [Rule(index, source, LE, 1000) for index in range(2) for source in KINDS]
    for shape, name in enumerate(PUSHED):
        seen: dict[int, list[int]] = {}  # by collar
        for collar in (0, share(10_000)):
            bench = await RxBench.start(dut, Tables([Instrument("A"), Instrument("LONGSYMBOL12")], rules))
            dut.collar.value = collar
            number = 1
            for index, symbol in enumerate(("A", "LONGSYMBOL12")):
                for kind in KINDS.values():
                    for other in ("A", "LONGSYMBOL12"):
                        bench.send(snapshot(other, [("0", "15"), ("1", "15.5"), ("2", "15.25")], number=number))
                        number += 1
                    text = list(shapes(symbol, kind, "10.00"))[shape][1]
                    bench.send(*numbered([text], number))
                    number += 1
                    count = len(bench.hits)
                    await bench.settle(150)
                    taken = bench.hits[count]
                    assert taken.hit.instrument == index
                    seen.setdefault(collar, []).append(taken.seen - taken.frame_end_cycle)
        without, with_collar = seen.values()
        assert without == with_collar, name


@cocotb.test
async def the_mid_costs_nothing(dut):
    """A hit on the mid stands in the same cycle as one on its side; two later where the symbol comes last."""
    instrument = Instrument("ES")
    for shape, name in enumerate(PUSHED):
        if name.startswith("W"):  # which says both sides, or has no mid
            continue
        cycles = {}
        for source, threshold in ((BID, 1000), (MID, 4000)):
            bench = await RxBench.start(dut, Tables([instrument], [Rule(0, source, LE, threshold)]))
            bench.send(snapshot("ES", [("0", "10.01"), ("1", "30.00")]))
            bench.send(*numbered([list(shapes("ES", "0", "10.00"))[shape][1]], 2))
            await bench.settle(150)
            (taken,) = bench.hits
            assert taken.hit.source == source
            cycles[source] = taken.seen - taken.frame_end_cycle
        dut._log.info("%-48s bid %d, mid %d", name, cycles[BID], cycles[MID])
        assert cycles[MID] - cycles[BID] in ((0, 2) if "last" in name else (0,)), name
