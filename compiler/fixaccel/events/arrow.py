# SPDX-License-Identifier: Apache-2.0
"""Columns of event files in Arrow's memory: what their cells say, as arrays and as text.

Each function that gives arrays also gives ``bad``: the rows whose cell the reader of rows refuses. Why it refuses
them, it says itself: only rows without a fault need to be fast.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from fixaccel.events.columns import WIRE_LIMIT, PriceState, wire_price
from fixaccel.language.keys.instrument import WIRE_DECIMALS
from fixaccel.language.patterns import HWMAP
from fixaccel.semantics.messages import UNKNOWN
from fixaccel.values import decimal_text, parse_decimal

# Columns of text that are often empty as a whole.
_LEFT_EMPTY = ("kind", "rule")

Flags = npt.NDArray[np.bool_]
Wire = npt.NDArray[np.int64]
States = npt.NDArray[np.uint8]

_WHOLE_DIGITS = HWMAP.constant("wire_digits") - WIRE_DECIMALS
_SCALE = 10**WIRE_DECIMALS

# Prices that Arrow may turn into numbers: it would also take exponents and a plus sign.
_PLAIN_PRICE = rf"^-?[0-9]{{1,{_WHOLE_DIGITS}}}(\.[0-9]{{1,{WIRE_DECIMALS}}})?$"
_WIRE_TYPE = pa.decimal128(38, WIRE_DECIMALS)

# A decimal of at most 15 digits is the shortest that gives its double back, so below it nothing else need be tried.
_DOUBLE_DIGITS = 15


class NotEmptyError(Exception):
    """Numbers in a column of text; the text says which."""


def is_text(kind: pa.DataType) -> bool:
    """Whether cells of this type are text, plain or by dictionary."""
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(plain) or pa.types.is_large_string(plain))


def may_be_empty(field: pa.Field) -> bool:
    """Whether it is a column of text that pandas takes for numbers where a file has nothing in it."""
    number = pa.types.is_floating(field.type) or pa.types.is_integer(field.type)
    return field.name in _LEFT_EMPTY and bool(number)


def without_cells(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """The batch with the column ``name`` as one of nothing. Raises NotEmptyError where a number stands in it."""
    column = batch[name]
    if column.is_null(nan_is_null=True).false_count:
        raise NotEmptyError(f"column `{name}` is of type `{column.type}`")
    return batch.set_column(batch.schema.get_field_index(name), name, pa.nulls(len(batch)))


def is_number(kind: pa.DataType) -> bool:
    """Whether cells of this type are numbers that are read exactly."""
    decimal = pa.types.is_decimal128(kind) and 0 <= kind.scale <= 18
    return bool(decimal or pa.types.is_integer(kind) or pa.types.is_float64(kind))


def texts(column: pa.Array) -> list[str]:
    """Each cell as an event file in CSV would write it."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    return ["" if value is None else _text(value) for value in column.to_pylist()]


def _text(value: object) -> str:
    if isinstance(value, float) and value - value == 0:  # neither infinite nor no number
        value = Decimal(repr(value))
    return decimal_text(value) if isinstance(value, Decimal) else str(value)


def times(column: pa.Array) -> tuple[Wire, Flags]:
    """Nanoseconds, from whole numbers or timestamps."""
    bad = _nulls(column)
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    if pa.types.is_uint64(column.type):
        bad |= _numpy(column) >= 2**63
    values = _numpy(column).astype(np.int64, copy=False)
    return values, bad | (values < 0)


def times_from_texts(column: pa.StringArray) -> pa.Array | None:
    """The same as whole numbers; None if any is not one of digits only below 2^63: Arrow would take hexadecimal."""
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(column) + 1]
    digits = np.frombuffer(column.buffers()[2], np.uint8)[offsets[0] : offsets[-1]]
    if (np.diff(offsets) == 0).any() or ((digits - np.uint8(ord("0"))) > 9).any():
        return None
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return None


def codes(column: pa.Array, numbers: Mapping[str, int], missing: int) -> tuple[npt.NDArray[np.int32], Flags]:
    """The number of each text; ``missing`` for an empty one, bad for one that has none."""
    if pa.types.is_null(column.type):
        return np.full(len(column), missing, np.int32), np.zeros(len(column), np.bool_)
    indices, dictionary = _dictionary(column)
    known = [missing if not text else numbers.get(text) for text in [*dictionary.to_pylist(), ""]]
    found = np.array([missing if number is None else number for number in known], np.int32)
    unknown = np.array([number is None for number in known], np.bool_)
    numbered = not unknown.any() and np.array_equal(found[:-1], np.arange(len(dictionary)))
    if numbered and indices.dtype == np.int32 and not column.null_count:
        # The indices are the numbers already.
        return indices.astype(np.int32, copy=False), np.zeros(len(indices), np.bool_)
    return found[indices], unknown[indices]


def prices(column: pa.Array) -> tuple[Wire, States, Flags]:
    """Prices in the wire's unit and what the message says of them."""
    kind = column.type
    if column.null_count == len(column):
        return _absent(len(column))
    if is_text(kind):
        indices, dictionary = _dictionary(column)
        wire, state, bad = _from_texts(pa.concat_arrays([dictionary, pa.array([""], dictionary.type)]))
        return wire[indices], state[indices], bad[indices]
    if pa.types.is_decimal(kind):
        wire, state, bad = _from_decimals(column)
    elif pa.types.is_integer(kind):
        wire, state, bad = _from_integers(column)
    else:
        wire, state, bad = _from_doubles(_numpy(column))
    return _without(_nulls(column), wire, state, bad) if column.null_count else (wire, state, bad)


