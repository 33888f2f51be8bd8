# SPDX-License-Identifier: Apache-2.0
"""Fires that wait for the wire or for room in the event ring: what stops them meanwhile, what they leave with."""

from itertools import pairwise

import cocotb
from bench import CONST, NS_PER_CYCLE, Bench
from cocotb.triggers import RisingEdge
from frames import FIN, fix_fields, parse
from prepared import PreparedOrder, new_order
from stubbed import armed, drop_fire, fire, peer_segment, raise_fire, raise_hit, until_taken, verdict

HOLD_NS = 40_000


def stall(bench: Bench) -> None:
    bench.net_tx.ready = lambda _cycle: False


def run(bench: Bench) -> None:
    bench.net_tx.ready = lambda _cycle: True


async def nothing_left(bench: Bench, frames: int = 0) -> None:
    """The wire is free again and stays silent; no number was used."""
    run(bench)
    await bench.cycles(600)
    assert len(bench.net_tx.frames) == 2 + frames
    assert not bench.dut.net_tx_valid.value
    assert await bench.get("next_seq_num") == 0x42 + frames
    assert not (await bench.status())["order_busy"]


@cocotb.test
async def kill_stops_what_a_stalled_wire_has_not_taken(dut):
    bench = await armed(dut)
    stall(bench)
    await bench.cycles(3)
    await raise_fire(bench)
    await bench.cycles(200)
    assert await bench.get("ring_head") == 0, "not taken while the wire is not ready"
    taken = cocotb.start_soon(until_taken(bench))
    await bench.set(kill=1)
    await taken
    await bench.set(kill=0)
    await nothing_left(bench)
    assert (await bench.read_record("ring", 0))["outcome"] == CONST["outcome_kill"]
    assert await bench.get("count_rejected_kill") == 1


@cocotb.test
async def kill_stops_the_order_behind_one_whose_end_stalls(dut):
    bench = await armed(dut)
    await fire(bench)
    while not dut.net_tx_last.value:
        await RisingEdge(dut.clk)
    stall(bench)
    await raise_fire(bench)
    await bench.cycles(200)
    await bench.set(kill=1)
    await until_taken(bench)
    await bench.set(kill=0)
    await nothing_left(bench, frames=1)


@cocotb.test
async def disarming_stops_it_and_does_not_spend_it(dut):
    bench = await armed(dut)
    stall(bench)
    await bench.cycles(3)
    await raise_fire(bench)
    await bench.cycles(200)
    await bench.set(arm=0)
    run(bench)
    await bench.cycles(100)
    assert not dut.hit_ready.value
    drop_fire(bench)
    await nothing_left(bench)
    assert await bench.get("ring_head") == 0


@cocotb.test
async def a_session_that_ends_meanwhile_stops_it(dut):
    bench = await armed(dut)
    stall(bench)
    await bench.cycles(3)
    await raise_fire(bench)
    await bench.cycles(50)
    await peer_segment(bench, flags=FIN | 0x10)
    await until_taken(bench)
    await nothing_left(bench)
    assert (await bench.read_record("ring", 0))["outcome"] == CONST["outcome_session"]


@cocotb.test
async def its_sending_time_is_that_of_its_leaving(dut):
    bench = await armed(dut)
    stall(bench)
    await bench.cycles(3)
    await raise_fire(bench)
    await bench.cycles(50)
    await bench.set_clock(hms=0x235958, ms=0x123)
    run(bench)
    await until_taken(bench)
    order = parse((await bench.net_frames(3))[2].data)
    assert not order.problems
    assert dict(fix_fields(order.payload))[52] == "20250314-23:59:58.123"


