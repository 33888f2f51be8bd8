# SPDX-License-Identifier: Apache-2.0
"""Rules that their own orders let wait: armed again so long behind each of them, by the fabric alone."""

import random
from dataclasses import replace

import cocotb
from rx_bench import seed
from rx_messages import numbered, update
from rx_tables import GE, LAST, Rule, Tables
from tb_rearms import ONE, SLOTS, TWO, Again, Slot, Waiting, expect, last, random_cases

WATCH = SLOTS  # the first trigger of slots


def stop(*slots: Slot) -> Again:
    """A stop of each of two instruments, live."""
    return Again(Tables([ONE, TWO], [Rule(0, LAST, GE, 100), Rule(1, LAST, GE, 100)]), list(slots))


async def played(dut, again: Again, messages: list[bytes], gap: int = 300, rejects: int = 0) -> tuple[Waiting, list]:
    bench = await again.start(dut, rejects)
    for one in messages:
        bench.send(one, gap=gap)
    await bench.settle(900)
    return await expect(bench, again, messages, rejects), [hit.trigger for hit in bench.taken()]


@cocotb.test
async def it_waits_behind_its_order(dut):
    """A message that comes too early, or of another instrument, arms nothing; the one that arms does not fire."""
    messages = last(("ES", 110), ("NQ", 90), ("ES", 110), ("ES", 110))
    # The bench takes the same time to start.
    model, _ = await played(dut, stop(Slot(5, 0, after=2**40)), messages)
    first, second, third, fourth = model.times
    for after, hits in (
        (third - first, [0, WATCH + 5, 0]),
        (third - first + 1, [0, WATCH + 5]),
        (fourth - first, [0, WATCH + 5]),
        (fourth - first + 1, [0]),
        (third - first + 2**32, [0]),
        (1, [0, WATCH + 5, 0]),
    ):
        model, taken = await played(dut, stop(Slot(5, 0, after=after)), messages)
        assert (model.times, taken) == ([first, second, third, fourth], hits), after


@cocotb.test
async def so_many_times(dut):
    """Behind the order with the last count it waits no more."""
    for number, many in ((0, 1), (31, 2), (7, 3)):
        messages = last(*[("ES", 110)] * 9)
        for gap in (0, 12, 300):
            _, taken = await played(dut, stop(Slot(number, 0, after=1, last=many)), messages, gap)
            assert taken == [0, *[WATCH + number, 0] * (many - 1)]


@cocotb.test
async def a_rejected_order_lets_nothing_wait(dut):
    messages = last(*[("ES", 110)] * 3)
    _, taken = await played(dut, stop(Slot(0, 0, after=1)), messages, rejects=1)
    assert taken == [0]


@cocotb.test
async def in_one_frame(dut):
    """All of a frame have one time: none of them is due, whatever is parked, and the first behind them is."""
    for rules in ([Slot(3, 0, after=1)], [Slot(3, 0, after=1), Slot(4, 1, after=1)]):
        again = stop(*rules)
        bench = await again.start(dut)
        messages = last(*[("ES", 110), ("NQ", 110)] * 3, ("ES", 90), ("ES", 110), ("NQ", 110), ("NQ", 110))
        bench.send(b"".join(messages[:6]))
        for one in messages[6:]:
            bench.send(one)
        await bench.settle(2000)
        await expect(bench, again, messages)
        assert len(bench.hits) == 2 + 2 * len(rules)


@cocotb.test
async def while_its_order_waits(dut):
    """Its time may come before its order has left: what has come since is looked at in its order, silent ones too."""
    silent = update([[(279, "1"), (269, "0"), (55, "ES"), (270, "5"), (290, "2")]])
    other = update([[(279, "0"), (269, "2"), (55, "NQ"), (270, "5")]])
    spoken = [update([[(279, "0"), (269, "2"), (55, "ES"), (270, price)]]) for price in ("110", "90")]
    tails = [silent, spoken[0]], [other, silent, silent, spoken[0]], [spoken[1], spoken[0]], [other, spoken[0]] * 2
    for tail in tails:
        for wait in (0, 60, 1500):
            again = stop(Slot(9, 0, after=8))
            bench = await again.start(dut)
            messages = numbered([spoken[0], *tail])
            from_cycle = bench.value("cycle") + 160 + wait
            bench.ready = lambda: bench.value("cycle") >= from_cycle  # noqa: B023
            for one in messages:
                bench.send(one, gap=12)
            await bench.settle(3500)
            await expect(bench, again, messages)
            assert [hit.trigger for hit in bench.taken()] == [0, WATCH + 9, 0]


@cocotb.test
async def the_host_writes_other_slots_meanwhile(dut):
    """Whatever the cycle in which it does: nothing that a fire lets wait is lost, nor what the host says."""
    for late in range(48):
        told = Slot(12, 1)
        again = stop(Slot(3, 0, after=1), told)
        bench = await again.start(dut)
        messages = last(("ES", 110), ("ES", 90), ("ES", 110), ("NQ", 90), ("NQ", 110))
        bench.send(messages[0])
        await bench.settle(0)
        while not bench.hits:
            await bench.cycles(1)
        await bench.cycles(late)
        await again.tell(bench, replace(told, due=1))
        await bench.cycles(200)
        for one in messages[1:]:
            bench.send(one)
        await bench.settle(900)
        assert [hit.trigger for hit in bench.taken()] == [0, WATCH + 3, 0, WATCH + 12, 1], late


@cocotb.test
async def random_spans(dut):
    """As in tb_rearms, with rules that wait behind their orders."""
    waited = again_fired = 0
    async for model, _ in random_cases(dut, random.Random(seed() + 31), 45, spans=True):
        waited += model.by_orders
        firsts = [model.tables.first_trigger[slot.rule] for slot in model.again.slots if slot.after]
        again_fired += sum(model.fires[one] > 1 for one in firsts)
    assert waited > 25, "hardly any order let its rule wait"
    assert again_fired > 7, "hardly any rule has fired a second time"
