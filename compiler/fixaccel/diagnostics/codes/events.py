# SPDX-License-Identifier: Apache-2.0
"""FX07: event files."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING

_HEADER = "ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size\n"

EVENT_HEADER = Code(
    "FX0701", "event-header", E, "An event file does not begin with the column names",
    "The first line names the columns, in this order: `ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,"
    "last_size`, and where rows tell of own orders a last one, `rule`.",
    Example("events", "time,symbol,price\n1,MSFT,10\n"),
)  # fmt: skip
EVENT_ROW = Code(
    "FX0702", "event-row", E, "A row of an event file is not made of its columns",
    "A row has a value or nothing for each column, with commas between. A text in quotes ends in the same line.",
    Example("events", _HEADER + "1,MSFT,snapshot,10,1\n"),
)  # fmt: skip
EVENT_VALUE = Code(
    "FX0703", "event-value", E, "A value in an event file has the wrong form",
    "`ts_ns` is a whole number of nanoseconds since the epoch. Prices are `-?digits[.digits]`, empty where the message "
    "does not carry them and `-` where the side becomes unknown. Sizes are decimals, not below zero.",
    Example("events", _HEADER + "1,MSFT,snapshot,1e3,,,,,\n"),
)  # fmt: skip
EVENT_INSTRUMENT = Code(
    "FX0704", "event-instrument", E, "An event for an instrument that the venue does not list",
    "The venue file lists the instruments. Only `gap`, `halt` and `open` may leave the instrument out: they concern "
    "all.",
    Example("events", _HEADER + "1,MSTF,snapshot,10,1,11,1,,\n"),
)  # fmt: skip
EVENT_KIND = Code(
    "FX0705", "event-kind", E, "An event whose kind and columns do not go together",
    "Kinds are `update` (also when empty), `snapshot`, `gap`, `halt` and `open`. The last three carry no prices. In a "
    "file for `simulate` there may be `fill`, `done` and `reject` too, which tell of an own order: with `last` and "
    "`last_size`, no quotes.",
    Example("events", _HEADER + "1,MSFT,halt,10,1,,,,\n"),
)  # fmt: skip
TOO_MANY_FAULTS = Code(
    "FX0706", "too-many-faults", E, "An event file with so many faults that reading stopped",
    "The first five hundred faults are shown; the rest of the file was not read.",
    Example("events", "# more than five hundred rows of one column",
            lambda: _HEADER.encode("ascii") + b"x\n" * 501),
)  # fmt: skip
EVENT_COLUMN = Code(
    "FX0707", "event-column", E, "A Parquet event file with other columns than an event file has",
    "The columns have the names of the CSV file in any order; sizes may be left out. `ts_ns` holds whole numbers, or "
    "timestamps in nanoseconds and UTC; `instrument` and `kind` hold text; prices and sizes hold text, whole numbers, "
    "decimals or doubles. A double is the shortest decimal that gives it back. A null is a price that the message does "
    "not carry.",
    Example("parquet", '{"ts_ns": [1], "instrument": ["MSFT"], "kind": [null], "bid": [true], "ask": [null], '
                       '"lst": [1180.5]}'),
)  # fmt: skip
EVENT_PARQUET = Code(
    "FX0708", "event-parquet", E, "A file with the suffix `.parquet` that cannot be read as Parquet",
    "The file is of another kind, incomplete or damaged.",
    Example("parquet", "ts_ns,instrument"),
)  # fmt: skip
EVENT_RULE = Code(
    "FX0712", "event-rule", E, "A row of an own order without a rule, or of one that is not there",
    "`fill`, `done` and `reject` name in the column `rule` the part whose order they are about, as results do: "
    "`scale-in[3]`, `stop@MSFT`. Rows of the market leave it empty.",
    Example("events", _HEADER.strip() + ",rule\n1,MSFT,update,10,1,11,1,,,stop\n"),
)  # fmt: skip
EVENT_UNMATCHED = Code(
    "FX0713", "event-unmatched", W, "A row tells of an own order that is not there",
    "`fill`, `done` and `reject` are about the oldest order of the rule that is not done. Where a run sent none, "
    "the rows are of another strategy or another day; they change nothing.",
    Example("events", _HEADER.strip() + ",rule\n1,,fill,,,,,49,2,stop\n"),
)  # fmt: skip
CONVERT_HEADER = Code(
    "FX0709", "convert-header", E, "A file to convert has other columns than its format",
    "`fixaccel convert --help` lists the formats. Each has a header line with its column names.",
    Example("prints", "time,price\n1,10\n"),
)  # fmt: skip
CONVERT_ROW = Code(
    "FX0710", "convert-row", E, "A row of a file to convert has not one cell for each column",
    "The file is damaged, or of another format.",
    Example("prints", "DateTime,Price,Volume\n2013-09-01 17:00:00.083,1640.25\n"),
)  # fmt: skip
CONVERT_VALUE = Code(
    "FX0711", "convert-value", E, "A value in a file to convert has the wrong form",
    "Prices and sizes are decimals, times are as the format has them.",
    Example("prints", "DateTime,Price,Volume\n2013-09-01 17:00,1640.25,8\n"),
)  # fmt: skip
