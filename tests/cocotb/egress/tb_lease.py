# SPDX-License-Identifier: Apache-2.0
"""The egress lease: granted between orders, holds fires, returns numbers, has a time limit."""

import cocotb
from bench import NS_PER_CYCLE
from cocotb.triggers import RisingEdge
from frames import fix_fields, parse
from stubbed import armed, drop_fire, fire, raise_fire, until_taken


async def taken(bench) -> bool:
    await RisingEdge(bench.dut.clk)
    return bool(bench.dut.hit_valid.value) and bool(bench.dut.hit_ready.value)


@cocotb.test
async def granted_at_once_when_quiet(dut):
    bench = await armed(dut)
    await bench.set(lease_request=1)
    status = await bench.status()
    assert (status["lease_requested"], status["lease_held"], status["armed"]) == (0, 1, 1)


@cocotb.test
async def a_fire_waits_and_then_carries_the_new_numbers(dut):
    bench = await armed(dut)
    await bench.set(lease_request=1)
    await raise_fire(bench)
    for _ in range(300):
        assert not await taken(bench)
    # The CPU may send meanwhile, though a fire waits.
    (frame,) = await bench.cpu_sends(seq=1000, ack=5000, payload=b"heartbeat")
    assert parse(frame.data).payload == b"heartbeat"
    await bench.set(lease_seq_num=0x43, lease_snd_nxt=1009, lease_release=1)
    await until_taken(bench)
    frames = await bench.net_frames(4)
    parsed = parse(frames[3].data)
    assert parsed.seq == 1009
    assert dict(fix_fields(parsed.payload))[34] == "00000043"
    status = await bench.status()
    assert (status["lease_held"], status["release_refused"]) == (0, 0)


@cocotb.test
async def granted_only_after_the_order_has_left(dut):
    bench = await armed(dut)
    await fire(bench)
    await bench.set(lease_request=1)
    status = await bench.status()
    assert (status["lease_requested"], status["lease_held"], status["order_busy"]) == (1, 0, 1)
    frames = await bench.net_frames(3)
    while not (await bench.status())["lease_held"]:
        assert await bench.get("cycle") < frames[2].last_cycle + 100
    await bench.set(lease_request=0)
    assert (await bench.status())["lease_held"], "giving the request back does not give the lease back"


@cocotb.test
async def a_fire_in_the_cycle_of_the_request_goes_first(dut):
    for delay in range(8):
        bench = await armed(dut)
        task = cocotb.start_soon(bench.set(lease_request=1))
        await bench.cycles(delay)
        await raise_fire(bench, lead=0)
        waited = 0
        while not await taken(bench):
            waited += 1
            if waited > 100:
                break
        drop_fire(bench)
        await task
        await bench.cycles(5)
        held = (await bench.status())["lease_held"]
        assert held == (waited > 100), "either the fire is out or the lease is"
        if not held:
            await bench.net_frames(3)
            await bench.cycles(20)
            assert (await bench.status())["lease_held"]
        drop_fire(bench)
        dut.rst.value = 1
        await bench.cycles(3)


@cocotb.test
async def release_is_refused_while_numbers_differ(dut):
    bench = await armed(dut)
    await bench.set(lease_request=1, lease_seq_num=0x50, lease_snd_nxt=1009, lease_release=1)
    status = await bench.status()
    assert (status["lease_held"], status["release_refused"]) == (1, 1)
    assert await bench.get("next_seq_num") == 0x42
    await bench.cpu_sends(seq=1000, ack=5000, payload=b"heartbeat")
    await bench.set(lease_release=1)
    status = await bench.status()
    assert (status["lease_held"], status["release_refused"]) == (0, 0)
    assert await bench.get("next_seq_num") == 0x50


@cocotb.test
async def release_without_lease_changes_nothing(dut):
    bench = await armed(dut)
    await bench.set(lease_seq_num=0x99, lease_snd_nxt=1000, lease_release=1)
    assert await bench.get("next_seq_num") == 0x42
    assert not (await bench.status())["release_refused"]


@cocotb.test
async def a_request_can_be_withdrawn(dut):
    bench = await armed(dut)
    await fire(bench)
    bench.net_tx.ready = lambda _cycle: False
    await bench.set(lease_request=1)
    await bench.set(lease_request=0)
    assert not (await bench.status())["lease_requested"]
    bench.net_tx.ready = lambda _cycle: True
    await bench.net_frames(3)
    await bench.cycles(20)
    assert not (await bench.status())["lease_held"]


@cocotb.test
async def held_too_long(dut):
    limit = 40_000
    bench = await armed(dut, lease_ns=limit)
    await bench.set(lease_request=1)
    await raise_fire(bench)
    for _ in range(limit // NS_PER_CYCLE - 100):
        assert not await taken(bench)
    assert (await bench.status())["armed"]
    for _ in range(400):
        if await taken(bench):
            break
    else:
        raise AssertionError("the fire is still held")
    drop_fire(bench)
    await bench.cycles(300)
    status = await bench.status()
    assert (status["fault_lease"], status["armed"], status["lease_held"]) == (1, 0, 1)
    assert await bench.get("count_rejected_fault") == 1, "rejected, not sent late"
    assert len(bench.net_tx.frames) == 2
    await bench.set(lease_seq_num=0x77, lease_snd_nxt=1000, lease_release=1)
    assert await bench.get("next_seq_num") == 0x77
    await bench.set(arm=1)
    assert (await bench.status())["armed"]
    await fire(bench)
    frames = await bench.net_frames(3)
    assert dict(fix_fields(parse(frames[2].data).payload))[34] == "00000077"


@cocotb.test
async def lease_while_disarmed(dut):
    bench = await armed(dut)
    await bench.set(arm=0, lease_request=1)
    assert (await bench.status())["lease_held"]
