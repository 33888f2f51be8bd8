# SPDX-License-Identifier: Apache-2.0
"""The whole core: market data in, orders out, with the session's other traffic in between."""

import random
from itertools import pairwise

import cocotb
from bench import CAPACITY, CONST, Bench, seed
from frames import ACK, Segment, fix_fields, parse, with_fcs
from prepared import base36, new_order

from market import Exchange, Instrument, Rule, Tables, orders, quiet, trading

GOLD, OIL = Instrument("GC"), Instrument("CL", unit=10**6)


async def spent(bench: Bench, trigger: int) -> bool:
    """Whether the trigger is no longer live; its rule then has fired once, else never."""
    word = await bench.read_record("live", trigger // CONST["live_word_bits"])
    live = word["triggers"] >> trigger % CONST["live_word_bits"] & 1
    assert await bench.read_record("fire_count", trigger) == {"fires": 1 - live}
    return not live


@cocotb.test
async def a_stop_fires(dut):
    tables = Tables([GOLD, OIL], [Rule(0, "last", "<=", 4 * 1180)])
    bench, exchange = await trading(dut, tables)
    await exchange.send(exchange.snapshot("GC", [("bid", "1180.5"), ("ask", "1181"), ("last", "1180.25")]))
    await quiet(bench, 0)
    message = exchange.snapshot("GC", [("bid", "1179.75"), ("ask", "1181"), ("last", "1180")])
    end = await exchange.send(message)
    ((frame, order),) = await orders(bench, 1)
    latency = frame.first_cycle - end
    dut._log.info(f"last byte of the frame to first byte of the order: {latency} cycles")
    assert latency == 8
    assert order.seq == 1000
    utc = dict(fix_fields(order.payload))[52]
    assert order.payload == tables.orders[0].message(42, utc, "E7Z0" + base36(0, 8) + base36(1, 8))
    await bench.settle(200)
    record = await bench.read_record("ring", 0)
    expected = {
        "entry": 1, "generation": 3, "message": 2, "trigger": 0, "rule": 0, "order": 0, "instrument": 0, "source": 2,
        "outcome": CONST["outcome_sent"], "fires": 1, "observed": 4 * 1180, "msg_seq_num": 0x42, "tcp_seq": 1000,
        "length": len(order.payload), "frame_end_cycle": end,
    }  # fmt: skip
    assert {name: record[name] for name in expected} == expected
    assert record["frame_end_cycle"] - record["message_end_cycle"] in range(4, 7), (
        "the message's last byte, then the FCS"
    )
    assert await bench.get("count_messages") == 2
    assert await spent(bench, 0)
    await exchange.send(exchange.snapshot("GC", [("last", "1100")]))
    await quiet(bench, 1)


@cocotb.test
async def cycles_to_the_first_byte(dut):
    """The same for every instrument, number of triggers, message length and segment border.

    The fire of a message that is last in its frame is known one cycle ahead of the verdict, others two and more.
    """
    rng = random.Random(seed())
    symbols = [f"I{i}" * (1 + i % 4) for i in range(CAPACITY["instruments"])]
    instruments = [Instrument(symbol, unit=rng.choice([1, 25, 10**6, 5 * 10**7, 3 * 2**20])) for symbol in symbols]
    rules = []
    for index in range(len(instruments)):
        rules += [Rule(index, rng.choice(["bid", "ask", "last"]), rng.choice(["<=", ">="]), 1000)] * (1 + index % 3)
    rules += [Rule(0, "bid", ">=", 5000 + i) for i in range(CAPACITY["triggers"] - len(rules))]
    prepared = [new_order(symbols[rule.instrument], qty=f"{i:06}") for i, rule in enumerate(rules)]
    bench, exchange = await trading(dut, Tables(instruments, rules, prepared), max_unacked=2**31)
    seen = {}
    sent = 0
    for index, instrument in enumerate(instruments):
        rule = next(rule for rule in rules if rule.instrument == index)
        noise = [("bid", "-0.3"), ("ask", "x"), ("last", "0.1x")]
        *noise, behind = [entry for entry in noise if entry[0] != rule.source][: rng.randrange(1, 3)]
        # An entry behind the one that fires, for in a shorter message the symbol's look-up is what takes longest.
        entries = [*noise, (rule.source, instrument.text(1000)), behind]
        trigger = (instrument.symbol, entries, "t" * rng.choice([0, 1, 300]))
        neighbour = (index + 1) % len(instruments)
        silent = next(s for s in ("ask", "last") if all(r.source != s for r in rules if r.instrument == neighbour))
        other = (instruments[neighbour].symbol, [(silent, "0")])
        position = ("alone", "first", "last", "middle", "split")[index % 5]
        messages = {"first": [trigger, other], "last": [other, trigger], "middle": [other, trigger, other]}
        payload = b"".join(exchange.snapshot(*message) for message in messages.get(position, [trigger]))
        if position == "split":
            cut = rng.randrange(1, len(payload) - 60)  # the rest fills a frame: padding would be time, too
            await exchange.send(payload[:cut])
            payload = payload[cut:]
        end = await exchange.send(payload)
        count = 1 + index % 3
        got = (await orders(bench, sent + count))[sent:]
        seen[position, instrument.symbol] = got[0][0].first_cycle - end
        for before, after in pairwise(got):
            assert after[0].first_cycle == before[0].last_cycle + 2, "limited by the line only"
        sent += count
        exchange.ack = 1000 + sum(len(order.payload) for _, order in await orders(bench, sent))
        await bench.settle(100)
        await bench.set(committed=exchange.ack, ring_tail=sent)
    dut._log.info(
        f"frame to first order byte: min {min(seen.values())}, max {max(seen.values())} cycles, {len(seen)} fires"
    )
    # Behind a message that ends its frame four cycles are missing: of the comparison, and in which order and symbol are
    # read.
    last = {name: cycles for name, cycles in seen.items() if name[0] in {"alone", "last", "split"}}
    assert set(last.values()) == {8}, seen
    assert {cycles for name, cycles in seen.items() if name not in last} == {4}, seen


@cocotb.test
async def several_rules_on_one_message(dut):
    """Thresholds in firing order; one a tick beyond does not fire."""
    rules = [
        Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 4002), Rule(0, "last", "<=", 3999),
        Rule(0, "last", ">=", 4000), Rule(0, "bid", ">=", 3990), Rule(0, "last", ">=", 4001),
        Rule(1, "last", "<=", 10**5),
    ]  # fmt: skip
    bench, exchange = await trading(dut, Tables([GOLD, OIL], rules))
    await exchange.send(exchange.snapshot("GC", [("last", "1000"), ("bid", "997.5")]))
    got = await orders(bench, 4)
    await quiet(bench, 4)
    fired = [(await bench.read_record("ring", i))["rule"] for i in range(4)]
    assert fired == [4, 1, 0, 3]
    numbers = [dict(fix_fields(order.payload))[34] for _, order in got]
    assert numbers == ["00000042", "00000043", "00000044", "00000045"]
    triggers = [(await bench.read_record("trigger", i))["rule"] for i in range(7)]
    assert triggers == [4, 1, 0, 2, 3, 5, 6]
    assert [await spent(bench, trigger) for trigger in range(7)] == [True, True, True, False, True, False, False]


