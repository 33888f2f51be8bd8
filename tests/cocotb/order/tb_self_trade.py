# SPDX-License-Identifier: Apache-2.0
"""Orders that would meet one of our own that rests: what the fabric notes itself, and what the host tells it."""

import random

import cocotb
from bench import CAPACITY, Bench, seed
from prepared import new_order
from stubbed import drop_fire, raise_fire, until_taken, verdict
from tb_limits import DIGITS, NAMES, bucket, outcome, ready, rearmed

from fixaccel.semantics.gate import COST

BUY, SELL = 0, 1
NONE = {"order": 0, "valid": 0}
ANY = 10**6  # a market order meets any price


def record(number: int) -> dict[str, int]:
    return {"order": number, "valid": 1}


async def load(bench: Bench, index: int, side: int, rests: bool = True) -> None:
    order = new_order(qty=f"{1:0{DIGITS}}").order_record()
    await bench.write_record("order", index, **order, sell=side, rests=int(rests), template_index=1)


async def best(bench: Bench, instrument: int) -> list[dict[str, int]]:
    return [await bench.read_record("resting", 2 * instrument + side) for side in (BUY, SELL)]


async def loaded(dut, *sides: int) -> Bench:
    """Armed, with orders of these sides that rest once they are sent, from number 0 on. Nothing rests yet."""
    bench = await ready(dut)
    await bench.set(arm=0)
    for index in range(8):
        await bench.write_record("resting", index, **NONE)
    for index, side in enumerate(sides):
        await load(bench, index, side)
    await bench.set(arm=1)
    return bench


@cocotb.test
async def no_order_meets_one_that_rests(dut):
    """Random orders of three instruments; now and then the host says what rests."""
    rng = random.Random(seed())
    bench = await ready(dut)
    await bench.set(arm=0)
    # By price, sells first; market orders to sell come before all, those to buy behind all.
    orders = [(-ANY, SELL, False), (ANY, BUY, False)]
    orders += [(rng.randrange(4), rng.choice([BUY, SELL]), rng.random() < 0.7) for _ in range(CAPACITY["orders"] - 2)]
    orders.sort(key=lambda order: (order[0], -order[1]))
    for index, (_, side, rests) in enumerate(orders):
        await load(bench, index, side, rests)
    await bench.set(arm=1)
    resting: dict[int, list[list[int]]] = {instrument: [[], []] for instrument in range(3)}
    seen = []
    for _ in range(150):
        instrument, index = rng.randrange(3), rng.randrange(len(orders))
        price, side, rests = orders[index]
        buys, sells = resting[instrument]
        meets = any(price <= bid for bid in buys) if side == SELL else any(price >= offer for offer in sells)
        expected = "self_trade" if meets else "sent"
        assert await outcome(bench, order=index, instrument=instrument) == expected, (orders[index], resting)
        seen.append(expected)
        if expected == "sent" and rests:
            resting[instrument][side].append(price)
        if rng.random() < 0.2:
            side = rng.choice([BUY, SELL])
            price = rng.choice([None, rng.randrange(4)])
            met = [
                number
                for number, (at, own, _) in enumerate(orders)
                if own != side and price is not None and (at <= price if side == BUY else at >= price)
            ]
            word = record(met[-1] if side == BUY else met[0]) if met else NONE
            await bench.write_record("resting", 2 * instrument + side, **word)
            assert (await best(bench, instrument))[side] == word, "nothing has fired that it has not seen"
            resting[instrument][side] = [] if price is None else [price]
    assert min(seen.count("sent"), seen.count("self_trade")) > 20
    assert await bench.get("count_rejected_self_trade") == seen.count("self_trade")


@cocotb.test
async def the_host_does_not_lower_what_it_has_not_seen(dut):
    bench = await loaded(dut, SELL, BUY)
    await bench.write_record("resting", 1, **record(0))
    assert await best(bench, 0) == [NONE, record(0)]
    assert await outcome(bench, order=1) == "self_trade"
    await bench.write_record("resting", 1, **NONE)
    head = await bench.get("ring_head")
    await raise_fire(bench, order=0)
    await until_taken(bench)
    await bench.cycles(600)
    await bench.write_record("resting", 1, **NONE)
    assert await best(bench, 0) == [NONE, record(0)], "its record is in the ring"
    assert await bench.get("count_writes_refused") == 0
    await bench.set(ring_tail=head + 1)
    await bench.write_record("resting", 1, **NONE)
    assert await best(bench, 0) == [NONE, NONE]
    drop_fire(bench)


@cocotb.test
async def an_order_and_the_hosts_word_come_at_once(dut):
    """Whichever comes first, the order is noted; what the host has said of the other side stands, or is refused."""
    bench = await loaded(dut, SELL, BUY)
    taken = []
    for delay in range(30):
        for side in (BUY, SELL):
            await bench.write_record("resting", side, **NONE)
            assert (await best(bench, 0))[side] == NONE
        side, word = (SELL, NONE) if delay % 2 else (BUY, record(0))
        await raise_fire(bench, lead=12, order=0)
        await bench.cycles(delay // 2)
        await bench.write_record("resting", side, **word)
        await until_taken(bench)
        buy, sell = await best(bench, 0)
        assert sell == record(0), delay
        assert buy in (NONE, record(0))
        taken.append(buy == record(0))
        await bench.cycles(400)
        await bench.set(ring_tail=await bench.get("ring_head"))
        await verdict(bench, ack=await bench.get("snd_nxt"), window=16000)
    assert {True, False} <= set(taken[::2])


@cocotb.test
async def fires_that_follow_at_once_see_each_other(dut):
    bench = await loaded(dut, SELL, BUY)
    for number in (0, 1, 1):
        await raise_fire(bench, order=number, instrument=3)
        await until_taken(bench)
    await bench.cycles(600)
    outcomes = [NAMES[(await bench.read_record("ring", index))["outcome"]] for index in range(3)]
    assert outcomes == ["sent", "self_trade", "self_trade"]
    drop_fire(bench)


@cocotb.test
async def it_stands_behind_the_collar_and_ahead_of_the_bucket(dut):
    bench = await loaded(dut, SELL, BUY)
    await rearmed(bench, **bucket(1, 5 * COST), orders_left=0)
    await bench.write_record("resting", 1, **record(0))
    hit = {"order": 1, "time_ns": COST}
    assert await outcome(bench, outside=1, **hit) == "collar"
    assert await outcome(bench, **hit) == "self_trade"
    await bench.write_record("resting", 1, **NONE)
    assert await outcome(bench, **hit) == "orders_per_second"


@cocotb.test
async def nothing_is_compared_where_nothing_waits_for_it(dut):
    bench = await loaded(dut, SELL, BUY)
    await bench.write_record("resting", 1, **record(0))
    await rearmed(bench, unlimited_orders=1)
    assert await outcome(bench, order=1) == "sent"


@cocotb.test
async def what_a_dry_run_keeps_back_rests(dut):
    bench = await loaded(dut, SELL, BUY)
    await bench.set(arm=0)
    await bench.set(arm=2)
    assert await outcome(bench, order=0) == "dry"
    assert await outcome(bench, order=1) == "self_trade"
    assert await best(bench, 0) == [NONE, record(0)]
