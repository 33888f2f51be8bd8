# SPDX-License-Identifier: Apache-2.0
"""Limits that a fire is judged by: what its order is worth, and what orders before it have left."""

import random

import cocotb
from bench import ANY_NUMBER, ANY_QUANTITY, CONST, Bench, seed
from prepared import new_order
from stubbed import armed, drop_fire, fire, raise_fire, until_taken, verdict

from fixaccel.language.rules import Limits
from fixaccel.semantics.gate import COST, Scope

NAMES = {value: name.removeprefix("outcome_") for name, value in CONST.items() if name.startswith("outcome_")}
DIGITS = CONST["qty_text_chars"]
BUCKET = ("order_rate", "order_gap_ns", "order_gap_part", "bucket_full_lo", "bucket_full_hi", "bucket_full_part")


async def outcome(bench: Bench, **hit: int) -> str:
    """Fires, drains the ring, acknowledges what was sent."""
    head = await bench.get("ring_head")
    await fire(bench, **hit)
    await bench.cycles(400)
    record = await bench.read_record("ring", head % CONST["ring_entries"])
    assert record["entry"] == head + 1
    await bench.set(ring_tail=head + 1)
    await verdict(bench, ack=await bench.get("snd_nxt"), window=16000)
    return NAMES[record["outcome"]]


async def sent(bench: Bench, count: int, **hit: int) -> list[str]:
    return [await outcome(bench, **hit) for _ in range(count)]


async def load(bench: Bench, index: int, *, bound: int | None = None, qty: int = 1, sell: int = 0) -> None:
    """An order record, which says of a market order what it may be worth."""
    order = new_order(qty=f"{qty:0{DIGITS}}", **({} if bound is None else {"price": ""}))
    record = order.order_record()
    if bound is not None:
        record["price"] = CONST["char_bound"] << 60 | bound
    await bench.write_record("order", index, **record, sell=sell, template_index=1 if bound is None else 2)


async def ready(dut) -> Bench:
    """Armed, with templates for the orders of `load`: limit and market."""
    bench = await armed(dut, unlimited_orders=0)
    await bench.set(arm=0)
    await bench.load_template(1, new_order(qty="1" * DIGITS))
    await bench.load_template(2, new_order(qty="1" * DIGITS, price=""))
    await bench.set(arm=1)
    return bench


async def rearmed(bench: Bench, **settings: int) -> None:
    """Writes what is taken only while disarmed."""
    await bench.set(arm=0, **settings)
    await bench.set(arm=1)


def bcd(number: int) -> int:
    return int(str(number), 16)


def bucket(rate: int, full_ns: int = 0, part: int = 0) -> dict[str, int]:
    values = (rate, *divmod(COST, rate), full_ns % 2**32, full_ns >> 32, part)
    return dict(zip(BUCKET, values, strict=True))


@cocotb.test
async def nothing_leaves_before_a_load_has_said_how_much(dut):
    bench = await ready(dut)
    await rearmed(bench, orders_left=0)
    assert await outcome(bench) == "total_orders"
    await bench.set(arm=0)
    await bench.write_record("quantity_left", 3, buy=0, sell=0)
    await bench.set(orders_left=ANY_NUMBER, arm=1)
    assert await outcome(bench, instrument=3) == "total_qty"
    assert await outcome(bench, instrument=2) == "sent"
    assert await bench.get("orders_left") == ANY_NUMBER
    dut.rst.value = 1
    await bench.cycles(3)
    dut.rst.value = 0
    await bench.cycles(3)
    assert await bench.get("orders_left") == 0


