# SPDX-License-Identifier: Apache-2.0
"""What the controller writes into receive buffers becomes the core's receive stream, and only that."""

import cocotb
from bench import Bench, any_frame, with_fcs
from bus import INCR, OKAY, PORT, RING, SLOT_BYTES, SLVERR, WINDOW, base, words_of

BITS = {field.name: 1 << field.lsb for field in PORT.registers["port_status"].fields}


@cocotb.test()
async def frames_of_any_length_and_phase(dut):
    """Bursts with gaps, single beats behind them, rubbish in the last word: the stream is the frames."""
    bench = await Bench(dut).start()
    sent = [any_frame(bench.random) for _ in range(RING["receive"] + 4)]
    for frame in sent:
        await bench.receive(frame, gaps=bench.random.choice((0.0, 0.0, 0.3, 0.9)))
    await bench.until(lambda: len(bench.frames) == len(sent))
    assert bench.frames == [(frame, False) for frame in sent]
    assert await bench.bus.register("port_status") == 0
    assert await bench.bus.register("count_received") == len(sent)


@cocotb.test()
async def a_full_fifo_makes_the_bus_wait(dut):
    """A backlog of the longest frames at a word a cycle: nothing is lost."""
    bench = await Bench(dut).start()
    sent = [with_fcs(bench.random.randbytes(1514)) for _ in range(4)]
    for frame in sent:
        words = words_of(frame)
        address = base("receive_frames") + bench.receive_slot * SLOT_BYTES
        for first in (0, 256):  # as long as AXI allows
            assert await bench.bus.write(address + 4 * first, words[first : first + 256]) == OKAY
        await bench.verdict(len(frame))
    await bench.until(lambda: len(bench.frames) == len(sent))
    assert bench.frames == [(frame, False) for frame in sent]


@cocotb.test()
async def descriptors_are_the_controllers(dut):
    """Each names its buffer, the last one wraps, none is used while the port receives."""
    bench = await Bench(dut).start()
    record = "receive_descriptors"
    words = await bench.bus.read(base(record), 2 * RING["receive"], stalls=0.5)
    for slot in range(RING["receive"]):
        where = WINDOW + base("receive_frames") + slot * SLOT_BYTES
        assert words[2 * slot] == where | ((slot == RING["receive"] - 1) << 1)
        assert words[2 * slot + 1] == 0
    await bench.bus.set(control=0)
    assert (await bench.bus.read(base(record)))[0] & 1, "off, a descriptor is not the controller's"


async def _fails_with(bench, fault: str, frames: list[tuple[bytes, bool]]) -> None:
    """The port has failed and says why; written off and on, it receives from the first slot on."""
    await bench.cycles(8)
    assert bench.dut.net_fault.value == 1, "it disarms"
    assert await bench.bus.register("port_status") == BITS[fault]
    await bench.until(lambda: len(bench.frames) == len(frames))
    assert [error for _, error in bench.frames] == [error for _, error in frames]
    assert [frame for frame, error in bench.frames if not error] == [frame for frame, error in frames if not error]
    await bench.bus.set(control=0)
    await bench.switch_on()
    bench.receive_slot = 0
    good = any_frame(bench.random)
    await bench.receive(good)
    await bench.until(lambda: len(bench.frames) == len(frames) + 1)
    assert bench.frames[-1] == (good, False)
    assert bench.dut.net_fault.value == 0
    assert await bench.bus.register("port_status") == 0


@cocotb.test()
async def a_length_that_is_not_what_was_written(dut):
    """Too long and too short: a frame that ends with an error."""
    for change in (-4, 4, 13):
        bench = await Bench(dut).start()
        good, bad = any_frame(bench.random), any_frame(bench.random)
        await bench.receive(good)
        await bench.receive(bad, length=len(bad) + change)
        await _fails_with(bench, "receive_length", [(good, False), (bad, True)])


@cocotb.test()
async def a_beat_out_of_turn(dut):
    """A word left out, and one of another slot."""
    for skipped in (4, SLOT_BYTES):
        bench = await Bench(dut).start()
        address = base("receive_frames")
        await bench.bus.write(address, [1, 2, 3, 4])
        await bench.bus.write(address + 16 + skipped, [6])
        await bench.verdict(24)
        await _fails_with(bench, "receive_order", [(b"", True)])


@cocotb.test()
async def a_frame_over_two_buffers(dut):
    """The controller is set up never to make one: the fabric does not read it."""
    bench = await Bench(dut).start()
    await bench.receive(bytes(1536), length=0, frame_end=0)
    await _fails_with(bench, "receive_span", [(b"", True)])


@cocotb.test()
async def a_frame_that_is_begun_anew(dut):
    """What the controller gave up on ends with an error; the one that follows in the same buffer is whole."""
    bench = await Bench(dut).start()
    await bench.bus.write(base("receive_frames"), [1, 2, 3, 4])
    good = any_frame(bench.random)
    await bench.receive(good)
    await bench.until(lambda: len(bench.frames) == 2)
    assert bench.frames == [(words_to_bytes([1, 2, 3, 4]), True), (good, False)]
    assert await bench.bus.register("count_aborted") == 1


def words_to_bytes(words: list[int]) -> bytes:
    """The bytes of little-endian words."""
    return b"".join(word.to_bytes(4, "little") for word in words)


@cocotb.test()
async def what_the_window_refuses(dut):
    """Parts of a register, registers that are read-only, bursts that do not count on."""
    bench = await Bench(dut).start()
    fixed = 0
    assert await bench.bus.write(PORT.registers["slot_limit"].address, [1], strobes=3) == SLVERR
    assert await bench.bus.write(PORT.registers["magic"].address, [1]) == SLVERR
    assert await bench.bus.write(base("from_cpu"), [1], strobes=1) == SLVERR
    assert await bench.bus.write(base("receive_frames"), [1, 2], burst=fixed) == SLVERR
    assert await bench.bus.write(base("receive_frames"), [1, 2], burst=INCR) == OKAY
    assert await bench.bus.register("magic") == PORT.constant("magic_word")
    assert await bench.bus.register("hwmap_hash") == PORT.short_hash
    assert await bench.bus.register("slot_limit") == PORT.constant("slot_limit_cycles")
    await bench.bus.set(window_base=0x7FFE0000)
    assert await bench.bus.register("window_base") == WINDOW, "it stands while the port is on"
