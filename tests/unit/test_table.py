# SPDX-License-Identifier: Apache-2.0
"""The table interpreter from Python: its columns, its file, and what it refuses."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from fixaccel.events.columns import EventColumns, from_messages
from fixaccel.image.parts import Parts
from fixaccel.image.software import safetensors
from fixaccel.image.software.columns import COLUMNS, PartColumns
from fixaccel.image.software.names import name_columns
from fixaccel.image.software.parts import part_columns
from fixaccel.image.software.table import ENVELOPES, all_columns, read_software_table, software_table
from fixaccel.image.software.time_zone import offsets
from fixaccel.native.interpreter import STATES, TableError, TableInterpreter, library_catalogue
from fixaccel.native.library import LIBRARY_VARIABLE, LibraryError, find_library
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.simulate.fires import fire_rows

RULES = """\
- {id: a, instrument: MSFT, when: mid <= 1180, confirm: 2, order: {side: sell, qty: 1, type: limit, price: 1100}}
- id: steps
  instrument: MSFT
  when: ask <= 1150
  ladder: {step: -5, count: 12}
  order: {side: buy, qty: 1, type: limit, price: trigger + 2 ticks}
  armed_by: a
- {id: t, instrument: [MSFT, CLZ6], trail: {source: mid, by: 0.5, activate: last >= 20}, oco: g,
   order: {side: sell, qty: 2, type: market, tif: ioc}}
- id: d
  instrument: CLZ6
  during: [09:30-16:00, 23:00-01:00]
  rearm: {after: 30s, times: 40000}
  order: {side: buy, qty: 1, type: market, account: X}
  decide: {source: last, intervals: [{from: 10, to: 20}, {from: 30, to: 31, order: {qty: 3}}]}
