# SPDX-License-Identifier: Apache-2.0
"""The texts of initial values, as the standard's chapter on type conversion reads them."""

import re

from fixaccel.fast.model import EXPONENTS, RANGES, Kind, Scaled, Value

_BLANK = " \t\r\n"
_DECIMAL = re.compile(r"(-?)(?=[0-9.])([0-9]*)(?:\.([0-9]+))?")


class InitialError(ValueError):
    """A text that is no value of the type; what is wrong with it."""


def initial_value(text: str, kind: Kind) -> Value:
    """The value of ``text``. Raises InitialError."""
    if kind.is_integer:
        return _integer(text.strip(_BLANK), kind)
    if kind is Kind.DECIMAL:
        return decimal_value(text.strip(_BLANK))
    if kind is Kind.BYTES:
        digits = re.sub(f"[{_BLANK}]", "", text)
        if len(digits) % 2 or not re.fullmatch("[0-9A-Fa-f]*", digits):
            raise InitialError("a byte vector is written as pairs of hexadecimal digits")
        return bytes.fromhex(digits)
    if kind is Kind.ASCII and not text.isascii():
        raise InitialError('a character is not ASCII; a field with `charset="unicode"` can hold it')
    return text.encode()


def _integer(text: str, kind: Kind) -> int:
    if not re.fullmatch("-?[0-9]+" if kind.is_signed else "[0-9]+", text) or len(text) > 40:
        raise InitialError("a whole number is written in digits" + (", with `-` in front" if kind.is_signed else ""))
    value = int(text)
    low, high = RANGES[kind]
    if not low <= value <= high:
        raise InitialError(f"{kind.value} holds {low} to {high}")
    return value


def decimal_value(text: str) -> Scaled:
    """A decimal with the shortest mantissa, zero with exponent 0: as the standard normalizes initial values."""
    match = _DECIMAL.fullmatch(text)
    if not match or len(text) > 200:
        raise InitialError("a decimal is written as digits, with at most one point before the last of them")
    sign, whole, part = match[1], match[2], match[3] or ""
    mantissa, exponent = int(sign + (whole + part or "0")), -len(part)
    return normalized(mantissa, exponent)


def normalized(mantissa: int, exponent: int) -> Scaled:
    """The same number with a mantissa that does not end in 0. Raises InitialError if it is too large or too fine."""
    if mantissa == 0:
        return Scaled(0, 0)
    while mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    low, high = RANGES[Kind.INT64]
    if not (EXPONENTS[0] <= exponent <= EXPONENTS[1] and low <= mantissa <= high):
        raise InitialError("a decimal has a mantissa of 64 bits and an exponent from -63 to 63")
    return Scaled(exponent, mantissa)
