# SPDX-License-Identifier: Apache-2.0
"""FX034x: table files."""

from fixaccel.diagnostics.report import Code, Example, Severity

E = Severity.ERROR
_RULE = "id: grid\ninstrument: MSFT\ntable: grid.csv\norder: {side: sell, qty: 2, type: market}\n"


def _example(text: str) -> Example:
    return Example("rule", _RULE, files=(("grid.csv", text),))


TABLE_HEADER = Code(
    "FX0340", "table-header", E, "A table without the right columns",
    "The first line of a CSV table names its columns: `when`, and any of `side`, `qty`, `type`, `price`, `id`, "
    "`confirm` and `oco`, each once and in any order. A row follows for each trigger. An empty cell means what the "
    "rule's `order` or the defaults say.",
    _example("when,quantity\nlast <= 1180,2\n"),
)  # fmt: skip
TABLE_ROW = Code(
    "FX0341", "table-row", E, "A row of a table that cannot be cut into cells",
    "A row has a value or nothing for each column of the first line, with commas between, and ends in its line. A "
    "text may stand in quotes; a quote inside it is doubled.",
    _example("when,qty\nlast <= 1180\n"),
)  # fmt: skip
TABLE_COLUMN = Code(
    "FX0342", "table-column", E, "A Parquet table that cannot be read, or a column of the wrong type",
    "Columns hold text, decimals, whole numbers or binary fractions; a binary fraction counts as the shortest decimal "
    "that reads back as the same number.",
    _example("PAR1 is how a Parquet file begins\n"),
)  # fmt: skip
TABLE_TOO_LONG = Code(
    "FX0343", "table-too-long", E, "A table or a strategy with too many triggers",
    "The bounds keep the compiler's time and memory in check; boards hold far less.",
    Example("rule", _RULE, files=(("grid.csv", lambda: b"when\n" + b"bid>1\n" * 2_000_001),)),
)  # fmt: skip
TABLE_MORE = Code(
    "FX0344", "table-more", E, "More rows of a table are wrong than are shown",
    "The first rows that are wrong are shown; the rest is only counted.",
    Example("rule", _RULE, files=(("grid.csv", "when\n" + "last = 1\n" * 60),)),
)  # fmt: skip
