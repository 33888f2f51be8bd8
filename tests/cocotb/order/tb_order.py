# SPDX-License-Identifier: Apache-2.0
"""Orders on the wire: every patched byte, every checksum, the ring's record, for random values of everything."""

import random
from itertools import pairwise

import cocotb
from bench import CAPACITY, CONST, FLOW, seed
from cocotb.triggers import RisingEdge
from frames import fix_fields, parse
from prepared import PreparedOrder, base36, new_order
from stubbed import armed, drop_fire, fire, verdict


def bcd(value: int) -> int:
    return int(str(value), 16)


def check_order(
    frame, order: PreparedOrder, *, seq: int, seq_num: int, utc: str, cl_ord_id: str, ack: int, window: int
):
    parsed = parse(frame.data)
    assert not parsed.problems, parsed.problems
    assert not frame.error
    assert not frame.gaps
    assert (parsed.dst_mac, parsed.src_mac) == (FLOW.remote_mac, FLOW.local_mac)
    assert (parsed.seq, parsed.ack, parsed.window, parsed.flags) == (seq % 2**32, ack, window, 0x18)
    assert parsed.payload == order.message(seq_num, utc, cl_ord_id)
    fix_fields(parsed.payload)
    return parsed


@cocotb.test
async def one_order_byte_by_byte(dut):
    bench = await armed(dut, generation=77)
    hit = await fire(bench, trigger=9, rule=35, order=0, instrument=3, source=1, observed=-1180, time_ns=2**60 + 5,
                     message_end_cycle=11, frame_end_cycle=22)  # fmt: skip
    frame = (await bench.net_frames(3))[2]
    parsed = check_order(
        frame, new_order(), seq=1000, seq_num=42, utc="20250314-12:34:56.789", cl_ord_id="E7Z00000000Z00000001",
        ack=5000, window=60000,
    )  # fmt: skip
    assert frame.first_cycle - hit == 1, "cycles from the fire to the first byte"
    await bench.cycles(10)
    length = len(parsed.payload)
    assert await bench.read_record("ring", 0) == {
        "entry": 1, "generation": 77, "message": 1, "trigger": 9, "sent_at": 0, "rule": 35, "order": 0,
        "instrument": 3, "source": 1, "outcome": CONST["outcome_sent"], "fires": 1, "observed": -1180,
        "time_ns": 2**60 + 5, "msg_seq_num": 0x42, "tcp_seq": 1000, "length": length, "message_end_cycle": 11,
        "frame_end_cycle": 22,
    }  # fmt: skip
    assert await bench.read_record("ring_sent", 0) == {
        "entry": 1, "first_byte_cycle": frame.first_cycle, "last_byte_cycle": frame.last_cycle,
        "tcp_checksum": parsed.tcp_checksum, "reserved": 0,
    }  # fmt: skip
    assert await bench.sent_bytes(0, length) == parsed.payload
    assert await bench.get("snd_nxt") == 1000 + length
    assert await bench.get("next_seq_num") == 0x43
    assert await bench.get("ring_head") == 1
    assert await bench.get("count_sent") == 1
    assert not (await bench.status())["order_busy"]


