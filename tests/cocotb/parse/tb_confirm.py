# SPDX-License-Identifier: Apache-2.0
"""Thresholds that take two observations in a row: what counts as the one before, and the cycles that it costs."""

import random
from fractions import Fraction

import cocotb
from rx_bench import RxBench, seed
from rx_messages import numbered, snapshot, update
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, MID, Decision, Instrument, Rule, Tables, some_decided
from tb_latency import PUSHED, shapes
from tb_stream import damaged

STOP, TARGET = 0, 1
FALLS, RISES = (0, LAST, LE), (0, LAST, GE)
ES = Instrument("ES", Fraction(1), price_min=-1000, price_max=1000)
EXITS = Tables([ES], [Rule(0, LAST, LE, 100), Rule(0, LAST, GE, 110)], confirmed={FALLS, RISES})
GONE = "gone"  # of a price: the level is deleted


def last(price: int | str | None, symbol: str = "ES") -> bytes:
    """An update of the last price, or a snapshot without one."""
    if price is None:
        return snapshot(symbol, [("0", "105")])
    kind = [(279, "2")] if price == GONE else [(279, "0")]
    return update([[*kind, (269, "2"), (55, symbol), (270, "0" if price == GONE else str(price))]])


async def play(dut, messages: list[bytes], tables: Tables = EXITS, gap: int = 60) -> list[int]:
    """Rules that fire, as the model has them too."""
    bench = await RxBench.start(dut, tables)
    texts = numbered(messages)
    for text in texts:
        bench.send(text, gap=gap)
    await bench.settle(400)
    model = Model(tables)
    bench.expect(model, texts)
    assert await bench.read_live() == model.live
    return [hit.rule for hit in bench.taken()]


@cocotb.test
async def twice_in_a_row(dut):
    """The second that is at the threshold fires, equality included; one in between that is not begins anew."""
    for prices, fires in (
        ((100, 100), [STOP]),
        ((100, 99), [STOP]),
        ((99, 101, 100), []),
        ((101, 99, 101, 99, 98), [STOP]),
        ((110, 110), [TARGET]),
        ((111, 109, 110), []),
        ((109, 500, 110), [TARGET]),
        ((100, 110, 100, 110), []),
        ((90,), []),
        ((-1000, -1000, 1000, 1000), [STOP, TARGET]),
    ):
        for gap in (0, 60):
            assert await play(dut, [last(price) for price in prices], gap=gap) == fires, prices


@cocotb.test
async def what_is_no_observation_does_not_count(dut):
    """A snapshot without the source, a deleted level, a price off the unit or out of range: the one before stays."""
    for between in (None, GONE, "100.5", "2000", "-2000", "x"):
        assert await play(dut, [last(100), last(between), last(100)]) == [STOP], between
        assert await play(dut, [last(105), last(between), last(100)]) == [], between
    assert await play(dut, [last(100), last(90, "NQ"), last(100)]) == [STOP], "another instrument"
    assert await play(dut, [snapshot("ES", [("0", "90"), ("1", "90"), ("2", "90")]), last(90)]) == [STOP]
    assert await play(dut, [snapshot("ES", [("0", "90"), ("1", "90")]), last(90)]) == [], "of its own source"