@cocotb.test
async def a_damaged_frame_fires_nothing_its_retransmission_once(dut):
    bench, exchange = await trading(dut, Tables([GOLD], [Rule(0, "last", "<=", 4000)]))
    message = exchange.snapshot("GC", [("last", "999")])
    good = exchange.segment(message, advance=False)
    body = bytearray(good[:-4])
    body[54 + message.index(b"270=") + 4] ^= 1
    bench.from_net(good[:-1] + bytes([good[-1] ^ 1]))  # FCS
    bench.from_net(with_fcs(bytes(body)))  # TCP checksum
    bench.from_net(good, error=True)  # PHY
    bench.from_net(good[: len(good) // 2])  # cut short
    await quiet(bench, 0)
    assert bench.cpu_rx.frames[1:] == [], "none of them reaches the CPU"
    bench.from_net(exchange.segment(message))
    await orders(bench, 1)
    exchange.seq -= len(message)
    bench.from_net(exchange.segment(message))
    await quiet(bench, 1)
    assert await bench.get("count_frames_bad") == 4
    assert await bench.get("count_segments_old") >= 1
    assert len(bench.cpu_rx.frames) == 3, "retransmissions go to the kernel all the same"


@cocotb.test
async def hole_resync_and_on(dut):
    bench, exchange = await trading(dut, Tables([GOLD], [Rule(0, "last", "<=", 4000)]))
    lost = exchange.snapshot("GC", [("last", "1500")])
    exchange.segment(lost)
    await exchange.send(exchange.snapshot("GC", [("last", "999")]))
    await quiet(bench, 0)
    status = await bench.status()
    assert (status["gap"], status["synced"], status["armed"]) == (1, 0, 0)
    await bench.set(resync_seq=exchange.seq - 1)
    assert (await bench.status())["gap"], "not where the wire is"
    await exchange.resync()
    status = await bench.status()
    assert (status["gap"], status["synced"], status["armed"]) == (0, 1, 1)
    await exchange.send(exchange.snapshot("GC", [("last", "999")]))
    await orders(bench, 1)


@cocotb.test
async def a_lease_between_fires(dut):
    """Fire, commit, heartbeat under the lease, a fire that waits for it: one stream of numbers without a seam."""
    rules = [Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 3999), Rule(0, "bid", "<=", 1)]
    bench, exchange = await trading(dut, Tables([GOLD], rules))
    await exchange.send(exchange.snapshot("GC", [("last", "1000")]))
    ((_, first),) = await orders(bench, 1)
    snd_nxt = 1000 + len(first.payload)
    await bench.set(lease_request=1)
    while not (await bench.status())["lease_held"]:
        await bench.cycles(10)
    await exchange.send(exchange.snapshot("GC", [("last", "999.75")]))
    await bench.settle(500)
    assert len(bench.net_tx.frames) == 3, "the fire waits"
    await bench.set(committed=snd_nxt)
    heartbeat = b"8=FIX.4.4\x019=5\x0135=0\x0110=163\x01"
    await bench.cpu_sends(seq=snd_nxt, ack=exchange.seq, payload=heartbeat)
    await bench.set(lease_seq_num=0x44, lease_snd_nxt=snd_nxt + len(heartbeat), lease_release=1)
    got = await orders(bench, 3)
    assert [order.payload for _, order in got][1] == heartbeat
    assert [order.seq for _, order in got] == [1000, snd_nxt, snd_nxt + len(heartbeat)]
    assert dict(fix_fields(got[2][1].payload))[34] == "00000044"
    assert await bench.get("count_guard_stops") == 0


@cocotb.test
async def disarming_drops_a_waiting_fire(dut):
    bench, exchange = await trading(dut, Tables([GOLD], [Rule(0, "last", "<=", 4000)]))
    await bench.set(lease_request=1)
    await exchange.send(exchange.snapshot("GC", [("last", "999")]))
    await bench.settle(100)
    await bench.set(arm=0, lease_seq_num=0x42, lease_snd_nxt=1000, lease_release=1)
    await bench.set(arm=1)
    await quiet(bench, 0)
    assert not await spent(bench, 0)
    await exchange.send(exchange.snapshot("GC", [("last", "999")]))
    await orders(bench, 1)


BRACKET = Tables([GOLD], [Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 3800), Rule(0, "last", ">=", 4400)])