@cocotb.test
async def random_values_in_every_field(dut):
    """Lengths, offsets of both parities, texts, numbers, wraps of the sequence number; a wire that stalls at random."""
    rng = random.Random(seed())
    bench = await armed(dut)
    for round_ in range(40):
        order = new_order(
            symbol="X" * rng.randrange(1, 13), sender="S" * rng.randrange(1, 30),
            price=rng.choice(["", "-"]) + f"{rng.randrange(10**9)}.{rng.randrange(10**6)}"[:15],
            qty=str(rng.randrange(10**10)),
        )  # fmt: skip
        index, template = rng.randrange(64), rng.randrange(8)
        seq, seq_num = rng.randrange(2**32), rng.randrange(10**8)
        date = rng.randrange(1000, 3000) * 10000 + rng.randrange(1, 13) * 100 + rng.randrange(1, 29)
        hms = f"{rng.randrange(24):02}{rng.randrange(60):02}{rng.randrange(60):02}"
        ms = rng.randrange(1000)
        ack, window = rng.randrange(2**32), rng.randrange(2**16)
        epoch = "".join(rng.choice("ABCXYZ0189") for _ in range(4))
        rule, fires = (
            rng.choice([0, 35, 36, 2**24 - 1, rng.randrange(2**24)]),
            rng.choice([1, 35, 36, 32767, rng.randrange(2**15)]),
        )
        await bench.set(arm=0, flow_valid=1)
        await bench.load_template(template, order)
        await bench.load_order(index, order, template)
        await bench.write_record("symbol", 3, key=int.from_bytes(order.symbol.encode(), "little"))
        bench.net_tx.ready = lambda _cycle: True
        await bench.cpu_sends(seq=seq, ack=ack, window=window)
        await verdict(bench, ack=seq, window=16000)
        await bench.set(
            snd_nxt=seq, next_seq_num=bcd(seq_num), epoch=int.from_bytes(epoch.encode(), "little"),
            clock_date=bcd(date), clock_hms=int(hms, 16), clock_ms=bcd(ms), clock_sub_ns=0, clock_set=1, arm=1,
        )  # fmt: skip
        await bench.set(ring_tail=round_)
        if round_ % 2:
            rate = rng.choice([0.9, 0.5, 0.1])
            bench.net_tx.ready = lambda _cycle, rate=rate: rng.random() < rate
        before = len(bench.net_tx.frames)
        await fire(bench, order=index, rule=rule, fires=fires, instrument=3)
        frame = (await bench.net_frames(before + 1))[before]
        check_order(
            frame, order, seq=seq, seq_num=seq_num, ack=ack, window=window,
            utc=f"{date:08}-{hms[:2]}:{hms[2:4]}:{hms[4:]}.{ms:03}",
            cl_ord_id=epoch + base36(rule, 8) + base36(fires, 8),
        )  # fmt: skip
        await bench.cycles(4)
        assert await bench.sent_bytes(round_ % CONST["ring_entries"], 8) == parse(frame.data).payload[:8]
    assert await bench.get("count_sent") == 40


@cocotb.test
async def shortest_and_longest_message(dut):
    bench = await armed(dut)
    soh = b"\x01"
    core = [
        b"34=",
        ("seq_num", 8),
        soh + b"52=",
        ("time", 21),
        soh + b"60=",
        ("time", 21),
        soh + b"11=",
        ("cl_ord_id", 20),
    ]
    for length in (200, 201, CONST["message_bytes"] - 1, CONST["message_bytes"]):
        used = sum(len(part) if isinstance(part, bytes) else part[1] for part in core)
        filler = soh + b"58=" + b"x" * (length - used - 4 - 8) + soh
        order = PreparedOrder((*core, filler, b"10=", ("checksum", 3), soh), "", "")
        assert len(order.stream()) == length
        await bench.set(arm=0)
        await bench.load_template(1, order)
        await bench.load_order(1, order, 1)
        await bench.set(arm=1)
        before = len(bench.net_tx.frames)
        seq = await bench.get("snd_nxt")
        number = await bench.get("next_seq_num")
        entry = await bench.get("ring_head")
        await fire(bench, order=1)
        frame = (await bench.net_frames(before + 1))[before]
        parsed = parse(frame.data)
        assert not parsed.problems
        utc = parsed.payload[parsed.payload.index(b"52=") + 3 :][:21].decode()
        assert parsed.payload == order.message(int(f"{number:x}"), utc, "E7Z0" + "0" * 8 + "00000001")
        await bench.cycles(4)
        assert await bench.sent_bytes(entry, length) == parsed.payload
        assert await bench.get("snd_nxt") == seq + length


