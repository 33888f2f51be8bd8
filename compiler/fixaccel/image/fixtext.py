# SPDX-License-Identifier: Apache-2.0
"""Fixed-width texts of prices and quantities, as they stand in order records."""

from fixaccel.language.model import Instrument
from fixaccel.values import decimal_text


def price_text(instrument: Instrument, units: int, width: int = 0) -> str:
    """The price with all decimals of the unit, zero padded behind its sign to at least ``width`` characters."""
    places = instrument.ticks.places
    whole, _, fraction = decimal_text(abs(instrument.to_price(units))).partition(".")
    digits = whole + ("." + fraction.ljust(places, "0") if places else "")
    sign = "-" if units < 0 else ""
    return sign + digits.rjust(width - len(sign), "0")


def price_width(instrument: Instrument, most: int) -> int:
    """Characters that hold every price of the instrument's range, at most ``most``.

    One width for all its orders lets them share a template, and a changed price needs no new one.
    """
    ends = (instrument.price_min, instrument.price_max)
    return min(most, max(len(price_text(instrument, units)) for units in ends))


def qty_text(qty: int, width: int) -> str:
    """The quantity, zero padded to ``width`` digits."""
    return str(qty).rjust(width, "0")
