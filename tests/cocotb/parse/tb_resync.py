# SPDX-License-Identifier: Apache-2.0
"""How a gap ends on a stream that never stands still: the parser finds the stream, the runtime confirms it."""

import cocotb
from frames import FIN, RST, Segment, fix
from rx_bench import FLOW, RxBench
from rx_messages import framed, message
from tb_stream import STAIRS, TABLES, damaged, fired, stair


def hits_from(first: int, last: int, number: int) -> list:
    """Stairs ``first`` to ``last``: what was passed over fires with the first, which is message ``number``."""
    below = [fired_late(step, first, number) for step in range(first)]
    return below + [fired(step, number + step - first) for step in range(first, last + 1)]


def fired_late(step: int, at: int, number: int):
    hit = fired(step, number)
    return type(hit)(**{**hit.__dict__, "observed": 5000 - at})


async def lose(bench: RxBench, step: int) -> int:
    """Loses the message of stair ``step``, and the one behind it with the hole; the next step."""
    bench.seq += len(stair(step))
    bench.send(stair(step + 1))
    await bench.settle()
    assert bench.value("gap")
    assert not bench.value("found")
    return step + 2


async def confirm(bench: RxBench, step: int) -> None:
    """Behind stair ``step`` the runtime's word is the parser's, while the stream goes on with stair ``step`` + 1."""
    assert bench.value("found")
    at = bench.value("found_seq")
    bench.send(stair(step + 1)[:30])
    await bench.settle()
    assert await bench.say(at, step + 2)
    bench.send(stair(step + 1)[30:])
    await bench.settle(400)


@cocotb.test
async def cut_at_every_byte_of_the_gap(dut):
    """Wherever a segment ends: the anchor is the first whole message, the boundary is behind it."""
    bench = await RxBench.start(dut, TABLES)
    step = 0
    cuts = range(1, len(stair(0)), 4)
    assert 4 * len(cuts) < STAIRS
    expected = []
    for cut in cuts:
        step = await lose(bench, step)
        text, behind = stair(step), stair(step + 1)
        bench.send(text[:cut])
        await bench.settle()
        assert not bench.value("found"), cut
        bench.send(text[cut:] + behind[:cut])
        boundary = bench.seq - cut
        await bench.settle()
        assert bench.value("found_seq") == boundary, cut
        assert await bench.say(boundary, step + 2)
        bench.send(behind[cut:])
        await bench.settle(200)
        expected += [fired_late(s, step + 1, 1) for s in range(len(expected), step + 1)] + [fired(step + 1, 1)]
        assert bench.taken() == expected, cut
        step += 2
    assert bench.counts() == {"segment_hole": len(cuts)}


@cocotb.test
async def begins_anywhere_in_a_message(dut):
    """The segment that leaves the hole ends anywhere; the rest of its last message is passed over."""
    bench = await RxBench.start(dut, TABLES)
    step, expected = 0, []
    for cut in range(1, len(stair(0)), 5):
        bench.seq += 1
        text = stair(step)
        bench.send(text[:cut])
        bench.send(text[cut:])
        await bench.settle()
        assert not bench.value("found"), cut
        bench.send(stair(step + 1))
        await bench.settle()
        await confirm(bench, step + 1)
        expected += [fired_late(s, step + 2, 1) for s in range(len(expected), step + 2)] + [fired(step + 2, 1)]
        assert bench.taken() == expected, cut
        step += 3


