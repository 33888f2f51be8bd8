# SPDX-License-Identifier: Apache-2.0
"""Numbers as lists write them: with either decimal mark, thousands in groups, and never guessed."""

import re
from dataclasses import dataclass
from decimal import Decimal

from fixaccel.values import parse_decimal

POINT, COMMA = "point", "comma"

# Thousands may also be set apart by these, which are no decimal mark anywhere.
_SPACES = "' \u2019\u00a0\u202f"


class NumberError(ValueError):
    """Why a text is no number; ``help`` is the way out."""

    def __init__(self, message: str, help_: str) -> None:
        super().__init__(message)
        self.help = help_


@dataclass(frozen=True)
class Numerals:
    """``decimal`` is `point`, `comma`, or None where nothing was said; ``comma_list``: cells are cut at semicolons."""

    decimal: str | None
    comma_list: bool

    def read(self, text: str) -> Decimal:
        """The exact value. Raises NumberError."""
        mark = self._mark(text)
        thousands = "," if mark == "." else "."
        whole, point, part = text.partition(mark)
        number = _ungrouped(whole, thousands)
        value = None if number is None or (point and not part) else parse_decimal(number + ("." + part if part else ""))
        if value is None:
            other = mark == "." and self.decimal is None and re.fullmatch(r"-?[0-9.]*,[0-9]+", text)
            help_ = "write --decimal comma if the list has decimal commas" if other else "write digits, such as 1180.50"
            raise NumberError("is no number", help_)
        return value

    def _mark(self, text: str) -> str:
        if self.decimal:
            return "." if self.decimal == POINT else ","
        # Where semicolons part the cells a comma, or a point before three digits, is read in two ways.
        mark = "," if "," in text else "."
        doubtful = self.comma_list or mark == ","
        if doubtful and re.fullmatch(rf"-?[0-9]{{1,3}}[{mark}][0-9]{{3}}", text):
            raise NumberError(
                "could be thousands or a decimal fraction", "say which: --decimal point or --decimal comma"
            )
        return "."


def _ungrouped(whole: str, comma: str) -> str | None:
    """Digits without marks between thousands; None where the groups are no thousands."""
    marks = set(re.sub(r"[0-9-]", "", whole))
    if not marks:
        return whole
    if len(marks) > 1 or not marks <= {comma, *_SPACES}:
        return None
    mark = re.escape(marks.pop())
    return re.sub(mark, "", whole) if re.fullmatch(rf"-?[0-9]{{1,3}}(?:{mark}[0-9]{{3}})+", whole) else None