@cocotb.test
async def an_order_leaves_whole_in_the_cycles_around_a_kill(dut):
    """Whenever kill comes, either the whole order leaves, with its record, or nothing does."""
    for delay in range(14):
        bench = await armed(dut)
        task = cocotb.start_soon(bench.set(kill=1))
        await bench.cycles(delay)
        await fire(bench)
        await task
        await bench.cycles(500)
        record = await bench.read_record("ring", 0)
        frames = bench.net_tx.frames[2:]
        assert (record["outcome"], len(frames)) in ((CONST["outcome_sent"], 1), (CONST["outcome_kill"], 0))
        assert not [problem for frame in frames for problem in parse(frame.data).problems]
        assert await bench.get("next_seq_num") == 0x42 + len(frames)
        dut.rst.value = 1
        await bench.cycles(3)


async def fill_with_rejects(bench: Bench) -> None:
    await bench.set(kill=1)
    for _ in range(CONST["ring_entries"]):
        await fire(bench)
    await bench.set(kill=0)
    assert await bench.get("ring_head") == CONST["ring_entries"]


@cocotb.test
async def a_full_ring_holds_a_fire_until_there_is_room(dut):
    bench = await armed(dut)
    await fill_with_rejects(bench)
    entries = CONST["ring_entries"]
    await raise_fire(bench)
    await bench.cycles(1000)
    assert await bench.get("ring_head") == entries, "held"
    (ack,) = await bench.cpu_sends(seq=1000, ack=5001)
    assert parse(ack.data).payload == b"", "the CPU's frames pass a fire that is held"
    first = await bench.read_record("ring", 0)
    assert (first["entry"], first["outcome"]) == (1, CONST["outcome_kill"]), "nothing was overwritten"
    await bench.set(ring_tail=1)
    await until_taken(bench)
    order = parse((await bench.net_frames(4))[3].data)
    assert not order.problems
    assert order.ack == 5001, "it leaves with what is true when it leaves"
    record = await bench.read_record("ring", 0)
    assert (record["entry"], record["outcome"]) == (entries + 1, CONST["outcome_sent"])
    assert (await bench.status())["armed"]


@cocotb.test
async def kill_and_disarm_act_on_a_held_fire(dut):
    bench = await armed(dut)
    await fill_with_rejects(bench)
    await raise_fire(bench)
    await bench.cycles(100)
    await bench.set(kill=1)
    await bench.set(ring_tail=CONST["ring_entries"])
    await until_taken(bench)
    await bench.set(kill=0)
    await nothing_left(bench)
    assert (await bench.read_record("ring", 0))["outcome"] == CONST["outcome_kill"]


