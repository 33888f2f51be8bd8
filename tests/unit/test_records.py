# SPDX-License-Identifier: Apache-2.0
"""Records in columns, numbers for equal rows, texts of digits, files of columns: each against one value at a time."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixaccel.emit.memory_files import readmemh
from fixaccel.hwmap import load_hwmap
from fixaccel.image.numbering import by_first_use, sorting
from fixaccel.image.records import pack_columns, trimmed, unpack_columns
from fixaccel.image.software.safetensors import SafetensorsError, dump, load
from fixaccel.image.templates.digits import digit_texts, number_values

HWMAP = load_hwmap()
WIDE = 64


@st.composite
def tables(draw):
    record = draw(st.sampled_from(list(HWMAP.records.values())))
    values = st.fixed_dictionaries({field.name: st.integers(field.low, field.high) for field in record.fields})
    return record, draw(st.lists(values, min_size=1, max_size=5))


def column(field, rows):
    numbers = [row[field.name] for row in rows]
    if field.bits > WIDE:
        return np.array([list(number.to_bytes(field.bits // 8, "little")) for number in numbers], np.uint8)
    return np.array(numbers, np.int64 if field.signed or field.bits < WIDE else np.uint64)


@given(tables())
def test_columns_are_records_one_below_the_other(case):
    record, rows = case
    columns = {field.name: column(field, rows) for field in record.fields}
    packed = pack_columns(record, columns, len(rows)).tobytes()
    assert packed == b"".join(record.pack(row) for row in rows)
    found = unpack_columns(record, packed)
    assert all(np.array_equal(found[name], columns[name]) for name in columns)


def test_more_rows_than_are_packed_together():
    record = HWMAP.records["trigger"]
    threshold = np.arange(70_000) - 35_000
    columns = {"threshold": threshold, "rule": np.array(1)}
    packed = pack_columns(record, columns, len(threshold)).tobytes()
    assert packed == b"".join(record.pack({"threshold": int(t), "rule": 1}) for t in threshold)


@pytest.mark.parametrize(("name", "value"), [("order", 1 << 20), ("order", -1), ("threshold", 1 << 47)])
def test_a_number_that_does_not_fit_is_refused(name, value):
    with pytest.raises(OverflowError, match=f"{name}: {value} is outside"):
        pack_columns(HWMAP.records["trigger"], {name: np.array([0, value])}, 2)
    with pytest.raises(KeyError):
        pack_columns(HWMAP.records["trigger"], {"colour": np.array([0])}, 1)
    with pytest.raises(OverflowError, match="rows of 3 bytes"):
        pack_columns(HWMAP.records["order"], {"price": np.zeros((1, 3), np.uint8)}, 1)


def test_part_of_a_record_is_refused():
    with pytest.raises(ValueError, match="not whole records"):
        unpack_columns(HWMAP.records["trigger"], b"123")


def test_zeros_at_the_end_are_left_out():
    words = np.array([[0, 0], [0, 1], [0, 0]], np.uint32)
    assert trimmed(words) == words[:2].tobytes()
    assert trimmed(words[:1]) == b""


@given(tables())
def test_hexadecimal_texts(case):
    record, rows = case
    data = b"".join(record.pack(row) for row in rows)
    lines = readmemh(data, record).decode().splitlines()
    assert [len(line) for line in lines] == [-(-record.bits // 4)] * len(rows)
    assert [int(line, 16).to_bytes(record.stride_bytes, "little") for line in lines] == [
        record.pack(row) for row in rows
    ]


NUMBERS = st.one_of(st.integers(-3, 3), st.integers(-(2**62), 2**62))


@given(st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(0, 2)), max_size=30))
def test_equal_rows_have_the_number_of_their_first(rows):
    columns = [np.array([row[n] for row in rows], np.int64) for n in range(3)]
    numbers, firsts = by_first_use(*columns)
    distinct = list(dict.fromkeys(rows))
    assert [distinct[number] for number in numbers.tolist()] == rows
    assert [rows[first] for first in firsts.tolist()] == distinct
    assert firsts.tolist() == [rows.index(row) for row in distinct]


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=30))
def test_rows_are_sorted_and_equal_ones_stay(rows):
    columns = [np.array([row[n] for row in rows], np.int64) for n in range(2)]
    assert sorting(*columns).tolist() == sorted(range(len(rows)), key=lambda row: (rows[row], row))


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1), st.integers(1, 20))
def test_digits(values, chars):
    texts = digit_texts(np.array(values), chars)
    assert [text.tobytes().decode() for text in texts] == [str(value).rjust(chars, "0")[-chars:] for value in values]
    if chars < 19:
        assert number_values(texts).tolist() == [value % 10**chars for value in values]


def test_what_is_no_digit_is_refused():
    with pytest.raises(ValueError, match="no digit"):
        number_values(np.frombuffer(b"12:4", np.uint8).reshape(1, -1))


COLUMNS = {"b": np.array([1, 2, 3], np.uint8), "a": np.array([[1, -2]], np.int64), "c": np.zeros(0, np.int32)}


def test_a_file_of_columns_comes_back():
    data = dump(COLUMNS, {"k": "v"})
    columns, metadata = load(data)
    assert metadata == {"k": "v"}
    assert list(columns) == ["a", "c", "b"], "wide numbers first"
    for name, values in COLUMNS.items():
        assert columns[name].dtype == values.dtype
        assert np.array_equal(columns[name], values)
    size = int.from_bytes(data[:8], "little")
    assert size % 8 == 0, "columns of 64 bits are aligned"
    header = json.loads(data[8 : 8 + size])
    assert header["a"] == {"dtype": "I64", "shape": [1, 2], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    "data",
    [b"", b"short", dump(COLUMNS)[:-1], dump(COLUMNS) + b"0",
     (99).to_bytes(8, "little") + b"{}", b"\2" + bytes(7) + b"[]",
     dump(COLUMNS).replace(b'"I64"', b'"F16"'), dump(COLUMNS).replace(b"[1,2]", b"[1,3]"),
     dump(COLUMNS).replace(b"[16,16]", b"[15,15]")],
)  # fmt: skip
def test_a_damaged_file_of_columns_is_refused(data):
    with pytest.raises(SafetensorsError):
        load(data)
