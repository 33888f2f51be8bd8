# SPDX-License-Identifier: Apache-2.0
"""Price text to price units, step by step as the fabric does it."""

import re
from collections.abc import Mapping

from fixaccel.image.layout import Layout

_TEXT = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?\Z")
_WORD64 = 1 << 64


def wire_price(text: str, layout: Layout) -> int | None:
    """The price times 10^wire_decimals, None if the text is no price or has too many digits."""
    match = _TEXT.match(text)
    if match is None:
        return None
    sign, whole, fraction = match.groups(default="")
    decimals = layout.constant("wire_decimals")
    if fraction[decimals:].strip("0"):
        return None
    digits = (whole + fraction[:decimals].ljust(decimals, "0")).lstrip("0")
    if len(digits) > layout.constant("wire_digits"):
        return None
    value = int(digits or "0")
    return -value if sign else value


def price_units(wire: int, instrument: Mapping[str, int]) -> int | None:
    """Division by the price unit as a 64-bit multiplication and shift; None if it leaves a rest or is out of range."""
    product = wire * instrument["inverse"] % _WORD64
    if product >= _WORD64 // 2:
        product -= _WORD64
    shift = instrument["shift"]
    if product % (1 << shift):
        return None
    units = product >> shift
    return units if instrument["price_min"] <= units <= instrument["price_max"] else None
