# SPDX-License-Identifier: Apache-2.0
"""Everything that keeps the fabric silent, and what arming clears of it."""

import cocotb
from bench import CONST
from frames import FIN, RST, with_fcs
from prepared import new_order
from stubbed import (
    VERDICT,
    armed,
    fire,
    net_frame,
    packed,
    peer_segment,
    raise_fire,
    raise_hit,
    until_taken,
    verdict,
)


async def outcome_of_a_fire(bench, **hit: int) -> str:
    """Name of the outcome; checks record, counters and wire against each other."""
    names = {value: name.removeprefix("outcome_") for name, value in CONST.items() if name.startswith("outcome_")}
    # What a watch hits is in the ring alone, and of a bad frame the order that was aborted is counted.
    counted = set(names.values()) - {"watch", "frame"}
    counters = {name: f"count_{'' if name in ('sent', 'dry') else 'rejected_'}{name}" for name in counted}
    before = {name: await bench.get(counter) for name, counter in counters.items()}
    head = await bench.get("ring_head")
    snd_nxt, number, frames = await bench.get("snd_nxt"), await bench.get("next_seq_num"), len(bench.net_tx.frames)
    await fire(bench, **hit)
    await bench.cycles(400)
    moved = {name: await bench.get(counter) - before[name] for name, counter in counters.items()}
    (outcome,) = [name for name, by in moved.items() if by]
    assert moved[outcome] == 1
    assert await bench.get("ring_head") == head + 1
    record = await bench.read_record("ring", head % CONST["ring_entries"])
    assert names[record["outcome"]] == outcome
    assert record["entry"] == head + 1
    if outcome == "sent":
        assert (record["msg_seq_num"], record["tcp_seq"]) == (number, snd_nxt)
    else:
        assert (record["msg_seq_num"], record["tcp_seq"], record["length"]) == (0, 0, 0)
    assert len(bench.net_tx.frames) == frames + (outcome == "sent")
    if outcome != "sent":
        assert (await bench.get("snd_nxt"), await bench.get("next_seq_num")) == (snd_nxt, number)
    return outcome


@cocotb.test
async def kill(dut):
    bench = await armed(dut)
    await bench.set(kill=1)
    status = await bench.status()
    assert (status["kill"], status["armed"]) == (1, 0)
    assert await outcome_of_a_fire(bench) == "kill"
    await bench.set(arm=1)  # refused
    assert not (await bench.status())["armed"]
    await bench.set(kill=0)
    assert (await bench.status())["armed"], "kill does not clear enabled"
    assert await outcome_of_a_fire(bench) == "sent"
    await bench.set(arm=0, kill=1)
    await bench.set(arm=1)
    await bench.set(kill=0)
    assert not (await bench.status())["armed"], "an arm write during kill has no effect"


@cocotb.test
async def disarmed(dut):
    bench = await armed(dut)
    await bench.set(arm=0)
    await raise_fire(bench)
    await bench.cycles(400)
    assert not dut.hit_ready.value, "the receive side drops it, and its rule is not spent"
    assert await bench.get("ring_head") == 0
    assert len(bench.net_tx.frames) == 2


@cocotb.test
async def watchdog(dut):
    bench = await armed(dut)
    await bench.set(watchdog_ns=20_000, watchdog_kick=1)
    for _ in range(3):
        await bench.cycles(2000)  # 16 us
        await bench.set(watchdog_kick=1)
    assert await outcome_of_a_fire(bench) == "sent"
    await bench.set(watchdog_kick=1)
    await bench.cycles(2600)
    status = await bench.status()
    assert (status["watchdog_expired"], status["armed"]) == (1, 0)
    await bench.set(watchdog_kick=1)
    assert await outcome_of_a_fire(bench) == "watchdog", "a late kick does not arm"
    await bench.set(arm=1)
    assert (await bench.status())["armed"]
    assert await outcome_of_a_fire(bench) == "sent"
    await bench.set(watchdog_ns=0)
    await bench.cycles(6000)
    assert (await bench.status())["armed"], "0 switches it off"


