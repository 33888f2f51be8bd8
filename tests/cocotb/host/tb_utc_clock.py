# SPDX-License-Identifier: Apache-2.0
"""The wall clock alone: digits and nanoseconds against Python's datetime, for steps of any size."""

import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cocotb
from bench import seed
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from fixaccel.hwmap.load import load_hwmap

_PACKAGE = Path(__file__).resolve().parents[3] / "rtl" / "host" / "host_pkg.sv"
_TYPES = {"windows_t": 2 ** load_hwmap().memories["chain"].record.field("window").bits}


def settings_fields() -> dict[str, int]:
    """Fields of settings_t with their widths, from the most significant bit down."""
    struct = re.search(r"typedef struct packed \{([^}]*)\} settings_t;", _PACKAGE.read_text(encoding="utf-8"))
    assert struct is not None
    fields = re.findall(r"^ *(\w+)(?: *\[(\d+):0\])? +(\w+);", struct[1], re.MULTILINE)
    return {name: int(high or 0) + 1 if kind == "logic" else _TYPES[kind] for kind, high, name in fields}


SETTINGS = settings_fields()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


async def start(dut) -> None:
    dut.elapsed_ns.value = 0
    dut.set.value = 0
    dut.settings.value = 0
    dut.rst.value = 1
    Clock(dut.clk, 8, unit="ns").start()
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0