@cocotb.test
async def damaged_frames_in_the_gap(dut):
    """A bad frame before, with and behind the anchor has no effect."""
    bench = await RxBench.start(dut, TABLES)
    step = await lose(bench, 0)

    def bad_then_good(payload: bytes) -> None:
        at = bench.seq
        frame = bench.segment(payload)
        wild = bench.segment(stair(STAIRS - 1) * 3, seq=at)
        bench.frame(damaged(frame, len(frame) - 2, fix_fcs=False), gap=0)
        bench.frame(damaged(wild, len(wild) - 2, fix_fcs=False), gap=0)
        bench.frame(frame)

    bad_then_good(stair(step)[:70])
    await bench.settle()
    assert not bench.value("found")
    bad_then_good(stair(step)[70:])
    await bench.settle()
    boundary = bench.seq
    assert bench.value("found_seq") == boundary
    bad_then_good(stair(step + 1)[:50])
    bad_then_good(stair(step + 1)[50:])
    await bench.settle()
    assert bench.value("found_seq") == boundary
    assert await bench.say(boundary, step + 2)
    bad_then_good(stair(step + 2))
    await bench.settle(200)
    assert bench.taken() == hits_from(step + 2, step + 2, 2)
    assert bench.counts() == {"segment_hole": 1}


@cocotb.test
async def what_only_looks_like_a_message(dut):
    """False beginnings, wrong sums and messages that nobody could count from: the parser hunts on."""
    session = [(49, "EXCH"), (56, "CPU"), (34, "3"), (52, "20250314-12:00:00.000")]
    false = [
        b"8=FIX.4.48=FIX.4.48=8",
        b"8=FIX.4.4\x019=12\x018=FIX.4.4\x019=x",
        b"8=FIX.4.4\x019=7\x01",
        b"8=FIX.4.4\x019=00000120\x01",
        b"8=FIX.4.4\x019=20\x0135=W\x0134=3\x01" + b"1" * 20 + b"\x01",
        framed(b"35=0\x0149=EXCH\x0156=CPU\x0134=3\x0152=now\x01")[:-3] + b"\x01" * 3,
        framed(b"35=0\x0149=EXCH\x0156=CPU\x0134=3\x0152=now\x01")[:-1] + b"0",
        stair(2)[:-4] + b"999\x01",  # its sum is another
        fix([(35, "0"), (49, "OTHER"), *session[1:]]),
        fix([(35, "0"), (49, "EXCH"), (56, "ME"), *session[2:]]),
        fix([(35, "0"), *session[:2], *session[3:]]),
        fix([(35, "0"), *session[:2], (34, "x3"), session[3]]),
        fix([(35, "0"), *session[:2], (34, "123456789"), session[3]]),
        fix([(35, "0"), *session[:3]]),
        fix([(35, "0"), *session, (43, "Y")]),
        fix([(35, "0"), *session, (58, "x"), (49, "EXCH")]),
        *(fix([(35, kind), *session]) for kind in "A54"),
        fix([(35, "0"), *session], begin="FIX.4.2"),
        message("0", [(58, "8=FIX.4.4"), (9, "120")], 3),  # no field of a body
    ]
    for text in false:
        bench = await RxBench.start(dut, TABLES)
        step = await lose(bench, 0)
        for byte in (b"", b"9"):  # ends of a message that was cut, and of none
            bench.send(text + byte)
            await bench.settle()
            assert not bench.value("found"), text
        bench.send(stair(step))
        await bench.settle()
        assert bench.value("found"), text
        assert bench.value("found_seq") == bench.seq, text
        await confirm(bench, step)
        assert bench.taken() == hits_from(step + 1, step + 1, 1), text
        assert bench.counts() == {"segment_hole": 1}, text


