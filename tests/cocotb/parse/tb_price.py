# SPDX-License-Identifier: Apache-2.0
"""Price text to price units, against exact fractions."""

import random
from fractions import Fraction

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rx_bench import seed
from rx_tables import Instrument

CENT = Instrument("", Fraction("0.01"), -(10**12) + 1, 10**12 - 1)
STAGES = 7


class Prices:
    """Reads texts one after the other, with or without idle cycles between the characters."""

    def __init__(self, dut) -> None:
        self.dut = dut

    @classmethod
    async def start(cls, dut) -> "Prices":
        for name in ("valid", "data", "first", "issue", "inverse", "price_min", "price_max", "shift"):
            getattr(dut, name).value = 0
        dut.rst.value = 1
        Clock(dut.clk, 8, unit="ns").start()
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.rst.value = 0
        return cls(dut)

    async def read(self, text: str, instrument: Instrument, pause: int = 0) -> int | None:
        dut = self.dut
        for name, value in instrument.record().items():
            getattr(dut, name).value = value % 2**48 if name.startswith("price") else value
        for i, character in enumerate(text.encode("latin-1") + b"\x01"):
            dut.data.value = character
            dut.first.value = int(i == 0)
            dut.valid.value = 1
            await FallingEdge(dut.clk)
            dut.valid.value = 0
            for _ in range(pause):
                await FallingEdge(dut.clk)
        # As in the parser: a cycle from the end of the field to the candidate.
        await FallingEdge(dut.clk)
        dut.issue.value = 1
        await FallingEdge(dut.clk)
        dut.issue.value = 0
        for _ in range(STAGES - 1):
            assert not int(dut.done.value)
            await FallingEdge(dut.clk)
        assert int(dut.done.value)
        result = dut.quotient.value.to_signed() if int(dut.in_units.value) else None
        await FallingEdge(dut.clk)
        assert not int(dut.done.value)
        return result


@cocotb.test
async def forms(dut):
    prices = await Prices.start(dut)
    good = dict(
        zip(
            ("0 -0 0.00 -0.00 1 -1 1180.25 0000.10 -12.50 -000012.50 1.2 1.20 1.200000000 0.01 -0.01 "
             f"131071 131072 1310719 1.2{'0' * 40} {'0' * 30}1.05 9999999999.99 -9999999999.99").split(),
            (0, 0, 0, 0, 100, -100, 118025, 10, -1250, -1250, 120, 120, 120, 1, -1, 13107100, 13107200, 131071900,
             120, 105, 10**12 - 1, 1 - 10**12),
            strict=True,
        )
    )  # fmt: skip
    bad = [
        *("", "-", ".", "-.", "1.", "-1.", ".5", "-.5", "+1", "1e2", "1E2", "1,5", "1 ", " 1", "1.2.3", "1..2", "--1"),
        *("1-", "0x1", "1.2-", "NaN", "1_0", "\x00", "\xb1", "1\xb2", "1:", "1/"),
        *("0.001", "1.005", "0.000000001", "1.010000001", "0.00000001"),
        *("10000000000", "-10000000000", "99999999999", "184467440737.09", "18446744073709551616"),
        # These would wrap to 5 in 34, in 56 and in 64 bits.
        *(str(2**34 + 5), str(2**56 + 5), str(2**64 + 5), f"{2**64 // 10**8}.{2**64 % 10**8 + 5 * 10**8}"),
    ]
    for pause in (0, 1):
        for text, units in good.items():
            assert CENT.units(text) == units
            assert await prices.read(text, CENT, pause) == units, text
        for text in bad:
            assert CENT.units(text) is None, text
            assert await prices.read(text, CENT, pause) is None, text
            assert await prices.read("7.77", CENT, pause) == 777


@cocotb.test
async def units_and_ranges(dut):
    prices = await Prices.start(dut)
    for unit in ("0.01", "0.05", "0.25", "0.5", "1/32", "5", "1", "1/64", "0.00000001", "0.00000003", "250", "0.0025"):
        step = Fraction(unit)
        instrument = Instrument("", step, -1000, 2000)
        for units in (-1001, -1000, -999, -1, 0, 1, 3, 1999, 2000, 2001):
            value = units * step
            text = exact(value)
            expected = units if -1000 <= units <= 2000 else None
            assert instrument.units(text) == expected
            assert await prices.read(text, instrument) == expected, (unit, text)
            # Beside the grid.
            off = exact(value + Fraction(1, 10**8))
            assert await prices.read(off, instrument) == instrument.units(off), (unit, off)


def exact(value: Fraction) -> str:
    scaled = abs(value) * 10**8
    assert scaled.denominator == 1
    return f"{'-' if value < 0 else ''}{int(scaled) // 10**8}.{int(scaled) % 10**8:08d}"


@cocotb.test
async def random_prices(dut):
    rng = random.Random(seed())
    prices = await Prices.start(dut)
    hits = 0
    for _ in range(3000):
        scaled = rng.choice((1, 5, 25, 3125, 10**6, 5 * 10**6, 25 * 10**6, 3, 7, 2**20, rng.randrange(1, 10**9)))
        unit = Fraction(scaled, 10**8)
        # Ranges as the compiler guarantees them: 48 bits, and below 10^10 in price.
        most = min(2**47 - 1, int((10**10 - 1) / unit))
        low, high = sorted((rng.randrange(-most, most + 1), rng.randrange(-most, most + 1)))
        instrument = Instrument("", unit, low, high)
        digits = rng.randrange(1, 11)
        value = Fraction(rng.randrange(10**digits)) + Fraction(rng.randrange(10**8), 10**8)
        if rng.random() < 0.7:
            value = abs(rng.choice((low, high, rng.randrange(low, high + 1))) * unit)
        text = exact(value)
        if rng.random() < 0.3:
            text = text.rstrip("0").rstrip(".")
        text = rng.choice(("", "0", "00")) + text + rng.choice(("", "0", "000")) * ("." in text)
        text = rng.choice(("", "-")) + text
        expected = instrument.units(text)
        hits += expected is not None
        assert await prices.read(text, instrument) == expected, (text, instrument)
    assert 500 < hits < 2500
