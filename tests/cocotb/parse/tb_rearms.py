# SPDX-License-Identifier: Apache-2.0
"""Rules that are armed again after a time: the first message of their instrument from then on, whatever waits."""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import cocotb
from rx_bench import HWMAP, RxBench, seed
from rx_messages import message, numbered, snapshot, update
from rx_model import MOST_FIRES, Model
from rx_tables import ASK, BID, GE, LAST, LE, Hit, Instrument, Rule, Tables
from tb_links import random_tables

START_NS, CYCLE_NS = 1_000_000, 8  # of the harness
SLOTS = HWMAP.constant("rearm_slots")
NEVER = 2**64 - 1


@dataclass(frozen=True)
class Slot:
    """A rule that waits, and from when on it is due; or that waits so long behind each of its orders but the last."""

    number: int
    rule: int
    due: int | None = None
    after: int | None = None
    last: int = MOST_FIRES  # the fire count of that order


class Again:
    """Tables of a bench with rules that wait: each has a trigger of no chain, and a list that revives it."""

    def __init__(self, tables: Tables, slots: list[Slot]) -> None:
        self.tables = tables
        self.slots = sorted(slots, key=lambda slot: slot.number)
        self._first_link = len(tables.links)
        for slot in self.slots:
            own = tables.first_trigger[slot.rule]
            tables.links.append({"first": own, "last": own, "arms": 1, "revives": 1, "more": 0})
        for slot in self.slots:
            if slot.after is not None:
                self._have_revived(slot)

    def _have_revived(self, slot: Slot) -> None:
        """The rule's orders revive the slot's trigger, at once: behind what they cancel, ahead of what they arm."""
        links, start = self.tables.links, self.tables.first_link[slot.rule]
        end = next(place for place in range(start, len(links)) if not links[place].get("more"))
        own = links[start : end + 1] if start else []
        wait = {"first": self.trigger(slot), "last": self.trigger(slot), "arms": 0, "revives": 1}
        own = [*[one for one in own if not one["arms"]], wait, *[one for one in own if one["arms"]]]
        self.tables.first_link[slot.rule] = len(links)
        links += [one | {"more": int(place + 1 < len(own))} for place, one in enumerate(own)]
        self.tables.waits.add(slot.rule)

    def order(self, slot: Slot) -> int:
        return self._first_link + [one.number for one in self.slots].index(slot.number)

    def trigger(self, slot: Slot) -> int:
        """Its lowest bits name the slot."""
        return -(-len(self.tables.triggers) // SLOTS) * SLOTS + slot.number

    def instrument(self, slot: Slot) -> int:
        return self.tables.rules[slot.rule].instrument

    async def start(self, dut, rejects: int = 0) -> RxBench:
        bench = await RxBench.start(dut, self.tables, armed=False)
        dut.linked_orders.value = 1
        dut.rejects.value = rejects
        for number in range(SLOTS):
            await bench.write_record("rearm", number, pending=0)
        for slot in self.slots:
            await self.tell(bench, slot)
        dut.armed.value = 1
        await bench.cycles(2)
        return bench

    async def tell(self, bench: RxBench, slot: Slot) -> None:
        await bench.write_record(
            "rearm", slot.number, due=slot.due or 0, instrument=self.instrument(slot), trigger=self.trigger(slot),
            order=self.order(slot), pending=int(slot.due is not None), after=slot.after or 0, last=slot.last,
            again=int(slot.after is not None),
        )  # fmt: skip


class Waiting(Model):
    """The model, with the time of each message and the rules that wait."""

    def __init__(self, again: Again, times: list[int], rejects: int = 0) -> None:
        super().__init__(again.tables, rejects=rejects)
        self.again = again
        self.times = times
        self.due = {slot: slot.due for slot in again.slots if slot.due is not None}
        self.by_orders = 0  # so many waited behind an order

    def observe(self, index: int, texts: dict[int, str | None]) -> list[Hit]:
        hits, now = super().observe(index, texts), self.times[self.messages - 1]
        for hit in hits:
            for slot in self.again.slots:
                own = hit.trigger == self.tables.first_trigger[slot.rule] and slot.after is not None
                if own and not self.rejects >> hit.trigger % 32 & 1:
                    self.live.add(self.again.trigger(slot))
                    if hit.fires != slot.last:
                        self.due[slot] = now + slot.after
                        self.by_orders += 1
        slots = [one for one in self.again.slots if one in self.due]
        for slot in [one for one in slots if self.due[one] <= now and self.again.instrument(one) == index]:
            del self.due[slot]
            trigger = self.again.trigger(slot)
            self.live.discard(trigger)
            hits.append(Hit(trigger, 0, self.again.order(slot), index, 0, 0, 0, self.messages))
            if not self.rejects >> trigger % 32 & 1:
                self.revive({self.tables.first_trigger[slot.rule]})
        return hits


def times_of(bench: RxBench, messages: list[bytes], isn: int = 1001) -> list[int]:
    """When each message came: the end of the good frame that its last byte is in."""
    frames = [one for one in bench.verdicts if one.good and one.is_flow and one.length]
    times, end = [], isn
    for text in messages:
        end += len(text)
        cycle = next(one.end_cycle for one in frames if one.seq < end <= one.seq + one.length)
        times.append(START_NS + CYCLE_NS * cycle)
    return times


def plain(again: Again, hits: list[Hit]) -> list[Hit]:
    """A hit for the time tells only what it is of."""
    own = {again.trigger(slot) for slot in again.slots}
    return [
        replace(hit, rule=0, source=0, observed=0, fires=0, outside=0) if hit.trigger in own else hit for hit in hits
    ]


async def expect(bench: RxBench, again: Again, messages: list[bytes], rejects: int = 0) -> Waiting:
    model = Waiting(again, times_of(bench, messages), rejects)
    wanted = [hit for one in messages for hit in model.message(one)]
    assert plain(again, bench.taken()) == wanted, f"{plain(again, bench.taken())}\n{wanted}"
    for taken in bench.hits:
        assert taken.time_ns == model.times[taken.hit.message - 1]
    assert await bench.read_live() == model.live
    assert await bench.read_live("dormant") == model.dormant
    return model


ONE = Instrument("ES", Fraction(1))
TWO = Instrument("NQ", Fraction(1))


def stop(*slots: Slot, others: tuple[Rule, ...] = ()) -> Again:
    return Again(Tables([ONE, TWO], [Rule(0, LAST, LE, 100), Rule(1, LAST, LE, 100), *others], dead={0}), list(slots))


def last(*prices: tuple[str, int]) -> list[bytes]:
    return numbered([snapshot(symbol, [("2", str(price))]) for symbol, price in prices])


@cocotb.test
async def it_fires_from_the_next_message_on(dut):
    """The message that arms it does not fire it; one of another instrument, or before its time, does nothing."""
    first, watch = 0, SLOTS
    for gap in (0, 12, 400):
        again = stop(Slot(3, first, 0))
        bench = await again.start(dut)
        messages = last(("NQ", 200), ("ES", 90), ("NQ", 200), ("ES", 90), ("ES", 90))
        for one in messages:
            bench.send(one, gap=gap)
        await bench.settle(600)
        assert [hit.trigger for hit in bench.taken()] == [watch + 3, first]
        await expect(bench, again, messages)
    again = stop(Slot(0, first, NEVER))
    bench = await again.start(dut)
    for one in last(("ES", 90), ("ES", 90)):
        bench.send(one)
    await bench.settle(600)
    assert not bench.hits


@cocotb.test
async def in_one_frame(dut):
    """What stands right behind the message that arms fires; it was not screened by what was live before."""
    for number in (2, 3, 8):
        for slots in ([Slot(0, 0, 0)], [Slot(0, 0, 0), Slot(1, 1, 0)]):
            again = stop(*slots)
            bench = await again.start(dut)
            messages = last(*[("ES", 90)] * number)
            bench.send(b"".join(messages))
            await bench.settle(900)
            assert [hit.trigger for hit in bench.taken()] == [SLOTS, 0]
            await expect(bench, again, messages)


@cocotb.test
async def to_the_nanosecond(dut):
    """Due at the message's time it is armed, a nanosecond later it is not."""
    messages = last(("ES", 90), ("ES", 90))
    again = stop(Slot(0, 0, NEVER))
    bench = await again.start(dut)
    for one in messages:
        bench.send(one, gap=300)
    await bench.settle(300)
    first, second = times_of(bench, messages)
    for due, fires in (
        (first, 2),
        (first + 1, 1),
        (second, 1),
        (second + 1, 0),
        (second + 2**32, 0),
        (2**40, 0),
        (1, 2),
    ):
        again = stop(Slot(31, 0, due))
        bench = await again.start(dut)
        for one in messages:
            bench.send(one, gap=300)
        await bench.settle(300)
        # The bench takes the same time to start.
        assert times_of(bench, messages) == [first, second]
        assert len(bench.hits) == fires, due
        await expect(bench, again, messages)


@cocotb.test
async def a_message_that_says_nothing_counts(dut):
    """A deeper level, a text that is no price: no observation, but a message of the instrument."""
    messages = numbered(
        [
            update([[(279, "1"), (269, "0"), (55, "ES"), (270, "5"), (290, "2")]]),
            update([[(279, "0"), (269, "2"), (55, "ES"), (270, "90")]]),
        ]
    )
    again = stop(Slot(0, 0, 0))
    bench = await again.start(dut)
    for one in messages:
        bench.send(one)
    await bench.settle(600)
    assert [hit.trigger for hit in bench.taken()] == [SLOTS, 0]
    await expect(bench, again, messages)


@cocotb.test
async def a_message_that_says_nothing_waits_its_turn(dut):
    """What comes while one of another instrument, for which nothing waits, is looked at again is not passed over."""
    silent = [
        [(279, "1"), (269, "0"), (55, "NQ"), (270, "5"), (290, "2")],
        [(279, "2"), (269, "2"), (55, "NQ"), (270, "90")],
        [(279, "0"), (269, "x"), (55, "NQ"), (270, "90")],
    ]
    fires, waits = 0, 1
    for case in product((0, SLOTS - 1), silent, range(0, 90, 10)):
        number, entry, late = case
        again = Again(Tables([ONE, TWO], [Rule(0, LAST, LE, 100), Rule(1, LAST, LE, 100)]), [Slot(number, waits, 0)])
        bench = await again.start(dut)
        messages = numbered([*last(("ES", 90), ("ES", 200)), update([entry]), *last(("NQ", 200))])
        frame = bench.segment(b"".join(messages))
        taken_from = bench.value("cycle") + len(frame) + late
        bench.ready = lambda: bench.value("cycle") >= taken_from  # noqa: B023
        bench.frame(frame)
        await bench.settle(900)
        assert [(hit.trigger, hit.message) for hit in bench.taken()] == [(fires, 1), (SLOTS + number, 3)], case
        await expect(bench, again, messages)


@cocotb.test
async def a_bad_frame_arms_nothing(dut):
    messages = last(("ES", 90), ("ES", 101))
    again = stop(Slot(0, 0, 0))
    bench = await again.start(dut)
    frame = bench.segment(messages[0])
    bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=400)
    await bench.settle(100)
    assert not bench.hits
    assert 0 not in await bench.read_live()
    bench.frame(frame)
    bench.send(messages[1])
    await bench.settle(600)
    await expect(bench, again, messages)
    assert len(bench.hits) == 1


