# SPDX-License-Identifier: Apache-2.0
"""Orders that begin ahead of their frame's verdict: whole behind a good one, else with a wrong FCS and no number."""

import random

import cocotb
from bench import CAPACITY, CONST, Bench, seed
from cocotb.triggers import RisingEdge
from frames import fcs, fix_fields, parse

from fixaccel.latency.cycles import MESSAGE_CYCLES, latency_of
from market import Exchange, Instrument, Rule, Tables, trading

GOLD, OTHER = Instrument("GC"), Instrument("SI")
HANDSHAKE = 2  # frames to the exchange before anything is armed
HEADERS = 14 + 20 + 20
SENT, FRAME = CONST["outcome_sent"], CONST["outcome_frame"]
FIRST, SECOND = 1000, 990
SECOND_NS = 10**9
FOLLOWED_CYCLES = latency_of("snapshot", unlimited_orders=True).followed


def ladder(count: int = 2) -> Tables:
    return Tables([GOLD, OTHER], [Rule(0, "last", "<=", 4 * (FIRST - 10 * i)) for i in range(count)])


def ahead_of(tables: Tables) -> int:
    shortest = min(order.template_shape()["last_byte"] + 1 for order in tables.orders)
    return shortest + CONST["commit_beyond"]


async def early(dut, tables: Tables, **settings: int) -> tuple[Bench, Exchange]:
    """Armed, with as much ahead as the shortest order allows."""
    bench, exchange = await trading(dut, tables, **settings)
    await bench.set(commit_ahead=ahead_of(tables))
    return bench, exchange


def fires(exchange: Exchange, price: float, behind: int, symbol: str = "GC") -> bytes:
    """A message that fires, and one behind it that says nothing, of so many bytes of text."""
    first = exchange.snapshot(symbol, [("last", str(price))])
    return first + exchange.snapshot("SI", [("bid", "1")], pad="x" * behind)


async def send(bench: Bench, exchange: Exchange, payload: bytes, damage: str = "") -> int:
    """Sends one segment, as it is or damaged: FCS, TCP checksum or PHY. Returns the cycle of its last byte."""
    frame = exchange.segment(payload, advance=not damage)
    if damage == "fcs":
        frame = frame[:-1] + bytes([frame[-1] ^ 1])
    if damage == "tcp":
        changed = bytearray(frame[:-4])
        changed[50] ^= 1
        frame = bytes(changed) + fcs(bytes(changed))
    before = len(bench.net.last_cycles)
    bench.from_net(frame, error=damage == "phy")
    while len(bench.net.last_cycles) == before:
        await bench.cycles(1)
    return bench.net.last_cycles[-1]


async def ring(bench: Bench) -> list[tuple[int, int]]:
    records = [await bench.read_record("ring", n) for n in range(await bench.get("ring_head"))]
    return [(record["rule"], record["outcome"]) for record in records]


@cocotb.test
async def a_good_frame_makes_the_order_whole(dut):
    """It begins long before the frame ends, and what is recorded of it is what is recorded behind a verdict."""
    seen = []
    for ahead in (False, True):
        tables = ladder()
        bench, exchange = await (early if ahead else trading)(dut, tables)
        end = await send(bench, exchange, fires(exchange, FIRST, 400))
        await bench.settle(400)
        assert len(bench.net_tx.frames) == HANDSHAKE + 1
        order = bench.net_tx.frames[-1]
        assert not order.error
        assert not order.gaps
        assert not parse(order.data).problems
        assert (order.first_cycle < end) == ahead
        if not ahead:
            assert order.first_cycle - end == FOLLOWED_CYCLES
        else:
            dut._log.info("an order of %d bytes began %d cycles ahead", len(order.data), end - order.first_cycle)
            gained = end + FOLLOWED_CYCLES - order.first_cycle
            assert gained >= ahead_of(tables)
        record = await bench.read_record("ring", 0)
        assert (record["outcome"], record["length"]) == (SENT, len(order.data) - HEADERS - 4)
        assert await bench.sent_bytes(0, record["length"]) == order.data[HEADERS:-4]
        note = await bench.read_record("ring_sent", 0)
        assert (note["entry"], note["last_byte_cycle"] - note["first_byte_cycle"]) == (1, len(order.data) - 1)
        record = {
            name: record[name] for name in ("rule", "outcome", "observed", "msg_seq_num", "tcp_seq", "fires", "length")
        }
        counts = [await bench.get(name) for name in ("count_sent", "orders_aborted", "snd_nxt", "next_seq_num")]
        seen.append((record, counts, dict(fix_fields(order.data[HEADERS:-4]))[34]))
    assert seen[0] == seen[1]


