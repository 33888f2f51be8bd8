# SPDX-License-Identifier: Apache-2.0
"""Own orders in a run: the model that fills them, rows that tell of them, what a load keeps, what the worst case is."""

import csv
import json

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.emit.rules import BundleRules
from fixaccel.events.file import COLUMNS, load_events, open_events
from fixaccel.events.part_book import PartBook
from fixaccel.exposure.worst_case import FILLED, OWN, worst_case
from fixaccel.language.terms import Source
from fixaccel.semantics.messages import Execution, Kind, Message
from fixaccel.semantics.recorder import Recorder
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.touch import Touch

S = 10**9
ENTRY = "- {id: entry, instrument: MSFT, when: WHEN, order: {side: buy, qty: 4, ORDER}}\n"
OUT = (
    "- {id: out, instrument: MSFT, when: bid >= 1, armed_by: {rule: entry, on: filled}, "
    "order: {side: sell, qty: filled, type: market}}\n"
)
HEADER = f"{','.join(COLUMNS)},rule\n"


def strategy(desk, rules, head=""):
    loaded, diagnostics = desk.load(rules, head)
    assert loaded, [diagnostic.message for diagnostic in diagnostics]
    return loaded


class Run:
    """Feeds messages of MSFT, a second apart: prices, kinds, or executions by part."""

    def __init__(self, loaded, touch=None):
        self.interpreter = Interpreter(loaded, touch)
        self.touch = touch
        self.event = 0

    def see(self, kind="update", told=None, **prices):
        self.event += 1
        carried = {Source(name): str(price) for name, price in prices.items()}
        message = Message(self.event, self.event * S, "MSFT", Kind(kind), carried, {}, told)
        return [f"{fire.rule} {fire.qty} {fire.outcome}" for fire in self.interpreter.process(message)]


def filled(desk, when, order, *messages):
    """Number of the message at which the model fills the entry, with the price in cents; None if it does not."""
    touch = Touch()
    text = ENTRY.replace("when: WHEN", when if when.startswith("at:") else f"when: {when}")
    run = Run(strategy(desk, text.replace("ORDER", order)), touch)
    for message in messages:
        run.see(**message)
        if touch.fills:
            return run.event, touch.fills[0].price
    return None


LIMIT = "type: limit, price: 99"
MARKET = "type: market"
AT = "at: 00:00:03"


@pytest.mark.parametrize(
    ("when", "order", "messages", "expected"),
    [
        # A limit order rests until the other side's quote or a trade is at its price or through it.
        ("ask <= 100", LIMIT, [{"ask": 100}, {"ask": 99.01}, {"bid": 98}, {"ask": 99}], (4, 9900)),
        ("ask <= 100", LIMIT, [{"ask": 100}, {"last": 99}], (2, 9900)),
        ("ask <= 100", LIMIT, [{"ask": 100}, {"ask": 97}], (2, 9900)),
        ("ask <= 100", LIMIT, [{"ask": 98}], None),
        ("ask <= 100", LIMIT, [{"ask": 98, "last": 98}], (1, 9900)),
        ("ask <= 100", LIMIT, [{"ask": 98}, {"kind": "halt"}, {"ask": 98}, {"kind": "open"}, {"ask": 98}], (5, 9900)),
        # A market order is filled at once, at what the message in hand makes known.
        ("bid <= 100", MARKET, [{"bid": 100, "ask": 102}], (1, 10200)),
        ("bid <= 100", MARKET, [{"last": 101}, {"bid": 100}], (2, 10100)),
        ("bid <= 100", MARKET, [{"bid": 100}, {"bid": 99}, {"last": 98}], (3, 9800)),
        ("bid <= 100", MARKET, [{"bid": 100}, {"ask": 103}], (2, 10300)),
        (AT, MARKET, [{"ask": 50}, {"kind": "halt"}, {"ask": 60}, {"kind": "open"}, {"ask": 70}], (5, 7000)),
        (AT, MARKET, [{"ask": 50}, {"kind": "gap"}, {"ask": 60}, {"kind": "snapshot", "ask": 70}], (4, 7000)),
        (AT, MARKET, [{"ask": 50}, {"bid": 40}, {"ask": 60}], (3, 5000)),
        # Now or never.
        ("bid <= 100", f"{LIMIT}, tif: ioc", [{"ask": 99}, {"bid": 98}], (2, 9900)),
        ("bid <= 100", f"{LIMIT}, tif: fok", [{"ask": 99.01}, {"bid": 98}, {"ask": 90}], None),
        ("bid <= 100", f"{LIMIT}, tif: ioc", [{"last": 98}, {"bid": 98}, {"last": 90}], None),
    ],
)  # fmt: skip
def test_the_model_fills_whole_when_touched(desk, when, order, messages, expected):
    assert filled(desk, when, order, *messages) == expected