@cocotb.test
async def a_market_order_is_worth_at_most_its_bound(dut):
    rng = random.Random(seed())
    bench = await ready(dut)
    await bench.set(arm=0)
    bounds = [0, 1, 7, 2**48, 2**49 - 1, *(rng.randrange(2**48) for _ in range(3))]
    for index, bound in enumerate(bounds, start=1):
        await load(bench, index, bound=bound)
    await bench.set(arm=1)
    for index, bound in enumerate(bounds, start=1):
        for source in (CONST["source_last"], CONST["source_mid"]):
            most = min(bound if source == CONST["source_mid"] else bound // 2, 2**47 - 1)
            for observed in (most, -most, most + 1, -most - 1, -(2**47)):
                if observed == 2**47:
                    continue
                doubled = abs(observed) * (1 if source == CONST["source_mid"] else 2)
                expected = "sent" if doubled <= bound else "order_notional"
                assert await outcome(bench, order=index, source=source, observed=observed) == expected, (
                    bound,
                    observed,
                )
    assert await outcome(bench, observed=-(2**47)) == "sent", "a price that is no bound"
    assert await bench.get("count_rejected_order_notional") > 10


@cocotb.test
async def nothing_is_compared_where_nothing_waits_for_it(dut):
    """What was compared last, of another instrument, says nothing of a fire that is taken two cycles behind its hit."""
    bench = await ready(dut)
    await bench.set(arm=0)
    await bench.write_record("quantity_left", 1, buy=0, sell=0)
    await bench.set(unlimited_orders=1, arm=1)
    for instrument in (1, 2, 1, 3):
        assert await outcome(bench, lead=0, instrument=instrument) == "sent"


@cocotb.test
async def orders_count_down(dut):
    bench = await ready(dut)
    await rearmed(bench, orders_left=3)
    await bench.set(orders_left=9)
    assert await bench.get("orders_left") == 3, "not while armed"
    assert await sent(bench, 1) == ["sent"]
    await bench.set(kill=1)
    assert await sent(bench, 2) == ["kill"] * 2
    await bench.set(kill=0)
    assert await bench.get("orders_left") == 2, "what was rejected does not count"
    await bench.set(arm=0)
    await bench.set(arm=1)
    assert await sent(bench, 3) == ["sent", "sent", "total_orders"]
    assert await bench.get("orders_left") == 0
    assert await bench.get("count_rejected_total_orders") == 1


@cocotb.test
async def quantities_count_down_by_instrument_and_side(dut):
    rng = random.Random(seed())
    bench = await ready(dut)
    await bench.set(arm=0)
    orders = [(rng.choice([rng.randrange(1, 10**k) for k in range(1, 10)]), rng.randrange(2)) for _ in range(40)]
    orders += [(10**9, 0), (10**9, 1), (9_999_999_999, 0)]
    left: dict[tuple[int, int], int | None] = {}
    for instrument in range(4):
        for sell in range(2):
            left[instrument, sell] = rng.choice([None, rng.randrange(10 ** rng.randrange(1, 10)), 10**9 - 1])
    left[0, 0], left[0, 1] = None, 10**9 - 1
    for index, (qty, sell) in enumerate(orders):
        await load(bench, index, qty=qty, sell=sell)
    for instrument in range(4):
        sides = {side: left[instrument, sell] for sell, side in enumerate(("buy", "sell"))}
        record = {side: ANY_QUANTITY[side] if most is None else bcd(most) for side, most in sides.items()}
        await bench.write_record("quantity_left", instrument, **record)
    await bench.set(arm=1)
    seen = set()
    for _ in range(120):
        index, instrument = rng.randrange(len(orders)), rng.randrange(4)
        qty, sell = orders[index]
        most = left[instrument, sell]
        expected = "sent" if most is None or qty <= most else "total_qty"
        assert await outcome(bench, order=index, instrument=instrument) == expected, (qty, most)
        if expected == "sent" and most is not None:
            left[instrument, sell] = most - qty
        seen.add((expected, most is None, qty >= 10**9))
        record = await bench.read_record("quantity_left", instrument)
        now = left[instrument, sell]
        side = ("buy", "sell")[sell]
        assert record[side] == (ANY_QUANTITY[side] if now is None else bcd(now))
    assert {("sent", True, True), ("total_qty", False, True), ("sent", False, False)} <= seen


@cocotb.test
async def the_bucket_is_that_of_the_reference(dut):
    """Any rate, times that stand still, go back, and come by single nanoseconds around the next order's."""
    rng = random.Random(seed())
    bench = await ready(dut)
    seen = []
    for rate in (1, 2, 3, 7, 999_999, 1_000_000, *(rng.randrange(1, 10 ** rng.randrange(2, 7)) for _ in range(5))):
        await rearmed(bench, **bucket(rate))
        gate = Scope()
        gate.load(Limits(orders_per_second=rate))
        now = rng.choice([0, 1_700_000_000 * COST + rng.randrange(COST)])
        if rate > 20:  # as good as empty, by a run of orders that nobody waits for
            gate.advance(now)
            left = rng.randrange(3) * COST + rng.randrange(COST)
            gate._credits = left
            full_ns, part = divmod(rate * now + rate * COST - left, rate)
            await rearmed(bench, **bucket(rate, full_ns, part))
        for _ in range(14):
            short = -(-(COST - gate._credits) // rate) if gate._credits < COST else 0
            gap = rng.choice([0, 1, short, short, max(short - 1, 0), rng.randrange(2 * COST // rate + 2), COST])
            now += gap
            gate.advance(now)
            expected = "sent" if gate._credits >= COST else "orders_per_second"
            assert await outcome(bench, time_ns=now) == expected, (rate, now, gate._credits)
            # The clock was set back: the message counts as the one before it.
            back = rng.choice([1, rng.randrange(min(now, 10**7) + 1)])
            if rng.random() < 0.3 and gate._credits - (expected == "sent") * COST < COST:
                assert await outcome(bench, time_ns=max(now - back, 0)) == "orders_per_second"
            elif rng.random() < 0.3 and gate._credits - (expected == "sent") * COST >= COST:
                assert await outcome(bench, time_ns=max(now - back, 0)) == "sent"
                gate._credits -= COST
            if expected == "sent":
                gate._credits -= COST
            seen.append(expected)
            full = await bench.get("bucket_full_lo") | await bench.get("bucket_full_hi") << 32
            part = await bench.get("bucket_full_part")
            kept = rate * COST - max(rate * full + part - rate * now, 0)
            assert kept == gate._credits, (rate, now)
    assert min(seen.count(name) for name in set(seen)) > 10
    await rearmed(bench, **bucket(2, 5))
    await bench.set(bucket_full_lo=0, bucket_full_hi=7, bucket_full_part=3)
    assert [await bench.get(name) for name in BUCKET[3:]] == [5, 0, 0], "not while armed"


@cocotb.test
async def fires_that_follow_at_once_see_each_other(dut):
    bench = await ready(dut)
    await bench.set(arm=0)
    await load(bench, 0, qty=60)
    await bench.write_record("quantity_left", 0, buy=bcd(100), sell=0)
    await bench.set(**bucket(2), orders_left=ANY_NUMBER, arm=1)
    for at in range(3):
        await raise_fire(bench, time_ns=COST, instrument=at % 2)
        await until_taken(bench)
    await raise_fire(bench, time_ns=2 * COST, instrument=0)
    await until_taken(bench)
    await bench.cycles(600)
    outcomes = [NAMES[(await bench.read_record("ring", index))["outcome"]] for index in range(4)]
    assert outcomes == ["sent", "sent", "orders_per_second", "total_qty"]
    drop_fire(bench)


@cocotb.test
async def the_first_reason_is_named(dut):
    bench = await ready(dut)
    await bench.set(arm=0)
    await load(bench, 0, bound=9)
    await bench.write_record("quantity_left", 0, buy=0, sell=0)
    await bench.set(**bucket(1, 5 * COST), orders_left=0, arm=1)
    await bench.set(kill=1)
    hit = {"observed": 5, "time_ns": COST}
    assert await outcome(bench, **hit) == "kill"
    await bench.set(kill=0)
    assert await outcome(bench, exhausted=1, **hit) == "exhausted"
    assert await outcome(bench, **hit) == "order_notional"
    hit["observed"] = -4
    assert await outcome(bench, **hit) == "orders_per_second"
    hit["time_ns"] = 5 * COST
    assert await outcome(bench, **hit) == "total_orders"
    await rearmed(bench, orders_left=1)
    assert await outcome(bench, **hit) == "total_qty"
    await bench.set(arm=0)
    await bench.write_record("quantity_left", 0, buy=bcd(1), sell=0)
    await bench.set(arm=1)
    assert await outcome(bench, **hit) == "sent"


@cocotb.test
async def a_dry_run_counts(dut):
    """Orders that a dry run keeps back take from the limits as if they had left: of each side's quantity its own."""
    bench = await ready(dut)
    await bench.set(arm=0, orders_left=5)
    await load(bench, 1, qty=3)
    await load(bench, 2, qty=5, sell=1)
    await bench.write_record("quantity_left", 3, buy=bcd(7), sell=bcd(12))
    await bench.set(arm=2)
    before = len(bench.net_tx.frames)
    assert await sent(bench, 3, order=1, instrument=3) == ["dry", "dry", "total_qty"]
    assert await sent(bench, 3, order=2, instrument=3) == ["dry", "dry", "total_qty"]
    assert await bench.read_record("quantity_left", 3) == {"buy": bcd(1), "sell": bcd(2)}
    assert await bench.get("orders_left") == 1
    assert len(bench.net_tx.frames) == before
