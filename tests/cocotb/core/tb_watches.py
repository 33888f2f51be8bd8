# SPDX-License-Identifier: Apache-2.0
"""Watches: triggers that send nothing, whose links count: `rearm: {reset}` and `if_already_through`."""

import cocotb
from bench import CONST, Bench
from prepared import base36

from market import Exchange, Instrument, Rule, Tables, trading

ARM, DRY, DISARM = 1, 2, 0
GOLD = Instrument("GC")
HANDSHAKE = 2  # frames to the exchange before anything is armed
MOST_FIRES = 2**15 - 1
SENT, WATCH, DRY_RUN, EXHAUSTED, KILLED = (
    CONST[f"outcome_{name}"] for name in ("sent", "watch", "dry", "exhausted", "kill")
)
WATCH_QTY = CONST["char_bound"] << 4 * (CONST["qty_text_chars"] - 1)

# Triggers in the order of chains: `<=` of a source before `>=`.
STOP, RESET = 0, 1
REARMED = [Rule(0, "last", "<=", 4000), Rule(0, "last", ">=", 4200)]


async def write_watch(bench: Bench, index: int, link: int) -> None:
    await bench.write_record("order", index, qty=WATCH_QTY, valid=1, link=link)


async def watched(dut, rules: list[Rule], watches: dict[int, int], links: list[dict[str, int]], **state: int):
    """A core with ``rules`` of which ``watches`` send nothing and have the first link that is named.

    So may the others (``link_RULE``). ``live`` and ``dormant`` are the bits at load.
    """
    tables = Tables([GOLD], rules)
    bench, exchange = await trading(dut, tables)
    await bench.set(arm=DISARM)
    for number, link in enumerate(links, 1):
        await bench.write_record("link", number, **{"more": 0, "revives": 0, "arms": 0, **link})
    for rule in range(len(rules)):
        if rule in watches:
            await write_watch(bench, rule, watches[rule])
        else:
            await bench.load_order(rule, tables.orders[rule], link=state.get(f"link_{rule}", 0))
    for chain, members in tables.chains().items():
        first = tables.triggers().index(members[0])
        await bench.write_record("chain", chain, first=first, last=first + len(members) - 1, valid=1, arms=1)
    await bench.write_record("live", 0, triggers=state["live"])
    await bench.write_record("dormant", 0, triggers=state.get("dormant", 0))
    await bench.set(arm=state.get("arm", ARM))
    return bench, exchange


async def rearmed(dut, **state: int) -> tuple[Bench, Exchange]:
    """A stop that is armed again once the price is back above; not live at load is its watch."""
    links = [
        {"first": RESET, "last": RESET, "arms": 1, "revives": 1},
        {"first": STOP, "last": STOP, "arms": 1, "revives": 1},
    ]
    return await watched(dut, REARMED, {RESET: 2}, links, link_0=1, live=0b01, **state)


async def last(exchange: Exchange, *prices: str) -> None:
    for price in prices:
        await exchange.send(exchange.snapshot("GC", [("last", price)]))
        await exchange.bench.settle(300)


async def fires(bench: Bench) -> list[tuple[int, int]]:
    """Rule and outcome of every record."""
    records = [await bench.read_record("ring", n) for n in range(await bench.get("ring_head"))]
    return [(record["rule"], record["outcome"]) for record in records]


async def states(bench: Bench) -> tuple[int, int]:
    return (await bench.read_record("live", 0))["triggers"], (await bench.read_record("dormant", 0))["triggers"]


