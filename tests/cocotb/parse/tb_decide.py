# SPDX-License-Identifier: Apache-2.0
"""Decisions: the interval in which a price lands, among thresholds, and the cycles that it takes to find it."""

import random
from fractions import Fraction

import cocotb
from rx_bench import HIT_CYCLES, RxBench, seed
from rx_messages import message, numbered, snapshot
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, MID, Decision, Instrument, Rule, Tables, some_decided

from fixaccel.latency.cycles import search_cycles

KINDS = {BID: "0", ASK: "1", LAST: "2"}


def steps(number: int, source: int = LAST, instrument: int = 0) -> Decision:
    """So many intervals of two prices, two apart."""
    return Decision(instrument, source, tuple((4 * n, 4 * n + 1) for n in range(number)))


@cocotb.test
async def every_price_once(dut):
    """Each price by itself: the interval's order, or nothing; then it is spent, whatever comes."""
    tables = Tables([Instrument("ES", Fraction(1))], [Rule(0, LAST, LE, -100), steps(5)])
    for price in range(-2, 20):
        bench = await RxBench.start(dut, tables)
        messages = numbered([snapshot("ES", [("2", str(one))]) for one in (price, 99, 0, 8)])
        for one in messages:
            bench.send(one)
        await bench.settle(300)
        bench.expect(Model(tables), messages)
        (taken,) = bench.taken()
        first = price if 0 <= price < 18 and price % 4 < 2 else 0
        assert (taken.observed, taken.order) == (first, Tables.order_of(1, first // 4))
        assert await bench.read_live() == {0}
        assert [(await bench.read_record("fire_count", n))["fires"] for n in range(11)] == [0, 1] + [0] * 9


@cocotb.test
async def behind_thresholds_of_its_source(dut):
    """`<=` of its source comes first, then the decision, then the sources behind it."""
    rules = [steps(3, LAST), Rule(0, LAST, LE, 50), steps(3, BID), Rule(0, BID, LE, 50), Rule(0, ASK, GE, 1)]
    tables = Tables([Instrument("ES", Fraction(1))], rules)
    bench = await RxBench.start(dut, tables)
    messages = [snapshot("ES", [("0", "5"), ("1", "5"), ("2", "9")])]
    bench.send(messages[0])
    await bench.settle(600)
    assert [hit.rule for hit in bench.taken()] == [3, 2, 4, 1, 0]
    bench.expect(Model(tables), messages)


@cocotb.test
async def on_the_mid(dut):
    """In half units, behind the other sources; what is crossed has no mid."""
    rules = [Decision(0, MID, ((7, 7), (10, 10))), Rule(0, MID, LE, -9), Rule(0, LAST, GE, 9), steps(4, BID)]
    tables = Tables([Instrument("ES", Fraction(1))], rules)
    for bid, ask, fires in ((2, 5, [2, 0]), (7, 3, [2]), (3, 7, [2, 0]), (4, 6, [3, 2, 0]), (3, 5, [2])):
        bench = await RxBench.start(dut, tables)
        messages = [snapshot("ES", [("0", str(bid)), ("1", str(ask)), ("2", "9")])]
        bench.send(messages[0])
        await bench.settle(600)
        assert [hit.rule for hit in bench.taken()] == fires
        bench.expect(Model(tables), messages)


async def hit_cycles(bench: RxBench, symbol: str, prices: dict[int, int], number: int) -> int:
    """From the frame's last byte to the hit, of a message that leaves the parser time."""
    before = len(bench.hits)
    entries = [field for source, price in prices.items() for field in ((269, KINDS[source]), (270, str(price)))]
    bench.send(message("W", [(55, symbol), (58, "x" * 30), *entries, (271, "1")], number))
    await bench.settle(250)
    return bench.hits[before].seen - bench.hits[before].frame_end_cycle


@cocotb.test
async def latency(dut):
    """The search adds what `explain` says, whichever price it is, and nothing where no decision is looked up."""
    rng = random.Random(seed())
    room = int(dut.triggers.value) - 8
    for number in (1, 2, 3, 4, 5, 9, 17, 33, room // 2):
        rules = [steps(number), Rule(1, LAST, LE, 0), Rule(1, LAST, LE, 1), Rule(0, BID, LE, 0)]
        tables = Tables([Instrument("ES", Fraction(1)), Instrument("NQ", Fraction(1))], rules)
        bench = await RxBench.start(dut, tables, armed=False)
        seen = set()
        for place in sorted({0, number - 1, *(rng.randrange(number) for _ in range(4))}):
            dut.armed.value = 0
            await bench.write_live({tables.first_trigger[0], tables.first_trigger[3]})
            await bench.open(1000)
            dut.armed.value = 1
            seen.add(await hit_cycles(bench, "ES", {LAST: 4 * place + rng.randrange(2)}, 1))
        assert seen == {HIT_CYCLES + search_cycles(number)}
        # Nothing is looked up: another source, another instrument.
        assert await hit_cycles(bench, "ES", {BID: 0}, 2) == HIT_CYCLES
        dut.armed.value = 0
        await bench.write_live(tables.triggers_of(range(len(rules))))
        await bench.open(1000)
        dut.armed.value = 1
        assert await hit_cycles(bench, "NQ", {LAST: 0}, 1) == HIT_CYCLES


@cocotb.test
async def latency_of_several(dut):
    """One search after the other, whichever of them fires; what is spent is not looked up."""
    tables = Tables([Instrument("ES", Fraction(1))], [steps(2, BID), steps(9, ASK), steps(40, LAST)])
    cycles = [search_cycles(number) for number in (2, 9, 40)]
    for fires in (BID, ASK, LAST):
        bench = await RxBench.start(dut, tables)
        prices = {source: 0 if source == fires else -1 for source in (BID, ASK, LAST)}
        assert await hit_cycles(bench, "ES", prices, 1) == HIT_CYCLES + sum(cycles)
        other = next(source for source in (BID, ASK, LAST) if source != fires)
        left = sum(cycles) - cycles[fires]
        assert (
            await hit_cycles(bench, "ES", {source: 0 if source == other else -1 for source in prices}, 2)
            == HIT_CYCLES + left
        )
        assert [taken.rule for taken in bench.taken()] == [fires, other]


@cocotb.test
async def random_decisions(dut):
    """Decisions and thresholds under a market that moves faster than the orders leave, with bad frames in between."""
    rng = random.Random(seed() + 5)
    landed = 0
    for cycles in (1, 1, 30, 100, 300) * 3:
        instruments = [Instrument(f"S{i}", Fraction(1)) for i in range(rng.choice((1, 3)))]
        drawn = []
        for _ in range(40):
            source, index = rng.choice((BID, ASK, LAST, MID)), rng.randrange(len(instruments))
            drawn.append(Rule(index, source, rng.choice((LE, GE, GE)), rng.randrange(60 if source == MID else 30)))
        rules = some_decided(rng, drawn, 0.7, 30)
        tables = Tables(instruments, rules)
        bench = await RxBench.start(dut, tables)
        rejects = rng.choice((0, rng.getrandbits(32)))
        bench.dut.rejects.value = rejects
        bench.ready = lambda: not bench.hits or bench.value("cycle") - bench.hits[-1].at >= cycles  # noqa: B023
        messages = []
        for _ in range(60):
            kinds = [kind for kind in "012" if rng.random() < 0.6] or ["2"]
            messages.append(
                snapshot(rng.choice(instruments).symbol, [(kind, str(rng.randrange(30))) for kind in kinds])
            )
        messages = numbered(messages)
        bench.send_framed(rng, messages, (0, 40), (0, 0, 40, 300))
        await bench.settle(60 * cycles + 8000)
        model = Model(tables, rejects=rejects)
        bench.expect(model, messages)
        assert await bench.read_live() == model.live
        assert bench.value("synced")
        landed += sum(isinstance(rules[taken.rule], Decision) for taken in bench.taken())
    assert landed > 40, "hardly any decision fired"
