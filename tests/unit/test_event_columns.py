# SPDX-License-Identifier: Apache-2.0
"""Event files in columns say what the reader of rows says, in every form that a file can have."""

import gzip
import math
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fixaccel.events import csv as csv_events
from fixaccel.events import parquet
from fixaccel.events.columns import EventColumns, PriceState, from_messages, wire_price
from fixaccel.events.file import COLUMNS, load_events, open_events
from fixaccel.events.rows import MOST_FAULTS
from fixaccel.semantics.messages import CARRIED

INSTRUMENTS = ["MSFT", "7203", "CLZ6"]
HEADER = ",".join(COLUMNS)


def columns(path):
    """All messages of a file in columns, and what is wrong with it."""
    file = open_events(path, INSTRUMENTS)
    parts = list(file.batches())
    assert 0 <= file.part_read <= 1
    return EventColumns.concatenate(parts) if parts else EventColumns.empty(0), file.checked()


def same(one, other):
    for name in ("ts_ns", "instrument", "kind", "price", "state", "first"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for part in (one, other):
        assert part.price.flags.c_contiguous
        assert part.state.flags.c_contiguous


def check(path):
    """Columns and rows agree on messages and faults; returns the messages."""
    got, checked = columns(path)
    rows = load_events(path, INSTRUMENTS)
    assert checked.diagnostics == rows.diagnostics
    if rows.failed:
        assert len(got) < max(len(rows.messages), 1) or rows.diagnostics
        return rows
    same(got, from_messages(rows.messages, INSTRUMENTS))
    return rows


# Mostly right, at times odd or wrong.
PRICES = st.sampled_from(
    ["", "-", "0", "-0", "10", "10.50", "-37.63", "0100.5", "9999999999", "10000000000", "0.00000001", "0.000000010",
     "0.000000001", "1" * 18, "1." + "0" * 30, "1e3", "+1", "1.", ".5", " 1", "nan", "1" * 41]
) | st.decimals(-10**6, 10**6, places=2).map(lambda value: format(value, "f"))  # fmt: skip
TIMES = st.integers(0, 50).map(str)
UPDATE = st.tuples(
    TIMES,
    st.sampled_from(INSTRUMENTS),
    st.sampled_from(["", "update", "snapshot"]),
    *[st.sampled_from(["", "-", "10", "10.50", "-7.63", "0.000000001", "1" * 19]), st.sampled_from(["", "5", "-"])] * 3,
)
STATUS = st.tuples(
    TIMES, st.sampled_from([*INSTRUMENTS, ""]), st.sampled_from(["gap", "halt", "open"]), *[st.just("")] * 6
)
GOOD_ROW = UPDATE | STATUS
ODD_CELL = {
    "ts_ns": st.sampled_from(["0x1", "-1", "", "9223372036854775807", "9223372036854775808", "1e3", " 1", "1:"]),
    "instrument": st.sampled_from(["", "MSTF", "*", "7203 "]),
    "kind": st.sampled_from(["trade", "UPDATE", "gap", "halt", "update"]),
} | {name: PRICES if name in {"bid", "ask", "last"} else st.sampled_from(["-5", "x", "0.5"]) for name in COLUMNS[3:]}


@st.composite
def odd_row(draw):
    """A good row with another text in one of its cells."""
    row, place = list(draw(GOOD_ROW)), draw(st.integers(0, len(COLUMNS) - 1))
    row[place] = draw(ODD_CELL[COLUMNS[place]])
    return tuple(row)


ROWS = st.lists(GOOD_ROW, max_size=12) | st.lists(GOOD_ROW | odd_row(), max_size=6)


@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n"]), block=st.integers(20, 400), quoted=st.booleans())
def test_csv(tmp_path_factory, rows, end, block, quoted):
    path = tmp_path_factory.mktemp("csv") / "events.csv"
    lines = [HEADER, *(",".join(row) for row in rows)]
    if quoted and rows:
        lines[-1] = ",".join(f'"{cell}"' for cell in rows[-1])
    path.write_bytes(end.join([*lines, ""]).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_events, "BLOCK_BYTES", block)  # the middle of the file is the beginning of a block
        check(path)


@given(data=st.binary(max_size=60), rows=st.lists(GOOD_ROW, min_size=1, max_size=3))
def test_csv_with_anything_in_it(tmp_path_factory, data, rows):
    path = tmp_path_factory.mktemp("csv") / "events.csv"
    middle = "\n".join([HEADER, *(",".join(row) for row in rows)]).encode()
    path.write_bytes(middle + b"\n" + data + b"\n" + ",".join(rows[0]).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_events, "BLOCK_BYTES", 64)
        check(path)


def text_types():
    return st.sampled_from([pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])


@given(rows=ROWS, data=st.data(), batch=st.integers(1, 5), group=st.integers(1, 7))
def test_parquet_of_texts(tmp_path_factory, rows, data, batch, group):
    path = tmp_path_factory.mktemp("parquet") / "events.parquet"
    arrays = {}
    for name, cells in zip(COLUMNS, zip(*rows, strict=True) if rows else [()] * len(COLUMNS), strict=True):
        if name == "ts_ns":
            times = [int(cell) if cell.isdigit() and int(cell) < 2**64 else None for cell in cells]
            arrays[name] = pa.array(times, pa.uint64())
            continue
        nulls = data.draw(st.booleans())
        values = [None if nulls and not cell else cell for cell in cells]
        arrays[name] = pa.array(values, pa.string()).cast(data.draw(text_types()))
    pq.write_table(pa.table(arrays), path, row_group_size=group)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "BATCH_ROWS", batch)
        check(path)


