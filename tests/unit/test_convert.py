# SPDX-License-Identifier: Apache-2.0
"""`fixaccel convert`: recorded data of other formats, also damaged, as event files."""

import csv
import gzip

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from fixaccel.cli.main import cli
from fixaccel.events.file import COLUMNS, load_events
from fixaccel.events.write import Event, write_events
from fixaccel.simulate.convert import FORMATS, Input, bitstamp, prints

PRINTS = ",".join(prints.COLUMNS) + "\n"
ORDERS = ",".join(bitstamp.ORDERS) + "\n"
TRADES = ",".join(bitstamp.TRADES) + "\n"


def run(*arguments):
    return CliRunner().invoke(cli, ["convert", *map(str, arguments)])


def convert(tmp_path, form, text, *options, suffix=".csv"):
    """The result of the command and the rows that it wrote."""
    source, out = tmp_path / "in.csv", tmp_path / f"out{suffix}"
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run(form, source, "--instrument", "ES", "-o", out, *options)
    rows = out.read_text().splitlines() if suffix == ".csv" and out.exists() else []
    return result, list(csv.DictReader(rows))


def carried(rows):
    return [{name: text for name, text in row.items() if text and name not in {"ts_ns", "instrument"}} for row in rows]


def test_trades_with_times_of_the_exchange(tmp_path):
    text = PRINTS + "2013-09-01 17:00:00.083,1640.25,8\n2013-09-01 17:00:01,-1640,1\n"
    result, rows = convert(tmp_path, "prints", text, "--zone", "America/Chicago")
    assert result.exit_code == 0, result.stderr
    assert "2 events" in result.stderr
    assert [row["ts_ns"] for row in rows] == ["1378072800083000000", "1378072801000000000"]
    assert carried(rows) == [{"last": "1640.25", "last_size": "8"}, {"last": "-1640", "last_size": "1"}]
    assert rows[0]["instrument"] == "ES"


@pytest.mark.parametrize(
    ("when", "ts_ns"),
    [
        ("2013-11-03 00:59:59.999999999", 1383458399999999999),
        ("2013-11-03 01:30:00", 1383460200000000000),  # the clock shows it twice: the first of them
        ("2013-11-03 02:00:00", 1383465600000000000),
        ("2013-03-10 03:00:00", 1362902400000000000),
    ],
)
def test_changes_of_clocks(tmp_path, when, ts_ns):
    _, rows = convert(tmp_path, "prints", f"{PRINTS}{when},1,1\n", "--zone", "America/Chicago")
    assert [int(row["ts_ns"]) for row in rows] == [ts_ns]