def sizes(column: pa.Array) -> tuple[Flags, Flags]:
    """Which rows carry a size, and which of them are bad."""
    kind = column.type
    if column.null_count == len(column):
        none = np.zeros(len(column), np.bool_)
        return none, none
    if is_text(kind):
        indices, dictionary = _dictionary(column)
        said = [*dictionary.to_pylist(), ""]
        carried = np.array([text not in {None, "", UNKNOWN} for text in said], np.bool_)
        bad = np.array([not _is_size(text) for text in said], np.bool_)
        return carried[indices], bad[indices]
    present = ~_nulls(column)
    if pa.types.is_float64(kind):
        return present, present & ~_double_sizes(_numpy(column))
    below = _decimal_words(column)[1] < 0 if pa.types.is_decimal(kind) else _numpy(column) < 0
    return present, present & below


def _is_size(text: str | None) -> bool:
    return text in {None, "", UNKNOWN} or not (str(text).startswith("-") or parse_decimal(str(text)) is None)


def _double_sizes(values: npt.NDArray[np.float64]) -> Flags:
    """Which are sizes. Within the bounds no text is too long."""
    good: Flags = (values == 0) | ((values >= 1e-12) & (values < 1e25))
    for row in np.flatnonzero(~good):
        good[row] = _is_size(_text(float(values[row])))
    return good


def _dictionary(column: pa.Array) -> tuple[npt.NDArray[np.int64], pa.Array]:
    """Place of each cell in the dictionary, one past its end for a cell without a value."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    values = encoded.dictionary
    indices = encoded.indices.fill_null(len(values)) if encoded.indices.null_count else encoded.indices
    return indices.to_numpy(zero_copy_only=False), values


def _absent(size: int) -> tuple[Wire, States, Flags]:
    return np.zeros(size, np.int64), np.zeros(size, np.uint8), np.zeros(size, np.bool_)


def _without(nulls: Flags, wire: Wire, state: States, bad: Flags) -> tuple[Wire, States, Flags]:
    return np.where(nulls, 0, wire), np.where(nulls, np.uint8(PriceState.ABSENT), state), bad & ~nulls


def _from_texts(values: pa.Array) -> tuple[Wire, States, Flags]:
    values = values.fill_null("")
    plain = pc.match_substring_regex(values, _PLAIN_PRICE)
    wire = _decimal_words(pc.if_else(plain, values, pa.scalar("0", values.type)).cast(_WIRE_TYPE))[0].copy()
    state = np.full(len(values), PriceState.VALUE, np.uint8)
    bad = np.zeros(len(values), np.bool_)
    for row in np.flatnonzero(~plain.to_numpy(zero_copy_only=False)):
        text = values[row].as_py()
        wire[row], state[row] = wire_price(text)
        bad[row] = text not in {"", UNKNOWN} and parse_decimal(text) is None
    return wire, state, bad


def _from_decimals(column: pa.Array) -> tuple[Wire, States, Flags]:
    column = column.fill_null(Decimal(0)) if column.null_count else column
    scale = column.type.scale
    exact = column.cast(pa.decimal128(38, WIRE_DECIMALS), safe=False) if scale > WIRE_DECIMALS else column
    low, high = _decimal_words(exact)
    factor = 10 ** max(WIRE_DECIMALS - scale, 0)
    limit = WIRE_LIMIT // factor
    fits = (high == low >> 63) & (low > -limit) & (low < limit)
    if scale > WIRE_DECIMALS:
        fits &= pc.equal(exact.cast(pa.decimal128(38, scale), safe=False), column).to_numpy(zero_copy_only=False)
    return _in_wire(low, fits, factor)


def _from_integers(column: pa.Array) -> tuple[Wire, States, Flags]:
    values = _numpy(column)
    limit = WIRE_LIMIT // _SCALE
    low = -limit if np.issubdtype(values.dtype, np.signedinteger) else -1
    info = np.iinfo(values.dtype)
    fits = np.ones(len(values), np.bool_)
    if info.max >= limit:
        fits &= values < limit
    if info.min <= low:
        fits &= values > low
    return _in_wire(values.astype(np.int64), fits, _SCALE)


def _in_wire(values: Wire, fits: Flags, factor: int) -> tuple[Wire, States, Flags]:
    wire = values * factor if fits.all() else np.where(fits, values, 0) * factor
    state = np.where(fits, np.uint8(PriceState.VALUE), np.uint8(PriceState.INVALID))
    return wire, state, np.zeros(len(values), np.bool_)


def _from_doubles(values: npt.NDArray[np.float64]) -> tuple[Wire, States, Flags]:
    """The shortest decimal that gives each double back."""
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = np.rint(values * float(_SCALE))
        sure = (np.abs(scaled) < 10.0**_DOUBLE_DIGITS) & (scaled / float(_SCALE) == values)
    wire = np.where(sure, scaled, 0.0).astype(np.int64)
    state = np.full(len(values), PriceState.VALUE, np.uint8)
    bad = np.zeros(len(values), np.bool_)
    for row in np.flatnonzero(~sure):
        text = _text(float(values[row]))
        wire[row], state[row] = wire_price(text)
        bad[row] = parse_decimal(text) is None
    return wire, state, bad


def _decimal_words(column: pa.Array) -> tuple[Wire, Wire]:
    """Low and high words of the 128-bit numbers."""
    words = np.frombuffer(column.buffers()[1], np.int64)[2 * column.offset :][: 2 * len(column)]
    return words[::2], words[1::2]


def _nulls(column: pa.Array) -> Flags:
    if not column.null_count:
        return np.zeros(len(column), np.bool_)
    nulls: Flags = column.is_null().to_numpy(zero_copy_only=False)
    return nulls


def _numpy(column: pa.Array) -> npt.NDArray[Any]:
    """Fixed-width values, any in the place of nulls."""
    if column.null_count:
        column = column.fill_null(0)
    values: npt.NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values