NUMBERS = {
    pa.int64(): st.integers(-(2**63), 2**63 - 1) | st.integers(-(10**10) - 1, 10**10 + 1),
    pa.uint64(): st.integers(0, 2**64 - 1) | st.integers(0, 10**10 + 1),
    pa.int16(): st.integers(-(2**15), 2**15 - 1),
    pa.uint8(): st.integers(0, 255),
    pa.decimal128(12, 2): st.decimals(-(10**9), 10**9, places=2),
    pa.decimal128(38, 8): st.decimals(-(10**12), 10**12, places=8),
    pa.decimal128(38, 18): st.decimals(-(10**12), 10**12, places=18) | st.integers(-(10**11), 10**11).map(Decimal),
    pa.decimal128(38, 0): st.integers(-(10**37), 10**37).map(Decimal),
    pa.float64(): st.floats()
    | st.integers(-(10**15), 10**15).map(lambda cents: cents / 100)
    | st.integers(-(10**18), 10**18).map(lambda units: units / 10**8)
    | st.integers(10**14, 10**18).map(lambda units: math.nextafter(units / 10**8, math.inf)),
}


@given(data=st.data(), kind=st.sampled_from(list(NUMBERS)))
def test_parquet_of_numbers(tmp_path_factory, data, kind):
    path = tmp_path_factory.mktemp("parquet") / "events.parquet"
    values = data.draw(st.lists(st.none() | NUMBERS[kind], min_size=1, max_size=8))
    sizes = data.draw(st.lists(st.none() | NUMBERS[kind], min_size=len(values), max_size=len(values)))
    table = {name: pa.nulls(len(values), pa.string()) for name in COLUMNS if not name.startswith("ask")}
    table["ts_ns"] = pa.array(range(len(values)))
    table["instrument"] = pa.array(["MSFT"] * len(values))
    table["bid"] = table["last"] = pa.array(values, kind)
    table["bid_size"] = pa.array(sizes, kind)
    table["ask"] = pa.nulls(len(values))
    pq.write_table(pa.table(table), path)
    rows = check(path)
    for message in [] if rows.failed else rows.messages:
        value = values[message.event - 1]
        exact = None if value is None else Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        for source in (CARRIED[0], CARRIED[2]):
            assert (Decimal(message.prices[source]) if source in message.prices else None) == exact


def write(path, rows, **changed):
    """A file of ``rows`` faultless updates, some columns changed (None: left out)."""
    table = {name: pa.nulls(rows, pa.string()) for name in COLUMNS}
    table |= {"ts_ns": pa.array(range(rows), pa.int64()), "instrument": pa.array(["MSFT"] * rows)} | changed
    pq.write_table(pa.table({name: column for name, column in table.items() if column is not None}), path)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "events.parquet"


_LARGE = [10**10 - 1, 10**10]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.int64(), _LARGE),
        (pa.uint64(), [*_LARGE, 2**64 - 1]),
        (pa.float64(), [float(value) for value in [*_LARGE, 10**19]]),
        (pa.decimal128(38, 18), [Decimal(value) for value in [*_LARGE, 10**19]]),
        (pa.decimal128(38, 0), [Decimal(value) for value in [*_LARGE, 2**64 + 5]]),
    ],
)
def test_the_largest_price(path, kind, values):
    """What 18 digits hold, one more, and what only looks small in its lowest 64 bits."""
    write(path, len(values), bid=pa.array(values, kind))
    check(path)
    got, _ = columns(path)
    assert got.state[0].tolist() == [PriceState.VALUE] + [PriceState.INVALID] * (len(values) - 1)