async def bracket(dut) -> tuple[Bench, Exchange]:
    """An entry that arms its stop and its target, of which one cancels the other; two chains."""
    bench, exchange = await trading(dut, BRACKET)
    await bench.set(arm=0)
    await bench.write_record("link", 1, first=1, last=2, arms=1, more=0)
    await bench.write_record("link", 2, first=1, last=2, arms=0, more=0)
    for index, link in enumerate((1, 2, 2)):
        await bench.load_order(index, BRACKET.orders[index], link=link)
    await bench.write_record("chain", 4, first=0, last=1, valid=1, arms=1)
    await bench.write_record("live", 0, triggers=0b001)
    await bench.write_record("dormant", 0, triggers=0b110)
    await bench.set(arm=1)
    return bench, exchange


async def fired(bench: Bench) -> list[int]:
    return [(await bench.read_record("ring", n))["rule"] for n in range(await bench.get("ring_head"))]


@cocotb.test
async def a_bracket(dut):
    """The entry's message does not fire the stop that it satisfies too; the exits cost no cycle more than any stop."""
    bench, exchange = await bracket(dut)
    for sent, price in enumerate(("950", "1100"), 1):
        end = await exchange.send(exchange.snapshot("GC", [("last", price), ("bid", "x")]))
        await quiet(bench, sent)
        assert (await orders(bench, sent))[-1][0].first_cycle - end == 8
    await exchange.send(exchange.snapshot("GC", [("last", "900")]))
    await quiet(bench, 2)
    assert await fired(bench) == [0, 2]
    assert (await bench.read_record("live", 0), await bench.read_record("dormant", 0)) == (
        {"triggers": 0},
        {"triggers": 0},
    )


@cocotb.test
async def a_bracket_whose_entry_was_rejected(dut):
    bench, exchange = await bracket(dut)
    await bench.set(kill=1)
    await exchange.send(exchange.snapshot("GC", [("last", "950")]))
    await bench.settle(200)
    await bench.set(kill=0)
    await exchange.send(exchange.snapshot("GC", [("last", "950")]))
    await quiet(bench, 0)
    assert await bench.read_record("dormant", 0) == {"triggers": 0b110}