async def set_to(dut, ns: int, max_age: int = 0) -> None:
    moment = EPOCH + timedelta(microseconds=ns // 1000)
    values = {
        "clock_date": int(moment.strftime("%Y%m%d"), 16), "clock_hms": int(moment.strftime("%H%M%S"), 16),
        "clock_ms": int(f"{ns // 10**6 % 1000:03}", 16), "clock_sub_ns": ns % 10**6, "clock_ns_lo": ns & 0xFFFFFFFF,
        "clock_ns_hi": ns >> 32, "clock_max_age_ns": max_age,
    }  # fmt: skip
    word = 0
    for name, bits in SETTINGS.items():
        word = word << bits | values.get(name, 0)
    dut.settings.value = word
    dut.set.value = 1
    await RisingEdge(dut.clk)
    dut.set.value = 0


async def elapse(dut, ns: int) -> None:
    dut.elapsed_ns.value = ns
    await RisingEdge(dut.clk)
    dut.elapsed_ns.value = 0


# What stands behind by 3,999 ms has 30 steps to make, one every third cycle.
_ALL_SHOWN = 110


async def shown(dut, settle: int = _ALL_SHOWN) -> tuple[int, str]:
    for _ in range(settle):
        await RisingEdge(dut.clk)
    return int(dut.now_ns.value), at(dut)


def text(ns: int) -> str:
    return (EPOCH + timedelta(microseconds=ns // 1000)).strftime("%Y%m%d-%H%M%S") + f".{ns // 10**6 % 1000:03}"


@cocotb.test
async def steps_of_any_size(dut):
    rng = random.Random(seed())
    await start(dut)
    for _ in range(20):
        day = rng.randrange(20000) * 86400 * 10**9
        ns = day + rng.randrange(80000) * 10**9 + rng.randrange(10**9)
        await set_to(dut, ns)
        for _ in range(10):
            step = rng.choice([8, 999, 10**6 - 1, 10**6, rng.randrange(10**7), rng.randrange(2**32)])
            await elapse(dut, step)
            ns += step
            assert await shown(dut) == (ns, text(ns))
            assert bool(dut.valid.value)


@cocotb.test
async def carries_through_every_digit(dut):
    await start(dut)
    day = 19000 * 86400 * 10**9
    for second in (9, 59, 599, 3599, 35999, 71999):
        ns = day + second * 10**9 + 999_999_995
        await set_to(dut, ns)
        await elapse(dut, 8)
        assert await shown(dut) == (ns + 8, text(ns + 8))


def at(dut) -> str:
    """What the clock shows in this cycle."""
    utc = int(dut.utc.value)
    return f"{utc >> 36:08x}-{utc >> 12 & 0xFFFFFF:06x}.{utc & 0xFFF:03x}"


LAST_DAYS = [(1999, 12, 31), (2000, 2, 28), (2023, 2, 28), (2024, 2, 28), (2024, 2, 29), (2024, 12, 31), (2025, 9, 30),
             (2026, 1, 9), (2026, 10, 31), (2029, 12, 31), (2099, 12, 31), (2100, 2, 28)]  # fmt: skip


@cocotb.test
async def the_date_rolls_at_midnight(dut):
    """Date and time change in one cycle, and the clock stays valid."""
    await start(dut)
    days = [datetime(*day, tzinfo=UTC) for day in LAST_DAYS]
    days += [datetime(2026, month, 28, tzinfo=UTC) + timedelta(days=i) for month in range(1, 13) for i in range(4)]
    for day in days:
        midnight = int((day + timedelta(days=1) - EPOCH).total_seconds()) * 10**9
        await set_to(dut, midnight - 200)
        before, after = text(midnight - 1), text(midnight)
        seen = []
        for _ in range(40):
            dut.elapsed_ns.value = 8
            await RisingEdge(dut.clk)
            seen.append(at(dut))
            assert bool(dut.valid.value) or len(seen) < 4
        dut.elapsed_ns.value = 0
        assert list(dict.fromkeys(seen[1:])) == [before, after], day


@cocotb.test
async def days_pass_at_once(dut):
    """A day in steps of four seconds: every moment that is shown without hold is near the one that is meant."""
    await start(dut)
    await set_to(dut, int((datetime(2024, 2, 28, 23, 59, 50, tzinfo=UTC) - EPOCH).total_seconds()) * 10**9)
    for _ in range(30):
        await elapse(dut, 4 * 10**9)
        now, shown_text = await shown(dut, 80)
        assert shown_text == text(now)
    assert bool(dut.valid.value)


@cocotb.test
async def digits_are_those_of_the_moment_or_hold_is_set(dut):
    """Steps of any size at any moment, and settings of the clock in between, looked at in every cycle."""
    rng = random.Random(seed())
    await start(dut)
    ns = int((datetime(2026, 12, 31, 23, 59, 0, tzinfo=UTC) - EPOCH).total_seconds()) * 10**9
    await set_to(dut, ns)
    waiting = held = 0
    for _ in range(6000):
        kind = rng.random()
        step = 8 if kind < 0.97 else rng.choice([10**6, 2 * 10**6, rng.randrange(10**7), rng.randrange(2**32)])
        if kind > 0.998:
            dut.elapsed_ns.value = 0
            await set_to(dut, ns + rng.randrange(10**9))
        dut.elapsed_ns.value = step
        await RisingEdge(dut.clk)
        now, hold = int(dut.now_ns.value), bool(dut.hold.value)
        waiting = waiting + 1 if hold else 0
        held += hold
        assert waiting < 400, "hold comes to an end"
        if hold:
            continue
        moment = datetime.strptime(at(dut) + "000", "%Y%m%d-%H%M%S.%f").replace(tzinfo=UTC)
        behind = timedelta(microseconds=now // 1000) - (moment - EPOCH)
        assert timedelta(0) <= behind < timedelta(milliseconds=2), (now, at(dut))
        ns = now
    assert 0 < held < 6000


@cocotb.test
async def no_hold_while_time_runs_evenly(dut):
    await start(dut)
    await set_to(dut, 10**18 + 999_000)
    await shown(dut, 30)
    dut.elapsed_ns.value = 8
    for _ in range(300):
        await RisingEdge(dut.clk)
        assert not bool(dut.hold.value), "a new millisecond delays nothing"


@cocotb.test
async def age(dut):
    await start(dut)
    assert not bool(dut.valid.value), "never set"
    await set_to(dut, 10**18, max_age=1000)
    await elapse(dut, 1000)
    await shown(dut, 4)
    assert bool(dut.valid.value)
    await elapse(dut, 1)
    await shown(dut, 4)
    assert not bool(dut.valid.value)
    for _ in range(3):
        await elapse(dut, 2**32 - 1)
    await shown(dut, 4)
    assert not bool(dut.valid.value), "an old age never looks young again"
