# SPDX-License-Identifier: Apache-2.0
"""Runs parts in columns over messages in columns, millions a second."""

import ctypes
import weakref
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.events.columns import EventColumns
from fixaccel.image.software.columns import COLUMNS, PartColumns
from fixaccel.native.library import Column, LibraryError, load_library

OUTCOMES = (
    "sent", "order_notional", "collar", "self_trade", "repeat", "orders_per_second", "total_orders", "total_qty",
    "withheld", "filled", "order_qty",
)  # fmt: skip
STATES = (
    "disarmed", "armed", "waiting", "undecided", "fired", "cancelled", "refused", "arming", "rearming",
)  # fmt: skip

_DTYPES = {"u1": b"U8", "i4": b"I32", "i8": b"I64", "u8": b"U64"}
_ERROR_CHARS = 512

# A fire as the library lays it out.
_FIRE = np.dtype(
    [
        ("event", "i8"),
        ("ts_ns", "i8"),
        ("observed", "i8"),
        ("trigger", "i8"),
        ("qty", "i8"),
        ("price", "i8"),
        ("part", "i4"),
        ("row", "i4"),
        ("order", "i4"),
        ("fires", "i4"),
        ("source", "u1"),
        ("has_trigger", "u1"),
        ("side", "u1"),
        ("type", "u1"),
        ("outcome", "u1"),
        ("has_observed", "u1"),
    ],
    align=True,
)

# A fill of a model, likewise.
_FILL = np.dtype(
    [("event", "i8"), ("ts_ns", "i8"), ("qty", "i8"), ("price", "i8"), ("part", "i4"), ("side", "u1")], align=True
)


class TableError(Exception):
    """The library refused columns or messages; the text says which."""


@dataclass(frozen=True, eq=False)
class FireColumns:
    """n fires in firing order. Codes as in `fixaccel.language.rules`, prices in units, on mid in half units."""

    event: npt.NDArray[np.int64]  # row of the input, from 0
    ts_ns: npt.NDArray[np.int64]
    part: npt.NDArray[np.int32]  # index over the whole strategy
    row: npt.NDArray[np.int32]  # in the part columns
    source: npt.NDArray[np.uint8]
    observed: npt.NDArray[np.int64]
    trigger: npt.NDArray[np.int64]  # counts where `has_trigger`
    has_trigger: npt.NDArray[np.bool_]
    side: npt.NDArray[np.uint8]
    qty: npt.NDArray[np.int64]
    type: npt.NDArray[np.uint8]
    price: npt.NDArray[np.int64]  # limit price in whole units
    fires: npt.NDArray[np.int32]  # orders that the part has sent so far; 0 where this one was rejected
    outcome: npt.NDArray[np.uint8]  # place in `OUTCOMES`
    has_observed: npt.NDArray[np.bool_]  # else it fired by the clock: `source` and `observed` do not count

    def __len__(self) -> int:
        return len(self.event)

    @classmethod
    def of(cls, fires: npt.NDArray[Any]) -> "FireColumns":
        """From the library's rows."""
        columns = {field.name: np.ascontiguousarray(fires[field.name]) for field in fields(cls)}
        return cls(**columns | {name: columns[name].astype(bool) for name in ("has_trigger", "has_observed")})

    @classmethod
    def concatenate(cls, parts: list["FireColumns"]) -> "FireColumns":
        """The fires of all ``parts``, which follow one another."""
        if not parts:
            return cls.of(np.zeros(0, _FIRE))
        return cls(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)})


@dataclass(frozen=True, eq=False)
class FillColumns:
    """n fills of a model as they came. ``event`` is a row of the input, from 0; ``price`` counts price units."""

    event: npt.NDArray[np.int64]
    ts_ns: npt.NDArray[np.int64]
    part: npt.NDArray[np.int32]  # index over the whole strategy
    side: npt.NDArray[np.uint8]
    qty: npt.NDArray[np.int64]
    price: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.event)


@dataclass(frozen=True, eq=False)
class OrderTally:
    """What became of orders that were sent. ``unmatched`` are rows of the input, from 0."""

    cancels: int
    made: "FillColumns"  # by a model
    unmatched: npt.NDArray[np.int64]  # executions that no order was found for

    @property
    def fills(self) -> int:
        """How many fills the model made."""
        return len(self.made)


