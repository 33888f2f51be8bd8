# SPDX-License-Identifier: Apache-2.0
"""Mailboxes to and from the CPU."""

import cocotb
from bench import Bench, any_frame
from bus import OKAY, RING, SLOT_BYTES, base, words_of

HEAD_BYTES = 4


async def _take(bench, number: int) -> bytes:
    """Frame ``number`` (from 0) out of its mailbox."""
    address = base("to_cpu") + number % RING["to_cpu"] * SLOT_BYTES
    (length,) = await bench.bus.read(address)
    words = await bench.bus.read(address + HEAD_BYTES, -(-length // 4) if length <= 1024 else 256)
    if length > 1024:
        words += await bench.bus.read(address + HEAD_BYTES + 1024, -(-(length - 1024) // 4))
    return b"".join(word.to_bytes(4, "little") for word in words)[:length]


@cocotb.test()
async def to_the_cpu_in_order(dut):
    """More frames than boxes: the gate waits for the CPU, nothing is lost."""
    bench = await Bench(dut).start()
    frames = [any_frame(bench.random) for _ in range(2 * RING["to_cpu"] + 3)]

    async def all_of_them():
        for frame in frames:
            await bench.pass_gate(frame)

    sending = cocotb.start_soon(all_of_them())
    while await bench.bus.register("to_cpu_head") < RING["to_cpu"]:
        await bench.cycles(50)
    await bench.cycles(3000)
    assert await bench.bus.register("to_cpu_head") == RING["to_cpu"], "no box is free"
    assert dut.cpu_rx_ready.value == 0
    for number, frame in enumerate(frames):
        while await bench.bus.register("to_cpu_head") == number:
            await bench.cycles(50)
        assert dut.irq.value == 1
        assert await _take(bench, number) == frame
        await bench.bus.set(to_cpu_tail=number + 1)
    await sending
    await bench.cycles(10)
    assert dut.irq.value == 0


@cocotb.test()
async def emptied_between_frames_and_in_one(dut):
    """Written off and on at rest, nothing is lost; in the middle of a frame, that frame is."""
    bench = await Bench(dut).start()
    for cut in (False, True, False):
        await bench.bus.set(control=0)
        await bench.switch_on()
        if cut:
            sending = cocotb.start_soon(bench.pass_gate(any_frame(bench.random).ljust(300, b"\0")))
            await bench.cycles(100)
            await bench.bus.set(control=0)
            await bench.switch_on()
            await sending
            await bench.cycles(20)
            assert await bench.bus.register("to_cpu_head") == 0
        frame = any_frame(bench.random, 300)
        await bench.pass_gate(frame)
        await bench.cycles(20)
        assert await bench.bus.register("to_cpu_head") == 1
        assert await _take(bench, 0) == frame


async def _put(bench, number: int, frame: bytes, length: int | None = None) -> None:
    address = base("from_cpu") + number % RING["from_cpu"] * SLOT_BYTES
    words = [len(frame) if length is None else length, *words_of(frame)]
    for first in range(0, len(words), 64):
        assert await bench.bus.write(address + 4 * first, words[first : first + 64]) == OKAY
    await bench.bus.set(from_cpu_head=number + 1)


async def _core_took(bench, stopped: bool = False) -> None:
    name = bench.dut.cpu_tx_stopped if stopped else bench.dut.cpu_tx_started
    name.value = 1
    await bench.cycles(1)
    name.value = 0


@cocotb.test()
async def from_the_cpu_one_at_a_time(dut):
    """The next one goes when the core has let the one before leave, or stopped it."""
    bench = await Bench(dut).start()
    frames = [any_frame(bench.random) for _ in range(RING["from_cpu"] + 3)]
    for number, frame in enumerate(frames):
        await _put(bench, number, frame)
        await bench.until(lambda count=number + 1: len(bench.to_core) == count)
        assert bench.to_core[-1] == frame
        if number == 1:
            await _put(bench, number + 1, frames[number + 1])
            await bench.cycles(3000)
            assert len(bench.to_core) == number + 1, "the core still has the one before"
        assert await bench.bus.register("from_cpu_tail") == number, "what the core has may still be stopped or leave"
        await _core_took(bench, stopped=number % 2 == 1)
    assert await bench.bus.register("from_cpu_tail") == len(frames)


@cocotb.test()
async def lengths_that_no_frame_has(dut):
    """They are thrown away and counted; the frame behind them goes."""
    bench = await Bench(dut).start()
    good = any_frame(bench.random)
    for number, length in enumerate((0, 63, 1523, 0x10000 + len(good))):
        await _put(bench, number, good, length)
    while await bench.bus.register("from_cpu_tail") < 4:
        await bench.cycles(20)
    await _put(bench, 4, good)
    await bench.until(lambda: len(bench.to_core) == 1)
    assert bench.to_core == [good]
    assert await bench.bus.register("count_discarded") == 4


@cocotb.test()
async def behind_orders(dut):
    """While two frames wait to be sent, no frame of the CPU joins them."""
    bench = await Bench(dut).start()
    for _ in range(2):
        await bench.send(any_frame(bench.random, 200))
    await _put(bench, 0, any_frame(bench.random))
    await bench.cycles(2500)
    assert bench.to_core == []
    await bench.fetch()
    await bench.give_back()
    await bench.until(lambda: len(bench.to_core) == 1)


@cocotb.test()
async def an_order_has_two_of_them_ahead_at_most(dut):
    """The one that is being written counts as well as those that wait; the one behind it is ready all but a byte."""
    bench = await Bench(dut).start()
    frames = [any_frame(bench.random, 300) for _ in range(RING["from_cpu"])]
    for number, frame in enumerate(frames):
        await _put(bench, number, frame)
    left: list[bytes] = []

    async def core():
        for number, frame in enumerate(frames):
            await bench.until(lambda number=number: len(bench.to_core) > number, 1_000_000)
            await _core_took(bench)
            await bench.cycles(number * 40)  # to its first byte, while a full ring makes it wait
            left.append(bench.to_core[number])
            await bench.send(frame)

    cocotb.start_soon(core())
    for count in range(2, len(frames) + 1):
        await bench.cycles(4000)
        assert left == frames[:count]
        assert await bench.fetch() == frames[count - 2]
        await bench.give_back()


@cocotb.test()
async def emptied_while_the_core_has_one(dut):
    """What becomes of it is no news of the mailboxes that are filled from then on."""
    bench = await Bench(dut).start()
    for wait in (30, 2000):  # for the core to have a part of it, or all
        await _put(bench, 0, any_frame(bench.random))
        await bench.cycles(wait)
        await bench.bus.set(control=0)
        await bench.switch_on()
        await bench.cycles(2000)
        await _core_took(bench)
        assert await bench.bus.register("from_cpu_tail") == 0
    await _put(bench, 0, any_frame(bench.random))
    await bench.cycles(2000)
    await _core_took(bench)
    assert await bench.bus.register("from_cpu_tail") == 1


@cocotb.test()
async def emptied_as_the_next_one_begins(dut):
    """In whatever cycle the core lets one go and the next could follow, none is counted that is gone."""
    bench = await Bench(dut).start()
    for offset in range(24):
        for number in range(2):
            await _put(bench, number, any_frame(bench.random))
        await bench.cycles(2000)  # the core has the first whole
        emptied = cocotb.start_soon(bench.bus.set(control=0))
        await bench.cycles(offset)
        await _core_took(bench)
        await emptied
        await bench.switch_on()
        await bench.cycles(2000)
        await _core_took(bench)
        assert await bench.bus.register("from_cpu_tail") == 0, offset