@cocotb.test
async def back_to_back_orders_use_the_whole_line(dut):
    bench = await armed(dut)
    for _ in range(5):
        await fire(bench)
    frames = (await bench.net_frames(7))[2:]
    for before, after in pairwise(frames):
        # The cycle between them shows that the wire takes another frame.
        assert after.first_cycle == before.last_cycle + 2
    seq = 1000
    for number, frame in enumerate(frames):
        parsed = parse(frame.data)
        assert not parsed.problems
        assert parsed.seq == seq
        assert dict(fix_fields(parsed.payload))[34] == f"{42 + number:08}"
        seq += len(parsed.payload)
    await bench.cycles(10)
    for entry in range(1, 6):
        sent = await bench.read_record("ring_sent", entry - 1)
        assert (sent["entry"], sent["first_byte_cycle"]) == (entry, frames[entry - 1].first_cycle)
        assert sent["tcp_checksum"] == parse(frames[entry - 1].data).tcp_checksum
        ring = await bench.read_record("ring", entry - 1)
        assert (ring["entry"], ring["tcp_seq"]) == (entry, parse(frames[entry - 1].data).seq)


async def refused_by_its_tables(bench, **hit: int) -> None:
    """A fire of such an order sends nothing, uses no number, says `fault` and disarms."""
    await fire(bench, **hit)
    await bench.cycles(400)
    assert len(bench.net_tx.frames) == 2
    record = await bench.read_record("ring", 0)
    assert (record["outcome"], record["length"]) == (CONST["outcome_fault"], 0)
    assert (await bench.read_record("ring_sent", 0))["entry"] == 0
    assert await bench.get("snd_nxt") == 1000
    assert await bench.get("next_seq_num") == 0x42
    assert await bench.get("count_rejected_fault") == 1
    status = await bench.status()
    assert (status["armed"], status["order_busy"]) == (0, 0)


@cocotb.test
async def an_order_that_was_never_written(dut):
    bench = await armed(dut)
    await bench.set(arm=0)
    await bench.write_record("order", 0, template_index=0, valid=0)
    await bench.set(arm=1)
    await refused_by_its_tables(bench)


@cocotb.test
async def an_order_beyond_the_tables(dut):
    for index in (CAPACITY["orders"], 2**19):
        bench = await armed(dut)
        await refused_by_its_tables(bench, order=index)
        await reset(bench)
    bench = await armed(dut)
    await refused_by_its_tables(bench, instrument=CAPACITY["instruments"])


async def reset(bench) -> None:
    drop_fire(bench)
    bench.dut.rst.value = 1
    await bench.cycles(3)


@cocotb.test
async def the_record_is_there_before_the_preamble_has_passed(dut):
    """A MAC sends eight bytes before the first one that it has taken."""
    bench = await armed(dut)
    cocotb.start_soon(fire(bench))
    while not (bool(dut.net_tx_valid.value) and bool(dut.net_tx_ready.value)):
        await RisingEdge(dut.clk)
    await bench.cycles(7)
    assert int(dut.receiver.ring_head.value) == 1, "counted before the wire has the byte"
    record = await bench.read_record("ring", 0)
    assert (record["entry"], record["length"]) == (1, len(new_order().stream()))


@cocotb.test
async def the_wait_for_the_verdict_hides_what_is_read(dut):
    """Known two cycles ahead or more, a fire takes one cycle to its first byte; known later, as many more.

    Three ahead, where limits compare what the record says.
    """
    for compared in (0, 1):
        for lead, cycles in ((0, 3), (1, 2), (2, 1), (3, 1), (20, 1)):
            bench = await armed(dut, unlimited_orders=1 - compared)
            hit = await fire(bench, lead=lead)
            frame = (await bench.net_frames(3))[2]
            assert frame.first_cycle - hit == cycles + (compared if lead <= 2 else 0), lead
            assert not parse(frame.data).problems
            await reset(bench)
