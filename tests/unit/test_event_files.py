# SPDX-License-Identifier: Apache-2.0
"""Event files: what is read, and that whatever is wrong is said with its place."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixaccel.events.file import COLUMNS, load_events, open_events
from fixaccel.events.rows import LINE_BYTES, MOST_FAULTS
from fixaccel.language.terms import Source
from fixaccel.semantics.messages import Kind

HEADER = ",".join(COLUMNS)
INSTRUMENTS = ["MSFT", "7203", "CLZ6"]


@pytest.fixture
def load(tmp_path):
    def run(data):
        path = tmp_path / "events.csv"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return load_events(path, INSTRUMENTS)

    return run


def places(loaded):
    return [(d.code.slug, d.span.line, d.span.column) for d in loaded.diagnostics]


def test_rows(load):
    loaded = load(f"{HEADER}\n5,MSFT,,1180,200,-,,0100.50,7\n3,7203,snapshot,,,,,,\n9,,gap,,,,,,\n")
    assert not loaded.diagnostics
    first, second, third = loaded.messages
    assert first.prices == {Source.BID: "1180", Source.ASK: "-", Source.LAST: "0100.50"}
    assert first.sizes == {Source.BID: "200", Source.LAST: "7"}
    assert [m.kind for m in loaded.messages] == [Kind.UPDATE, Kind.SNAPSHOT, Kind.GAP]
    assert second.prices == {}
    assert third.instrument is None
    assert [m.event for m in loaded.messages] == [1, 2, 3]
    assert [m.ts_ns for m in loaded.messages] == [5, 5, 9]  # running maximum


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_mark_and_quotes(load, end):
    data = ("\ufeff" + end.join([HEADER, '"1","MSFT",snapshot,"10",,,,,', "", "2,MSFT,,11,,,,,"])).encode()
    loaded = load(data)
    assert not loaded.diagnostics
    assert [m.prices for m in loaded.messages] == [{Source.BID: "10"}, {Source.BID: "11"}]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1,MSTF,,1,,,,,", ("event-instrument", 2, 3)),
        ("1,,update,1,,,,,", ("event-instrument", 2, 3)),
        ("1,*,gap,,,,,,", ("event-instrument", 2, 3)),
        (",MSFT,,1,,,,,", ("event-value", 2, 1)),
        ("-1,MSFT,,1,,,,,", ("event-value", 2, 1)),
        ("1.5,MSFT,,1,,,,,", ("event-value", 2, 1)),
        ("9223372036854775808,MSFT,,1,,,,,", ("event-value", 2, 1)),
        ("\u0661,MSFT,,1,,,,,", ("event-value", 2, 1)),
        ("1,MSFT,trade,1,,,,,", ("event-kind", 2, 8)),
        ("1,MSFT,halt,,,,,5,", ("event-kind", 2, 17)),
        ("1,MSFT,,1e3,,,,,", ("event-value", 2, 9)),
        ("1,MSFT,,+1,,,,,", ("event-value", 2, 9)),
        ("1,MSFT,,1.,,,,,", ("event-value", 2, 9)),
        ("1,MSFT,, 1,,,,,", ("event-value", 2, 9)),
        ("1,MSFT,,nan,,,,,", ("event-value", 2, 9)),
        ("1,MSFT,," + "1" * 41 + ",,,,,", ("event-value", 2, 9)),
        ("1,MSFT,,1,-5,,,,", ("event-value", 2, 11)),
        ("1,MSFT,,1,x,,,,", ("event-value", 2, 11)),
        ("1,MSFT,,1", ("event-row", 2, 9)),
        ("1,MSFT,,1,,,,,,", ("event-row", 2, 16)),
        ('1,MSFT,,"1,,,,,', ("event-row", 2, 9)),
        ('1,MS"FT,,1,,,,,', ("event-row", 2, 5)),
        ('1,"MSFT"x,,1,,,,,', ("event-row", 2, 9)),
        ("1,MSFT,,1\r,,,,,", ("event-value", 2, 9)),
        ("1,MSFT,,1\0,,,,,", ("event-value", 2, 9)),
    ],
)
def test_one_fault(load, row, expected):
    loaded = load(f"{HEADER}\n{row}\n3,MSFT,,1,,,,,\n")
    assert places(loaded) == [expected]
    assert loaded.messages[-1].ts_ns == 3


def test_all_faults_in_one_run(load):
    loaded = load(f"{HEADER}\nx,MSTF,?,1e1,y,,,,\n1,MSFT,,1,,,,,\n2\n")
    assert [line for _, line, _ in places(loaded)] == [2, 2, 2, 2, 2, 4]


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"", "event-header"),
        (b"\n\n", "event-header"),
        (b"time,symbol\n", "event-header"),
        (HEADER.encode() + b",more\n", "event-header"),
        (HEADER[:-10].encode() + b"\n", "event-header"),
        (HEADER.encode() + b"\n1,MSFT,,\xff,,,,,\n", "not-utf-8"),
        (HEADER.encode() + b"\n" + b"1" * (LINE_BYTES + 1), "event-row"),
        (b"\x00" * 100_000, "event-row"),
        (b"PAR1\x15\x04\x15\xff\n\x00PAR1", "not-utf-8"),
    ],
)
def test_files_of_another_kind(load, data, slug):
    loaded = load(data)
    assert slug in [d.code.slug for d in loaded.diagnostics]
    assert not loaded.messages


def test_no_such_file(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        assert [d.code.slug for d in load_events(path, INSTRUMENTS).diagnostics] == ["cannot-read"]


def test_reading_stops_after_many_faults(load):
    loaded = load(HEADER + "\n" + "x\n" * (MOST_FAULTS + 10))
    assert len(loaded.diagnostics) == MOST_FAULTS + 1
    assert loaded.diagnostics[-1].code.slug == "too-many-faults"


@given(st.binary(max_size=400) | st.text('0123456789,."-\n\rMSFT', max_size=200).map(str.encode))
def test_nothing_makes_it_raise(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "events.csv"
    path.write_bytes(HEADER.encode() + b"\n" + data)
    loaded = load_events(path, INSTRUMENTS)
    rows = len(data.replace(b"\r\n", b"\n").split(b"\n"))
    assert len(loaded.messages) <= rows


@pytest.mark.parametrize("name", ["pipe.csv", "pipe.csv.gz", "pipe.parquet"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    (fault,) = load_events(tmp_path / name, INSTRUMENTS).diagnostics
    assert (fault.code.slug, "it is a pipe" in fault.message) == ("cannot-read", True)
    file = open_events(tmp_path / name, INSTRUMENTS)
    assert list(file.batches()) == []
    assert [d.message for d in file.checked().diagnostics] == [fault.message]