@cocotb.test
async def a_stop_is_armed_again(dut):
    """Nothing leaves for the watch, and it uses no number of either kind; the stop's fire count goes on."""
    bench, exchange = await rearmed(dut)
    await last(exchange, "1000", "990", "1060")
    assert await states(bench) == (0b01, 0)
    record = await bench.read_record("ring", 1)
    expected = {"rule": RESET, "fires": 1, "observed": 4240, "msg_seq_num": 0, "tcp_seq": 0, "length": 0}
    assert {name: record[name] for name in expected} == expected
    assert (await bench.read_record("ring_sent", 1))["entry"] == 0
    await last(exchange, "1055", "1000")
    assert await fires(bench) == [(STOP, SENT), (RESET, WATCH), (STOP, SENT)]
    frames = (await bench.net_frames(HANDSHAKE + 2))[HANDSHAKE:]
    assert len(frames) == 2
    for number, frame in enumerate(frames):
        assert b"\x0134=%08d\x01" % (42 + number) in frame.data
        assert ("11=E7Z0" + base36(STOP, 8) + base36(number + 1, 8)).encode() in frame.data
    assert await bench.get("count_sent") == 2
    rejected = ("kill", "watchdog", "session", "clock", "window", "exhausted", "fault", "collar", "total_orders")
    assert [await bench.get(f"count_rejected_{name}") for name in rejected] == [0] * len(rejected)


@cocotb.test
async def the_firing_message_does_not_reset(dut):
    """What satisfies stop and reset at once fires the stop; its watch looks from the next message on."""
    rules = [Rule(0, "last", "<=", 4000), Rule(0, "last", ">=", 3900)]
    links = [{"first": 1, "last": 1, "arms": 1, "revives": 1}, {"first": 0, "last": 0, "arms": 1, "revives": 1}]
    bench, exchange = await watched(dut, rules, {1: 2}, links, link_0=1, live=0b01)
    await last(exchange, "990")
    assert await fires(bench) == [(0, SENT)]
    assert await states(bench) == (0b10, 0)
    await last(exchange, "990")
    assert await fires(bench) == [(0, SENT), (1, WATCH)]
    assert await states(bench) == (0b01, 0)


@cocotb.test
async def a_later_source_of_the_firing_message_resets(dut):
    rules = [Rule(0, "bid", "<=", 4000), Rule(0, "last", ">=", 4200)]
    links = [{"first": 1, "last": 1, "revives": 1}, {"first": 0, "last": 0, "arms": 1, "revives": 1}]
    bench, exchange = await watched(dut, rules, {1: 2}, links, link_0=1, live=0b01)
    for _ in range(2):
        await exchange.send(exchange.snapshot("GC", [("bid", "990"), ("last", "1060")]))
        await bench.settle(400)
    assert await fires(bench) == [(0, SENT), (1, WATCH), (0, SENT), (1, WATCH)]
    assert await states(bench) == (0b01, 0)


@cocotb.test
async def after_so_many_times_it_stays_spent(dut):
    bench, exchange = await rearmed(dut)
    await bench.set(arm=DISARM)
    await bench.write_record("fire_count", RESET, fires=MOST_FIRES - 2)
    await bench.set(arm=ARM)
    await last(exchange, *["1000", "1060"] * 5)
    assert await fires(bench) == [*[(STOP, SENT), (RESET, WATCH)] * 2, (STOP, SENT), (RESET, EXHAUSTED)]
    assert await states(bench) == (0, 0)
    assert (await bench.status())["armed"] == 1


@cocotb.test
async def a_bad_frame_resets_nothing(dut):
    bench, exchange = await rearmed(dut)
    await last(exchange, "1000")
    bad = exchange.snapshot("GC", [("last", "1060")])
    frame = exchange.segment(bad, advance=False)
    bench.from_net(frame[:-1] + bytes([frame[-1] ^ 1]))
    await bench.settle(300)
    assert await fires(bench) == [(STOP, SENT)]
    assert await states(bench) == (0b10, 0)
    await exchange.send(bad)
    await bench.settle(300)
    assert await fires(bench) == [(STOP, SENT), (RESET, WATCH)]


@cocotb.test
async def nothing_rejects_a_watch(dut):
    """Kill, window, clock and limits are about orders: a rejected stop stays spent, a watch does its work."""
    bench, exchange = await rearmed(dut)
    await last(exchange, "1000")
    await bench.set(kill=1, max_unacked=1, clock_max_age_ns=1)
    await last(exchange, "1060", "990", "1060")
    assert await fires(bench) == [(STOP, SENT), (RESET, WATCH), (STOP, KILLED)]
    assert await states(bench) == (0, 0)
    assert await bench.get("orders_left") == 2**32 - 1


