# SPDX-License-Identifier: Apache-2.0
"""Fixed-width texts of prices and quantities: rows of characters, and the codes of them in order records."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.language.terms import Instrument
from fixaccel.values import decimal_text, scaled

Texts = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

_CODE_BITS = 4  # of a character in an order record: the low half of its ASCII code
_GROUP = 4  # digits that one look-up turns into characters


def codes(texts: Texts) -> Texts:
    """Rows of characters as bytes of an order record, two characters a byte, the first one lowest."""
    low = texts & np.uint8((1 << _CODE_BITS) - 1)
    packed: Texts = low[:, 0::2] | low[:, 1::2] << np.uint8(_CODE_BITS)
    return packed


def decoded(values: npt.NDArray[Any], chars: int) -> Texts:
    """The characters of a record's field: digits, `-` and `.`; other codes give what is none of them."""
    shifts = np.arange(chars, dtype=np.uint64) * np.uint64(_CODE_BITS)
    low = (values.astype(np.uint64)[:, None] >> shifts).astype(np.uint8) & np.uint8((1 << _CODE_BITS) - 1)
    return np.where(low > 9, low | np.uint8(0x20), low | np.uint8(0x30))


@cache
def _groups() -> npt.NDArray[np.uint32]:
    return np.array([f"{number:0{_GROUP}}" for number in range(10**_GROUP)], f"S{_GROUP}").view(np.uint32)


def digit_texts(values: npt.NDArray[Any], chars: int) -> Texts:
    """The last ``chars`` decimal digits of numbers that are not negative, ASCII, zero padded."""
    groups = -(-chars // _GROUP)
    rest = values.astype(np.uint64)
    out = np.empty((len(rest), groups), np.uint32)
    base = np.uint64(10**_GROUP)
    for group in reversed(range(groups)):
        quotient = rest // base
        out[:, group] = _groups()[(rest - quotient * base).view(np.int64)]
        rest = quotient
    return out.view(np.uint8)[:, groups * _GROUP - chars :]


def number_values(texts: Texts) -> Numbers:
    """What `digit_texts` wrote. Raises ValueError where a character is no digit."""
    digits = texts - np.uint8(ord("0"))
    if (digits > 9).any():
        raise ValueError("a character that is no digit")
    value = np.zeros(len(texts), np.int64)
    for column in digits.T:
        value = value * 10 + column
    return value


def price_width(instrument: Instrument, most: int) -> int:
    """Characters that hold every price of the instrument's range, at most ``most``.

    One width for all its orders lets them share a template, and a changed price needs no new one.
    """
    ends = (instrument.price_min, instrument.price_max)
    places = instrument.ticks.places
    wholes = [decimal_text(abs(instrument.to_price(units))).partition(".")[0] for units in ends]
    signs = [units < 0 for units in ends]
    longest = max(len(whole) + sign for whole, sign in zip(wholes, signs, strict=True))
    return min(most, longest + (places + 1 if places else 0))


def price_texts(
    units: Numbers, instrument: npt.NDArray[Any], instruments: Sequence[Instrument], most: int
) -> tuple[Texts, npt.NDArray[np.bool_]]:
    """Texts of ``most`` bytes with zeros behind, and whether each price fits its instrument's width.

    ``instrument`` is the place in ``instruments`` of each row. A price has all decimals of the unit and is zero padded
    behind its sign to the width of its instrument.
    """
    forms = [(price_width(one, most), one.ticks.places) for one in instruments]
    steps = [scaled(one.unit, one.ticks.places) or 1 for one in instruments]
    room = [10 ** (width - bool(places)) for width, places in forms]
    above = np.array([(limit - 1) // step for limit, step in zip(room, steps, strict=True)], np.int64)
    below = np.array([(limit // 10 - 1) // step for limit, step in zip(room, steps, strict=True)], np.int64)
    negative = units < 0
    size = np.abs(units)
    fits = size <= np.where(negative, below[instrument], above[instrument])
    value = np.where(fits, size, 0) * np.array(steps, np.int64)[instrument]
    texts = np.zeros((len(units), most), np.uint8)
    distinct = list(dict.fromkeys(forms))
    form_of = np.array([distinct.index(form) for form in forms], np.int32)[instrument]
    for number, (width, places) in enumerate(distinct):
        rows = slice(None) if len(distinct) == 1 else np.flatnonzero(form_of == number)
        texts[rows, :width] = _with_point(value[rows], width, places)
    texts[negative, 0] = ord("-")
    return texts, fits


def price_values(texts: Texts, width: int, places: int) -> Numbers:
    """Prices times 10^places of texts that `price_texts` wrote. Raises ValueError for any other text."""
    negative = texts[:, 0] == ord("-")
    digits = texts[:, :width].copy()
    digits[negative, 0] = ord("0")
    if places:
        point = width - places - 1
        if (digits[:, point] != ord(".")).any():
            raise ValueError("a price without its point")
        digits = np.delete(digits, point, axis=1)
    value = number_values(digits)
    return np.where(negative, -value, value)


def _with_point(values: Numbers, width: int, places: int) -> Texts:
    if not places:
        return digit_texts(values, width)
    digits = digit_texts(values, width - 1)
    point = np.full((len(values), 1), ord("."), np.uint8)
    return np.hstack([digits[:, : width - 1 - places], point, digits[:, width - 1 - places :]])
