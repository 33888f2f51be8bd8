# SPDX-License-Identifier: Apache-2.0
"""Frames of the core through the transmit ring, and what becomes of the port when the controller fails."""

import cocotb
from bench import START_VALUE, Bench, any_frame, with_fcs
from bus import NET_CTRL, PORT, RING

BITS = {field.name: 1 << field.lsb for field in PORT.registers["port_status"].fields}


@cocotb.test()
async def read_at_a_word_a_cycle_while_it_is_written(dut):
    """The controller reads as soon as it is told to: each byte is right, and the writer is not overtaken."""
    bench = await Bench(dut).start()
    for number in range(2 * RING["transmit"] + 1):
        frame = any_frame(bench.random)
        sending = cocotb.start_soon(bench.send(frame))
        await bench.until(lambda count=number + 1: len(bench.bus.starts) == count)
        assert bench.bus.starts[-1] == (NET_CTRL, START_VALUE)
        assert not sending.done() or len(frame) < 80, "it is announced while it is being written"
        assert await bench.fetch(stalls=bench.random.choice((0.0, 0.0, 0.5))) == frame
        await bench.give_back()
        await sending
    assert await bench.bus.register("count_sent") == number + 1
    assert await bench.bus.register("port_status") == 0


@cocotb.test()
async def announced_with_the_first_word(dut):
    """Cycles from the first byte to start_tx: always the same."""
    bench = await Bench(dut).start()
    seen = set()
    for length in (60, 61, 62, 63, 300, 1514):
        frame = with_fcs(bench.random.randbytes(length))
        await bench.until(lambda: dut.net_tx_ready.value == 1)
        sending = cocotb.start_soon(bench.send(frame))
        count = 0
        while not dut.m_axi_awvalid.value:
            await bench.cycles(1)
            count += 1
        seen.add(count)
        await sending
        assert await bench.fetch() == frame
        await bench.give_back()
    assert len(seen) == 1, seen
    dut._log.info("start_tx %d cycles behind the first byte", seen.pop())


@cocotb.test()
async def a_full_ring_makes_the_core_wait(dut):
    """Frames wait until slots are given back, in their order."""
    bench = await Bench(dut).start()
    frames = [any_frame(bench.random, 200) for _ in range(RING["transmit"] + 2)]

    async def all_of_them():
        for frame in frames:
            await bench.send(frame)

    cocotb.start_soon(all_of_them())
    await bench.cycles(2000)
    assert await bench.bus.register("count_queued") == RING["transmit"]
    for frame in frames:
        assert await bench.fetch() == frame
        await bench.give_back()
        await bench.cycles(300)
    assert await bench.fetch() is None


@cocotb.test()
async def a_start_that_went_unseen_is_repeated(dut):
    """Until the descriptor has been read, and no more then."""
    bench = await Bench(dut).start()
    frame = any_frame(bench.random, 300)
    await bench.send(frame)
    await bench.until(lambda: len(bench.bus.starts) == 3)
    assert await bench.fetch() == frame
    await bench.cycles(1200)
    assert len(bench.bus.starts) == 3
    assert await bench.bus.register("count_restarts") == 2


@cocotb.test()
async def a_frame_behind_one_that_is_being_sent_is_not_unseen(dut):
    """The controller looks at it by itself when the one before has left; only then a start may have been lost."""
    bench = await Bench(dut).start()
    frames = [any_frame(bench.random, 300) for _ in range(2)]
    for frame in frames:
        await bench.send(frame)
    assert await bench.fetch() == frames[0]
    await bench.cycles(2000)
    assert len(bench.bus.starts) == 2
    await bench.give_back()
    await bench.until(lambda: len(bench.bus.starts) == 3)
    assert await bench.bus.register("count_restarts") == 1
    assert await bench.fetch() == frames[1]
    await bench.give_back()


async def _failed(bench, fault: str) -> None:
    """It disarms and throws away what the core still sends; off and on, frames leave again from the first slot."""
    await bench.until(lambda: bench.dut.net_fault.value == 1)
    assert await bench.bus.register("port_status") == BITS[fault]
    before = await bench.bus.register("count_discarded")
    starts = len(bench.bus.starts)
    await bench.send(any_frame(bench.random, 200))
    await bench.send(any_frame(bench.random, 200))
    await bench.cycles(700)
    assert await bench.bus.register("count_discarded") == before + 2
    assert len(bench.bus.starts) == starts
    bench.bus.refuse_starts = False
    await bench.bus.set(control=0)
    await bench.switch_on()
    bench.transmit_slot = 0
    frame = any_frame(bench.random, 200)
    await bench.send(frame)
    assert await bench.fetch() == frame
    await bench.give_back()
    assert bench.dut.net_fault.value == 0


@cocotb.test()
async def errors_fail_the_port(dut):
    """Each error bit of a write-back."""
    for error in ("under_run", "bus_corrupt", "late_collision", "retry_limit"):
        bench = await Bench(dut).start()
        await bench.send(any_frame(bench.random, 200))
        await bench.give_back(**{error: 1})
        await _failed(bench, "transmit_error")


@cocotb.test()
async def a_slot_that_nobody_gave_out(dut):
    """A write-back out of turn."""
    bench = await Bench(dut).start()
    await bench.give_back()
    await _failed(bench, "transmit_order")


@cocotb.test()
async def a_frame_that_never_leaves(dut):
    """Nobody gives its slot back."""
    bench = await Bench(dut).start()
    await bench.bus.set(slot_limit=900)
    await bench.send(any_frame(bench.random, 200))
    assert dut.net_fault.value == 0
    await bench.cycles(1000)
    await _failed(bench, "transmit_late")


@cocotb.test()
async def a_refused_start(dut):
    """The bus does not let the fabric write net_ctrl."""
    bench = await Bench(dut).start()
    bench.bus.refuse_starts = True
    await bench.send(any_frame(bench.random, 200))
    await _failed(bench, "start_refused")


@cocotb.test()
async def off_in_the_middle_of_a_frame(dut):
    """The rest of it is thrown away: nothing of it leaves once the port is on again."""
    bench = await Bench(dut).start()
    sending = cocotb.start_soon(bench.send(any_frame(bench.random, 1500).ljust(1000, b"\0")))
    await bench.cycles(200)
    await bench.bus.set(control=0)
    await bench.switch_on()
    await sending
    frame = any_frame(bench.random, 200)
    await bench.send(frame)
    assert await bench.fetch() == frame
