# SPDX-License-Identifier: Apache-2.0
"""Frames that are no good, frames that are not for us, and how long a frame takes."""

import cocotb
from bench import Bench
from far_end import CHANNELS, FIRES, HOST, NOTHING, record, with_fcs
from tb_channels import both_ways

LONGEST = 80  # words of the harness


def nothing_came(bench: Bench) -> bool:
    return not any(bench.got.values())


@cocotb.test
async def frames_that_are_not_good_change_nothing(dut):
    bench = await (await Bench(dut).start()).up()
    words = record(4, bench.random)
    whole = bench.far.frame(FIRES, words)
    body = whole[:-4]
    long = bench.far.frame(FIRES, [0] * (LONGEST + 1))
    cases = {
        "FCS": whole[:-1] + bytes([whole[-1] ^ 1]),
        "cut": whole[:60],
        "runt": whole[:20],
        "a word short": with_fcs(bench.far.frame(FIRES, words, length=40)[:-12]),
        "no room for an FCS": with_fcs(body[:-4]),
        "no whole words": bench.far.frame(FIRES, words, length=31),
        "longer than it may be": long,
        "longer than it is": bench.far.frame(FIRES, words, length=64),
        "version": bench.far.frame(FIRES, words, version=2),
        "type": with_fcs(body[:12] + b"\x08\x00" + body[14:]),
        "to another": with_fcs(b"\x02\x00\x00\x00\x00\x01" + body[6:]),
        "from another": with_fcs(body[:6] + b"\x02\x00\x00\x00\x00\x01" + body[12:]),
        "to all": with_fcs(b"\xff" * 6 + body[6:]),
        "no channel": bench.far.frame(9, words),
        "a number beyond": bench.far.frame(FIRES, words, 2),
        "a number gone by": bench.far.frame(FIRES, words, -1),
        "no records": bench.far.frame(FIRES, []),
    }
    for name, frame in cases.items():
        bench.arrives(frame)
        await bench.cycles(len(frame) + 400)
        assert nothing_came(bench), name
    bench.arrives(whole, error=True)
    await bench.cycles(600)
    assert nothing_came(bench), "a fault of the PHY"
    counts = {name: bench.pulses[name] for name in ("bad", "foreign", "unknown")}
    dut._log.info("%s", counts)
    assert counts["bad"] >= 7
    assert counts["foreign"] >= 4
    assert counts["unknown"] == 1
    await both_ways(bench, 5)


@cocotb.test
async def any_bytes_change_nothing(dut):
    """Random frames, and near ones with a right FCS: ours and what was told of it stand."""
    bench = await (await Bench(dut).start()).up()
    chance = bench.random
    for _ in range(300):
        channel = chance.choice((*CHANNELS, NOTHING))
        frame = bytearray(bench.far.frame(channel, record(chance.randrange(1, 9), chance), 5))
        for _ in range(chance.randrange(1, 6)):
            frame[chance.randrange(14, 42)] = chance.randrange(256)
        body = bytes(frame[:-4])[: chance.choice((len(frame), len(frame), chance.randrange(len(frame))))]
        # Whoever it is from, it does not take the place of the one that is known.
        if body[20:24] != b"\0\0\0\0":
            body = body[:22] + chance.choice((b"\0\0", (bench.far.own - 7).to_bytes(2, "big"))) + body[24:]
        bench.arrives(with_fcs(body) if chance.random() < 0.8 else body)
        bench.far.out.clear()
    await bench.until(lambda: not bench.to_unit, 500_000)
    await bench.cycles(500)
    assert nothing_came(bench)
    assert int(dut.known.value) == bench.far.own
    bench.far.say_hello()
    await bench.up()
    await both_ways(bench, 5)


@cocotb.test
async def a_frame_waits_for_no_more_than_it_has_to(dut):
    """Cycles on an idle wire: from a record to its first byte, from a frame's last byte to its acknowledgement."""
    bench = await (await Bench(dut).start(beat_cycles=1_000_000)).up()
    await bench.cycles(3000)
    first, answers = set(), set()
    for channel in (FIRES, HOST):
        for words in (3, 9, 30):
            one = record(words, bench.random)
            bench.give(channel, one, urgent=True)
            before = len(bench.sent)
            await bench.until(lambda before=before: len(bench.sent) > before)
            began, frame, _ = bench.sent[before]
            assert len(frame) == max(64, 44 + 8 * words)
            first.add(began - bench.taken_at)
            await bench.until(bench.quiet)
            await bench.cycles(300)
    for words in (3, 9, 30):
        before = len(bench.sent)
        bench.far.senders[FIRES].frames.append(record(words, bench.random))
        bench.far.send()
        await bench.until(lambda before=before: len(bench.sent) > before)
        answers.add(bench.sent[before][0] - bench.last_arrival)
        await bench.until(bench.quiet)
        await bench.cycles(300)
    dut._log.info("a record's first byte %s cycles behind its last word, an acknowledgement's %s", first, answers)
    assert max(first) <= 4
    assert max(answers) <= 1 + 4
    assert len(first) == len(answers) == 1