@cocotb.test
async def a_jump_of_time_is_no_way_round_the_watchdog(dut):
    bench = await armed(dut, watchdog_ns=1_000_000)
    for _ in range(3):
        dut.elapsed_ns.value = 0xFFFFFFFF
        await bench.cycles(1)
    dut.elapsed_ns.value = 8
    await bench.cycles(5)
    assert (await bench.status())["watchdog_expired"]


@cocotb.test
async def session_lost_by_the_peer(dut):
    for flag in (FIN, RST):
        bench = await armed(dut)
        await peer_segment(bench, flags=flag | 0x10)
        await bench.cycles(5)
        status = await bench.status()
        assert (status["session_lost"], status["armed"]) == (1, 0)
        assert await outcome_of_a_fire(bench) == "session"
        await bench.set(arm=1)
        assert await outcome_of_a_fire(bench) == "session", "the same connection does not come back by arming"
        dut.rst.value = 1
        await bench.cycles(2)
        dut.rst.value = 0


@cocotb.test
async def a_fin_in_the_very_frame_that_fires(dut):
    bench = await armed(dut)
    await verdict(bench, ack=1000, window=16000)
    raise_hit(bench)
    await bench.cycles(20)
    # The fire is valid one cycle after its frame's verdict.
    dut.receiver.next_verdict.value = packed(
        VERDICT, done=1, good=1, is_flow=1, fin=1, ack_flag=1, ack=1000, window=16000
    )
    await bench.cycles(1)
    dut.receiver.next_verdict.value = 0
    await bench.cycles(1)
    dut.receiver.next_hit_valid.value = 1
    await until_taken(bench)
    await bench.cycles(400)
    assert await bench.get("count_rejected_session") == 1
    assert len(bench.net_tx.frames) == 2


@cocotb.test
async def bad_or_foreign_frames_do_not_end_the_session(dut):
    bench = await armed(dut)
    await verdict(bench, good=0, fin=1, ack=1000)
    await verdict(bench, is_flow=0, rst=1, ack=1000)
    assert (await bench.status())["armed"]
    assert await outcome_of_a_fire(bench) == "sent"


@cocotb.test
async def flow_taken_away(dut):
    bench = await armed(dut)
    await bench.set(flow_valid=0)
    assert not (await bench.status())["flow"]
    assert await outcome_of_a_fire(bench) == "session"
    await bench.set(flow_valid=1)
    for name in ("snd_nxt", "committed", "peer_ack", "peer_window"):
        assert await bench.get(name) == 0, f"{name} is forgotten"
    assert await outcome_of_a_fire(bench) == "session", "nothing learned yet"


@cocotb.test
async def clock_not_disciplined(dut):
    bench = await armed(dut, clock_max_age_ns=50_000)
    await bench.set_clock()
    assert await outcome_of_a_fire(bench) == "sent"
    await bench.cycles(7000)
    status = await bench.status()
    assert (status["clock_valid"], status["armed"]) == (0, 0)
    assert await outcome_of_a_fire(bench) == "clock"
    await bench.set_clock()
    assert await outcome_of_a_fire(bench) == "sent", "not sticky"


@cocotb.test
async def window_exactly(dut):
    """The window counts the order's own length, to the byte; ACKs and scaling as in the header."""
    bench = await armed(dut)
    length = len(new_order().stream())
    await bench.set(peer_wscale=0)
    await verdict(bench, ack=1000, window=length - 1)
    assert await outcome_of_a_fire(bench) == "window"
    await verdict(bench, ack=1000, window=length)
    assert await outcome_of_a_fire(bench) == "sent"
    assert await outcome_of_a_fire(bench) == "window", "in flight"
    await verdict(bench, ack=1000 + length, window=length)
    assert await outcome_of_a_fire(bench) == "sent"
    await verdict(bench, ack=1000, window=60000)  # old
    assert await bench.get("peer_ack") == 1000 + length
    assert await bench.get("peer_window") == length
    assert await outcome_of_a_fire(bench) == "window"
    await bench.set(peer_wscale=7)
    await verdict(bench, ack=1000 + 2 * length, window=500)
    assert await bench.get("peer_window") == 64000
    await bench.set(max_unacked=2 * length - 1)
    assert await outcome_of_a_fire(bench) == "sent"
    assert await outcome_of_a_fire(bench) == "window", "max_unacked"
    await bench.set(max_unacked=2 * length)
    assert await outcome_of_a_fire(bench) == "sent"


