# SPDX-License-Identifier: Apache-2.0
"""ClOrdIDs: session epoch, rule index and fire count, base 36, upper case, zero padded."""

EPOCH_CHARS = 4
NUMBER_CHARS = 8

# `simulate` has no session; the daemon counts its own.
SIMULATED_EPOCH = "0" * EPOCH_CHARS

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def base36(value: int, chars: int) -> str:
    """``value`` in exactly ``chars`` digits. Raises OverflowError if it needs more."""
    if not 0 <= value < len(_DIGITS) ** chars:
        raise OverflowError(f"{value} does not fit {chars} base-36 digits")
    text = ""
    for _ in range(chars):
        value, digit = divmod(value, len(_DIGITS))
        text = _DIGITS[digit] + text
    return text


def cl_ord_id(rule: int, fires: int, epoch: str = SIMULATED_EPOCH) -> str:
    """The 20 characters for fire number ``fires`` (from 1) of rule index ``rule`` (from 0)."""
    return epoch + base36(rule, NUMBER_CHARS) + base36(fires, NUMBER_CHARS)
