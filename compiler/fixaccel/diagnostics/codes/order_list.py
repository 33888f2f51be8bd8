# SPDX-License-Identifier: Apache-2.0
"""FX10: a broker's list of orders, on its way into rules."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING
_HEAD = "Order Id,Symbol,Side,Qty,Type,Stop Price,Limit Price"

LIST_HEADER = Code(
    "FX1001", "list-header", E, "An order list whose columns are not understood",
    "The first line names the columns. Symbol, side, quantity and order type must be among them, under one of their "
    "usual names; two columns of one meaning, or a name that is not known, are told apart by `--column FIELD=NAME`.",
    Example("orders", "Symbol,Side,Size,Kind,Stop Price\nMSFT,Sell,2,STP,1180\n"),
)  # fmt: skip
LIST_ROW = Code(
    "FX1002", "list-row", E, "A row of an order list that cannot be cut into its cells",
    "Each row has one cell for each column, and a quote inside quotes is doubled. A comment over several lines is not "
    "read.",
    Example("orders", f"{_HEAD}\n1,MSFT,Sell,2,STP,1180\n"),
)  # fmt: skip
LIST_VALUE = Code(
    "FX1003", "list-value", E, "A cell of an order list that is not understood",
    "Nothing is guessed: a word must be one of those that are known, and a number that could be read in two ways, such "
    "as `1,180` beside decimal commas, needs `--decimal`.",
    Example("orders", f'{_HEAD}\n1,MSFT,Sell,2,STP,"1180,50",\n'),
)  # fmt: skip
LIST_ORDER = Code(
    "FX1004", "list-order", E, "An order that is no rule",
    "A rule waits for a price: stops, orders if touched and trailing stops. What goes to the venue at once needs no "
    "rule, and short sales, trailing limits and triggers on two sources have no form in the language.",
    Example("orders", f"{_HEAD}\n1,MSFT,Short,2,STP,1180,\n2,MSFT,Sell,2,LMT,,1180\n"),
)  # fmt: skip
LIST_PARENT = Code(
    "FX1005", "list-parent", E, "An order whose parent is not in the list, or was not taken",
    "A child is armed by its parent. Without it the child would be armed at once.",
    Example("orders", f"{_HEAD},Parent Id\n1,MSFT,Sell,2,STP,1180,,7\n"),
)  # fmt: skip
LIST_COLUMN = Code(
    "FX1006", "list-column", W, "A column of an order list that is not taken",
    "Its cells are not in the strategy. If they matter, map the column with `--column`; if not, "
    "`--column ignore=NAME` says so.",
    Example("orders", f"{_HEAD},Good Till\n1,MSFT,Sell,2,STP,1180,,2026-12-31\n"),
)  # fmt: skip