@cocotb.test
async def a_bad_frame_lets_nothing_whole_leave(dut):
    """Whatever is wrong with it: wrong FCS, rule spent and recorded, no number used; the next order takes them."""
    for damage in ("fcs", "tcp", "phy"):
        bench, exchange = await early(dut, ladder())
        number = exchange.number
        await send(bench, exchange, fires(exchange, FIRST, 400), damage)
        await bench.settle(400)
        assert len(bench.net_tx.frames) == HANDSHAKE + 1
        aborted = bench.net_tx.frames[-1]
        assert aborted.error
        assert "FCS" in parse(aborted.data).problems
        assert await ring(bench) == [(0, FRAME)]
        record = await bench.read_record("ring", 0)
        assert (record["length"], record["msg_seq_num"], record["tcp_seq"]) == (0, 0, 0)
        assert (await bench.read_record("ring_sent", 0))["entry"] == 0
        counts = [await bench.get(name) for name in ("count_sent", "orders_aborted", "snd_nxt", "next_seq_num")]
        assert counts == [0, 1, 1000, 0x42]
        assert (await bench.status())["armed"] == 1
        # The exchange sends it again: the spent rule is silent, the next one fires with the numbers that were not used.
        exchange.number = number
        await send(bench, exchange, fires(exchange, SECOND, 400))
        await bench.settle(400)
        assert await ring(bench) == [(0, FRAME), (1, SENT)]
        order = bench.net_tx.frames[-1]
        assert len(bench.net_tx.frames) == HANDSHAKE + 2
        assert not parse(order.data).problems
        assert dict(fix_fields(order.data[HEADERS:-4]))[34] == "00000042"
        assert await bench.sent_bytes(1, len(order.data) - HEADERS - 4) == order.data[HEADERS:-4]
        dut.rst.value = 1
        await bench.cycles(3)


@cocotb.test
async def behind_the_verdict_only_nothing_leaves_for_a_bad_frame(dut):
    """The mode that holds after a reset: not even a wrong frame, and the rule stays."""
    bench, exchange = await trading(dut, ladder())
    assert await bench.get("commit_ahead") == 0
    number = exchange.number
    for damage in ("fcs", "tcp", "phy"):
        exchange.number = number
        await send(bench, exchange, fires(exchange, FIRST, 400), damage)
        await bench.settle(300)
    assert len(bench.net_tx.frames) == HANDSHAKE
    assert await ring(bench) == []
    exchange.number = number
    await send(bench, exchange, fires(exchange, FIRST, 400))
    await bench.settle(300)
    assert await ring(bench) == [(0, SENT)]


@cocotb.test
async def a_message_with_a_wrong_checksum_begins_nothing(dut):
    bench, exchange = await early(dut, ladder())
    payload = bytearray(fires(exchange, FIRST, 400))
    at = payload.index(b"\x0110=") + 4
    payload[at] = ord("0") + (payload[at] - ord("0") + 1) % 10
    await send(bench, exchange, bytes(payload))
    await bench.settle(300)
    assert len(bench.net_tx.frames) == HANDSHAKE
    assert await ring(bench) == []


@cocotb.test
async def what_silences_the_fabric_meanwhile_aborts_the_order(dut):
    """Kill rejects the fire; disarming does not spend it. Either way the FCS is wrong and no number is used."""
    for name, value, recorded in (("kill", 1, CONST["outcome_kill"]), ("arm", 0, None)):
        bench, exchange = await early(dut, ladder())
        bench.from_net(exchange.segment(fires(exchange, FIRST, 400)))
        while not dut.net_tx_valid.value:
            await RisingEdge(dut.clk)
        await bench.set(**{name: value})
        await bench.settle(400)
        assert bench.net_tx.frames[-1].error
        assert len(bench.net_tx.frames) == HANDSHAKE + 1
        assert await ring(bench) == ([] if recorded is None else [(0, recorded)])
        assert await bench.get("next_seq_num") == 0x42
        dut.rst.value = 1
        await bench.cycles(3)


async def one_a_second(dut, full_ns: int) -> tuple[Bench, Exchange]:
    """As `early`, with a bucket that has its one order of a second from ``full_ns`` on."""
    bench, exchange = await early(dut, ladder())
    rate = {"order_rate": 1, "order_gap_ns": SECOND_NS, "order_gap_part": 0, "bucket_full_part": 0}
    await bench.set(arm=0, **rate, bucket_full_lo=full_ns % 2**32, bucket_full_hi=full_ns >> 32)
    await bench.set(arm=1)
    return bench, exchange


async def set_time(bench: Bench, ns: int) -> None:
    await bench.set(clock_ns_lo=ns % 2**32, clock_ns_hi=ns >> 32, clock_set=1)


@cocotb.test
async def the_bucket_is_asked_at_the_time_that_it_is(dut):
    """Not at that of a frame before, good or bad, on either side of the moment at which it has an order again."""
    since = 10**18
    for before, now, damage in ((since + 1, since - SECOND_NS, "fcs"), (since - SECOND_NS, since + 1, "")):
        bench, exchange = await one_a_second(dut, since)
        number, has_order = exchange.number, since < now
        await set_time(bench, before)
        await send(bench, exchange, exchange.snapshot("SI", [("bid", "1")]), damage)
        await bench.settle(400)
        exchange.number = number if damage else exchange.number
        await set_time(bench, now)
        end = await send(bench, exchange, fires(exchange, FIRST, 400))
        await bench.settle(400)
        assert await ring(bench) == [(0, SENT if has_order else CONST["outcome_orders_per_second"])]
        assert [frame.first_cycle < end for frame in bench.net_tx.frames[HANDSHAKE:]] == [True] * has_order
        assert await bench.get("orders_aborted") == 0
        dut.rst.value = 1
        await bench.cycles(3)