@cocotb.test
async def told_again_it_waits_again(dut):
    """Once taken it does not hit again until the host says so; half a record says nothing."""
    slot = Slot(7, 0, 0)
    again = stop(slot)
    bench = await again.start(dut)
    messages = last(*[("ES", 101)] * 6)
    bench.send(messages[0])
    bench.send(messages[1])
    await bench.settle(300)
    assert len(bench.hits) == 1
    window = HWMAP.memories["rearm"]
    fields = {"due": 0, "instrument": 0, "trigger": again.trigger(slot), "order": again.order(slot), "pending": 1}
    data = window.record.pack(fields)
    base = window.base + slot.number * window.record.stride_bytes
    for word in range(window.record.words - 1):
        await bench.write(base + 4 * word, int.from_bytes(data[4 * word : 4 * word + 4], "little"))
    bench.send(messages[2])
    await bench.settle(300)
    assert len(bench.hits) == 1
    await again.tell(bench, slot)
    bench.send(messages[3])
    bench.send(messages[4])
    await bench.settle(300)
    assert [hit.message for hit in bench.taken()] == [1, 4]
    await again.tell(bench, slot)
    await bench.write(base, 0)
    bench.send(messages[5])
    await bench.settle(300)
    assert len(bench.hits) == 2, "a write of another word than the last ends it"


