# SPDX-License-Identifier: Apache-2.0
"""A dry run: rules fire, links act, nothing leaves; armed afterwards, the same rules send."""

import random

import cocotb
from bench import CAPACITY, CONST, Bench, seed
from frames import fix_fields, with_fcs
from prepared import base36

from market import Exchange, Instrument, Rule, Tables, trading

ARM, DRY, DISARM = 1, 2, 0
GOLD = Instrument("GC")
BRACKET = [Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 3800), Rule(0, "last", ">=", 4400)]
ENTRY, STOP, TARGET = range(3)
HANDSHAKE = 2  # frames to the exchange before anything is armed


async def set_bracket(bench: Bench) -> None:
    """One-shot state as loaded: the entry is live, its exits are dormant, nothing has fired."""
    await bench.write_record("live", 0, triggers=0b001)
    await bench.write_record("dormant", 0, triggers=0b110)
    for trigger in range(len(BRACKET)):
        await bench.write_record("fire_count", trigger, fires=0)


async def bracket(dut) -> tuple[Bench, Exchange]:
    """An entry that arms its stop and its target, of which one cancels the other; a dry run."""
    tables = Tables([GOLD], BRACKET)
    bench, exchange = await trading(dut, tables)
    await bench.set(arm=DISARM)
    await bench.write_record("link", 1, first=1, last=2, arms=1, more=0)
    await bench.write_record("link", 2, first=1, last=2, arms=0, more=0)
    for index, link in enumerate((1, 2, 2)):
        await bench.load_order(index, tables.orders[index], link=link)
    await bench.write_record("chain", 4, first=0, last=1, valid=1, arms=1)
    await set_bracket(bench)
    await bench.set(arm=DRY)
    return bench, exchange


async def last(exchange: Exchange, *prices: str) -> None:
    for price in prices:
        await exchange.send(exchange.snapshot("GC", [("last", price)]))
        await exchange.bench.settle(200)


async def fires(bench: Bench) -> list[tuple[int, int]]:
    """Rule and outcome of every record."""
    records = [await bench.read_record("ring", n) for n in range(await bench.get("ring_head"))]
    return [(record["rule"], record["outcome"]) for record in records]


async def states(bench: Bench) -> tuple[int, int]:
    return (await bench.read_record("live", 0))["triggers"], (await bench.read_record("dormant", 0))["triggers"]


async def armed_as(bench: Bench) -> tuple[int, int]:
    status = await bench.status()
    return status["armed"], status["dry"]


@cocotb.test
async def a_bracket_runs_dry_and_then_for_real(dut):
    bench, exchange = await bracket(dut)
    assert await armed_as(bench) == (1, 1)
    await last(exchange, "1000")
    assert await states(bench) == (0b110, 0), "the order that was not sent has armed its exits"
    await last(exchange, "1100", "900")
    assert await states(bench) == (0, 0), "the target has cancelled the stop"
    dry = CONST["outcome_dry"]
    assert await fires(bench) == [(ENTRY, dry), (TARGET, dry)]
    record = await bench.read_record("ring", 1)
    expected = {"fires": 1, "observed": 4400, "msg_seq_num": 0, "tcp_seq": 0, "length": 0}
    assert {name: record[name] for name in expected} == expected
    assert (await bench.read_record("ring_sent", 1))["entry"] == 0
    assert (await bench.get("count_dry"), await bench.get("count_sent")) == (2, 0)
    assert (await bench.get("snd_nxt"), await bench.get("next_seq_num")) == (1000, 0x42)
    assert len(bench.net_tx.frames) == HANDSHAKE
    await bench.set(arm=DISARM)
    await set_bracket(bench)
    await bench.set(arm=ARM)
    assert await armed_as(bench) == (1, 0)
    await last(exchange, "1000", "1100")
    frames = (await bench.net_frames(HANDSHAKE + 2))[HANDSHAKE:]
    assert len(frames) == 2
    assert await fires(bench) == [(ENTRY, dry), (TARGET, dry), (ENTRY, 0), (TARGET, 0)]
    assert await bench.get("count_sent") == 2


