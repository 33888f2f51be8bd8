# SPDX-License-Identifier: Apache-2.0
"""The columns that the table interpreter runs: whatever the rules say, as rows of whole numbers.

`COLUMNS` is the catalogue and the contract with the C++ library; docs/reference/software-table.md shows it. Parts that
come from different places (the fabric's memories, the software table) are put together by `PartColumns.join`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

NONE = -1

# Values of codes, in rising order; `part.source`, `part.direction`, `order.side` and `order.type` number the tuples
# of `fixaccel.language.rules`.
FORMS = ("threshold", "decide", "trail", "at")
THROUGHS = ("fire", "reject", "wait")
DISTANCES = ("price", "ticks", "percent")
ARMED_ON = ("sent", "first-fill", "filled")

SYMBOL_CHARS = 12


class Column(NamedTuple):
    """``name`` is TABLE.FIELD; all columns of a table have a row each for the same things.

    ``width`` counts the values of a row. ``table`` is the table whose rows the values number, if any; -1 is none.
    """

    name: str
    dtype: str
    meaning: str
    width: int = 1
    table: str = ""


COLUMNS = tuple(
    Column(*column)
    for column in (
        ("instrument.symbol", "u1", "Symbol in ASCII, zeros behind", SYMBOL_CHARS),
        ("instrument.unit", "i8", "Price unit, in the wire's unit of 10^-8"),
        ("instrument.price_min", "i8", "Lowest valid price, in units"),
        ("instrument.price_max", "i8", "Highest valid price, in units"),
        ("instrument.tick_first", "i4", "First row of its tick table", 1, "tick"),
        ("instrument.tick_count", "i4", "Rows of its tick table, at least 1"),
        (
            "instrument.notional_cap",
            "u8",
            "`order_notional`: most that quantity x price in half units may be, low, high 64 bits; all ones: no limit",
            2,
        ),
        ("instrument.total_qty", "i8", "`total_qty` for each side; -1: no limit"),
        ("instrument.lot", "i8", "Lot: `qty: filled` is a multiple of it"),
        ("tick.start", "i8", "Price from which the tick holds, in units; each table's first row holds below it too"),
        ("tick.size", "i8", "Tick, in units"),
        ("limits.collar", "i8", "`collar` in basis points; -1: none (one row)"),
        ("limits.orders_per_second", "i8", "-1: no limit"),
        ("limits.total_orders", "i8", "-1: no limit"),
        ("limits.self_trade", "u1", "1: no order may meet one of our own that rests"),
        ("limits.repeat_ns", "i8", "`repeat` in nanoseconds; -1: none"),
        ("limits.collar_ignores", "u1", "1: an observation outside the collar is eligible for no rule"),
        ("limits.order_qty", "i8", "`order_qty`, of orders with `order.filled`; -1: none"),
        ("limits.day_roll", "i8", "Second of the local day at which what is counted begins anew; -1: never"),
        ("zone.start_s", "i8", "UTC second since the epoch from which the offset holds; the first holds before it too"),
        ("zone.offset_s", "i4", "Seconds that local time is ahead of UTC"),
        ("part.index", "i4", "Number of the part over the whole strategy, rising"),
        ("part.hash", "u8", "Semantic hash, low and high 64 bits; zero: a part that is like no other", 2),
        ("part.instrument", "i4", "Instrument", 1, "instrument"),
        ("part.form", "u1", f"0 {FORMS[0]}, 1 {FORMS[1]}, 2 {FORMS[2]}, 3 {FORMS[3]}"),
        ("part.source", "u1", "Source that can fire it: 0 bid, 1 ask, 2 last, 3 mid; 0 for a time"),
        ("part.direction", "u1", "Threshold: 0 at or below, 1 at or above"),
        ("part.threshold", "i8", "Threshold, inclusive: in units, in half units on mid"),
        ("part.confirm", "u1", "Threshold: consecutive observations that it takes, 1 or 2"),
        ("part.through", "u1", f"`if_already_through`: 0 {THROUGHS[0]}, 1 {THROUGHS[1]}, 2 {THROUGHS[2]}"),
        ("part.schedule", "i4", "`during`; -1: always", 1, "schedule"),
        ("part.rule", "i4", "The rule that it is a part of, as written; -1: kept elsewhere", 1, "rule"),
        ("part.group", "i4", "`oco` group, numbered over the whole strategy; -1: none"),
        ("part.parents", "i4", "`armed_by`; -1: armed at load", 1, "parents"),
        ("part.rearm", "i4", "`rearm`; -1: never", 1, "rearm"),
        ("part.decision", "i4", "Intervals of a decision, else -1", 1, "decision"),
        ("part.trail", "i4", "How a trail follows, else -1", 1, "trail"),
        ("part.at", "i4", "The time at which it fires, else -1", 1, "at"),
        ("part.cancels", "i4", "`cancels`; -1: none", 1, "cancels"),
        ("part.limits", "i4", "`limits` of its rule, at its instrument; -1: none", 1, "rule_instrument"),
        ("part.order", "i4", "Order of a threshold, a trail or a time; -1 for a decision", 1, "order"),
        ("part.name_first", "i4", "First character of its name", 1, "name"),
        ("part.name_count", "i4", "Characters of its name, 0: left out"),
        ("rule.name_first", "i4", "First character of its name", 1, "name"),
        ("rule.name_count", "i4", "Characters of its name"),
        ("order.side", "u1", "0 buy, 1 sell"),
        ("order.type", "u1", "0 market, 1 limit"),
        ("order.qty", "i8", "Quantity; 0 with `order.filled`"),
        ("order.price", "i8", "Limit price in units, else 0"),
        ("order.rests", "u1", "1: a limit order that the venue keeps: `day` or `gtc`"),
        ("order.filled", "u1", "1: the quantity is what the parents have filled, in whole lots"),
        ("order.envelope", "i4", "Place in the list `envelopes` of the file's metadata; -1: kept elsewhere"),
        ("schedule.first", "i4", "First window", 1, "window"),
        ("schedule.count", "i4", "Windows, at least 1"),
        ("window.start", "i4", "Minute of the local day at which it begins"),
        ("window.end", "i4", "Minute at which it ends, not included; before the start: on the next day"),
        ("parents.first", "i4", "First range of parents", 1, "parent"),
        ("parents.count", "i4", "Ranges"),
        ("parents.on", "u1", f"What of them arms: 0 {ARMED_ON[0]}, 1 {ARMED_ON[1]}, 2 {ARMED_ON[2]}"),
        ("parent.first", "i4", "First part that arms, numbered over the whole strategy"),
        ("parent.count", "i4", "Parts of the range"),
        ("rearm.times", "i8", "Most re-armings"),
        ("rearm.after_ns", "i8", "Nanoseconds after the fire; -1: when the condition that follows is satisfied"),
        ("rearm.source", "u1", "As `part.source`"),
        ("rearm.direction", "u1", "As `part.direction`"),
        ("rearm.threshold", "i8", "As `part.threshold`"),
        ("decision.first", "i4", "First interval", 1, "interval"),
        ("decision.count", "i4", "Intervals, which rise and do not overlap"),
        ("interval.low", "i8", "Lowest price, in units, in half units on mid"),
        ("interval.high", "i8", "Highest price"),
        ("interval.order", "i4", "What landing in it sends", 1, "order"),
        ("trail.kind", "u1", f"`by`: 0 {DISTANCES[0]} in units (half units on mid), 1 {DISTANCES[1]}, 2 millionths"),
        ("trail.value", "i8", "`by`, above zero"),
        ("trail.relative", "u1", "1: the limit price is the stop and so many ticks, not `order.price`"),
        ("trail.ticks", "i4", "Ticks from the stop to the limit price"),
        ("trail.waits", "u1", "1: it is active once the condition that follows is satisfied"),
        ("trail.source", "u1", "As `part.source`"),
        ("trail.direction", "u1", "As `part.direction`"),
        ("trail.threshold", "i8", "As `part.threshold`"),
        ("at.second", "i4", "Second of the local day at which it fires"),
        ("cancels.first", "i4", "First range of parts", 1, "cancelled"),
        ("cancels.count", "i4", "Ranges, at least 1"),
        ("cancelled.first", "i4", "First part whose resting orders are cancelled, numbered over the whole strategy"),
        ("cancelled.count", "i4", "Parts of the range"),
        ("rule_limits.rule", "i4", "The rule that has these limits of its own, rising", 1, "rule"),
        ("rule_limits.order_qty", "i8", "As `limits.order_qty`"),
        ("rule_limits.collar", "i8", "As `limits.collar`"),
        ("rule_limits.collar_ignores", "u1", "1: an observation outside the collar is not eligible for the rule"),
        ("rule_limits.orders_per_second", "i8", "As `limits.orders_per_second`, of the rule's orders alone"),
        ("rule_limits.total_orders", "i8", "As `limits.total_orders`, of the rule's orders alone"),
        ("rule_limits.self_trade", "u1", "As `limits.self_trade`, for the rule's orders"),
        ("rule_limits.repeat_ns", "i8", "As `limits.repeat_ns`"),
        ("rule_instrument.limits", "i4", "The limits that hold for the rule", 1, "rule_limits"),
        ("rule_instrument.instrument", "i4", "The instrument that these are for", 1, "instrument"),
        ("rule_instrument.notional_cap", "u8", "As `instrument.notional_cap`, for the rule's orders", 2),
        ("rule_instrument.total_qty", "i8", "As `instrument.total_qty`, of the rule's orders alone"),
        ("name.text", "u1", "Characters of the names, ASCII"),
    )
)
BY_NAME: Mapping[str, Column] = {column.name: column for column in COLUMNS}

# Tables that say the same for all parts of a strategy.
SHARED = frozenset({"instrument", "tick", "limits", "zone"})


def table_of(name: str) -> str:
    """The table of a column."""
    return name.partition(".")[0]


@dataclass(frozen=True, eq=False)
class PartColumns:
    """Parts of one strategy. ``columns`` has an array for each name of `COLUMNS`; rows of parts rise by index."""

    columns: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def __len__(self) -> int:
        """How many parts."""
        return len(self.columns["part.index"])

    @classmethod
    def of(cls, columns: Mapping[str, npt.ArrayLike]) -> "PartColumns":
        """From the columns that are given, as the right types; columns and tables left out are of no rows.

        Within a table that has rows, a column left out is `NONE` where it numbers rows and zero elsewhere. Raises
        ValueError for an unknown name, a wrong shape, or columns of one table that differ in length.
        """
        if unknown := columns.keys() - BY_NAME.keys():
            raise ValueError(f"no column {', '.join(sorted(unknown))}")
        rows: dict[str, int] = {}
        given = {name: np.ascontiguousarray(values, BY_NAME[name].dtype) for name, values in columns.items()}
        for name, array in given.items():
            if array.shape != _shape(BY_NAME[name], len(array)):
                raise ValueError(f"{name} has the shape {array.shape}")
            if rows.setdefault(table_of(name), len(array)) != len(array):
                raise ValueError(f"{name} has {len(array)} rows, its table {rows[table_of(name)]}")
        return cls({column.name: _column(column, given, rows.get(table_of(column.name), 0)) for column in COLUMNS})

    @property
    def shared(self) -> dict[str, Array]:
        """The columns of `SHARED` tables."""
        return {name: array for name, array in self.columns.items() if table_of(name) in SHARED}

    def join(self, *others: "PartColumns") -> "PartColumns":
        """These parts and those of ``others``, in the order of their indices; `SHARED` tables are these parts' own.

        No `oco` group has parts of two sets.
        """
        sets = (self, *others)
        starts = {table: _starts(table, sets) for table in {table_of(column.name) for column in COLUMNS} - SHARED}
        groups = [int(s["part.group"].max(initial=NONE)) + 1 for s in sets]
        starts["group"] = [sum(groups[:number]) for number in range(len(sets))]
        joined: dict[str, Array] = {}
        for column in COLUMNS:
            table = table_of(column.name)
            if table in SHARED:
                joined[column.name] = self[column.name]
            elif numbered := starts.get("group" if column.name == "part.group" else column.table):
                moved = (_moved(s[column.name], by) for s, by in zip(sets, numbered, strict=True))
                joined[column.name] = np.concatenate(list(moved))
            else:
                joined[column.name] = np.concatenate([s[column.name] for s in sets])
        rising = np.argsort(joined["part.index"], kind="stable")
        return PartColumns(
            {
                name: np.ascontiguousarray(array[rising]) if table_of(name) == "part" else array
                for name, array in joined.items()
            }
        )

    def name(self, row: int) -> str:
        """Name of the part in that row, empty if it was left out."""
        first, count = int(self["part.name_first"][row]), int(self["part.name_count"][row])
        return bytes(self["name.text"][first : first + count]).decode("ascii") if count else ""


def _shape(column: Column, rows: int) -> tuple[int, ...]:
    return (rows,) if column.width == 1 else (rows, column.width)


def _column(column: Column, given: Mapping[str, Array], rows: int) -> Array:
    if column.name in given:
        return given[column.name]
    numbers_rows = bool(column.table) or column.name in ("part.group", "order.envelope")
    return np.full(_shape(column, rows), NONE if numbers_rows else 0, column.dtype)


def _starts(table: str, sets: Sequence[PartColumns]) -> list[int]:
    """Rows of ``table`` before those of each set."""
    some = next(column.name for column in COLUMNS if table_of(column.name) == table)
    lengths = [len(s[some]) for s in sets]
    return [sum(lengths[:number]) for number in range(len(sets))]


def _moved(numbers: Array, by: int) -> Array:
    return np.where(numbers == NONE, numbers, numbers + numbers.dtype.type(by)) if by else numbers