class TableInterpreter:
    """All parts are armed at the start, except those with parents. Keeps its state from run to run.

    Raises LibraryError where the library cannot be used, TableError for columns that it does not take.
    """

    def __init__(self, columns: PartColumns) -> None:
        self._library = load_library()
        if self._library.fixaccel_table_fire_size() != _FIRE.itemsize:
            raise LibraryError("the library lays fires out in another way: build it again")
        if self._library.fixaccel_table_fill_size() != _FILL.itemsize:
            raise LibraryError("the library lays fills out in another way: build it again")
        table, count, self._kept = _handed_over(columns)
        error = ctypes.create_string_buffer(_ERROR_CHARS)
        self._handle = self._library.fixaccel_table_open(table, count, error, _ERROR_CHARS)
        if not self._handle:
            raise TableError(_text(error))
        # Closed once, with the last reference or at the end of the process.
        weakref.finalize(self, self._library.fixaccel_table_close, self._handle)

    def reload(self, columns: PartColumns) -> None:
        """Takes other parts between two messages: those of equal hash keep their state. Raises TableError."""
        table, count, kept = _handed_over(columns)
        error = ctypes.create_string_buffer(_ERROR_CHARS)
        if self._library.fixaccel_table_reload(self._handle, table, count, error, _ERROR_CHARS):
            raise TableError(_text(error))
        self._kept = kept

    def keep_orders(self, *, touch: bool = False) -> None:
        """Has runs keep account of the orders that they send: for executions among the events and for `cancels`.

        ``touch``: a model fills them. Before the first run.
        """
        self._library.fixaccel_table_keep_orders(self._handle, int(touch))

    def run(self, events: EventColumns) -> FireColumns:
        """All fires of these messages. Raises TableError for an instrument or a kind that is none.

        Executions are taken behind `keep_orders` only.
        """
        error = ctypes.create_string_buffer(_ERROR_CHARS)
        columns = (
            _address(events.ts_ns, np.int64),
            _address(events.instrument, np.int32),
            _address(events.kind, np.uint8),
            _address(events.price, np.int64),
            _address(events.state, np.uint8),
            None if events.part is None else _address(events.part, np.int32),
            None if events.qty is None else _address(events.qty, np.int64),
        )
        found = self._library.fixaccel_table_run(self._handle, len(events), *columns, events.first, error, _ERROR_CHARS)
        if found < 0:
            raise TableError(_text(error))
        fires = np.empty(found, _FIRE)
        self._library.fixaccel_table_fires(self._handle, fires.ctypes.data)
        return FireColumns.of(fires)

    @property
    def invalid_prices(self) -> int:
        """Prices that were off the unit or out of range."""
        return int(self._library.fixaccel_table_invalid_prices(self._handle))

    @property
    def orders(self) -> OrderTally:
        """What became of the orders of all runs behind `keep_orders`."""
        counts = np.zeros(3, np.uint64)
        self._library.fixaccel_table_order_tally(self._handle, counts.ctypes.data)
        unmatched = np.empty(int(counts[2]), np.int64)
        self._library.fixaccel_table_unmatched(self._handle, unmatched.ctypes.data)
        made = np.empty(int(counts[1]), _FILL)
        self._library.fixaccel_table_fills(self._handle, made.ctypes.data)
        columns = {field.name: np.ascontiguousarray(made[field.name]) for field in fields(FillColumns)}
        return OrderTally(int(counts[0]), FillColumns(**columns), unmatched)

    def filled(self, parts: int) -> npt.NDArray[np.int64]:
        """What the orders of each part have filled in all, of the first ``parts`` over the whole strategy."""
        qty = np.empty(parts, np.int64)
        self._library.fixaccel_table_filled(self._handle, parts, qty.ctypes.data)
        return qty

    def states(self) -> npt.NDArray[np.uint8]:
        """State of each part, as a place in `STATES`."""
        states = np.empty(len(self._kept[0]), np.uint8)
        self._library.fixaccel_table_states(self._handle, len(states), states.ctypes.data)
        return states


def library_catalogue() -> list[tuple[str, str, int]]:
    """Name, type and values of a row of each column that the library takes."""
    lines = load_library().fixaccel_table_catalogue().decode("ascii").splitlines()
    return [(name, dtype, int(width)) for name, dtype, width in (line.split() for line in lines)]


def _handed_over(columns: PartColumns) -> tuple[Any, int, tuple[PartColumns, list[npt.NDArray[Any]]]]:
    """The columns as the library takes them, their number, and what must live as long as it reads them."""
    arrays = [np.ascontiguousarray(columns[column.name], column.dtype) for column in COLUMNS]
    table = (Column * len(COLUMNS))(
        *(
            Column(column.name.encode("ascii"), _DTYPES[column.dtype], array.ctypes.data, len(array), column.width)
            for column, array in zip(COLUMNS, arrays, strict=True)
        )
    )
    return table, len(COLUMNS), (columns, arrays)


def _address(array: npt.NDArray[Any], dtype: type[np.generic]) -> int:
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TableError(f"a column of messages is {array.dtype}, not {np.dtype(dtype)} in one piece")
    return array.ctypes.data


def _text(error: "ctypes.Array[ctypes.c_char]") -> str:
    return error.value.decode("utf-8", "replace")
