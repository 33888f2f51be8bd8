# SPDX-License-Identifier: Apache-2.0
"""The orders that a daemon keeps the times of as a table: a row an order, its stages in nanoseconds."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from fixaccel.latency.stages import FIRST, SECOND

Order = dict[str, Any]

_MOMENTS = ("t1", "t2", "t3", "t4")
_STAMPED = _MOMENTS[:3]
_TIME = pa.timestamp("ns", tz="UTC")
_SCHEMA = pa.schema([
    pa.field("number", pa.uint64()),
    pa.field("cl_ord_id", pa.string()),
    pa.field("path", pa.string()),
    pa.field("state", pa.string()),
    *(pa.field(moment, _TIME) for moment in _MOMENTS),
    *(pa.field(f"{moment}_by", pa.string()) for moment in _STAMPED),
    *(pa.field(f"{name}_ns", pa.int64()) for name in ("t1_t2", "t3_t4", "inner", *FIRST, *SECOND)),
])  # fmt: skip


def all_orders(ask: Callable[[int], dict[str, Any]]) -> Iterator[Order]:
    """All that are kept, oldest first. ``ask`` gives the daemon's answer with the orders behind that number."""
    last = 0
    while orders := ask(last)["orders"]:
        yield from orders
        last = orders[-1]["number"]


def write(file: BinaryIO, orders: Iterable[Order]) -> int:
    """Writes them as Parquet; how many they were."""
    rows = [_row(order) for order in orders]
    pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), file)
    return len(rows)


def _row(order: Order) -> dict[str, Any]:
    row: dict[str, Any] = {name: order[name] for name in ("number", "cl_ord_id", "path", "state")}
    row |= {moment: order.get(f"{moment}_ns") for moment in _MOMENTS}
    row |= {f"{moment}_by": by for moment, by in zip(_STAMPED, order["by"], strict=False)}
    row |= {f"{stage}_ns": ns for stage, ns in order["stages"].items()}
    row["t1_t2_ns"] = order["t2_ns"] - order["t1_ns"]
    if "t4_ns" in order:
        row |= {"t3_t4_ns": order["t4_ns"] - order["t3_ns"], "inner_ns": order["inner_ns"]}
    return row