@cocotb.test
async def behind_fires_that_wait(dut):
    """Fires wait for the wire. What the revived stop fires on came meanwhile, and so did what is due first."""
    for slots in ((Slot(0, 0, 0),), (Slot(5, 0, 0), Slot(20, 2, 0))):
        again = stop(*slots, others=(Rule(0, BID, LE, 50), Rule(0, ASK, GE, 10)))
        bench = await again.start(dut)
        bench.ready = lambda: False
        messages = numbered(
            [
                snapshot("NQ", [("2", "90")]),
                snapshot("NQ", [("2", "90")]),
                snapshot("ES", [("2", "90")]),
                snapshot("ES", [("2", "200"), ("1", "3")]),
                snapshot("ES", [("2", "90"), ("0", "3")]),
                snapshot("ES", [("0", "3")]),
            ]
        )
        for one in messages:
            bench.send(one, gap=0)
        await bench.settle(3000)
        assert not bench.hits
        bench.ready = lambda: True
        await bench.settle(600)
        await expect(bench, again, messages)
        assert 0 in {hit.trigger for hit in bench.taken()}


@cocotb.test
async def a_burst_finds_room(dut):
    """While a fire waits, messages of an instrument with a rule that waits are parked: more than the queue holds."""
    again = stop(Slot(0, 0, 0), Slot(1, 1, 0))
    bench = await again.start(dut)
    bench.ready = lambda: False
    messages = last(("NQ", 90), *[("NQ", 90)] * 2, *[("ES", 101)] * 50, ("ES", 90))
    for one in messages:
        bench.send(one)
    await bench.settle(400)
    bench.ready = lambda: True
    await bench.settle(6000)
    assert not bench.value("gap")
    await expect(bench, again, messages)