@pytest.mark.parametrize(
    ("form", "text", "slug", "line"),
    [
        ("prints", "", "convert-header", 1),
        ("prints", "Date,Price,Volume\n", "convert-header", 1),
        ("prints", PRINTS + "2013-09-01 17:00:00,1\n", "convert-row", 2),
        ("prints", PRINTS + "2013-09-01 17:00:60,1,1\n", "convert-value", 2),
        ("prints", PRINTS + "2013-02-30 17:00:00,1,1\n", "convert-value", 2),
        ("prints", PRINTS + "1969-09-01 17:00:00,1,1\n", "convert-value", 2),
        ("prints", PRINTS + "9999-12-31 23:59:59,1,1\n", "convert-value", 2),
        ("prints", PRINTS + "\u0662013-09-01 17:00:00,1,1\n", "convert-value", 2),
        ("prints", PRINTS + "2013-09-01 17:00:00,1e3,1\n", "convert-value", 2),
        ("prints", PRINTS + "2013-09-01 17:00:00,1,-1\n", "convert-value", 2),
        ("prints", PRINTS + "2013-09-01 17:00:00,1,1\n\xff".encode("latin-1").decode("latin-1"), "convert-row", 3),
        ("prints", PRINTS.encode() + b"\xff,1,1\n", "not-utf-8", 2),
        ("bitstamp", ORDERS + "1,99999999999999,0,1,1,created,bid\n", "convert-value", 2),
        ("bitstamp", ORDERS + f"1,{'9' * 5000},0,1,1,created,bid\n", "convert-value", 2),
        ("bitstamp", ORDERS + "1,1,0,-1,1,created,bid\n", "convert-value", 2),
        ("bitstamp", ORDERS + "1,1,0,1,1e999,created,bid\n", "convert-value", 2),
        ("bitstamp", ORDERS + "1,1,0,1,1,made,bid\n", "convert-value", 2),
        ("bitstamp", ORDERS + "1,1,0,1,1,created,left\n", "convert-value", 2),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, form, text, slug, line):
    source = tmp_path / "in.csv"
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    read = Input(source, "ES", prints.ZoneInfo("UTC"))
    list(FORMATS[form].read(read))
    assert [(d.code.slug, d.span.line) for d in read.checked().diagnostics] == [(slug, line)]
    result, rows = convert(tmp_path, form, text)
    assert result.exit_code == 1
    assert not rows
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


BOOK = """1,1000,0,100.0,2,created,bid
2,1000,0,101.0,3e-05,created,ask
3,1000,0,102.0,1,created,ask
4,1000,0,0.0,5,created,bid
5,1001,0,100.0,0.5,created,bid
1,1002,0,100.0,1.5,changed,bid
7,1002,0,99.0,1,created,bid
8,1003,0,99.5,9,deleted,bid
2,1004,0,101.0,0,deleted,ask
1,1005,0,100.0,0,deleted,bid
5,1005,0,100.0,0,deleted,bid
3,1006,0,102.0,1,deleted,ask
"""


def test_book_of_an_order_log(tmp_path):
    result, rows = convert(tmp_path, "bitstamp", ORDERS + BOOK)
    assert result.exit_code == 0, result.stderr
    assert [int(row["ts_ns"]) // 10**6 for row in rows] == [1000, 1001, 1002, 1004, 1005, 1006]
    assert carried(rows) == [
        {"kind": "snapshot", "bid": "100", "bid_size": "2", "ask": "101", "ask_size": "0.00003"},
        {"bid": "100", "bid_size": "2.5"},
        {"bid": "100", "bid_size": "2"},
        {"ask": "102", "ask_size": "1"},
        {"bid": "99", "bid_size": "1"},
        {"ask": "-"},
    ]


def test_a_book_that_was_taken_while_the_log_ran(tmp_path):
    """Its rows come first and are later than the log's own; the trades of that time stay behind it."""
    (tmp_path / "trades.csv").write_text(TRADES + "1,1004,0,101.0,0.25,9,3,buy\n")
    text = ORDERS + "1,1005,0,100.0,2,created,bid\n2,1003,0,101.0,1,created,ask\n2,1006,0,101.0,2,changed,ask\n"
    _, rows = convert(tmp_path, "bitstamp", text)
    assert [int(row["ts_ns"]) // 10**6 for row in rows] == [1004, 1005, 1006]
    assert carried(rows)[1] == {"kind": "snapshot", "bid": "100", "bid_size": "2", "ask": "101", "ask_size": "1"}


def test_trades_beside_an_order_log(tmp_path):
    """They come first in their millisecond; orders that would have traded before them are gone."""
    (tmp_path / "trades.csv").write_text(TRADES + "1,1001,0,102.0,0.25,9,3,buy\n2,1009,0,99.0,1,9,3,sell\n")
    result, rows = convert(tmp_path, "bitstamp", ORDERS + "".join(BOOK.splitlines(keepends=True)[:5]))
    assert result.exit_code == 0, result.stderr
    assert carried(rows) == [
        {"kind": "snapshot", "bid": "100", "bid_size": "2", "ask": "101", "ask_size": "0.00003"},
        {"last": "102", "last_size": "0.25"},
        {"bid": "100", "bid_size": "2.5", "ask": "102", "ask_size": "1"},
        {"last": "99", "last_size": "1"},
        {"bid": "-"},
    ]


def test_a_fault_in_the_trades_counts_too(tmp_path):
    (tmp_path / "trades.csv").write_text(TRADES + "1,1001,0,102.0,0.25,9,3,hold\n")
    result, _ = convert(tmp_path, "bitstamp", ORDERS + BOOK)
    assert result.exit_code == 1
    assert "trades.csv:2:25" in result.stderr


@pytest.mark.parametrize("form", list(FORMATS))
@given(data=st.binary(max_size=200) | st.text("0123456789,.:- \ncreatedbidask", max_size=200).map(str.encode))
def test_nothing_makes_it_raise(tmp_path_factory, form, data):
    source = tmp_path_factory.mktemp("any") / "in.csv"
    header = {"prints": PRINTS, "bitstamp": ORDERS}[form]
    source.write_bytes(header.encode() + data)
    read = Input(source, "ES", prints.ZoneInfo("America/Chicago"))
    list(FORMATS[form].read(read))
    read.checked()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_what_it_writes_is_an_event_file(tmp_path, suffix):
    result, _ = convert(tmp_path, "bitstamp", ORDERS + BOOK, suffix=suffix)
    assert result.exit_code == 0, result.stderr
    loaded = load_events(tmp_path / f"out{suffix}", ["ES"])
    assert not loaded.diagnostics
    assert len(loaded.messages) == 6


def test_packed_input(tmp_path):
    packed, plain = tmp_path / "in.csv.gz", PRINTS + "2013-09-01 17:00:00,1,1\n"
    packed.write_bytes(gzip.compress(plain.encode()))
    out = tmp_path / "out.csv"
    assert run("prints", packed, "--instrument", "ES", "-o", out).exit_code == 0
    assert out.read_text() == ",".join(COLUMNS) + "\n1378054800000000000,ES,,,,,,1,1\n"
    packed.write_bytes(packed.read_bytes()[:20])
    assert run("prints", packed, "--instrument", "ES", "-o", out).exit_code == 2


def test_what_cannot_be_asked(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text(PRINTS)
    for arguments, text in [
        (["--instrument", "E S", "-o", tmp_path / "out.csv"], "is no symbol"),
        (["--instrument", "ES", "-o", tmp_path / "out.csv", "--zone", "Mars/Base"], "no time zone"),
        (["--instrument", "ES", "-o", source], "is an input"),
    ]:
        result = run("prints", source, *arguments)
        assert result.exit_code == 2
        assert text in result.stderr
    assert run("prints", tmp_path / "none.csv", "--instrument", "ES", "-o", tmp_path / "out.csv").exit_code == 2


def test_many_events_are_written_in_order(tmp_path):
    for suffix in (".csv", ".parquet"):
        path = tmp_path / f"many{suffix}"
        assert write_events(path, (Event(n, "ES", last=str(n)) for n in range(70_000))) == 70_000
        messages = load_events(path, ["ES"]).messages
        assert [message.ts_ns for message in messages] == list(range(70_000))