@cocotb.test
async def a_write_to_tables_waits_for_links(dut):
    """Disarmed while an order's links are due: what the host writes at once is what stays."""
    for wait in range(0, 40, 3):
        bench, exchange = await bracket(dut)
        await exchange.send(exchange.snapshot("GC", [("last", "950")]))
        for _ in range(50):
            if await bench.get("ring_head"):
                break
        assert await bench.get("ring_head") == 1
        await bench.cycles(wait)
        await bench.set(arm=0)
        await bench.write_record("live", 0, triggers=0b100)
        await bench.write_record("dormant", 0, triggers=0)
        await bench.settle(100)
        assert await bench.read_record("live", 0) == {"triggers": 0b100}


@cocotb.test
async def rejected_rules_are_spent(dut):
    bench, exchange = await trading(dut, Tables([GOLD], [Rule(0, "last", "<=", 4000), Rule(0, "last", "<=", 3000)]))
    await bench.set(kill=1)
    await exchange.send(exchange.snapshot("GC", [("last", "999")]))
    await bench.settle(100)
    assert await bench.get("count_rejected_kill") == 1
    assert await spent(bench, 0)
    assert (await bench.read_record("ring", 0))["outcome"] == CONST["outcome_kill"]
    await bench.set(kill=0)
    await exchange.send(exchange.snapshot("GC", [("last", "999")]))
    await quiet(bench, 0)
    await exchange.send(exchange.snapshot("GC", [("last", "700")]))
    await orders(bench, 1)


@cocotb.test
async def fin_of_the_peer_ends_it(dut):
    bench, exchange = await trading(dut, Tables([GOLD], [Rule(0, "last", "<=", 4000)]))
    message = exchange.snapshot("GC", [("last", "999")])
    bench.from_net(Segment(outgoing=False, seq=exchange.seq, ack=1000, flags=ACK | 1, payload=message).frame())
    await quiet(bench, 0)
    assert await bench.get("count_rejected_session") == 1, "the frame that fires is the one that ends the session"


@cocotb.test
async def mixed_traffic(dut):
    """Random market data, acknowledgements, other connections and CPU frames: nothing lost, nothing mixed up."""
    rng = random.Random(seed())
    rules = [Rule(0, "last", "<=", 4000 - i) for i in range(20)]
    bench, exchange = await trading(dut, Tables([GOLD], rules), rx_gate_ns=10**8)
    bench.cpu_rx.ready = lambda _cycle: rng.random() < 0.9
    await bench.cpu_frames(1)
    to_cpu, from_cpu = [bench.cpu_rx.frames[0].data], []
    expected = 0
    snd_nxt = 1000
    for _ in range(60):
        kind = rng.randrange(4)
        if kind == 0:
            frame = with_fcs(b"\x02\0\0\0\0\x01" + rng.randbytes(rng.randrange(8, 700)))
            bench.from_cpu(frame)
            from_cpu.append(frame)
        elif kind == 1:
            frame = with_fcs(rng.randbytes(rng.randrange(14, 700)))
            bench.from_net(frame)
            to_cpu.append(frame)
        elif kind == 2 and expected < len(rules):
            frame = exchange.segment(exchange.snapshot("GC", [("last", f"{(4000 - expected) / 4}")]))
            bench.from_net(frame)
            to_cpu.append(frame)
            expected += 1
        else:
            frame = exchange.segment(exchange.snapshot("GC", [("last", "1200")], pad="p" * rng.randrange(200)))
            bench.from_net(frame)
            to_cpu.append(frame)
        await bench.cycles(rng.randrange(300))
        if rng.random() < 0.2:
            await bench.settle(1500)
            snd_nxt = await bench.get("snd_nxt")
            exchange.ack = snd_nxt
            await bench.set(committed=snd_nxt)
    await bench.settle(2000)
    await bench.set(committed=await bench.get("snd_nxt"))
    out = [frame.data for frame in (await bench.net_frames(2 + expected + len(from_cpu)))[2:]]
    mine = [data for data in out if data not in from_cpu]
    assert [data for data in out if data in from_cpu] == from_cpu
    assert len(mine) == expected
    seq = 1000
    for data in mine:
        order = parse(data)
        assert not order.problems
        assert order.seq == seq
        seq += len(order.payload)
    got = await bench.cpu_frames(len(to_cpu))
    assert [frame.data for frame in got] == to_cpu
    assert await bench.get("count_gate_timeouts") == 0
    assert await bench.get("count_gate_drops") == 0
