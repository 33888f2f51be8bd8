# SPDX-License-Identifier: Apache-2.0
"""Records over the three channels, both ways at once: each once and in order, whatever the wire does."""

import random
from collections.abc import Callable

import cocotb
from bench import Bench
from far_end import CHANNELS, FIRES, HOST, PRICES, record


def any_records(chance: random.Random, count: int, most: int = 60) -> list[list[int]]:
    return [record(chance.choice((1, 2, 3, 9, chance.randrange(1, most + 1))), chance) for _ in range(count)]


def flat(records: list[list[int]]) -> list[int]:
    return [word for one in records for word in one]


def in_frames(records: list[list[int]], most: int) -> list[list[int]]:
    """Records together in frames as far as there is room."""
    frames: list[list[int]] = []
    for one in records:
        if not frames or len(frames[-1]) + len(one) > most:
            frames.append([])
        frames[-1] += one
    return frames


def faulty(chance: random.Random, share: float) -> Callable[[bytes], list[bytes]]:
    """A wire that loses, damages, doubles, delays and swaps frames, each with such a share."""
    late: list[bytes] = []

    def wire(frame: bytes) -> list[bytes]:
        kind = chance.random() / share
        out = [frame]
        if kind < 1:
            out = []
        elif kind < 2:
            at = chance.randrange(len(frame))
            out = [frame[:at] + bytes([frame[at] ^ 1 << chance.randrange(8)]) + frame[at + 1 :]]
        elif kind < 3:
            out = [frame, frame]
        elif kind < 4:
            late.append(frame)
            out = []
        if late and chance.random() < 0.3:
            out.append(late.pop(chance.randrange(len(late))))
        return out

    return wire


async def both_ways(bench: Bench, count: int, limit: int = 400_000) -> None:
    """Sends so many records each way over each channel, and compares what came."""
    given = {channel: any_records(bench.random, count) for channel in CHANNELS}
    taken = {channel: any_records(bench.random, count) for channel in CHANNELS}
    had = {channel: (len(bench.got[channel]), len(bench.far.receivers[channel].words)) for channel in CHANNELS}
    for channel in CHANNELS:
        for one in given[channel]:
            bench.give(channel, one, urgent=channel == FIRES)
        bench.far.senders[channel].frames.extend(in_frames(taken[channel], 64))
    bench.far.send()
    await bench.until(bench.quiet, limit)
    await bench.cycles(1000)
    for channel in CHANNELS:
        assert bench.got[channel][had[channel][0] :] == flat(taken[channel]), f"channel {channel} to the unit"
        there = bench.far.receivers[channel].words[had[channel][1] :]
        assert there == flat(given[channel]), f"channel {channel} from it"


@cocotb.test
async def over_a_sound_wire_nothing_is_sent_twice(dut):
    bench = await (await Bench(dut).start()).up()
    given = {channel: any_records(bench.random, 25) for channel in CHANNELS}
    for channel in CHANNELS:
        for one in given[channel]:
            bench.give(channel, one, urgent=channel == FIRES)
    await bench.until(bench.quiet)
    assert {channel: bench.far.receivers[channel].words for channel in CHANNELS} == {
        channel: flat(records) for channel, records in given.items()
    }
    assert bench.again == 0
    assert all(receiver.refused == 0 for receiver in bench.far.receivers.values())
    await both_ways(bench, 25)
    assert bench.pulses["bad"] == bench.pulses["foreign"] == 0


@cocotb.test
async def over_a_faulty_wire_nothing_is_lost(dut):
    again = bad = 0
    for share in (0.02, 0.08, 0.15):
        bench = Bench(dut)
        await (await bench.start()).up()
        bench.there, bench.here = faulty(bench.random, share), faulty(bench.random, share)
        bench.wire_ready = lambda chance=bench.random: chance.random() < 0.9
        await both_ways(bench, 15)
        again, bad = again + bench.again, bad + bench.pulses["bad"]
    assert again > 3
    assert bad > 3


@cocotb.test
async def who_stalls_stalls_his_channel_alone(dut):
    bench = await (await Bench(dut).start()).up()
    bench.stalled.add(HOST)
    bench.far.receivers[HOST].stalled = True
    given, taken = ({channel: any_records(bench.random, 30) for channel in (HOST, PRICES)} for _ in range(2))
    for channel in (HOST, PRICES):
        for one in given[channel]:
            bench.give(channel, one)
        bench.far.senders[channel].frames.extend(in_frames(taken[channel], 64))
    bench.far.send()
    await bench.until(lambda: bench.got[PRICES] == flat(taken[PRICES]) and not bench.records[PRICES])
    await bench.cycles(20_000)
    # Two frames wait at either end, and nothing goes that has no room.
    assert bench.got[HOST] == []
    assert len(bench.far.receivers[HOST].waiting) == 2
    assert {said["seq"] for said in bench.far.log if said["channel"] == HOST} == {0, 1}
    assert bench.far.senders[HOST].next == 2
    bench.stalled.clear()
    bench.far.receivers[HOST].stalled = False
    bench.far.receivers[HOST].consume()
    bench.far.say_hello()
    await bench.until(bench.quiet)
    await bench.cycles(500)
    assert bench.got[HOST] == flat(taken[HOST])
    assert bench.far.receivers[HOST].words == flat(given[HOST])


@cocotb.test
async def a_fire_does_not_wait_for_another_frame(dut):
    """That one is cut short: it ends with a wrong FCS, at once, and goes again, whole."""
    bench = await (await Bench(dut).start()).up()
    long = [record(60, bench.random) for _ in range(3)]
    for one in long:
        bench.give(HOST, one)
    for at in (3, 70, 200, 400):
        before = len(bench.sent)
        await bench.until(lambda: bench.shown("tx_valid"))
        await bench.cycles(at)
        fire = record(3, bench.random)
        bench.give(FIRES, fire, urgent=True)
        asked = bench.cycle
        await bench.until(lambda fire=fire: bench.far.receivers[FIRES].words[-3:] == fire)
        frames = bench.sent[before:]
        said = fire[0].to_bytes(8, "big")
        began = next(first for first, frame, wrong in frames if not wrong and frame[40:48] == said)
        dut._log.info("%d cycles from its record to its first byte, behind %d bytes", began - asked, at)
        # The record's words, closing, taking, the wire's byte; what was cut ends with an FCS.
        assert began - asked <= 3 + 4 + 8 + GAP_OF_UNIT
    await bench.until(bench.quiet)
    assert bench.far.receivers[HOST].words == flat(long)
    assert any(wrong for _, _, wrong in bench.sent)
    assert bench.far.bad == sum(wrong for _, _, wrong in bench.sent)


GAP_OF_UNIT = 4  # the FCS's bytes, and the cycles in which the unit turns to another frame


@cocotb.test
async def a_record_that_is_alone_has_a_frame_of_its_own(dut):
    bench = await (await Bench(dut).start()).up()
    chance = bench.random
    parts = []
    for words in (80, 2, 80, 17):
        one = [chance.getrandbits(64) for _ in range(words)]
        one[0] &= ~(0xFF << 48)
        parts.append(one)
        bench.give(HOST, one)
        bench.give(HOST, record(1, chance))
        parts.append(None)
    await bench.until(bench.quiet)
    lengths = [frame[16] << 8 | frame[17] for _, frame, _ in bench.sent if frame[14] & 15 == HOST]
    assert [length for length in lengths if length != 8] == [640, 16, 640, 136]