def test_the_model_fills_before_rules_judge_and_arms_at_the_end(desk):
    run = Run(strategy(desk, ENTRY.replace("WHEN", "ask <= 100").replace("ORDER", LIMIT) + OUT), Touch())
    assert run.see(ask=100) == ["entry 4 sent"]
    assert run.see(ask=99, bid=98) == []
    assert run.see(bid=98) == ["out 4 sent"]
    assert [(fill.order.part, fill.price) for fill in run.touch.fills] == [(0, 9900), (1, 9800)]


def test_the_model_forgets_orders_of_rules_that_are_gone(desk):
    entry = ENTRY.replace("WHEN", "ask <= 100").replace("ORDER", LIMIT)
    other = entry.replace("entry", "other").replace("price: 99", "price: 98")
    run = Run(strategy(desk, entry + other), Touch())
    assert run.see(ask=100) == ["entry 4 sent", "other 4 sent"]
    run.interpreter.load(strategy(desk, other))
    run.see(ask=90)
    assert [(fill.order.part, fill.price) for fill in run.touch.fills] == [(0, 9800)]


def test_an_order_that_is_now_or_never_is_done_with_nothing(desk):
    off = "- {id: off, instrument: MSFT, when: bid <= 50, cancels: entry, order: {side: buy, qty: 1, type: market}}\n"
    for tif, cancels in (("day", 1), ("ioc", 0), ("fok", 0)):
        entry = ENTRY.replace("WHEN", "bid <= 100").replace("ORDER", f"{LIMIT}, tif: {tif}")
        run = Run(strategy(desk, entry + off), Touch())
        run.see(bid=100, ask=101)
        assert run.see(bid=50) == ["off 1 sent"]
        assert run.interpreter.cancels == cancels, tif