@cocotb.test
async def an_armed_board_never_turns_into_the_other_kind(dut):
    """Asked for the other one while armed, it disarms; so it does for a word that says nothing."""
    for first, other in ((ARM, DRY), (DRY, ARM), (DRY, 3), (ARM, 3), (DRY, 2**31), (ARM, 2**31 + 1)):
        bench, exchange = await trading(dut, Tables([GOLD], BRACKET))
        await bench.set(arm=DISARM)
        await bench.set(arm=first)
        await bench.set(arm=first)
        assert await armed_as(bench) == (1, int(first == DRY)), "the same again changes nothing"
        await bench.set(arm=other)
        assert await armed_as(bench) == (0, 0)
        await last(exchange, "900")
        assert await bench.get("ring_head") == 0
        assert len(bench.net_tx.frames) == HANDSHAKE
        dut.rst.value = 1
        await bench.cycles(3)


@cocotb.test
async def what_rejects_an_order_rejects_it_in_a_dry_run_too(dut):
    rules = [Rule(0, "last", "<=", 4000 - i) for i in range(4)]
    bench, exchange = await trading(dut, Tables([GOLD], rules))
    await bench.set(arm=DISARM)
    await bench.set(arm=DRY, kill=1)
    await last(exchange, "1000")
    await bench.set(kill=0, max_unacked=1)
    await last(exchange, "999.75")
    await bench.set(max_unacked=60000, clock_max_age_ns=1)
    await last(exchange, "999.5")
    await bench.set(clock_max_age_ns=0)
    await last(exchange, "999.25")
    outcomes = [CONST[f"outcome_{name}"] for name in ("kill", "window", "clock", "dry")]
    assert await fires(bench) == list(enumerate(outcomes))
    assert len(bench.net_tx.frames) == HANDSHAKE


@cocotb.test
async def the_session_goes_on_during_a_dry_run(dut):
    """A heartbeat under the lease takes the number that the fires have not used; then an order takes the next."""
    rules = [Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 3999), Rule(0, "last", "<=", 3998)]
    bench, exchange = await trading(dut, Tables([GOLD], rules))
    await bench.set(arm=DISARM)
    await bench.set(arm=DRY)
    await last(exchange, "1000")
    await bench.set(lease_request=1)
    while not (await bench.status())["lease_held"]:
        await bench.cycles(10)
    await last(exchange, "999.75")
    assert await bench.get("ring_head") == 1, "the fire waits, as when armed"
    heartbeat = b"8=FIX.4.4\x019=5\x0135=0\x0110=163\x01"
    await bench.cpu_sends(seq=1000, ack=exchange.seq, payload=heartbeat)
    await bench.set(lease_seq_num=0x43, lease_snd_nxt=1000 + len(heartbeat), lease_release=1)
    await bench.settle(200)
    assert await bench.get("ring_head") == 2
    assert len(bench.net_tx.frames) == HANDSHAKE + 1
    await bench.set(arm=DISARM, committed=1000 + len(heartbeat))
    await bench.set(arm=ARM)
    await last(exchange, "999.5")
    order = (await bench.net_frames(HANDSHAKE + 2))[-1]
    payload = order.data[54:-4]
    assert dict(fix_fields(payload))[34] == "00000043"
    assert dict(fix_fields(payload))[11] == "E7Z0" + base36(2, 8) + base36(1, 8)


@cocotb.test
async def bursts_of_fires_leave_nothing_on_the_wire(dut):
    """Every trigger of the tables, some at once, frames of other connections from the CPU in between."""
    rng = random.Random(seed())
    rules = [Rule(0, "last", "<=", 4000 - i) for i in range(CAPACITY["triggers"])]
    bench, exchange = await trading(dut, Tables([GOLD], rules), rx_gate_ns=10**8)
    await bench.set(arm=DISARM)
    await bench.set(arm=DRY)
    bench.net_tx.ready = lambda _cycle: rng.random() < 0.7
    price, others = 4001, []
    while price > 4000 - len(rules):
        price -= rng.choice([1, 1, 5, 30])
        frame = with_fcs(b"\x02\0\0\0\0\x01" + rng.randbytes(60))
        bench.from_cpu(frame)
        others.append(frame)
        await exchange.send(exchange.snapshot("GC", [("last", str(price / 4))]))
        await bench.cycles(rng.randrange(100))
    await bench.settle(3000)
    assert await fires(bench) == [(rule, CONST["outcome_dry"]) for rule in range(len(rules))]
    assert await bench.get("count_dry") == len(rules)
    assert [frame.data for frame in bench.net_tx.frames[HANDSHAKE:]] == others
    assert not (await bench.status())["order_busy"]