@cocotb.test
async def another_word_is_refused(dut):
    """A boundary or a number one off: the gap stays, and the newest boundary is the next to be confirmed."""
    bench = await RxBench.start(dut, TABLES)
    step = await lose(bench, 0)
    bench.send(stair(step))
    await bench.settle()
    anchor, at = step, bench.seq
    assert bench.value("found_seq") == at
    for seq_off, number_off in (
        (-1, 0),
        (1, 0),
        (2**31, 0),
        (-len(stair(step)), -1),
        (0, -1),
        (0, 1),
        (0, 400),
        (7, 7),
    ):
        bench.send(stair(step + 1)[:40])
        await bench.settle()
        assert not await bench.say((at + seq_off) % 2**32, step + 2 + number_off)
        assert bench.value("found_seq") == at, "no newer one yet"
        bench.send(stair(step + 1)[40:])
        await bench.settle()
        step, at = step + 1, bench.seq
        assert bench.value("found_seq") == at
    # Without a word it stays, and may be confirmed late.
    bench.send(stair(step + 1) + stair(step + 2)[:1])
    await bench.settle()
    assert bench.value("found_seq") == at
    assert await bench.say(at, step + 2)
    bench.send(stair(step + 2)[1:])
    await bench.settle(400)
    assert bench.taken() == hits_from(step + 2, step + 2, step + 2 - anchor)
    assert bench.counts() == {"segment_hole": 1}


@cocotb.test
async def a_boundary_is_of_a_good_frame(dut):
    """A message that ended in a bad frame only has not ended, whatever comes of its retransmission."""
    bench = await RxBench.start(dut, TABLES)
    step = await lose(bench, 0)
    bench.send(stair(step) + stair(step + 1)[:20])
    await bench.settle()
    at = bench.value("found_seq")
    assert not await bench.say(at, 0)
    rest = bench.segment(stair(step + 1)[20:], seq=bench.seq)
    bench.frame(damaged(rest, len(rest) - 2, fix_fcs=False))
    bench.send(stair(step + 1)[20:50])
    await bench.settle()
    assert bench.value("found_seq") == at
    bench.send(stair(step + 1)[50:])
    await bench.settle()
    assert bench.value("found_seq") == bench.seq


@cocotb.test
async def lost_again_before_the_word(dut):
    """A hole, a break, a refused message or a new flow behind the anchor: what was found is void."""
    breaks = {
        "hole": lambda bench: bench.frame(bench.segment(b"x", seq=bench.seq + 300)),
        "framing": lambda bench: bench.send(b"8=FIX.4.4\x019=x"),
        "turn": lambda bench: bench.send(stair(90)),
        "logout": lambda bench: bench.send(message("5", [], 4)),
        "in one frame": lambda bench: bench.send(stair(3) + b"?" + stair(4)),
        "flow": None,
    }
    for name, breaking in breaks.items():
        bench = await RxBench.start(dut, TABLES)
        step = await lose(bench, 0)
        bench.send(stair(step))
        await bench.settle()
        at = bench.value("found_seq")
        assert at == bench.seq
        if breaking is None:
            dut.flow_reset.value = 1
            await bench.cycles(1)
            dut.flow_reset.value = 0
            bench.frame(bench.segment(b"x"))
        else:
            breaking(bench)
        await bench.settle()
        assert not bench.value("found"), name
        assert not await bench.say(at, step + 2), name
        bench.seq = bench.value("rcv_nxt")
        bench.send(stair(12))
        await bench.settle()
        assert bench.value("found_seq") == bench.seq, name
        assert not await bench.say(at, step + 2), name
        bench.send(stair(13))
        await bench.settle()
        await confirm(bench, 13)
        await bench.settle(1000)
        assert bench.taken() == hits_from(14, 14, 2), name
        assert bench.counts() == {"segment_hole": 1}, name


async def say_at(bench: RxBench, wait: int, seq: int, number: int) -> bool:
    await bench.cycles(wait)
    return await bench.say(seq, number)


