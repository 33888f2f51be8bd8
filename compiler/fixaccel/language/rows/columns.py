# SPDX-License-Identifier: Apache-2.0
"""Cells of tables as numbers: whole columns at a time, all tables of a strategy together.

Only what is plainly right is read here. Every other cell goes to the kind that reads the same value in a strategy
file, which says what is wrong with it; what it accepts after all is put in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from fixaccel.language.codes import ORDER_TYPES, SIDES, SOURCES, Codes, Units
from fixaccel.language.keys.kinds import pattern_of
from fixaccel.language.patterns import RULE_ID
from fixaccel.language.rows.file import TableFile
from fixaccel.language.written import TriggerPrice, WrittenCondition
from fixaccel.tick_arrays import WIRE_DECIMALS
from fixaccel.values import scaled

Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]

OPERATORS = (">=", ">", "<=", "<")
NOT_GIVEN = 255  # the cell is empty or the column is absent

# Order prices.
NONE, FIXED, TRIGGER = range(3)

# Columns of few values and many rows, each value read once. Conditions and ids mostly differ.
_REPEATING = frozenset({"side", "qty", "type", "price", "confirm", "oco"})

WIRE_LIMIT = 10**18
# Not longer than DECIMAL_CHARS in all. Longer texts are read one by one.
_NUMBER = r"(?P<number>-?0{0,9}[0-9]{1,10}(?:\.[0-9]{1,8})?)"
_DECIMAL = rf"^{_NUMBER}$"
_CONDITION = rf"^(?P<source>last|bid|ask|mid) *(?P<op>[<>]=?) *{_NUMBER}$"
_TRIGGER = r"^trigger(?: *(?P<sign>[+-]) *(?P<ticks>[0-9]{1,9}) ticks?)?$"
_WIRE = pa.decimal128(18, WIRE_DECIMALS)


@dataclass(eq=False)
class TableRows:
    """The rows of one table, or of several one after the other, in columns of one length.

    Numbers that are valid decimals but too long or too fine for 18 digits with 8 decimals are no price or quantity of
    any instrument: their ``*_fits`` is False. ``readable`` is False where a cell of the row was reported.
    """

    source: Codes  # into SOURCES
    operator: Codes  # into OPERATORS
    price: Units  # of the condition, 10^-8
    price_fits: Flags
    side: Codes  # into SIDES, or NOT_GIVEN
    qty: Units  # 10^-8; counts where given
    qty_given: Flags
    qty_fits: Flags
    type: Codes  # into ORDER_TYPES, or NOT_GIVEN
    limit_kind: Codes  # NONE, FIXED or TRIGGER
    limit: Units  # 10^-8, or ticks from the trigger
    limit_fits: Flags
    confirm: Codes  # 1, 2 or NOT_GIVEN
    ids: pa.StringArray | None
    groups: pa.StringArray | None
    readable: Flags

    def part(self, begin: int, end: int) -> "TableRows":
        """Rows ``begin`` to ``end``, sharing memory."""
        cut: dict[str, Any] = {
            name: None if column is None else column[begin:end] for name, column in vars(self).items()
        }
        return TableRows(**cut)


@dataclass(frozen=True, eq=False)
class Column:
    """The cells of one column over all tables, each text once."""

    texts: pa.StringArray
    index: npt.NDArray[np.int32] | None  # of each row into texts; None: texts are the rows

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values of the texts as values of the rows, in memory of their own."""
        return values.copy() if self.index is None else values[self.index]

    def rows(self) -> pa.StringArray:
        """The text of each row."""
        return self.texts if self.index is None else self.texts.take(pa.array(self.index))

    @cached_property
    def empty(self) -> Flags:
        """Which texts are empty."""
        return flags(pc.equal(self.texts, ""))


def column_of(tables: Sequence[TableFile], name: str) -> Column | None:
    """The column over all tables, empty where a table does not have it; None where none has."""
    if not any(name in table.places for table in tables):
        return None
    chunks: list[pa.Array] = []
    for table in tables:
        if name in table.places:
            chunks += table.columns[name].chunks
        else:
            chunks.append(pa.repeat("", len(table)))
    merged = pa.chunked_array(chunks).combine_chunks() if len(chunks) != 1 else chunks[0]
    if name not in _REPEATING:
        return Column(_trimmed(merged), None)
    encoded = merged.dictionary_encode()
    return Column(_trimmed(encoded.dictionary), encoded.indices.to_numpy())


def _trimmed(texts: pa.StringArray) -> pa.StringArray:
    # Seldom needed, and looking costs a tenth of doing.
    spaced = pc.or_(pc.starts_with(texts, " "), pc.ends_with(texts, " "))
    return pc.utf8_trim(texts, " ") if pc.any(spaced).as_py() else texts


def flags(values: pa.BooleanArray) -> Flags:
    """As NumPy has them."""
    found: Flags = values.to_numpy(zero_copy_only=False)
    return found


def matched(texts: pa.StringArray, pattern: str) -> tuple[Flags, dict[str, pa.StringArray]]:
    """Which texts match, and what the pattern's groups caught of each: nothing of those that do not."""
    found = pc.extract_regex(texts, pattern)
    names = [field.name for field in found.type]
    return flags(found.is_valid()), {name: pc.fill_null(pc.struct_field(found, name), "") for name in names}


