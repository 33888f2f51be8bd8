# SPDX-License-Identifier: Apache-2.0
"""An instrument as a trader looks at it: ticks by price, lot, price range."""

from fixaccel.language.terms import Instrument
from fixaccel.values import decimal_text


def instrument_text(instrument: Instrument, venue: str) -> str:
    """Markdown."""
    low, high = (decimal_text(instrument.to_price(units)) for units in (instrument.price_min, instrument.price_max))
    steps = instrument.ticks.steps
    lines = [f"**{instrument.symbol}** at {venue}", ""]
    if len(steps) == 1:
        lines += [f"tick {decimal_text(steps[0][1])}"]
    else:
        lines += ["| from | tick |", "| --- | --- |"]
        lines += [f"| {decimal_text(start)} | {decimal_text(tick)} |" for start, tick in steps]
    multiplier = "" if instrument.multiplier == 1 else f", multiplier {decimal_text(instrument.multiplier)}"
    return "\n".join([*lines, "", f"lot {instrument.lot}, prices {low} to {high}{multiplier}"])