@cocotb.test
async def the_word_comes_in_any_cycle(dut):
    """While a segment of two messages passes, good or bad: those count that end behind the word, and all of a
    retransmission does."""
    bench = await RxBench.start(dut, TABLES)
    step, seen = 0, set()
    for bad in (False, True):
        bench = await RxBench.start(dut, TABLES)
        step = 0
        for wait in range(1, 500, 17):
            step = await lose(bench, step)
            bench.send(stair(step))
            await bench.settle()
            at = bench.value("found_seq")
            before = len(bench.hits)
            frame = bench.segment(stair(step + 1) + stair(step + 2))
            bench.frame(damaged(frame, len(frame) - 2, fix_fcs=False) if bad else frame)
            assert await say_at(bench, wait, at, step + 2), wait
            await bench.settle(200)
            new = bench.taken()[before:]
            messages = sorted({hit.message for hit in new})
            if bad:
                assert new == [], wait
                bench.frame(frame)
                await bench.settle(200)
                new = bench.taken()[before:]
                messages = sorted({hit.message for hit in new})
                assert messages == [1, 2], wait
            else:
                assert messages in ([1, 2], [2], []), wait
                seen.add(len(messages))
            # Whatever was passed over fires with the first message that counts.
            bench.send(stair(step + 3))
            await bench.settle(200)
            assert sorted(hit.rule for hit in bench.taken()) == list(range(step + 4)), wait
            assert {hit.observed for hit in bench.taken()[before:]} == {
                5000 - step - number for number in (*messages, 3)
            }, wait
            step += 4
            if step > STAIRS - 8:
                break
    assert seen == {0, 1, 2}


@cocotb.test
async def the_word_meets_a_loss(dut):
    """In whichever cycle it comes: behind a hole or a break there is a gap, and nothing is evaluated."""
    broken = b"8=FIX.4.4\x019=8\x0135=Wxxx\x0110=000!"
    for kind in ("hole", "broken"):
        bench = await RxBench.start(dut, TABLES)
        step, taken = 0, set()
        for wait in range(20, 170):
            if step + 8 > STAIRS:
                bench = await RxBench.start(dut, TABLES)
                step = 0
            step = await lose(bench, step)
            bench.send(stair(step))
            await bench.settle()
            at = bench.value("found_seq")
            if kind == "hole":
                bench.seq += 1
            bench.send(broken, gap=0)
            taken.add(await say_at(bench, wait, at, step + 2))
            await bench.settle()
            assert bench.value("gap"), (kind, wait)
            assert not bench.value("found"), (kind, wait)
            bench.send(stair(step + 3))
            await bench.settle(100)
            assert bench.taken() == [], (kind, wait)
            assert bench.value("found"), (kind, wait)
            step += 4
        assert taken == {False, True}, kind


@cocotb.test
async def the_session_begins_without_a_word(dut):
    """Behind the handshake too the stream is found: not at the Logon, but behind the message that follows it."""
    bench = await RxBench.start(dut, TABLES)
    dut.flow_reset.value = 1
    await bench.cycles(1)
    dut.flow_reset.value = 0
    bench.frame(Segment(outgoing=False, seq=9000, flags=0x12).frame())
    bench.seq = 9001
    bench.send(message("A", [(98, "0"), (108, "30")], 1))
    await bench.settle()
    assert not bench.value("found")
    bench.send(stair(1))
    await bench.settle()
    await confirm(bench, 1)
    assert bench.taken() == hits_from(2, 2, 1)


@cocotb.test
async def the_end_of_the_session_counts_again(dut):
    """Behind a hole nobody knows whether a FIN is next; behind a break of the messages alone it is known."""
    bench = await RxBench.start(dut, TABLES)
    bench.send(stair(90))
    await bench.settle()
    assert bench.value("gap")
    for flags in (FIN | 0x10, RST):
        bench.frame(Segment(outgoing=False, seq=bench.seq, flags=flags, flow=FLOW).frame())
        await bench.settle()
        assert bench.verdicts[-1].flags & ~0x10 == flags & ~0x10
    step = await lose(bench, 0)
    bench.send(stair(step))

    def fin() -> None:
        bench.frame(Segment(outgoing=False, seq=bench.seq, flags=FIN | 0x10, flow=FLOW).frame())

    fin()
    await bench.settle()
    assert not bench.verdicts[-1].flags & FIN
    await confirm(bench, step)
    fin()
    await bench.settle()
    assert bench.verdicts[-1].flags & FIN
