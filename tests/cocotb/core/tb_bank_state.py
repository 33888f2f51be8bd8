# SPDX-License-Identifier: Apache-2.0
"""What the fabric keeps of instruments, over a flip from one bank of tables to the other."""

import cocotb
from bench import ANY_QUANTITY, CAPACITY, CONST, HWMAP, Bench
from frames import fix_fields, parse
from prepared import new_order

from market import Exchange, Instrument, Rule, Tables, trading

GOLD, OIL = Instrument("GC"), Instrument("CL")
UPPER = 1
SENT, TOO_MUCH, COLLAR = (CONST[f"outcome_{name}"] for name in ("sent", "total_qty", "collar"))


def in_upper(memory: str, index: int) -> int:
    return HWMAP.depth(memory, CAPACITY) // 2 + index


async def banked(dut, lower: Tables, upper: Tables, **settings: int) -> tuple[Bench, Exchange]:
    """Armed with ``lower``, ``upper`` in the other bank."""
    bench, exchange = await trading(dut, lower, banked=True, generation_upper=9, max_unacked=2**31, **settings)
    await upper.load(bench, UPPER)
    return bench, exchange


async def flip(bench: Bench) -> None:
    await bench.set(flip_head=await bench.get("ring_head"), flip=1)
    assert (await bench.status())["bank"] == UPPER


async def fires(bench: Bench) -> list[tuple[int, int, int]]:
    """Rule, order and outcome of each."""
    records = [await bench.read_record("ring", index) for index in range(await bench.get("ring_head"))]
    return [(record["rule"], record["order"], record["outcome"]) for record in records]


@cocotb.test
async def a_side_that_was_known_is_known_behind_it(dut):
    """The mid takes its bid from a message of the old bank, its ask from one of the new."""
    rules = [Rule(1, "mid", ">=", 2 * 150)]
    bench, exchange = await banked(dut, Tables([OIL, GOLD], []), Tables([OIL, GOLD], rules))
    await exchange.send(exchange.snapshot("GC", [("bid", GOLD.text(100)), ("ask", GOLD.text(140))]))
    await bench.settle(300)
    await flip(bench)
    await exchange.send(exchange.message("X", [
        (268, "1"), (279, "1"), (269, "1"), (55, "GC"), (270, GOLD.text(200)), (271, "5"),
    ]))  # fmt: skip
    await bench.settle(600)
    assert await fires(bench) == [(0, 0, SENT)]


@cocotb.test
async def the_collar_keeps_its_reference(dut):
    share = -(-(2**62) // 10)  # a tenth
    rules = [Rule(0, "last", ">=", 900), Rule(0, "last", ">=", 105)]
    bench, exchange = await banked(
        dut, Tables([GOLD], []), Tables([GOLD], rules), collar_lo=share % 2**32, collar_hi=share >> 32
    )
    await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(100))]))
    await bench.settle(300)
    await flip(bench)
    await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(109))]))
    await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(950))]))
    await bench.settle(1500)
    assert await fires(bench) == [(1, 1, SENT), (0, 0, COLLAR)]


@cocotb.test
async def what_was_dropped_unseen_makes_the_collar_start_anew(dut):
    """Disarmed with a message of the other bank at the head: its price is not known, so no older one may be either."""
    share = -(-(2**62) // 10)
    tables = Tables([GOLD], [Rule(0, "last", ">=", 900)])
    bench, exchange = await banked(dut, tables, tables, collar_lo=share % 2**32, collar_hi=share >> 32)
    await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(100))]))
    await bench.settle(300)
    first, second, third = (
        exchange.snapshot("GC", [("last", GOLD.text(price))], pad=pad)
        for price, pad in ((100, ""), (910, ""), (910, "t" * 300))
    )
    bench.from_net(exchange.segment(first[:30]))
    await bench.settle(50)
    await bench.set(flip_head=0, flip=1)
    bench.from_net(exchange.segment(first[30:] + second + third))
    await bench.cycles(100 + len(first) + len(second))  # within the third, which ends the frame
    status = await bench.status()
    assert (status["flip_asked"], status["flip_begun"]) == (1, 0)
    await bench.set(arm=0)
    await bench.settle(3000)
    status = await bench.status()
    assert (status["bank"], status["gap"]) == (0, 0)
    await bench.set(arm=1)
    await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(920))]))
    await bench.settle(600)
    assert await fires(bench) == [], "neither 100 nor 910 is the reference: nothing is known"


@cocotb.test
async def quantities_are_each_banks_own(dut):
    rules = [Rule(0, "last", "<=", 50), Rule(0, "last", "<=", 40)]
    orders = [new_order("GC", qty=f"{qty:0{CONST['qty_text_chars']}}") for qty in (1, 2)]
    bench, exchange = await banked(dut, Tables([GOLD], rules), Tables([GOLD], rules, orders), unlimited_orders=0)
    buy_and_sell = dict.fromkeys(ANY_QUANTITY, 0x2)
    await bench.write_record("quantity_left", in_upper("quantity_left", 0), **buy_and_sell)
    await flip(bench)
    for price in (50, 40):
        await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(price))]))
    await bench.settle(1500)
    assert await fires(bench) == [(0, 0, SENT), (1, 1, TOO_MUCH)]
    left = await bench.read_record("quantity_left", in_upper("quantity_left", 0))
    assert sorted(left.values()) == [0x1, 0x2]
    assert await bench.read_record("quantity_left", 0) == ANY_QUANTITY


@cocotb.test
async def decisions_are_looked_up_in_their_bank(dut):
    """Intervals of the upper bank are its triggers and orders; those of the lower one have other ends."""
    lower = [Rule(0, "last", ">=", end) for end in (1000, 2000, 3000, 4000)]
    upper = [Rule(0, "last", ">=", end) for end in (100, 200, 300, 400)]
    orders = [new_order("GC", qty=f"{qty:06}") for qty in (71, 72, 73, 74)]
    bench, exchange = await banked(dut, Tables([GOLD], lower), Tables([GOLD], upper, orders))
    chain = CONST["source_last"] * 2 + CONST["direction_ge"]
    await bench.write_record(
        "chain", in_upper("chain", chain), first=0, last=3, valid=1, arms=0, kind=CONST["kind_decide"]
    )
    for trigger in range(4):
        await bench.write_record(
            "trigger", in_upper("trigger", trigger), threshold=upper[trigger].threshold, rule=7, order=trigger
        )
    await bench.write_record("live", in_upper("live", 0), triggers=1)
    await flip(bench)
    for price in (99, 250, 500):
        await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(price))]))
        await bench.settle(400)
    assert await fires(bench) == []
    await exchange.send(exchange.snapshot("GC", [("last", GOLD.text(350))]))
    await bench.settle(600)
    assert await fires(bench) == [(7, 2, SENT)]
    sent = parse(bench.net_tx.frames[-1].data)
    assert dict(fix_fields(sent.payload))[38] == "000073"
