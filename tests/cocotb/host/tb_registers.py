# SPDX-License-Identifier: Apache-2.0
"""Every register and every memory window, from the hardware map itself: Python and RTL agree."""

import random

import cocotb
from bench import CAPACITY, HWMAP, NS_PER_CYCLE, Bench, kept, seed
from cocotb.triggers import RisingEdge
from stubbed import armed, fire

# Written values that come back with fewer bits.
WINDOWS = HWMAP.memories["chain"].record.field("window").high + 1
KEPT_BITS = {
    "flow_valid": 1, "peer_wscale": 4, "local_wscale": 4, "windows_next": WINDOWS,
    "market_valid": 1, "market_local_wscale": 4,
    "unlimited_orders": 1, "order_rate": 20, "order_gap_ns": 30, "order_gap_part": 20, "bucket_full_part": 20,
    "commit_ahead": 11,
}  # fmt: skip
# Written values that something else reads back as: the running clock, the number that the parser expects.
MOVING = {"clock_ns_lo", "clock_ns_hi", "rx_seq_num"}
SLVERR = 2


@cocotb.test
async def fixed_registers(dut):
    bench = await Bench.start(dut)
    expected = {"magic": HWMAP.registers["magic"].reset, "hwmap_hash": HWMAP.short_hash}
    expected |= {f"cap_{name}": value for name, value in CAPACITY.items()}
    for name, value in expected.items():
        assert await bench.get(name) == value, name
        await bench.set(**{name: 0xFFFFFFFF})
        assert await bench.get(name) == value, f"{name} is read-only"


@cocotb.test
async def settings_read_back_and_keep_apart(dut):
    rng = random.Random(seed())
    bench = await Bench.start(dut)
    names = [name for name, register in HWMAP.registers.items() if register.access == "rw" and name not in MOVING]
    for _ in range(3):
        values = {name: rng.getrandbits(32) for name in names}
        order = names[:]
        rng.shuffle(order)
        order.sort(key=lambda name: name != "flow_valid")  # this write forgets the flow, so it goes first
        await bench.set(**{name: values[name] for name in order})
        for name in names:
            kept = values[name] & ((1 << KEPT_BITS.get(name, 32)) - 1)
            assert await bench.get(name) == kept, name


@cocotb.test
async def writes_elsewhere_change_nothing(dut):
    bench = await Bench.start(dut)
    for name, register in HWMAP.registers.items():
        if register.access == "ro" and name != "cycle":
            before = await bench.get(name)
            await bench.set(**{name: ~before})
            assert await bench.get(name) == before, name
        if register.access == "wo":
            assert await bench.get(name) == 0, f"{name} is an action"
    assert await bench.read_word(0x000800) == 0, "beyond the last register"


@cocotb.test
async def partial_words_are_refused(dut):
    bench = await Bench.start(dut)
    address = HWMAP.registers["generation"].address
    await bench.set(generation=0x11223344)
    for strobe in (0, 1, 7, 14):
        assert await bench.write_word(address, 0, strobe) == SLVERR
    assert await bench.write_word(address + 1, 0) == SLVERR
    assert await bench.get("generation") == 0x11223344


@cocotb.test
async def random_records_survive_the_round_trip(dut):
    rng = random.Random(seed())
    bench = await Bench.start(dut)
    for name in ("order", "symbol", "template_byte"):
        memory = HWMAP.memories[name]
        depth = HWMAP.depth(name, CAPACITY)
        written = {}
        for index in {0, depth - 1, *(rng.randrange(depth) for _ in range(12))}:
            written[index] = {field.name: rng.randint(field.low, kept(field)) for field in memory.record.fields}
            await bench.write_record(name, index, **written[index])
        for index, values in written.items():
            assert await bench.read_record(name, index) == values, (name, index)


@cocotb.test
async def half_a_record_changes_nothing(dut):
    bench = await Bench.start(dut)
    memory = HWMAP.memories["order"]
    await bench.write_record("order", 5, price=1, qty=2, tcp_sum=3, fix_sum=4, template_index=5)
    before = await bench.read_record("order", 5)
    base = memory.base + 5 * memory.record.stride_bytes
    await bench.write_bytes(base, b"\xff" * memory.record.stride_bytes, memory.record.words - 1)
    assert await bench.read_record("order", 5) == before


@cocotb.test
async def a_record_is_written_whole_or_not_at_all(dut):
    """Words that were staged for another record, or earlier, never become part of one."""
    bench = await Bench.start(dut)
    memory = HWMAP.memories["order"]
    record, stride = memory.record, memory.record.stride_bytes
    values = {field.name: 0 for field in record.fields}
    values |= {"price": 0x1111, "qty": 0x22, "tcp_sum": 0x33, "fix_sum": 0x44, "template_index": 5}
    await bench.write_record("order", 6, **values)
    await bench.write_record("order", 7, **values)

    async def words(index: int, *which: int) -> None:
        for word in which:
            await bench.write_word(memory.base + index * stride + 4 * word, 0xA5A5A5A5)

    last = record.words - 1
    everything = list(range(record.words))
    await words(6, last)  # alone, with what is staged from record 7
    await words(6, *everything[1:])
    await words(6, *reversed(everything))
    await words(6, *everything[:-2], last)  # one is missing
    for word in everything:  # two records in turn
        await words(6, word)
        await words(7, word)
    await words(6, *everything[:-1])
    await bench.get("generation")
    await words(7, last)
    assert [await bench.read_record("order", i) for i in (6, 7)] == [values, values]
    await words(6, *everything[:-1])
    await bench.set(generation=1)  # other addresses in between do no harm
    await words(6, last)
    assert await bench.read_record("order", 6) != values


