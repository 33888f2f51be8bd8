# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the software table's columns from their catalogue."""

from fixaccel.image.software.columns import COLUMNS, SHARED, Column, table_of

_HEAD = """# The software table

`image/software.safetensors` of a bundle holds the rules that run in the runtime, as columns of whole numbers. The
runtime's software path and `--engine image` interpret it with the same library; the latter adds the parts that it reads
back from the fabric's memories, which take the same columns. `image/standby.safetensors` has all rules in the
same way, for when the runtime [stands in for the fabric](../explanation/software-path.md#in-the-place-of-the-fabric),
and for a desk [without a board](../howto/daemon.md#without-a-board).

The file has the [safetensors](https://huggingface.co/docs/safetensors) layout: the length of a JSON header in 8 bytes,
little-endian; the header, which names type, shape and place of each column; then the columns, little-endian. Columns
of wide numbers come first, so that each lies at a multiple of its size. The metadata entry `envelopes` is a JSON list
of what orders carry besides side, quantity, type and price: `tif`, `account` (empty: none) and `fields`, texts by tag.
The entry `by_hand` is a JSON object of what orders by hand have and must pass: `account` and `fields` that all orders
agree on, `lots` of the instruments, `order_qty` and `limit_collar` in basis points or null.

A column is called `TABLE.FIELD`, and all columns of a table have the same rows. Where a column numbers the rows of
another table, the page says of which; -1 is none. A reader takes all columns or refuses the file: every number is
checked against its range and every row that one names must exist.

Prices are in the instrument's unit, which is its finest tick; prices on `mid` are in half units, so that
(bid + ask) / 2 is a whole number. Of a part that is no threshold, the columns of thresholds are zero and do not count.
"""


def page() -> str:
    """The page in Markdown."""
    tables = dict.fromkeys(table_of(column.name) for column in COLUMNS)
    return "\n".join([_HEAD, *(_section(table) for table in tables)])


def _section(table: str) -> str:
    rows = [_row(column) for column in COLUMNS if table_of(column.name) == table]
    note = "\nThe same for all parts of a strategy.\n" if table in SHARED else ""
    return f"## `{table}`\n{note}\n| column | type | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def _row(column: Column) -> str:
    kind = {"u": "unsigned", "i": "signed"}[column.dtype[0]] + f" {int(column.dtype[1:]) * 8} bits"
    width = f", {column.width} values" if column.width > 1 else ""
    of = f" (row of [`{column.table}`](#{column.table}))" if column.table else ""
    return f"| `{column.name}` | {kind}{width} | {column.meaning}{of} |"
