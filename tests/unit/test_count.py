# SPDX-License-Identifier: Apache-2.0
"""`fixaccel count`: fires by rule and day of the venue."""

import csv
import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.events.write import Event, write_events

VENUE = """fixaccel-venue: 1
name: simulator
time_zone: America/New_York
session: {begin_string: FIX.4.4, sender_comp_id: C, target_comp_id: S, connect: "10.0.0.1:9878", heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
"""
STRATEGY = """fixaccel: 1
venue: venue.yaml
limits: {order_notional: 1000}
rules:
  - {id: stop, instrument: MSFT, when: last <= 100, order: {side: sell, qty: 2, type: limit, price: 90}}
  - {id: dip, instrument: MSFT, when: bid <= 100, ladder: {step: -10, count: 3},
     order: {side: buy, qty: 1, type: limit, price: trigger}}
  - {id: big, instrument: MSFT, when: last >= 200, order: {side: buy, qty: 9, type: market}}
  - {id: never, instrument: MSFT, when: last <= 1, order: {side: sell, qty: 2, type: limit, price: 0.5}}
"""


def at(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 10**9


@pytest.fixture
def files(tmp_path):
    """A strategy, and two event files: one over midnight of New York, one of the day after."""
    (tmp_path / "venue.yaml").write_text(VENUE)
    (tmp_path / "strategy.yaml").write_text(STRATEGY)
    monday = [
        Event(at("2026-01-06T04:59:59"), "MSFT", last="99"),  # still the 5th in New York
        Event(at("2026-01-06T05:00:00"), "MSFT", last="98"),
        Event(at("2026-01-06T20:00:00"), "MSFT", bid="95", last="200"),
    ]
    wednesday = [Event(at("2026-01-07T20:00:00"), "MSFT", bid="85.001", last="97"), Event(1, "MSFT", bid="85")]
    write_events(tmp_path / "one.parquet", monday)
    write_events(tmp_path / "two.csv", wednesday)
    return tmp_path


def run(files, *options):
    events = ["-e", files / "one.parquet", "-e", files / "two.csv"]
    result = CliRunner().invoke(cli, ["count", *map(str, [files / "strategy.yaml", *events, *options])])
    assert result.exit_code == 0, result.stderr
    return result


def table(files, *options):
    rows = list(csv.DictReader(run(files, *options, "--format", "csv").stdout.splitlines()))
    return [[row[name] for name in ("rule", "day", "fires", "sent", "order_notional") if name in row] for row in rows]


def test_by_rule_and_day(files):
    assert table(files) == [
        ["stop", "2026-01-05", "1", "1", "0"],
        ["stop", "2026-01-06", "1", "1", "0"],
        ["stop", "2026-01-07", "1", "1", "0"],
        ["dip", "2026-01-06", "1", "1", "0"],
        ["dip", "2026-01-07", "2", "2", "0"],
        ["big", "2026-01-06", "1", "0", "1"],
    ]


def test_by_day(files):
    assert table(files, "--by", "day") == [
        ["2026-01-05", "1", "1", "0"],
        ["2026-01-06", "3", "2", "1"],
        ["2026-01-07", "3", "3", "0"],
    ]


@pytest.mark.parametrize(
    ("fresh", "fires", "loads"),
    [("day", ["3", "3", "1", "0"], 3), ("file", ["2", "3", "1", "0"], 2), ("never", ["1", "2", "1", "0"], 1)],
)
def test_fresh_loads(files, fresh, fires, loads):
    """A rule fires once for a load; with no load between the files, the first step of the ladder is spent."""
    rows = table(files, "--by", "rule", "--fresh", fresh)
    assert [row[0] for row in rows] == ["stop", "dip", "big", "never"]
    assert [row[1] for row in rows] == fires
    assert f"{loads} fresh load" in run(files, "--fresh", fresh).stderr


def test_by_part(files):
    rows = table(files, "--by", "part")
    assert [row[:2] for row in rows][1:4] == [["dip[1]", "2"], ["dip[2]", "1"], ["dip[3]", "0"]]


def test_for_people_and_programs(files):
    result = run(files, "--by", "rule")
    assert "Never fired: never" in result.stdout
    assert "rejected: order_notional" in result.stdout
    assert "total_qty" not in result.stdout
    assert "5 events, 7 observations" in result.stderr
    assert "1 price off" in result.stderr
    data = json.loads(run(files, "--format", "json").stdout)
    assert data["never_fired"] == ["never"]
    assert data["days"] == ["2026-01-05", "2026-01-06", "2026-01-07"]
    assert data["rows"][0]["rule"] == "stop"
    assert data["invalid_prices"] == 1


def test_wrong_events_give_no_count(files):
    with (files / "two.csv").open("a") as file:
        file.write("x,MSFT,,,,,,1,\n")
    arguments = ["count", files / "strategy.yaml", "-e", files / "one.parquet", "-e", files / "two.csv"]
    result = CliRunner().invoke(cli, list(map(str, arguments)))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "two.csv:4:1" in result.stderr
    result = CliRunner().invoke(cli, list(map(str, [*arguments, "-e", files / "none.parquet"])))
    assert result.exit_code == 2


def test_without_the_library_it_says_how_to_get_it(files, monkeypatch):
    monkeypatch.setenv("FIXACCEL_TABLE_LIBRARY", str(files / "none.so"))
    result = CliRunner().invoke(cli, ["count", str(files / "strategy.yaml"), "-e", str(files / "one.parquet")])
    assert result.exit_code == 2
    assert "none.so, which is not at" in result.stderr
    assert "`make build` builds it in a checkout" in result.stderr