@cocotb.test
async def tables_are_locked_while_armed(dut):
    bench = await armed(dut)
    writable = [memory for memory in HWMAP.memories.values() if memory.access == "rw"]
    before = {memory.name: await bench.read_record(memory.name, 0) for memory in writable}
    for memory in writable:
        for word in range(memory.record.words):
            assert await bench.write_word(memory.base + 4 * word, 0xA5A5A5A5) == SLVERR, memory.name
    assert {memory.name: await bench.read_record(memory.name, 0) for memory in writable} == before
    assert await bench.get("count_writes_refused") == sum(memory.record.words for memory in writable)
    assert (await bench.status())["armed"], "registers are written and read as ever"
    await bench.set(arm=0)
    await bench.write_record("order", 0, price=7)
    assert (await bench.read_record("order", 0))["price"] == 7


@cocotb.test
async def a_write_has_acted_when_it_is_answered(dut):
    bench = await armed(dut)
    assert await bench.write_word(HWMAP.registers["kill"].address, 1) == 0
    assert bool(dut.kill.value)
    await bench.set(arm=0)
    assert await bench.write_word(HWMAP.memories["fire_count"].base, 1) == 0, "and the next one is judged by it"
    await bench.set(kill=0)
    assert await bench.write_word(HWMAP.registers["arm"].address, 1) == 0
    assert await bench.write_word(HWMAP.memories["fire_count"].base, 1) == SLVERR


KILL_CYCLES = 5  # from the cycle in which the slave takes the write to the first in which no fire is taken as sent


@cocotb.test
async def kill_silences_within_a_few_cycles(dut):
    bench = await armed(dut)
    dut.s_axil_awaddr.value = HWMAP.registers["kill"].address
    dut.s_axil_wdata.value = 1
    dut.s_axil_wstrb.value = 15
    dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = dut.s_axil_bready.value = 1
    taken = None
    for cycle in range(20):
        await RisingEdge(dut.clk)
        if taken is None and bool(dut.s_axil_awready.value):
            taken = cycle
            dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 0
        if bool(dut.kill.value):
            break
    await bench.cycles(5)
    dut.s_axil_bready.value = 0
    assert taken is not None
    assert cycle - taken == KILL_CYCLES
    await fire(bench)
    await bench.cycles(300)
    assert (await bench.get("count_rejected_kill"), await bench.get("count_sent")) == (1, 0)


@cocotb.test
async def ring_memories_are_read_only(dut):
    bench = await Bench.start(dut)
    for name in ("ring", "ring_sent", "sent"):
        before = await bench.read_record(name, 3)
        record = HWMAP.memories[name].record
        await bench.write_bytes(HWMAP.memories[name].base + 3 * record.stride_bytes, b"\xa5" * record.stride_bytes)
        assert await bench.read_record(name, 3) == before


@cocotb.test
async def cycle_counts_cycles(dut):
    bench = await Bench.start(dut)
    first = await bench.get("cycle")
    await bench.cycles(100)
    second = await bench.get("cycle")
    assert 100 < second - first < 120
    assert NS_PER_CYCLE == 8


@cocotb.test
async def numbers_are_not_written_while_armed(dut):
    bench = await armed(dut)
    await bench.set(snd_nxt=7, next_seq_num=7)
    assert (await bench.get("snd_nxt"), await bench.get("next_seq_num")) == (1000, 0x42)
    await bench.set(arm=0, snd_nxt=7, next_seq_num=7)
    assert (await bench.get("snd_nxt"), await bench.get("next_seq_num")) == (7, 7)


@cocotb.test
async def number_after_all_nines(dut):
    bench = await armed(dut)
    await bench.set(arm=0, next_seq_num=0x01999999)
    await bench.set(arm=1)
    await fire(bench)
    assert await bench.get("next_seq_num") == 0x02000000


@cocotb.test
async def windows_take_over_at_their_time(dut):
    """The next windows stand from the written time on, whichever half of the clock tells it; 0 is always open."""
    bench = await Bench.start(dut)
    assert await bench.fields("windows") == {"open": 1, "pending": 0}
    now = 0x01234567_FFFFF000  # the low half overflows soon
    await bench.set(clock_ns_lo=now % 2**32, clock_ns_hi=now >> 32, clock_set=1)
    shown = {"open": 1, "pending": 0}
    for following, at in ((0x8002, now - 1), (0x0FF0, now + 20_000), (0, now + 40_000)):
        await bench.set(windows_next=following, windows_at_lo=at % 2**32, windows_at_hi=at >> 32)
        while (time := await bench.get("clock_ns_lo") | await bench.get("clock_ns_hi") << 32) < at:
            word = await bench.fields("windows")
            if await bench.get("clock_ns_lo") | await bench.get("clock_ns_hi") << 32 < at:
                assert word == {**shown, "pending": 1}, time
        await bench.cycles(4)
        shown = {"open": following | 1, "pending": 0}
        assert await bench.fields("windows") == shown
