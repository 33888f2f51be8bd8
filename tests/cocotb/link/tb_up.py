# SPDX-License-Identifier: Apache-2.0
"""Who is at the other end: hellos, incarnations, lives that are over, and maps that are not the same."""

import cocotb
from bench import FAR_MAC, MAC, STATE, Bench
from far_end import FIRES, HEADER, HELLO, HOST, NOTHING, SAYS_HELLO, FarEnd, read, record, with_fcs
from tb_channels import both_ways, faulty


def header(frame: bytes) -> dict[str, int]:
    return read(HEADER, frame[14:40])


@cocotb.test
async def nothing_is_sent_without_an_incarnation(dut):
    bench = await Bench(dut).start(own=0, beat_cycles=100)
    bench.far.say_hello()
    await bench.cycles(3000)
    assert bench.sent == []
    assert not dut.up.value


@cocotb.test
async def hellos_say_who_we_are(dut):
    bench = Bench(dut)
    bench.there = lambda _frame: []
    bench.far.say_hello = lambda: None
    await bench.start(own=0x1234, beat_cycles=500)
    bench.give(HOST, record(3, bench.random))
    await bench.cycles(3000)
    assert len(bench.sent) >= 5
    for _, frame, wrong in bench.sent:
        assert not wrong
        assert frame == with_fcs(frame[:-4])
        assert (frame[:6], frame[6:12]) == (FAR_MAC.to_bytes(6, "big"), MAC.to_bytes(6, "big"))
        said = header(frame)
        assert (said["version"], said["channel"], said["length"]) == (1, SAYS_HELLO, 48)
        assert (said["sender"], said["receiver"], said["answer"], said["free"]) == (0x1234, 0, 1, 0b101010)
        assert read(HELLO, frame[48:88]) == STATE
    beats = [header(frame)["beat"] for _, frame, _ in bench.sent]
    assert beats == list(range(beats[0], beats[0] + len(beats)))


@cocotb.test
async def both_know_each_other_within_some_frames(dut):
    for first in ("unit", "far"):
        bench = Bench(dut)
        if first == "unit":
            await bench.start()
        else:
            await bench.start(own=0)
            bench.far.say_hello()
            await bench.cycles(500)
            assert bench.sent == []
            await bench.begin(0x77)
        await bench.up()
        assert int(dut.known.value) == bench.far.own
        assert bench.far.known == int(dut.own.value)
        assert len(bench.sent) <= 8
        await bench.cycles(1000)
        before = len(bench.sent)
        await bench.cycles(5000)
        # A frame that says nothing with each beat, and no hellos any more.
        assert [header(frame)["channel"] for _, frame, _ in bench.sent[before:]] in ([NOTHING] * 2, [NOTHING] * 3)


@cocotb.test
async def whoever_does_not_name_us_is_named(dut):
    """In the very next frame, so that he can be believed; and nobody is believed before he has named us."""
    bench = await Bench(dut).start(beat_cycles=1_000_000)
    bench.there = lambda _frame: []
    bench.retry_at = 10**9  # the far end says nothing by itself
    await bench.cycles(2000)
    for sender, receiver in ((0x9191, 0), (0x9292, 0x4444)):
        before = len(bench.sent)
        bench.arrives(bench.far.frame(NOTHING, [], sender=sender, receiver=receiver))
        await bench.cycles(1500)
        answer, *others = (header(frame) for _, frame, _ in bench.sent[before:])
        assert others == []
        assert (answer["channel"], answer["receiver"], int(dut.known.value)) == (SAYS_HELLO, sender, 0)


@cocotb.test
async def another_map_is_refused(dut):
    bench = Bench(dut, FarEnd(FAR_MAC, MAC, 0x5151, STATE | {"hwmap_hash": 99}))
    await bench.start()
    await bench.until(lambda: bool(dut.refused.value))
    bench.far.up = True
    bench.far.senders[HOST].frames.append(record(2, bench.random))
    bench.far.send()
    bench.give(HOST, record(2, bench.random))
    await bench.cycles(6000)
    assert not dut.up.value
    assert bench.got[HOST] == []
    assert all(header(frame)["channel"] == SAYS_HELLO for _, frame, _ in bench.sent)
    assert len(bench.sent) <= 8, "a beat each and no more"


@cocotb.test
async def what_else_differs_is_told(dut):
    """Bundles are copied over the link, so it is up before they are the same."""
    for name, bit in (("capacities", 1), ("venue_hash", 2), ("bundle_hash", 4)):
        bench = Bench(dut, FarEnd(FAR_MAC, MAC, 0x5151, STATE | {name: 99}))
        await (await bench.start()).up()
        assert int(dut.differs.value) == bit


@cocotb.test
async def with_another_incarnation_the_channels_begin_anew(dut):
    bench = await (await Bench(dut).start()).up()
    await both_ways(bench, 4)
    for life in range(1, 4):
        if life % 2:
            bench.far.start(0x5151 + life)
            bench.far.say_hello()
            await bench.until(lambda: int(dut.known.value) == bench.far.own)
        else:
            await bench.begin(0x3131 + life)
        await bench.up()
        assert (int(dut.known.value), bench.far.known) == (bench.far.own, int(dut.own.value))
        bench.got = {channel: [] for channel in bench.got}
        await both_ways(bench, 4)


@cocotb.test
async def frames_of_a_life_that_is_over_change_nothing(dut):
    """Neither those that name the life before ours, nor those of the life before the other end's."""
    bench = await (await Bench(dut).start()).up()
    old = [bench.far.frame(FIRES, record(2, bench.random), number) for number in range(3)]
    old += [bench.far.frame(SAYS_HELLO, [0] * 6), bench.far.frame(NOTHING, [])]
    bench.far.start(0x6161)
    bench.far.say_hello()
    await bench.until(lambda: int(dut.known.value) == 0x6161)
    await bench.up()
    await both_ways(bench, 3)
    got = list(bench.got[FIRES])
    for frame in old:
        bench.arrives(frame)
    await bench.cycles(4000)
    assert (int(dut.known.value), bench.got[FIRES]) == (0x6161, got)
    assert bench.pulses["stale"] == len(old)
    # And of a life of ours that is over.
    former = int(dut.own.value)
    await bench.begin(0x4242)
    await bench.up()
    for number in range(3):
        bench.arrives(bench.far.frame(FIRES, record(2, bench.random), number, receiver=former))
    await bench.cycles(3000)
    assert bench.got[FIRES] == got
    await both_ways(bench, 3)


@cocotb.test
async def silence_ends_nothing(dut):
    """What was not acknowledged is still there when the cable is back."""
    bench = await (await Bench(dut).start()).up()
    bench.there = bench.here = lambda _frame: []
    sent = record(5, bench.random)
    bench.give(FIRES, sent, urgent=True)
    await bench.cycles(30_000)
    assert bench.far.receivers[FIRES].words == []
    bench.there = bench.here = faulty(bench.random, 0.05)
    await bench.until(bench.quiet)
    assert bench.far.receivers[FIRES].words == sent