def test_more_places_than_the_wire_has(path):
    prices = pa.array([Decimal("1.000000010"), Decimal("1.000000001")], pa.decimal128(20, 9))
    write(path, 2, bid=prices)
    got, _ = columns(path)
    assert got.state[0].tolist() == [PriceState.VALUE, PriceState.INVALID]
    assert got.price[0].tolist() == [100_000_001, 0]


def test_times_below_zero(path):
    write(path, 3, ts_ns=pa.array([0, -1, None]))
    assert [(d.code.slug, d.span.line) for d in check(path).diagnostics] == [("event-value", 2), ("event-value", 3)]


def test_sizes_may_be_left_out_and_times_may_be_timestamps(path):
    times = pa.array([3, 2], pa.timestamp("ns", "UTC"))
    write(path, 2, ts_ns=times, bid=pa.array(["1", None]), bid_size=None, ask_size=None, last_size=None)
    check(path)
    got, checked = columns(path)
    assert not checked.diagnostics
    assert got.ts_ns.tolist() == [3, 3]
    assert got.state[0].tolist() == [PriceState.VALUE, PriceState.ABSENT]


@pytest.mark.parametrize(("nothing", "kind"), [(None, pa.float64()), (math.nan, pa.float64()), (None, pa.int64())])
def test_columns_of_text_that_pandas_has_found_empty(path, nothing, kind):
    """It takes them for numbers, of which there is none."""
    empty = pa.array([nothing] * 2, kind)
    write(path, 2, kind=empty, rule=empty, bid=pa.array(["1", "2"]))
    check(path)
    got, checked = columns(path)
    assert not checked.diagnostics
    assert len(got) == 2


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"ts_ns": None}, "there is no column `ts_ns`"),
        ({"last": None}, "there is no column `last`"),
        ({"lst": pa.nulls(1)}, "`lst` is no column of an event file"),
        ({"ts_ns": pa.array([1.0])}, "`ts_ns` is of type `double`"),
        ({"ts_ns": pa.array([1], pa.timestamp("us", "UTC"))}, "`ts_ns` is of type `timestamp[us, tz=UTC]`"),
        ({"ts_ns": pa.array([1], pa.timestamp("ns"))}, "`ts_ns` is of type `timestamp[ns]`"),
        ({"instrument": pa.array([7203])}, "`instrument` is of type `int64`"),
        ({"kind": pa.array([1])}, "`kind` is of type `int64`"),
        ({"kind": pa.array([1.0])}, "`kind` is of type `double`"),
        ({"rule": pa.array([1.0])}, "`rule` is of type `double`"),
        ({"bid": pa.array([True])}, "`bid` is of type `bool`"),
        ({"bid": pa.array([[1]])}, "`bid` is of type `list<element: int64>`"),
        ({"bid": pa.array([1.0], pa.float32())}, "`bid` is of type `float`"),
        ({"bid": pa.array([Decimal(1)], pa.decimal128(38, 19))}, "`bid` is of type `decimal128(38, 19)`"),
    ],
)
def test_columns_that_are_not_those_of_events(path, changed, text):
    write(path, 1, **changed)
    got, checked = columns(path)
    assert not len(got)
    assert [(d.code.slug, text in d.message) for d in checked.diagnostics] == [("event-column", True)]


def test_a_fault_in_a_later_batch_is_shown_as_its_row(path, monkeypatch):
    monkeypatch.setattr(parquet, "BATCH_ROWS", 4)
    write(path, 10, bid=pa.array(["1"] * 8 + ["1e3", "1"]), last=pa.array([*[1.0] * 9, math.nan]))
    got, checked = columns(path)
    assert len(got) == 8
    assert [(d.code.slug, d.span.line, d.span.column) for d in checked.diagnostics] == [
        ("event-value", 9, 9),
        ("event-value", 10, 14),
    ]
    assert checked.sources[str(path)].line(9) == "8,MSFT,,1e3,,,,1,"


def test_reading_stops_after_many_faults(path):
    write(path, 2 * MOST_FAULTS, bid=pa.array(["x"] * (2 * MOST_FAULTS)))
    for checked in (columns(path)[1], load_events(path, INSTRUMENTS)):
        assert len(checked.diagnostics) == MOST_FAULTS + 1
        assert checked.diagnostics[-1].code.slug == "too-many-faults"


@pytest.mark.parametrize("keep", [0, 3, 4, 100, 600])
def test_damaged_files(path, keep):
    write(path, 50)
    path.write_bytes(path.read_bytes()[:keep])
    assert [d.code.slug for d in columns(path)[1].diagnostics] == ["event-parquet"]


