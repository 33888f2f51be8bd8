# SPDX-License-Identifier: Apache-2.0
"""Answers of a trader's function as plain texts, and runs of equal ones."""

from dataclasses import fields
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from fixaccel.decide.api import Order, Orders
from fixaccel.language.codes import Units
from fixaccel.language.terms import OrderType, Side, TimeInForce
from fixaccel.tick_arrays import Flags
from fixaccel.values import decimal_text

_WORDS = {
    "side": tuple(side.value for side in Side),
    "type": tuple(kind.value for kind in OrderType),
    "tif": tuple(tif.value for tif in TimeInForce),
}
_COLUMNS = tuple(field.name for field in fields(Order))
_NOTHING = -1

# A float this close to a multiple of the price unit means it.
_CLOSE = Decimal("0.001")

Texts = tuple[str | None, ...]  # by column of `Order`


class Run(NamedTuple):
    """Neighbouring prices with the same answer: places of the first and the last, and of the order."""

    first: int
    last: int
    order: int


class AnswerError(ValueError):
    """An answer that is no order; ``at`` is the place of its price, None where it is for all."""

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.at = at


class Answers:
    """Collects the answers for price after price, each different one once."""

    def __init__(self, unit: Decimal) -> None:
        self._unit = unit
        self._seen: dict[Order, int] = {}
        self._numbers: dict[Texts, int] = {}
        self.orders: list[Texts] = []

    def number(self, answer: object, at: int) -> int:
        """Place of ``answer`` in ``orders``, -1 for none. Raises AnswerError."""
        if answer is None:
            return _NOTHING
        if not isinstance(answer, Order):
            raise AnswerError(f"{_shown(answer)} is neither an Order nor None", at)
        try:
            known = self._seen.get(answer)
        except TypeError:
            known = None  # a list in it, say: what is wrong comes out below
        if known is not None:
            return known
        number = self._enter(tuple(self._text(name, getattr(answer, name), at) for name in _COLUMNS))
        self._seen[answer] = number
        return number

    def numbers(self, answer: object, count: int) -> Units:
        """The same for the answers to ``count`` prices at once."""
        if answer is None:
            return np.full(count, _NOTHING, np.int64)
        if not isinstance(answer, Orders):
            raise AnswerError(f"{_shown(answer)} is not an Orders")
        where = _flags(answer.where, count)
        codes = np.zeros(count, np.int64)
        values: list[list[str | None]] = []
        for name in _COLUMNS:
            texts, index = self._column(name, getattr(answer, name), where)
            values.append(texts)
            codes = codes * len(texts) + index
        kept, index = np.unique(codes[where], return_inverse=True)
        numbers = []
        for code in kept.tolist():
            row: list[str | None] = []
            rest = code
            for texts in reversed(values):
                rest, place = divmod(rest, len(texts))
                row.append(texts[place])
            numbers.append(self._enter(tuple(reversed(row))))
        found = np.full(count, _NOTHING, np.int64)
        found[where] = np.array(numbers, np.int64)[index] if numbers else _NOTHING
        return found

    def _column(self, name: str, column: object, where: Flags) -> tuple[list[str | None], Units]:
        """Different texts of a column, and the place of each row's."""
        count = len(where)
        array = np.asarray(column)
        if array.ndim == 0:
            return [self._text(name, array.item(), None)], np.zeros(count, np.int64)
        if array.shape != (count,):
            raise AnswerError(f"`{name}` has the shape {array.shape}, there are {count} prices")
        places = np.flatnonzero(where)
        if array.dtype == object:
            seen: dict[Any, int] = {}
            index = np.array([seen.setdefault(value, len(seen)) for value in array[places]], np.int64)
            values, first = list(seen), np.unique(index, return_index=True)[1]
        else:
            unique, first, index = np.unique(array[places], return_index=True, return_inverse=True)
            values = unique.tolist()
        texts = [self._text(name, value, int(places[at])) for value, at in zip(values, first, strict=True)]
        spread = np.zeros(count, np.int64)
        spread[places] = index
        return texts or [None], spread

    def _enter(self, texts: Texts) -> int:
        number = self._numbers.setdefault(texts, len(self.orders))
        if number == len(self.orders):
            self.orders.append(texts)
        return number

    def _text(self, name: str, value: object, at: int | None) -> str | None:
        if value is None:
            return None
        if name in _WORDS:
            word = getattr(value, "value", value)
            if word in _WORDS[name]:
                return str(word)
            raise AnswerError(f"`{name}` is {_shown(value)}, not one of {', '.join(_WORDS[name])}", at)
        if name == "account":
            if isinstance(value, str):
                return value
            raise AnswerError(f"`account` is {_shown(value)}, not a text", at)
        return self._number(name, value, at)

    def _number(self, name: str, value: object, at: int | None) -> str:
        if isinstance(value, bool | np.bool_):
            raise AnswerError(f"`{name}` is {value}, not a number", at)
        if isinstance(value, Integral):
            return str(int(value))
        if isinstance(value, str):
            return value
        if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < 30:
            return decimal_text(value)
        if isinstance(value, Real) and abs(float(value)) < 1e18:
            exact = Decimal(repr(float(value)))
            unit = self._unit if name == "price" else Decimal(1)
            nearest = round(exact / unit) * unit
            return decimal_text(nearest if abs(exact - nearest) < _CLOSE * unit else exact)
        raise AnswerError(f"`{name}` is {_shown(value)}, not a number", at)


def runs(numbers: Units) -> list[Run]:
    """Stretches of equal numbers, those without an order left out."""
    if not len(numbers):
        return []
    begins = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    ends = np.append(begins[1:] - 1, len(numbers) - 1)
    found = zip(begins.tolist(), ends.tolist(), numbers[begins].tolist(), strict=True)
    return [Run(*one) for one in found if one[2] != _NOTHING]


def _flags(where: object, count: int) -> Flags:
    if where is None:
        return np.ones(count, np.bool_)
    flags = np.asarray(where)
    if flags.dtype != np.bool_ or flags.shape not in {(), (count,)}:
        raise AnswerError(f"`where` is {flags.dtype} of the shape {flags.shape}, not {count} flags")
    return np.broadcast_to(flags, (count,)).copy()


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a trader's own class may raise anything
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