- {id: z, instrument: MSFT, when: bid >= 1200, order: {side: sell, qty: 3, type: market}}"""


@pytest.fixture
def strategy(desk):
    loaded, diagnostics = desk.load(RULES)
    assert loaded, [diagnostic.message for diagnostic in diagnostics]
    return loaded


def events(strategy, count=400, seed=1):
    choices, symbols = random.Random(seed), list(strategy.venue.instruments)
    centre = {"MSFT": 1170, "7203": 100, "CLZ6": 22}
    columns = EventColumns.empty(count)
    columns.ts_ns[:] = np.arange(count) * 3_600_000_000_000 // 7
    for row in range(count):
        columns.instrument[row] = choices.choice([0, 2])
        middle = centre[symbols[columns.instrument[row]]]
        for source in range(3):
            if choices.random() < 0.6:
                columns.state[source, row] = 1
                columns.price[source, row] = (middle * 100 + choices.randint(-1200, 1200)) * 10**6
    return columns


def test_the_library_has_the_catalogue_of_the_compiler():
    names = {"u1": "U8", "i4": "I32", "i8": "I64", "u8": "U64"}
    assert library_catalogue() == [(column.name, names[column.dtype], column.width) for column in COLUMNS]


def test_columns_know_their_names_and_shapes():
    with pytest.raises(ValueError, match=r"no column part\.colour"):
        PartColumns.of({"part.colour": [1]})
    with pytest.raises(ValueError, match="shape"):
        PartColumns.of({"part.hash": [1, 2]})
    with pytest.raises(ValueError, match="rows"):
        PartColumns.of({"part.index": [1, 2], "part.form": [0]})


def test_parts_that_were_taken_apart_run_as_before(strategy):
    parts, whole = Parts.of(strategy), all_columns(strategy)
    expected = TableInterpreter(whole).run(events(strategy))
    assert len(expected) > 5
    rows = np.arange(len(parts))
    for seed in range(20):
        mine = np.random.default_rng(seed).random(len(parts)) < 0.5
        pieces = [part_columns(strategy, parts, whole["part.hash"], rows[some])[0] for some in (mine, ~mine)]
        joined = pieces[0].join(pieces[1])
        assert [joined.name(row) for row in range(len(joined))] == [rule.id for rule in strategy.rules]
        fires = TableInterpreter(joined).run(events(strategy))
        for name in ("event", "part", "observed", "trigger", "price", "fires", "outcome"):
            assert np.array_equal(getattr(fires, name), getattr(expected, name)), name


def test_the_file_holds_what_the_runtime_runs(strategy):
    data = software_table(strategy)
    table = read_software_table(data)
    ids = {rule.id for rule in strategy.rules} - {"z"}  # the only one for the fabric
    assert {table.name(row) for row in range(len(table))} == ids
    envelopes = json.loads(safetensors.load(data)[1][ENVELOPES])
    carried = {(envelopes[place]["tif"], envelopes[place]["account"]) for place in table["order.envelope"]}
    assert carried == {("day", ""), ("ioc", ""), ("day", "X")}
    fires = TableInterpreter(table).run(events(strategy))
    assert set(fires.part.tolist()) <= set(table["part.index"].tolist())


def test_runs_go_on_where_the_last_one_ended(strategy):
    market, whole = events(strategy), TableInterpreter(all_columns(strategy))
    pieces = TableInterpreter(all_columns(strategy))
    found = [pieces.run(batch) for batch in market.batches(7)]
    assert [n for fires in found for n in fires.event.tolist()] == whole.run(market).event.tolist()
    assert pieces.states().tolist() == whole.states().tolist()


def test_reload_keeps_what_means_the_same(desk, strategy):
    market, table, reference = events(strategy), TableInterpreter(all_columns(strategy)), Interpreter(strategy)
    messages = messages_of(market, strategy)
    before = [fire for message in messages[:200] for fire in reference.process(message)]
    assert list(fire_rows(table.run(market[0:200]), strategy)) == before
    changed, _ = desk.load(RULES.replace("qty: 3", "qty: 4"))
    reference.load(changed)
    table.reload(all_columns(changed))
    after = [fire for message in messages[200:] for fire in reference.process(message)]
    assert list(fire_rows(table.run(market[200:400]), changed)) == after
    assert before
    assert after


def messages_of(market, strategy):
    symbols = list(strategy.venue.instruments)
    sources = [source for source in strategy.rules[0].source.__class__ if source.value != "mid"]
    return [
        Message(
            row + 1,
            int(market.ts_ns[row]),
            symbols[market.instrument[row]],
            Kind.UPDATE,
            {source: f"{market.price[n, row] / 10**8:.2f}" for n, source in enumerate(sources) if market.state[n, row]},
            {},
        )
        for row in range(len(market))
    ]


def test_messages_in_words_and_in_columns_are_the_same(strategy):
    market = events(strategy)
    again = from_messages(messages_of(market, strategy), strategy.venue.instruments)
    assert np.array_equal(again.price, market.price)


def test_wrong_columns_are_refused_and_leave_the_old_ones(strategy):
    good = all_columns(strategy)
    table = TableInterpreter(good)
    for name, value in (("part.source", 4), ("part.order", 10**6), ("part.instrument", 3), ("order.qty", 0)):
        wrong = {**good.columns, name: good[name].copy()}
        wrong[name][0] = value
        with pytest.raises(TableError, match=name.split(".", maxsplit=1)[0]):
            TableInterpreter(PartColumns(wrong))
        with pytest.raises(TableError):
            table.reload(PartColumns(wrong))
    assert table.run(events(strategy)).part.tolist() == TableInterpreter(good).run(events(strategy)).part.tolist()


def test_messages_of_nothing_known_are_refused(strategy):
    table = TableInterpreter(all_columns(strategy))
    for field, value in (("instrument", 3), ("instrument", -2), ("kind", 5)):
        market = events(strategy, 3)
        getattr(market, field)[1] = value
        with pytest.raises(TableError, match="no "):
            table.run(market)
    market = EventColumns.empty(2)
    narrow = replace(market, ts_ns=market.ts_ns.astype(np.int32))
    with pytest.raises(TableError, match="int32"):
        table.run(narrow)
    assert table.run(events(strategy, 0)).event.tolist() == []
    assert {STATES[state] for state in table.states()} == {"armed", "disarmed"}


def test_names_are_those_of_the_rules(desk):
    order = "order: {side: buy, qty: 1, type: market}"
    rules = f"- {{id: few, instrument: [MSFT, CLZ6], when: bid <= 40, ladder: {{step: -0.01, count: 1100}}, {order}}}"
    (desk.folder / "grid.csv").write_text("when,id\nlast <= 9,own-1\nlast <= 8,\nlast <= 7,x\n")
    table = f"- {{id: grid, instrument: MSFT, table: grid.csv, {order}}}"
    loaded, _ = desk.load(f"{rules}\n{table}")
    parts = Parts.of(loaded)
    rows = np.random.default_rng(1).permutation(len(parts))[:1500]
    columns = PartColumns.of({"part.index": np.sort(rows), **name_columns(loaded, parts.take(np.sort(rows)))})
    assert [columns.name(row) for row in range(1500)] == [loaded.rules[index].id for index in np.sort(rows).tolist()]


@pytest.mark.parametrize(
    "zone", ["UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca", "Africa/Monrovia"]
)
def test_offsets_are_those_of_the_time_zone(zone):
    found, choices = offsets(zone), random.Random(zone)
    starts = [start for start, _ in found]
    near = [max(start + step, 0) for start in starts[:200] for step in (-1, 0, 1)]
    for second in [*near, *(choices.randrange(9 * 10**9) for _ in range(2000))]:
        expected = datetime.fromtimestamp(second, ZoneInfo(zone)).utcoffset() or timedelta()
        assert found[np.searchsorted(starts, second, "right") - 1][1] == expected.total_seconds(), second


@pytest.mark.parametrize("zone", ["America/Noronha", "Asia/Gaza"])
def test_offsets_that_hold_for_a_week_are_not_passed_over(zone):
    found = offsets(zone)
    starts = np.array([start for start, _ in found])
    assert np.diff(starts).min() < 7 * 86_400
    for second in range(0, 4 * 10**9, 86_400):
        expected = datetime.fromtimestamp(second, ZoneInfo(zone)).utcoffset() or timedelta()
        assert found[np.searchsorted(starts, second, "right") - 1][1] == expected.total_seconds(), second


def test_a_missing_library_is_said_with_the_way_out(monkeypatch, tmp_path):
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "none.so"))
    with pytest.raises(LibraryError, match=r"none\.so.*`make wheel`.*`make build`.*FIXACCEL_TABLE_LIBRARY"):
        find_library()
    (tmp_path / "none.so").write_text("no library")
    with pytest.raises(LibraryError, match="not a library of this version"):
        TableInterpreter(PartColumns.of({}))


def test_closing_is_left_to_the_end_of_the_process(strategy, tmp_path):
    """Interpreters that live until exit, with their columns gone first, end without a crash."""
    path = tmp_path / "table.safetensors"
    path.write_bytes(software_table(strategy))
    program = (
        "import pathlib, sys\nfrom fixaccel.image.software.table import read_software_table as read\n"
        "from fixaccel.native.interpreter import TableInterpreter\n"
        "kept = [TableInterpreter(read(pathlib.Path(sys.argv[1]).read_bytes())) for _ in range(3)]\n"
        "kept[0].reload(read(pathlib.Path(sys.argv[1]).read_bytes()))\ndel kept[1]\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "compiler")}
    subprocess.run([sys.executable, "-c", program, path], check=True, env=environment)