def words(texts: pa.StringArray, known: Sequence[str], nothing: int = NOT_GIVEN) -> Codes:
    """Place of each text in ``known``, ``nothing`` for others."""
    places = pc.index_in(texts, pa.array(known))
    codes: Codes = pc.fill_null(places, nothing).to_numpy(zero_copy_only=False).astype(np.uint8)
    return codes


def wire(numbers: pa.StringArray) -> Units:
    """Decimals of at most ten and eight digits in 10^-8; 0 for empty texts."""
    filled = pc.if_else(pc.equal(numbers, ""), "0", numbers)
    values = pc.cast(filled, _WIRE)
    # A decimal of 128 bits: its lower half holds all of 18 digits.
    return np.frombuffer(values.buffers()[1], np.int64)[values.offset * 2 :][: len(values) * 2 : 2]


def wire_of(value: Decimal) -> int | None:
    """``value`` in 10^-8; None if it is too fine or too large to be one."""
    whole = scaled(value, WIRE_DECIMALS)
    return None if whole is None or abs(whole) >= WIRE_LIMIT else whole


def read_conditions(column: Column, rows: TableRows) -> Flags:
    """Fills the condition's columns; returns which texts are left to be read one by one, as all of these do."""
    good, found = matched(column.texts, _CONDITION)
    rows.source = column.spread(words(found["source"], [source.value for source in SOURCES], 0))
    rows.operator = column.spread(words(found["op"], OPERATORS, 0))
    rows.price = column.spread(wire(found["number"]))
    return ~good


def put_condition(rows: TableRows, at: Rows, value: WrittenCondition) -> None:
    """A condition that was read by itself."""
    rows.source[at] = SOURCES.index(value.source)
    rows.operator[at] = OPERATORS.index(value.op)
    exact = wire_of(value.price.value)
    rows.price[at], rows.price_fits[at] = exact or 0, exact is not None


def read_quantities(column: Column, rows: TableRows) -> Flags:
    """Fills the quantities."""
    good, found = matched(column.texts, _DECIMAL)
    rows.qty = column.spread(wire(found["number"]))
    rows.qty_given = column.spread(good)
    return ~good & ~column.empty


def put_quantity(rows: TableRows, at: Rows, value: Decimal) -> None:
    """A quantity that was read by itself."""
    exact = wire_of(value)
    rows.qty_given[at] = True
    rows.qty[at], rows.qty_fits[at] = exact or 0, exact is not None


def read_limits(column: Column, rows: TableRows) -> Flags:
    """Fills the order prices."""
    fixed, number = matched(column.texts, _DECIMAL)
    follows, found = matched(column.texts, _TRIGGER)
    ticks = found["ticks"]
    count = pc.cast(pc.if_else(pc.equal(ticks, ""), "0", ticks), pa.int64()).to_numpy(zero_copy_only=False)
    minus = flags(pc.equal(found["sign"], "-"))
    distance = np.where(minus, -count, count)
    rows.limit = column.spread(np.where(follows, distance, wire(number["number"])))
    rows.limit_kind = column.spread(np.where(fixed, FIXED, np.where(follows, TRIGGER, NONE)).astype(np.uint8))
    return ~fixed & ~follows & ~column.empty


def put_limit(rows: TableRows, at: Rows, value: Decimal | TriggerPrice) -> None:
    """An order price that was read by itself."""
    if isinstance(value, TriggerPrice):
        rows.limit_kind[at], rows.limit[at] = TRIGGER, value.ticks
        return
    exact = wire_of(value)
    rows.limit_kind[at] = FIXED
    rows.limit[at], rows.limit_fits[at] = exact or 0, exact is not None


def read_sides(column: Column, rows: TableRows) -> Flags:
    """Fills the sides."""
    codes = words(column.texts, [side.value for side in SIDES])
    rows.side = column.spread(codes)
    left: Flags = (codes == NOT_GIVEN) & ~column.empty
    return left


def read_types(column: Column, rows: TableRows) -> Flags:
    """Fills the order types."""
    codes = words(column.texts, [kind.value for kind in ORDER_TYPES])
    rows.type = column.spread(codes)
    left: Flags = (codes == NOT_GIVEN) & ~column.empty
    return left


def read_confirms(column: Column, rows: TableRows) -> Flags:
    """Fills `confirm`."""
    codes = words(column.texts, ["1", "2"])
    rows.confirm = column.spread(np.where(codes == NOT_GIVEN, NOT_GIVEN, codes + 1).astype(np.uint8))
    left: Flags = (codes == NOT_GIVEN) & ~column.empty
    return left


def read_ids(column: Column, rows: TableRows) -> Flags:
    """Keeps the ids."""
    rows.ids = column.rows()
    return ~_names(column)


def read_groups(column: Column, rows: TableRows) -> Flags:
    """Keeps the `oco` groups."""
    rows.groups = column.rows()
    return ~_names(column)


def _names(column: Column) -> Flags:
    return flags(pc.match_substring_regex(column.texts, pattern_of(RULE_ID))) | column.empty