@cocotb.test
async def a_late_verdict_sends_the_order_anew(dut):
    """With more ahead than its length covers an order ends before the verdict: it is sent anew, whole, behind that."""
    tables = ladder()
    bench, exchange = await trading(dut, tables)
    await bench.set(commit_ahead=1400)
    for damage, outcome in (("", SENT), ("fcs", FRAME)):
        number, before = exchange.number, len(bench.net_tx.frames)
        await send(bench, exchange, fires(exchange, SECOND if damage else FIRST, 800), damage)
        await bench.settle(400)
        left = bench.net_tx.frames[before:]
        assert [frame.error for frame in left] == [True] + [False] * (outcome == SENT)
        assert (await ring(bench))[-1][1] == outcome
        exchange.number = number if damage else exchange.number
    assert await ring(bench) == [(0, SENT), (1, FRAME)]
    assert (await bench.get("count_sent"), await bench.get("orders_aborted")) == (1, 2)


@cocotb.test
async def any_frames_on_any_wire(dut):
    """Random frames, some damaged, on a wire that stalls: whole orders are those of the ring, numbered one by one."""
    rng = random.Random(seed())
    tables = ladder(CAPACITY["triggers"] // 2)
    bench, exchange = await early(dut, tables)
    bench.net_tx.ready = lambda _cycle: rng.random() < 0.9
    step, outcomes = 0, []
    while step < len(tables.rules):
        number = exchange.number
        damage = rng.choice(["", "", "fcs", "tcp", "phy"])
        ahead = rng.choice([0, 40, 200, 1400])
        if rng.random() < 0.3:
            await bench.set(commit_ahead=ahead)
        parts = [
            exchange.snapshot("SI", [("bid", "1")], pad="x" * rng.randrange(1, 60)) for _ in range(rng.randrange(3))
        ]
        parts += [fires(exchange, FIRST - 10 * step, rng.randrange(1, 700))]
        await send(bench, exchange, b"".join(parts), damage)
        await bench.settle(rng.choice([40, 300, 600]))
        if damage:
            exchange.number = number
        await bench.settle(600)
        last = await ring(bench)
        if len(last) > len(outcomes):
            outcomes = last
            step = last[-1][0] + 1
        exchange.ack = await bench.get("snd_nxt")
        await exchange.send(b"")
        await bench.set(committed=exchange.ack, ring_tail=len(outcomes))
    whole = [frame for frame in bench.net_tx.frames[HANDSHAKE:] if not frame.error]
    aborted = [frame for frame in bench.net_tx.frames if frame.error]
    sent = [rule for rule, outcome in outcomes if outcome == SENT]
    assert {outcome for _, outcome in outcomes} == {SENT, FRAME}
    assert [rule for rule, _ in outcomes] == list(range(len(tables.rules))), "each fires once"
    assert not any(parse(frame.data).problems for frame in whole)
    assert all("FCS" in parse(frame.data).problems for frame in aborted)
    numbers = [int(dict(fix_fields(frame.data[HEADERS:-4]))[34]) for frame in whole]
    assert numbers == list(range(42, 42 + len(sent)))
    assert await bench.get("orders_aborted") == len(aborted)


@cocotb.test
async def cycles_of_each_mode(dut):
    """The figures that `explain` prints: behind the verdict, behind the message, as far ahead as an order is long."""
    tables = ladder(CAPACITY["triggers"] // 2)
    bench, exchange = await early(dut, tables)
    fired, behind_message = 0, set()
    for rest in (1, 20, 60, 90, 170, 700):
        for ahead in (0, ahead_of(tables)):
            await bench.set(commit_ahead=ahead)
            payload = fires(exchange, FIRST - 10 * fired, rest)
            fired += 1
            behind = len(payload) - payload.index(b"\x018=FIX") - 1 + 4  # bytes of the frame behind the message
            end = await send(bench, exchange, payload)
            await bench.settle(600)
            order = bench.net_tx.frames[-1]
            assert not order.error
            if ahead == 0:
                assert order.first_cycle - end == FOLLOWED_CYCLES
            elif behind > ahead + MESSAGE_CYCLES:
                assert order.first_cycle - end == -ahead
            else:
                behind_message.add(order.first_cycle - (end - behind))
            exchange.ack = await bench.get("snd_nxt")
            await exchange.send(b"")
            await bench.set(committed=exchange.ack, ring_tail=fired)
    assert max(behind_message) == MESSAGE_CYCLES