@given(at=st.integers(0, 5000), value=st.integers(0, 255))
@example(at=888, value=0)
@settings(max_examples=300)
def test_a_changed_byte_is_no_crash(tmp_path_factory, at, value):
    path = tmp_path_factory.mktemp("parquet") / "events.parquet"
    write(path, 20, bid=pa.array([f"1{number}" for number in range(20)]))
    data = bytearray(path.read_bytes())
    data[at % len(data)] = value
    path.write_bytes(data)
    columns(path)


def test_text_that_is_not_utf_8(path):
    bad = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.array([0, 1], pa.int32()).buffers()[1], pa.py_buffer(b"\xff")]
    )
    write(path, 1, instrument=bad)
    assert [d.code.slug for d in columns(path)[1].diagnostics] == ["event-parquet"]


def test_a_cell_that_would_fill_the_memory_is_not_read(path):
    write(path, 1, instrument=pa.array(["M" * (80 << 20)]))
    assert path.stat().st_size < 10 << 20
    assert ["has 80 MiB" in d.message for d in columns(path)[1].diagnostics] == [True]


def test_packed_csv(tmp_path):
    path = tmp_path / "events.csv.gz"
    path.write_bytes(gzip.compress(f"{HEADER}\n1,MSFT,,10,,,,,\n2,MSFT,,11,,,,,\n".encode()))
    assert len(check(path).messages) == 2
    path.write_bytes(path.read_bytes()[:-20])
    assert [d.code.slug for d in columns(path)[1].diagnostics] == ["cannot-read"]


def test_no_such_file(tmp_path):
    for name in ("none.parquet", "none.csv", "folder.parquet"):
        (tmp_path / "folder.parquet").mkdir(exist_ok=True)
        assert [d.code.slug for d in columns(tmp_path / name)[1].diagnostics] == ["cannot-read"]


def test_cut_columns_are_the_same_messages(path):
    write(path, 10, bid=pa.array([str(number) for number in range(10)]))
    whole, _ = columns(path)
    same(EventColumns.concatenate(list(whole.batches(3))), whole)
    assert [part.first for part in whole.batches(4)] == [0, 4, 8]
    assert whole.carried_prices == 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (0, PriceState.ABSENT)),
        ("-", (0, PriceState.UNKNOWN)),
        ("-1.5", (-150_000_000, PriceState.VALUE)),
        ("0.000000010", (1, PriceState.VALUE)),
        ("0.000000001", (0, PriceState.INVALID)),
        ("9999999999.99999999", (10**18 - 1, PriceState.VALUE)),
        ("10000000000", (0, PriceState.INVALID)),
    ],
)
def test_wire_price(text, expected):
    assert wire_price(text) == expected


GOOD = "1,MSFT,,10,,,,,"


@pytest.mark.parametrize(
    "row",
    [
        "2,MSTF,,10,,,,,",
        "2,MSTF,gap,,,,,,",
        "2,,update,10,,,,,",
        "2,MSFT,trade,10,,,,,",
        "2,MSFT,halt,10,,,,,",
        "2,MSFT,gap,,5,,,,",
        "0x2,MSFT,,10,,,,,",
        "2:,MSFT,,10,,,,,",
        "9223372036854775808,MSFT,,10,,,,,",
        '2,MSFT,,"10"0,,,,,',
        '2,"MSFT,,10,,,,,',
        "2,MSFT,,10,,,,,\r3,MSFT,,10,,,,,",
        "2,MSFT,,1e3,,,,,",
        "2,MSFT,,10,-5,,,,",
        "2,MSFT,,10",
    ],
)
def test_each_fault_alone(tmp_path, row):
    path = tmp_path / "events.csv"
    path.write_bytes(f"{HEADER}\n{GOOD}\n{row}\n{GOOD}\n".encode())
    assert check(path).failed
    cells = row.split(",")
    if len(cells) == len(COLUMNS) and cells[0].isdigit() and int(cells[0]) < 2**63 and not set(row) & set('"\r'):
        good = GOOD.split(",")
        arrays = {name: pa.array([a, b]) for name, a, b in zip(COLUMNS, good, cells, strict=True)}
        arrays["ts_ns"] = pa.array([1, 2])
        write(path.with_suffix(".parquet"), 2, **arrays)
        assert check(path.with_suffix(".parquet")).failed


@pytest.mark.parametrize("text", ['2,"MSFT","gap",,,,,,', '2,MSFT,,"10",,,,,', "\r", '"2",MSFT,,10,,,,,'])
def test_odd_but_right(tmp_path, text):
    path = tmp_path / "events.csv"
    path.write_bytes(f"{HEADER}\n{GOOD}\n{text}\n{GOOD}\n".encode())
    assert not check(path).failed