@cocotb.test
async def disarmed_nothing_is_due(dut):
    again = stop(Slot(0, 0, 0))
    bench = await again.start(dut)
    dut.armed.value = 0
    messages = last(*[("ES", 101)] * 2)
    bench.send(messages[0])
    await bench.settle(300)
    assert not bench.hits
    dut.armed.value = 1
    bench.send(messages[1])
    await bench.settle(300)
    assert [hit.message for hit in bench.taken()] == [2]


def random_messages(rng: random.Random, tables: Tables) -> list[bytes]:
    texts = []
    for _ in range(rng.randrange(1, 25)):
        symbols = [one.symbol for one in rng.sample(tables.instruments, rng.randrange(1, len(tables.instruments) + 1))]
        said = [
            (symbol, rng.choice("0012x"), str(rng.randrange(20)))
            for symbol in symbols
            for _ in range(rng.randrange(1, 3))
        ]
        if rng.random() < 0.6:
            texts.append(update([_entry(rng, *one) for one in said]))
        elif rng.random() < 0.9:
            texts.append(snapshot(symbols[0], [(kind, price) for symbol, kind, price in said if symbol == symbols[0]]))
        else:
            texts.append(message("0", []))
    return numbered(texts)


def _entry(rng: random.Random, symbol: str, kind: str, price: str) -> list[tuple[int, str]]:
    deeper = [(290, "2")] if kind in "01" and rng.random() < 0.3 else []
    return [(279, rng.choice("0002")), (269, kind), (55, symbol), (270, price), *deeper]


@cocotb.test
async def random_times(dut):
    """Random rules, links and times under random messages, at line rate and not, with fires taken at once and late."""
    fired = again_fired = 0
    async for model, _ in random_cases(dut, random.Random(seed() + 29), 45, spans=False):
        again = model.again
        fired += len(again.slots) - len(model.due)
        again_fired += any(model.fires[model.tables.first_trigger[slot.rule]] > 1 for slot in again.slots)
    assert fired > 50, "hardly any rule was armed again"
    assert again_fired > 5, "hardly any rule has fired a second time"


async def random_cases(dut, rng: random.Random, count: int, spans: bool):
    """Each played, and what became of it. With ``spans`` rules wait behind their orders, too."""
    for _ in range(count):
        tables = random_tables(rng)
        numbers = rng.sample(range(SLOTS), rng.choice((1, 2, 5, SLOTS)))
        due = lambda: rng.choice((0, NEVER, START_NS + CYCLE_NS * rng.randrange(20_000)))  # noqa: E731
        slots = [Slot(number, rng.randrange(len(tables.rules)), due()) for number in numbers]
        if spans:
            slots = [_behind_orders(rng, slot) if rng.random() < 0.8 else slot for slot in slots]
        again = Again(tables, slots)
        if any(again.trigger(slot) >= 256 for slot in slots):
            continue
        rejects = rng.choice((0, 0, 0, rng.getrandbits(32)))
        bench = await again.start(dut, rejects)
        messages = random_messages(rng, tables)
        stream = b"".join(messages)
        ready = rng.choice((1.0, 0.5, 0.02, 0.004))
        gate = random.Random(rng.getrandbits(32))  # drawn from each cycle: the plan does not hang on how many pass
        bench.ready = lambda: gate.random() < ready  # noqa: B023
        at = 0
        while at < len(stream):
            end = at + rng.choice((rng.randrange(1, 600), rng.randrange(600, 1400)))
            frame = bench.segment(stream[at:end])
            if rng.random() < 0.2:
                bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]), gap=rng.choice((0, 12)))
            bench.frame(frame, gap=rng.choice((0, 12, 300)))
            at = end
        await bench.settle(400)
        bench.ready = lambda: True
        await bench.settle(4000)
        yield await expect(bench, again, messages, rejects), bench


def _behind_orders(rng: random.Random, slot: Slot) -> Slot:
    due = rng.choice((None, None, slot.due))
    return replace(slot, due=due, after=rng.choice((1, 8, 2**32, 8 * rng.randrange(1, 4000))), last=rng.randrange(1, 5))