@cocotb.test
async def window_across_the_wrap_of_sequence_numbers(dut):
    bench = await armed(dut)
    length = len(new_order().stream())
    await bench.set(arm=0, flow_valid=1, peer_wscale=0)
    await bench.cpu_sends(seq=2**32 - 10, ack=1, window=9)
    await verdict(bench, ack=2**32 - 10, window=2 * length)
    await bench.set(arm=1)
    assert await outcome_of_a_fire(bench) == "sent"
    assert await bench.get("snd_nxt") == length - 10
    await verdict(bench, ack=length - 10, window=length)
    assert await outcome_of_a_fire(bench) == "sent"
    assert await outcome_of_a_fire(bench) == "window"
    await verdict(bench, ack=2**31, window=60000)
    assert await outcome_of_a_fire(bench) == "window", "an acknowledgement of what was never sent opens nothing"


@cocotb.test
async def numbers_without_a_successor(dut):
    bench = await armed(dut)
    assert await outcome_of_a_fire(bench, exhausted=1, fires=2**15 - 1) == "exhausted"
    assert (await bench.status())["armed"], "only this rule is at its end"
    assert await outcome_of_a_fire(bench) == "sent"
    await bench.set(arm=0, next_seq_num=0x99999998)
    await bench.set(arm=1)
    assert await outcome_of_a_fire(bench) == "sent"
    assert await outcome_of_a_fire(bench) == "exhausted"
    assert await bench.get("next_seq_num") == 0x99999999
    assert not (await bench.status())["armed"], "nothing can be sent until the session's numbers begin anew"


@cocotb.test
async def the_first_reason_counts(dut):
    """All reasons at once, then taken away from the front."""
    bench = await armed(dut, watchdog_ns=10_000)
    await bench.cpu_sends(seq=1500, ack=5000, payload=b"over")  # clashes: fault
    await verdict(bench, ack=1000, window=0)
    await verdict(bench, ack=1000, fin=1, window=0)
    await bench.set(clock_max_age_ns=1, kill=1)
    await bench.cycles(1500)
    assert await outcome_of_a_fire(bench) == "kill"
    await bench.set(kill=0)
    assert await outcome_of_a_fire(bench) == "watchdog"
    await bench.set(watchdog_ns=0, arm=1)
    await bench.cpu_sends(seq=1500, ack=5000, payload=b"over")
    assert await outcome_of_a_fire(bench) == "session"
    await bench.set(arm=0, flow_valid=1)
    await bench.cpu_sends(seq=1000, ack=5000, window=9)
    await bench.set(arm=1)
    await bench.cpu_sends(seq=1500, ack=5000, payload=b"over")
    assert await outcome_of_a_fire(bench) == "clock"
    await bench.set(clock_max_age_ns=0)
    assert await outcome_of_a_fire(bench) == "window"
    await verdict(bench, ack=1000, window=16000)
    assert await outcome_of_a_fire(bench, exhausted=1) == "exhausted"
    assert await outcome_of_a_fire(bench, outside=1) == "fault"
    status = await bench.status()
    assert (status["fault_uncommitted"], status["armed"]) == (1, 0)
    await bench.set(arm=1)
    assert await outcome_of_a_fire(bench, outside=1) == "collar"
    assert await outcome_of_a_fire(bench) == "sent"


@cocotb.test
async def rejects_in_a_row(dut):
    bench = await armed(dut)
    await bench.set(kill=1)
    for _ in range(5):
        await fire(bench)
    await bench.cycles(20)
    assert await bench.get("count_rejected_kill") == 5
    assert await bench.get("ring_head") == 5
    assert [(await bench.read_record("ring", i))["entry"] for i in range(5)] == [1, 2, 3, 4, 5]


@cocotb.test
async def frame_counters(dut):
    bench = await armed(dut)
    await net_frame(bench, with_fcs(bytes(60)), good=1)
    await net_frame(bench, bytes(64), good=0)
    await bench.cycles(50)  # counters are added to their memory in turn
    assert await bench.get("count_frames") == 3  # and the one of the handshake
    assert await bench.get("count_frames_bad") == 1