@cocotb.test
async def of_each_source(dut):
    """The observation before is that of the source, whatever the others do."""
    rules = [Rule(0, source, direction, 100) for source in (BID, ASK, LAST) for direction in (LE, GE)]
    for chosen in range(6):
        tables = Tables([ES], rules, confirmed={(0, chosen // 2, chosen % 2)})
        for first, second in ((90, 90), (110, 110), (90, 110), (110, 90)):
            quotes = [snapshot("ES", [(kind, str(price)) for kind in "012"]) for price in (first, second)]
            fires = await play(dut, quotes, tables)
            assert (fires.count(chosen) == 1) == (first == second == (90 if chosen % 2 == LE else 110))


@cocotb.test
async def while_disarmed(dut):
    """What goes by while it is disarmed counts; a gap, and the host's word, forget it."""
    for forgets, fires in ((None, [STOP]), ("known_forget", []), ("gap", [])):
        bench = await RxBench.start(dut, EXITS, armed=False)
        bench.send(*numbered([last(90)]))
        await bench.settle()
        number = 2
        if forgets == "gap":
            bench.seq += 100
            bench.send(last(95))
            await bench.settle()
            assert await bench.resync(bench.seq, number)
        elif forgets:
            getattr(dut, forgets).value = 1
            await bench.cycles(1)
            getattr(dut, forgets).value = 0
        dut.armed.value = 1
        await bench.cycles(40)
        bench.send(*numbered([last(95)], number))
        await bench.settle(200)
        assert [hit.rule for hit in bench.taken()] == fires, forgets
        bench.send(*numbered([last(96)], number + 1))
        await bench.settle(200)
        assert [hit.rule for hit in bench.taken()] == [STOP]


@cocotb.test
async def a_bad_frame_takes_it_back(dut):
    """An observation of a bad frame is none: neither the first of the two nor the second, nor what parts them."""
    for before, bad, after, fires in (
        ([], [90], [90], []),
        ([90], [90], [], []),
        ([90], [90], [105, 90], []),
        ([90], [105], [90], [STOP]),
        ([105], [90, 105, 90, 90], [90], []),
    ):
        bench = await RxBench.start(dut, EXITS)
        texts = numbered([last(price) for price in before])
        for text in texts:
            bench.send(text)
        frame = bench.segment(b"".join(numbered([last(price) for price in bad], len(texts) + 1)), seq=bench.seq)
        bench.frame(damaged(frame, len(frame) - 2, fix_fcs=False), gap=12)
        texts += numbered([last(price) for price in after], len(texts) + 1)
        for text in texts[len(before) :]:
            bench.send(text)
        await bench.settle(400)
        bench.expect(Model(EXITS), texts)
        assert [hit.rule for hit in bench.taken()] == fires


@cocotb.test
async def behind_fires_that_wait(dut):
    """Each parked message keeps the observation that was before it; none is dropped for one that has gone ahead."""
    rules = [Rule(0, LAST, LE, 200), Rule(0, LAST, LE, 199), Rule(0, LAST, LE, 150), Rule(0, LAST, GE, 300)]
    for groups in ([], [{0, 2}], [{0, 1, 2, 3}]):
        tables = Tables([ES], rules, groups=groups, confirmed={FALLS, RISES})
        for prices in (
            (250, 200, 200, 140, 190, 150, 150),
            (140, 300, 140, 300, 140, 140),
            (199, 140, 199, 140, 140, 310, 310),
            (200, 200, 199, 199, 200, 150),
        ):
            texts = numbered([last(price) for price in prices])
            bench = await RxBench.start(dut, tables)
            bench.ready = lambda: bench.value("cycle") % 900 == 0  # noqa: B023
            for text in texts:
                bench.send(text)
            await bench.settle(6000)
            model = Model(tables)
            bench.expect(model, texts)
            assert await bench.read_live() == model.live


@cocotb.test
async def beside_others(dut):
    """In the order of chains: `<=` without, `>=` with, behind it the sources that follow; a decision comes last."""
    rules = [
        Rule(0, BID, LE, 100), Rule(0, BID, GE, 50), Decision(0, LAST, ((60, 70), (90, 95))), Rule(0, LAST, LE, 100),
        Rule(0, ASK, GE, 10),
    ]  # fmt: skip
    tables = Tables([ES], rules, confirmed={(0, BID, GE), (0, LAST, LE)})
    quote = snapshot("ES", [("0", "80"), ("1", "5"), ("2", "80")])
    hit = snapshot("ES", [("0", "80"), ("1", "20"), ("2", "92")])
    assert await play(dut, [quote, hit], tables) == [0, 1, 4, 3, 2]


@cocotb.test
async def cycles(dut):
    """Nothing where the chains stand; three more where they are waited for, for all rules of their instrument."""
    waited = 0
    for shape, name in enumerate(PUSHED):
        seen = {}
        for other in ((), (snapshot("NQ", [("2", "5")]),)):  # whose chains stand when the message comes
            for confirmed in (frozenset(), frozenset({FALLS}), frozenset({(0, BID, GE)})):
                rules = [Rule(0, LAST, LE, 100), Rule(0, BID, GE, 900), Rule(1, LAST, LE, 0)]
                tables = Tables([ES, Instrument("NQ", Fraction(1))], rules, confirmed=set(confirmed))
                bench = await RxBench.start(dut, tables)
                ahead = snapshot("ES", [("2", "100" if FALLS in confirmed else "500")])
                for text in numbered([ahead, *other, list(shapes("ES", "2", "100"))[shape][1]]):
                    bench.send(text)
                    await bench.settle(150)
                (taken,) = bench.hits
                seen.setdefault(len(other), []).append(taken.seen - taken.frame_end_cycle)
        dut._log.info("%-48s %s with its chains, %s with others", name, *seen.values())
        stood, (without, *confirming) = seen.values()
        assert set(stood) == {stood[0]}, name
        assert set(confirming) <= ({without + 3} if without > stood[0] else {without, without + 3}), name
        waited += without > stood[0]
    assert waited > 2


@cocotb.test
async def of_many(dut):
    """Chains with and without, decisions and mids beside them, in a market that moves faster than the orders leave."""
    rng = random.Random(seed() + 11)
    confirmed_fires = 0
    for slow in (1, 1, 30, 100, 300) * 2:
        instruments = [Instrument(f"S{i}", Fraction(1)) for i in range(rng.choice((1, 3)))]
        drawn = []
        for _ in range(40):
            source, index = rng.choice((BID, ASK, LAST, LAST, MID)), rng.randrange(len(instruments))
            drawn.append(Rule(index, source, rng.choice((LE, GE)), rng.randrange(60 if source == MID else 30)))
        rules = some_decided(rng, drawn, 0.3, 30)
        groups = [set(rng.sample(range(len(rules)), 3))] if rng.random() < 0.5 else []
        chains = {(rule.instrument, rule.source, rule.direction) for rule in rules if isinstance(rule, Rule)}
        confirmed = {chain for chain in sorted(chains) if chain[1] != MID and rng.random() < 0.6}
        confirmed -= {(rule.instrument, rule.source, GE) for rule in rules if isinstance(rule, Decision)}
        tables = Tables(instruments, rules, groups=groups, confirmed=confirmed)
        bench = await RxBench.start(dut, tables)
        rejects = rng.choice((0, rng.getrandbits(32)))
        dut.rejects.value = rejects
        bench.ready = lambda: not bench.hits or bench.value("cycle") - bench.hits[-1].at >= slow  # noqa: B023
        texts = []
        for _ in range(80):
            kinds = [kind for kind in "012" if rng.random() < 0.6] or ["2"]
            texts.append(snapshot(rng.choice(instruments).symbol, [(kind, str(rng.randrange(30))) for kind in kinds]))
        texts = numbered(texts)
        bench.send_framed(rng, texts, (0, 40), (0, 0, 40, 300))
        await bench.settle(60 * slow + 8000)
        model = Model(tables, rejects=rejects)
        bench.expect(model, texts)
        assert await bench.read_live() == model.live
        assert bench.value("synced")
        confirmed_fires += sum(
            (hit.instrument, hit.source, rules[hit.rule].direction) in confirmed for hit in bench.taken()
        )
    assert confirmed_fires > 40, "hardly any of them fired"
