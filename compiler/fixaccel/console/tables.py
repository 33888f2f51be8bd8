# SPDX-License-Identifier: Apache-2.0
"""Rows of the console's tables."""

from collections.abc import Mapping

from textual.widgets import DataTable

from fixaccel.board.orders import Order, is_over

Rows = Mapping[str, tuple[str, ...]]

ORDER_COLUMNS = ("order", "side", "qty", "instrument", "price", "status", "done", "by")


def order_row(order: Order) -> tuple[str, ...]:
    """One order under `ORDER_COLUMNS`; `...` where a request about it is not answered."""
    who = "hand" if order["by"] else order["rule"] or "a former rule"
    status = f"{order['status']} ..." if order["asked"] and not is_over(order) else order["status"]
    done = f"{order['cum_qty']} at {order['avg_px']}" if order["cum_qty"] not in {"", "0"} else ""
    price = order["price"] or "market"
    return (order["cl_ord_id"], order["side"], order["qty"], order["instrument"], price, status, done, who)


def chosen(table: DataTable[str]) -> str:
    """Key of the row that the cursor is on; empty if there is none."""
    if not table.row_count:
        return ""
    return str(table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value)


def fill(table: DataTable[str], rows: Rows) -> None:
    """Makes these the rows of ``table`` by key, with the cursor on the row that it is on."""
    keys = [row.value for row in table.rows]
    if keys == list(rows):
        for key, cells in rows.items():
            for column, text in zip(table.columns, cells, strict=True):
                if table.get_cell(key, column) != text:
                    table.update_cell(key, column, text)
        return
    cursor = chosen(table)
    table.clear()
    for key, cells in rows.items():
        table.add_row(*cells, key=key)
    if cursor in rows:
        table.move_cursor(row=list(rows).index(cursor))
