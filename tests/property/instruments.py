# SPDX-License-Identifier: Apache-2.0
"""Instruments to generate rules and prices for. Their prices cluster, so that most events touch a rule."""

from dataclasses import dataclass
from decimal import Decimal

from choices import Choices

from fixaccel.values import TickTable, decimal_text

# Ticks by the price from which they hold: powers of two and five, a prime, the finest, tables.
TICKS = [
    {"0": "0.01"},
    {"0": "0.25"},
    {"0": "1"},
    {"0": "0.005"},
    {"0": "5"},
    {"0": "0.00000001"},
    {"0": "0.07"},
    {"0": "0.1", "1000": "0.5", "5000": "1"},
    {"0": "0.01", "10": "0.02", "20": "0.05"},
]
TABLES = [TickTable.of(ticks) for ticks in TICKS]
# Some prices lie at these: around zero, at steps of the tables above, far out.
CENTRES = ["117.6", "1000", "0", "10", "20", "5000", "-3", "123456"]
SYMBOL_CHARS = "ABCXYZabc019._/^-"

# No threshold, ladder, interval or limit price lies farther from the centre, in ticks; prices do, now and then.
REACH = 8


@dataclass(frozen=True)
class Instrument:
    symbol: str
    ticks: TickTable
    centre: int  # units, on the grid
    low: int
    high: int
    lot: int
    multiplier: str

    def at(self, offset: int) -> int:
        """Units of the grid price so many ticks from the centre."""
        return self.ticks.step(self.centre, offset)

    def text(self, units: int) -> str:
        return decimal_text(self.ticks.to_price(units))

    def price(self, offset: int) -> str:
        return self.text(self.at(offset))

    def yaml(self) -> str:
        steps = ", ".join(f"{start}: {tick}" for start, tick in self.ticks.steps)
        tick = f"{{{steps}}}" if len(self.ticks.steps) > 1 else decimal_text(self.ticks.unit)
        price_range = f"{self.text(self.low)}..{self.text(self.high)}"
        more = f", multiplier: {self.multiplier}" if self.multiplier != "1" else ""
        return f'  "{self.symbol}": {{tick: {tick}, lot: {self.lot}, price_range: {price_range}{more}}}\n'


def instruments(choices: Choices) -> list[Instrument]:
    """One to three, of different symbols."""
    symbols = dict.fromkeys(_symbol(choices) for _ in range(choices.pick([1, 2, 2, 3])))
    return [_instrument(choices, symbol) for symbol in symbols]


def _symbol(choices: Choices) -> str:
    length = choices.pick([1, 2, 3, 4, 12])
    return "".join(choices.pick(SYMBOL_CHARS) for _ in range(length))


def _instrument(choices: Choices, symbol: str) -> Instrument:
    ticks = choices.pick(TABLES)
    centre = ticks.to_units(Decimal(choices.pick(CENTRES)) // ticks.unit * ticks.unit)
    assert centre is not None
    centre = centre if ticks.on_grid(centre) else ticks.next_down(centre)
    # A narrow range puts its ends among the prices, a wide one lets a price text have many digits.
    reach = choices.pick([40, REACH, REACH, 100_000])
    low, high = ticks.step(centre, -reach), ticks.step(centre, reach)
    return Instrument(
        symbol, ticks, centre, low, high, choices.pick([1, 1, 100]), choices.pick(["1", "1", "1000", "0.5"])
    )