@cocotb.test
async def no_limit_counts_a_watch(dut):
    bench, exchange = await rearmed(dut)
    await bench.set(arm=DISARM, orders_left=2, unlimited_orders=0, order_rate=1, order_gap_ns=10**9 - 1)
    await bench.write_record("quantity_left", 0, buy=0x111111111, sell=0)
    await bench.set(arm=ARM)
    await last(exchange, "1000")
    left = (
        await bench.get("orders_left"),
        await bench.read_record("quantity_left", 0),
        await bench.get("bucket_full_lo"),
    )
    await last(exchange, "1060")
    assert await fires(bench) == [(STOP, SENT), (RESET, WATCH)]
    now = (
        await bench.get("orders_left"),
        await bench.read_record("quantity_left", 0),
        await bench.get("bucket_full_lo"),
    )
    assert now == left
    assert left[0] == 1


@cocotb.test
async def a_dry_run_resets_too(dut):
    bench, exchange = await rearmed(dut, arm=DRY)
    await last(exchange, "1000", "1060", "1000")
    assert await fires(bench) == [(STOP, DRY_RUN), (RESET, WATCH), (STOP, DRY_RUN)]
    assert len(bench.net_tx.frames) == HANDSHAKE


@cocotb.test
async def a_waiting_watch_loses_nothing_behind_it(dut):
    """While the CPU holds the lease the watch's hit waits; what came meanwhile is what the revived stop fires on."""
    bench, exchange = await rearmed(dut)
    await last(exchange, "1000")
    await bench.set(lease_request=1)
    while not (await bench.status())["lease_held"]:
        await bench.cycles(10)
    await last(exchange, "1060", "1010", "1000", "1010")
    assert await fires(bench) == [(STOP, SENT)]
    length = (await bench.read_record("ring", 0))["length"]
    await bench.set(lease_seq_num=0x43, lease_snd_nxt=1000 + length, lease_release=1)
    await bench.settle(400)
    assert await fires(bench) == [(STOP, SENT), (RESET, WATCH), (STOP, SENT)]


# `if_already_through: wait` of a rule at 4200 or above: below it is armed. `reject`: at or above it is refused.
WAITING = [Rule(0, "last", "<=", 4199), Rule(0, "last", ">=", 4200), Rule(0, "last", ">=", 4200)]
BELOW, RULE, THROUGH = range(3)


async def waiting(dut, *, rejects: bool) -> tuple[Bench, Exchange]:
    if not rejects:
        links = [{"first": RULE, "last": RULE, "arms": 1}]
        return await watched(dut, WAITING[:2], {BELOW: 1}, links, live=1 << BELOW, dormant=1 << RULE)
    links = [
        {"first": THROUGH, "last": THROUGH, "more": 1},
        {"first": RULE, "last": RULE, "arms": 1},
        {"first": BELOW, "last": RULE},
    ]
    live = 1 << BELOW | 1 << THROUGH
    return await watched(dut, WAITING, {BELOW: 1, THROUGH: 3}, links, live=live, dormant=1 << RULE)


@cocotb.test
async def a_rule_waits_until_it_is_not_through(dut):
    bench, exchange = await waiting(dut, rejects=False)
    await last(exchange, "1060", "1050")
    assert (await fires(bench), await states(bench)) == ([], (1 << BELOW, 1 << RULE))
    await last(exchange, "1049.75", "1040", "1050", "1060")
    assert await fires(bench) == [(BELOW, WATCH), (RULE, SENT)]
    assert await states(bench) == (0, 0)


@cocotb.test
async def a_rule_that_is_through_is_refused(dut):
    for prices, expected in (
        (("1050", "1040", "1060"), [(THROUGH, WATCH)]),
        (("1040", "1030", "1060", "1060"), [(BELOW, WATCH), (RULE, SENT)]),
    ):
        bench, exchange = await waiting(dut, rejects=True)
        await last(exchange, *prices)
        assert await fires(bench) == expected
        assert await states(bench) == (0, 0)
        dut.rst.value = 1
        await bench.cycles(3)