@cocotb.test
async def held_too_long_it_disarms_and_is_not_spent(dut):
    bench = await armed(dut, hold_ns=HOLD_NS)
    await fill_with_rejects(bench)
    await raise_fire(bench)
    await bench.cycles(HOLD_NS // NS_PER_CYCLE - 100)
    assert (await bench.status())["armed"]
    await bench.cycles(400)
    status = await bench.status()
    assert (status["held"], status["armed"]) == (1, 0)
    await bench.set(ring_tail=CONST["ring_entries"])
    await bench.cycles(100)
    assert await bench.get("ring_head") == CONST["ring_entries"], "never taken"
    drop_fire(bench)
    await nothing_left(bench)
    await bench.set(arm=1)
    status = await bench.status()
    assert (status["held"], status["armed"]) == (0, 1)
    await fire(bench)
    await bench.net_frames(3)


@cocotb.test
async def a_stalled_wire_counts_as_holding(dut):
    bench = await armed(dut, hold_ns=HOLD_NS)
    stall(bench)
    await bench.cycles(3)
    await raise_fire(bench)
    await bench.cycles(HOLD_NS // NS_PER_CYCLE + 100)
    drop_fire(bench)
    assert (await bench.status())["held"]
    await nothing_left(bench)


@cocotb.test
async def the_lease_has_a_bound_of_its_own(dut):
    bench = await armed(dut, hold_ns=HOLD_NS)
    await bench.set(lease_request=1)
    await raise_fire(bench)
    await bench.cycles(2 * HOLD_NS // NS_PER_CYCLE)
    assert (await bench.status())["armed"]
    await bench.set(lease_seq_num=0x43, lease_snd_nxt=1000, lease_release=1)
    await until_taken(bench)
    assert dict(fix_fields(parse((await bench.net_frames(3))[2].data).payload))[34] == "00000043"


def longest_order() -> PreparedOrder:
    order = new_order()
    more = CONST["message_bytes"] - len(order.stream())
    at = order.parts.index(b"10=")
    return PreparedOrder((*order.parts[:at], b"58=" + b"x" * (more - 4) + b"\x01", *order.parts[at:]),
                         order.price, order.qty, order.symbol)  # fmt: skip


@cocotb.test
async def bytes_may_fill_before_records_do(dut):
    """Payloads are packed one behind the other, over the end of their memory; fires wait for room there too."""
    bench = await armed(dut, max_unacked=2**31 - 1)
    await bench.set(arm=0, peer_wscale=14)
    await verdict(bench, ack=1000, window=0xFFFF)
    order = longest_order()
    await bench.load_template(0, order)
    await bench.load_order(0, order)
    await bench.set(arm=1)
    fit = CONST["sent_bytes"] // CONST["message_bytes"]
    for _ in range(fit):
        await fire(bench)
    await raise_fire(bench)
    await bench.cycles(1000)
    assert await bench.get("ring_head") == fit
    await bench.set(ring_tail=1)
    await until_taken(bench)
    frames = await bench.net_frames(2 + fit + 1)
    short = new_order()
    await bench.set(arm=0)
    await bench.load_template(1, short)
    await bench.load_order(1, short, 1)
    await bench.set(ring_tail=fit + 1)
    await bench.set(arm=1)
    total = fit + 1
    for _ in range(CONST["sent_bytes"] // len(short.stream()) + 3):
        await fire(bench, order=1)
        total += 1
        frames = await bench.net_frames(2 + total)
        await bench.cycles(10)
        index = (total - 1) % CONST["ring_entries"]
        payload = parse(frames[-1].data).payload
        if (await bench.read_record("ring", index))["sent_at"] * 4 + len(payload) > CONST["sent_bytes"]:
            assert await bench.sent_bytes(index, len(payload)) == payload, "over the end"
        await bench.set(ring_tail=total)
    assert await bench.sent_bytes(index, len(payload)) == payload


@cocotb.test
async def a_thousand_fires_at_once(dut):
    """Every order leaves, each with its record, behind one another; the runtime takes records slower than they come."""
    count = 1000
    bench = await armed(dut, max_unacked=2**31 - 1)
    await bench.set(arm=0, peer_wscale=14)
    await verdict(bench, ack=1000, window=0xFFFF)
    await bench.set(arm=1)
    records = []

    async def drain() -> None:
        while len(records) < count:
            head = await bench.get("ring_head")
            for number in range(len(records), head):
                record = await bench.read_record("ring", number % CONST["ring_entries"])
                assert record["entry"] == number + 1
                records.append(record)
            await bench.cycles(3000)
            await bench.set(ring_tail=head)

    task = cocotb.start_soon(drain())
    for number in range(count):
        raise_hit(bench, rule=number, trigger=number)
        bench.dut.receiver.next_hit_valid.value = 1
        await until_taken(bench, limit=20000)
    frames = (await bench.net_frames(2 + count))[2:]
    await task
    orders = [parse(frame.data) for frame in frames]
    assert not [problem for order in orders for problem in order.problems]
    assert [int(dict(fix_fields(order.payload))[34]) for order in orders] == list(range(42, 42 + count))
    assert [record["rule"] for record in records] == list(range(count))
    assert {record["outcome"] for record in records} == {CONST["outcome_sent"]}
    assert [record["tcp_seq"] for record in records] == [order.seq for order in orders]
    assert all(after.seq == before.seq + len(before.payload) for before, after in pairwise(orders))
    gaps = [after.first_cycle - before.last_cycle for before, after in pairwise(frames)]
    assert gaps[: CONST["ring_entries"] // 2] == [2] * (CONST["ring_entries"] // 2), "as fast as the line"
    assert await bench.get("count_sent") == count
    assert (await bench.status())["armed"]