def test_the_gate_judges_what_the_clock_fires_at_its_moment(desk):
    at = "- {id: ID, instrument: MSFT, at: TIME, order: {side: buy, qty: 1, type: limit, price: 1}}\n"
    times = {"a": "00:00:03", "b": "00:00:02", "c": "00:00:03"}
    rules = "".join(at.replace("ID", name).replace("TIME", time) for name, time in times.items())
    interpreter = Interpreter(strategy(desk, rules, "limits: {orders_per_second: 1}\n"))
    first, last = (Message(number, number * S, "MSFT", Kind.UPDATE, {}, {}) for number in (1, 10))
    assert list(interpreter.process(first)) == []
    fires = list(interpreter.process(last))
    assert [(fire.ts_ns // S, fire.event, fire.rule, fire.outcome) for fire in fires] == [
        (2, 10, "b", "sent"),
        (3, 10, "a", "sent"),
        (3, 10, "c", "rejected:orders_per_second"),
    ]


def test_a_load_keeps_orders_and_sums_of_unchanged_rules(desk):
    entry = ENTRY.replace("WHEN", "ask <= 100").replace("ORDER", LIMIT)
    out = OUT.replace("on: filled", "on: first-fill")
    run = Run(strategy(desk, entry + out))
    assert run.see(ask=100) == ["entry 4 sent"]
    run.see("fill", Execution(0, 1))
    first = "- {id: first, instrument: MSFT, when: last <= 1, order: {side: sell, qty: 1, type: market}}\n"
    run.interpreter.load(strategy(desk, first + entry + out))
    run.see("fill", Execution(1, 2))
    assert run.interpreter.unmatched == []
    assert run.see(bid=1) == ["out 3 sent"]


def test_own_limits_are_kept_by_the_rule_and_forgotten_without_them(desk):
    own = (
        "- {id: a, instrument: MSFT, when: last <= 100, ladder: {step: -1, count: 4}, LIMITS, "
        "order: {side: buy, qty: 1, type: market}}\n"
    )
    limited, free = own.replace("LIMITS", "limits: {total_orders: 2}"), own.replace("LIMITS, ", "")
    run = Run(strategy(desk, limited))
    assert run.see(last=99) == ["a[1] 1 sent", "a[2] 1 sent"]
    run.interpreter.load(strategy(desk, limited.replace("instrument", "note: same, instrument")))
    assert run.see(last=98) == ["a[3] 1 rejected:total_orders"]
    run.interpreter.load(strategy(desk, free))
    run.interpreter.load(strategy(desk, limited))
    assert run.see(last=97) == ["a[4] 1 sent"]


def test_a_time_that_a_load_brings_is_of_the_time_of_the_load(desk):
    at = "- {id: a, instrument: MSFT, at: 00:00:0SECOND, order: {side: buy, qty: 1, type: limit, price: 1}}\n"
    run = Run(strategy(desk, at.replace("SECOND", "2")))
    assert run.see(last=1) == []
    assert run.see(last=1) == ["a 1 sent"]
    run.interpreter.load(strategy(desk, at.replace("SECOND", "2").replace("qty: 1", "qty: 2")))
    assert run.see(last=1) == []
    run.interpreter.load(strategy(desk, at.replace("SECOND", "4")))
    assert run.see(last=1) == ["a 1 sent"]


def test_executions_are_no_market_data(desk):
    text = ENTRY.replace("WHEN", "ask <= 100, rearm: {after: 1s, times: 9}").replace("ORDER", MARKET)
    run = Run(strategy(desk, text, "limits: {orders_per_second: 1}\n"))
    assert run.see(ask=100) == ["entry 4 sent"]
    run.see("fill", Execution(0, 1))
    assert run.see(ask=100) == []  # only now it is armed again
    assert run.see(ask=100) == ["entry 4 sent"]


def test_why_an_exit_did_not_fire(desk):
    rules = ENTRY.replace("WHEN", "ask <= 100").replace("ORDER", LIMIT)
    rules += OUT + OUT.replace("out", "first").replace("on: filled", "on: first-fill")
    rules += "- {id: late, instrument: MSFT, at: 15:55, order: {side: sell, qty: 1, type: market}}\n"
    recorder = Recorder(strategy(desk, rules))
    assert list(recorder.process(Message(1, S, "MSFT", Kind.UPDATE, {Source.ASK: "100"}, {})))
    ordered = ": that fired at event 1"
    assert recorder.held_back("out") == f"never armed: no order of `entry` was done with something filled{ordered}"
    assert recorder.held_back("first") == f"never armed: no order of `entry` was filled, in part or whole{ordered}"
    assert recorder.held_back("late") == "no event came at or after 15:55"


# Commands.


def test_a_bundle_tells_of_quantities_that_fills_say_and_of_times(desk, tmp_path):
    rules = ENTRY.replace("WHEN", "ask <= 100").replace("ORDER", LIMIT) + OUT.replace("when: bid >= 1", "at: 15:55")
    strategy(desk, rules)
    done = CliRunner().invoke(cli, ["compile", str(desk.folder / "test.yaml"), "-o", str(tmp_path / "bundle")])
    assert done.exit_code == 0, done.output
    manifest = json.loads((tmp_path / "bundle" / "manifest.json").read_text())
    bundle = BundleRules(manifest, lambda name: (tmp_path / "bundle" / name).read_bytes())
    assert (bundle[1].form, bundle[1].source, bundle[1].order["qty"]) == ("at", "", "filled")
    report = json.loads((tmp_path / "bundle" / "report.json").read_text())
    assert (report["rules"][1]["when"], report["rules"][1]["order"]["qty"]) == ("at 15:55", "filled")


def simulate(*arguments):
    return CliRunner().invoke(cli, ["simulate", *map(str, arguments)])


@pytest.fixture
def bracket(desk):
    loaded = strategy(desk, ENTRY.replace("WHEN", "ask <= 100").replace("ORDER", LIMIT) + OUT)
    return loaded, desk.folder / "test.yaml"


ROWS = "1,MSFT,,,,100,1,,,\n2,,fill,,,,,99,4,entry\n3,MSFT,,98,1,,,,,\n4,MSFT,done,,,,,,,entry\n"


def test_rows_of_own_orders_in_both_forms_of_file(bracket, tmp_path):
    loaded, _ = bracket
    path = tmp_path / "day.csv"
    path.write_text(HEADER + ROWS.replace("2,,fill,,,,,99,4", "2,MSFT,fill,,,,,,-4"))
    pq.write_table(pa_csv.read_csv(path), tmp_path / "day.parquet")
    for name in ("day.csv", "day.parquet"):
        parts = PartBook(loaded)
        messages = load_events(tmp_path / name, ["MSFT"], parts).messages
        assert [message.execution for message in messages] == [None, Execution(0, -4), None, Execution(0, 0)]
        (batch,) = open_events(tmp_path / name, ["MSFT"], parts).batches()
        assert batch.part.tolist() == [-1, 0, -1, 0]
        assert batch.qty.tolist() == [0, -4, 0, 0]
        assert batch.kind.tolist() == [0, 5, 0, 6]
        assert batch.instrument.tolist() == [0, 0, 0, 0]
        assert batch[1:3].qty.tolist() == [-4, 0]


@pytest.mark.parametrize(
    ("row", "slug", "column"),
    [
        ("2,,fill,,,,,99,4,", "event-rule", 18),
        ("2,,fill,,,,,99,4,entri", "event-rule", 18),
        ("2,7203,fill,,,,,99,4,entry", "event-instrument", 3),
        ("2,,fill,,,,,99,,entry", "event-value", 16),
        ("2,,fill,,,,,99,0,entry", "event-value", 16),
        ("2,,fill,,,,,99,1.5,entry", "event-value", 16),
        ("2,,fill,,,,,x,1,entry", "event-value", 13),
        ("2,,fill,98,,,,99,4,entry", "event-kind", 9),
        ("2,MSFT,update,98,,,,99,4,entry", "event-rule", 26),
        ("2,MSFT,fil,98,,,,99,4,entry", "event-kind", 8),
        ("2,MSFT,update,98,,,,99,4", "event-row", 24),
    ],
)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_rows_of_own_orders_that_are_wrong(bracket, tmp_path, row, slug, column, form):
    path = tmp_path / "day.csv"
    path.write_text(f"{HEADER}{row}\n")
    if form == "parquet":
        if slug == "event-row":
            return
        as_text = pa_csv.ConvertOptions(column_types=dict.fromkeys([*COLUMNS[1:], "rule"], pa.string()))
        pq.write_table(pa_csv.read_csv(path, convert_options=as_text), tmp_path / "day.parquet")
        path = tmp_path / "day.parquet"
    found = load_events(path, ["MSFT", "7203"], PartBook(bracket[0])).diagnostics
    assert [d.code.slug for d in found] == [slug]
    assert form == "parquet" or found[0].span.column == column
    file = open_events(path, ["MSFT", "7203"], PartBook(bracket[0]))
    assert list(file.batches()) == []
    assert [d.message for d in file.checked().diagnostics] == [d.message for d in found]


def test_without_a_strategy_only_market_data_is_read(tmp_path):
    path = tmp_path / "day.csv"
    path.write_text(HEADER + ROWS)
    found = load_events(path, ["MSFT"]).diagnostics
    assert [d.code.slug for d in found] == ["event-kind", "event-kind"]


@pytest.mark.parametrize("engine", ["rules", "image"])
def test_simulate_takes_fills_from_the_file(bracket, tmp_path, engine):
    path = tmp_path / "day.csv"
    path.write_text(HEADER + ROWS)
    result = simulate(bracket[1], "-e", path, "--engine", engine)
    assert result.exit_code == 0, result.stderr
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [(row["event"], row["rule"], row["qty"]) for row in rows] == [("1", "entry", "4"), ("3", "out", "4")]
    assert "row 4 tells of an order that was not sent, or is done" in result.stderr
    assert "1 executions without an order" in result.stderr


@pytest.mark.parametrize("engine", ["rules", "image"])
def test_simulate_makes_fills_up(bracket, tmp_path, engine):
    path = tmp_path / "day.csv"
    path.write_text(HEADER + "1,MSFT,,,,100,1,,,\n2,MSFT,,,,99,1,,,\n3,MSFT,,98,1,,,,,\n")
    result = simulate(bracket[1], "-e", path, "--engine", engine, "--fills", "touch", "--format", "json")
    assert result.exit_code == 0, result.stderr
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [(row["event"], row["rule"], row["qty"]) for row in rows] == [("1", "entry", "4"), ("3", "out", "4")]
    summary = json.loads(result.stderr)["summary"]
    assert (summary["fills"], summary["cancels"], summary["unmatched"]) == (2, 0, 0)


@pytest.mark.parametrize("engine", ["rules", "image"])
def test_fills_are_told_once(bracket, tmp_path, engine):
    path = tmp_path / "day.csv"
    path.write_text(HEADER + ROWS)
    result = simulate(bracket[1], "-e", path, "--engine", engine, "--fills", "touch")
    assert result.exit_code == 2
    assert "row 2 tells of an own order, and --fills touch makes its own fills" in result.stderr


def test_the_fabric_is_played_to_nobody(bracket, tmp_path):
    result = simulate(bracket[1], "-e", tmp_path / "day.csv", "--engine", "rtl", "--fills", "touch")
    assert result.exit_code == 2
    assert "--fills goes with" in result.stderr


# The worst case.


def test_what_was_filled_is_at_most_what_the_entries_send(desk):
    steps = (
        "- {id: steps, instrument: MSFT, when: ask <= 90, ladder: {step: -1, count: 3}, rearm: {after: 1s, times: 1}, "
        "order: {side: buy, qty: 5, type: limit, price: trigger}}\n"
    )
    out = OUT.replace("entry", "steps").replace("type: market", "type: limit, price: 100")
    (buy, sell) = worst_case(strategy(desk, steps + out)).entries
    assert (buy.qty.value, buy.qty.exact) == (30, True)
    assert (sell.qty.value, sell.qty.method) == (30, FILLED)
    assert (sell.notional.value, sell.orders.exact) == (3000, True)


def test_of_a_group_of_entries_one_is_filled(desk):
    group = ENTRY.replace("WHEN", "ask <= 90, ladder: {step: -1, count: 3}, oco: g").replace("ORDER", LIMIT)
    sell = worst_case(strategy(desk, group + OUT)).entries[1]
    assert sell.qty.value == 4
    assert sell.unpriced == 0


def test_limits_of_single_rules_make_bounds(desk):
    own = ENTRY.replace("WHEN", "ask <= 90, limits: {total_orders: 1}").replace("ORDER", LIMIT)
    (entry,) = worst_case(strategy(desk, own)).entries
    assert (entry.orders.value, entry.orders.method) == (1, OWN)
