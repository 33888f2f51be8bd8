# SPDX-License-Identifier: Apache-2.0
"""A broker's list of orders: what each row means is what its rule does; whatever is not taken is said at its place."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixaccel.cli.main import cli
from fixaccel.language.rules import ArmedOn, Rule, Strategy
from fixaccel.language.terms import Source
from fixaccel.order_list.headers import NAMES
from fixaccel.order_list.load import Imported, Wish, import_orders
from fixaccel.order_list.names import Names
from fixaccel.order_list.numerals import NumberError, Numerals
from fixaccel.pipeline import load_strategy
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.reference import Interpreter

VENUE = """\
fixaccel-venue: 1
name: test
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 127.0.0.1:9878, heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.25, lot: 1, price_range: 0.25..10000}
  "7203": {tick: 0.25, lot: 100, price_range: -100..10000}
"""
PLAIN = Wish()
HEAD = "Order Id,Symbol,Side,Qty,Type,Stop,Limit"


def imported(folder: Path, text: str, wish: Wish = PLAIN, output: str | None = "out.yaml") -> Imported:
    (folder / "venue.yaml").write_text(VENUE)
    (folder / "orders.csv").write_text(text)
    return import_orders(
        folder / "orders.csv", folder / "venue.yaml", None if output is None else folder / output, wish
    )  # fmt: skip


def strategy_of(folder: Path, found: Imported) -> Strategy:
    assert found.written, [diagnostic.message for diagnostic in found.diagnostics]
    for name, text in {"out.yaml": found.written.text, **found.written.tables}.items():
        (folder / name).write_text(text)
    strategy = load_strategy(folder / "out.yaml").strategy
    assert strategy
    return strategy


def errors(folder: Path, text: str, wish: Wish = PLAIN) -> list[tuple[str, int, int]]:
    found = imported(folder, text, wish)
    return [(one.code.slug, one.span.line, one.span.column) for one in found.diagnostics if one.is_error]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


# What a broker means by an order, in its own words.


@dataclass(frozen=True)
class Order:
    symbol: str
    side: str
    qty: int
    type: str
    price: Decimal  # stop or touch price; of a trailing stop its distance
    limit: Decimal
    tif: str
    method: str
    account: str
    note: str
    group: str

    def leaves(self, prices: Sequence[Decimal]) -> int | None:
        """At which of the prices it is triggered."""
        for at, price in enumerate(prices):
            if self.type == "TRAIL":
                best = (max if self.side == "SELL" else min)(prices[: at + 1])
                stop = best - self.price if self.side == "SELL" else best + self.price
                if price <= stop if self.side == "SELL" else price >= stop:
                    return at
            elif self.type in {"STP", "STP LMT"}:
                if price <= self.price if self.side == "SELL" else price >= self.price:
                    return at
            elif price >= self.price if self.side == "SELL" else price <= self.price:
                return at
        return None

    @property
    def is_limit(self) -> bool:
        return self.type in {"STP LMT", "LIT"}


QUARTERS = st.integers(4, 60).map(lambda n: Decimal(n) / 4)
ORDERS = st.builds(
    Order,
    symbol=st.sampled_from(["MSFT", "7203"]),
    side=st.sampled_from(["BUY", "SELL"]),
    qty=st.integers(1, 30).map(lambda n: n * 100),
    type=st.sampled_from(["STP", "STP LMT", "LIT", "MIT", "TRAIL"]),
    price=QUARTERS,
    limit=QUARTERS.map(lambda price: price + 2000),
    tif=st.sampled_from(["DAY", "GTC", "IOC", "FOK"]),
    method=st.sampled_from(["last", "Bid", "ASK", "midpoint", ""]),
    account=st.sampled_from(["", "CLIENT1", "true", "1e3", "a: b"]),
    note=st.text("ab #:,;\"'{}[]-ä\\\t", max_size=8).map(str.strip),
    group=st.sampled_from(["", "", "Exit #1", "exit 1", "x"]),
)
COLUMNS = {
    "symbol": ["Symbol", "ticker", "INSTRUMENT"],
    "side": ["Side", "Action", "B/S"],
    "qty": ["Qty", "Quantity"],
    "type": ["Order Type", "type"],
    "price": ["Stop Price", "Aux. Price", "trigger"],
    "limit": ["Limit Price", "Lmt Price"],
    "trail": ["Trailing Amount", "trail"],
    "tif": ["TIF", "Time in Force"],
    "method": ["Trigger Method"],
    "account": ["Account"],
    "note": ["Comment", "Notes"],
    "group": ["OCA Group", "oco"],
}


@dataclass(frozen=True)
class Style:
    """How a program writes a list."""

    names: dict[str, str]
    delimiter: str
    comma: bool
    thousands: bool

    def number(self, value: Decimal | int) -> str:
        text = f"{value:,}" if self.thousands else str(value)
        return text.translate(str.maketrans(",.", ".,")) if self.comma else text

    def written(self, orders: Sequence[Order]) -> str:
        file = io.StringIO()
        sheet = csv.writer(file, delimiter=self.delimiter, lineterminator="\r\n")
        sheet.writerow(self.names.values())
        for order in orders:
            trails = order.type == "TRAIL"
            cells = {
                **vars(order),
                "qty": self.number(order.qty),
                "price": "" if trails else self.number(order.price),
                "trail": self.number(order.price) if trails else "0",
                "limit": self.number(order.limit) if order.is_limit else "",
            }
            sheet.writerow([cells[field] for field in self.names])
        return "\ufeff" + file.getvalue()


STYLES = st.builds(
    Style,
    st.fixed_dictionaries({field: st.sampled_from(names) for field, names in COLUMNS.items()}),
    st.sampled_from(",;\t|"),
    st.booleans(),
    st.booleans(),
)
SOURCES = {"last": Source.LAST, "Bid": Source.BID, "ASK": Source.ASK, "midpoint": Source.MID, "": Source.LAST}


def fires(strategy: Strategy, rule: Rule, source: Source, prices: Sequence[Decimal]) -> list[tuple[object, ...]]:
    """What the reference interpreter sends for one rule alone."""
    block = replace(rule.block, first=0, oco=None)
    alone = replace(strategy, blocks=(block,), groups=(), placement=np.zeros(1, np.uint8))
    interpreter = Interpreter(alone)
    sources = (Source.BID, Source.ASK) if source is Source.MID else (source,)
    sent: list[tuple[object, ...]] = []
    for at, price in enumerate(prices):
        carried = {one: str(price) for one in sources}
        message = Message(at + 1, at, rule.instrument.symbol, Kind.UPDATE, carried, {})
        sent += [(at, fire.side, fire.qty, fire.type, fire.price) for fire in interpreter.process(message)]
    return sent


@given(st.lists(ORDERS, min_size=1, max_size=4), STYLES, st.lists(QUARTERS, min_size=1, max_size=12))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_rule_does_what_its_row_means(
    tmp_path: Path, orders: list[Order], style: Style, prices: list[Decimal]
) -> None:
    found = imported(tmp_path, style.written(orders), Wish(decimal="comma" if style.comma else "point"))
    strategy = strategy_of(tmp_path, found)
    assert len(strategy.rules) == len(orders)
    for order, rule in zip(orders, strategy.rules, strict=True):
        at = order.leaves(prices)
        limit = f"{order.limit.normalize():f}" if order.is_limit else ""
        kind = "limit" if order.is_limit else "market"
        expected = [] if at is None else [(at, order.side.lower(), order.qty, kind, limit)]
        assert fires(strategy, rule, SOURCES[order.method], prices) == expected
        assert rule.order.tif.name == order.tif
        assert (rule.order.account or "") == order.account
        assert (rule.note or "") == order.note
        assert rule.instrument.symbol == order.symbol
    groups = [(order.group, rule.group) for order, rule in zip(orders, strategy.rules, strict=True)]
    assert all((a == b) == (x == y) for a, x in groups for b, y in groups)
    assert all((name == "") == (group < 0) for name, group in groups)


def test_many_rows_are_a_table_that_means_the_same(tmp_path: Path) -> None:
    rows = [
        f"o{n},MSFT,{'Sell' if n % 2 else 'Buy'},{n + 1},{'STP LMT' if n % 3 else 'MIT'},{100 + n}.5,"
        f"{200 + n if n % 3 else ''},{f'pair {n // 2}' if n < 20 else ''}"
        for n in range(220)
    ]
    other = "es,7203,Sell,100,STP,50,,"
    found = imported(tmp_path, "\n".join([f"{HEAD},OCO", rows[0], other, *rows[1:]]))
    strategy = strategy_of(tmp_path, found)
    assert [block.rule_id for block in strategy.blocks] == ["msft-orders", "es"]
    assert found.written
    assert list(found.written.tables) == ["out.msft-orders.csv"]
    table = list(strategy.rules)[:-1]
    single = strategy_of(tmp_path, imported(tmp_path, "\n".join([f"{HEAD},OCO", *rows]), output=None))
    assert [block.many for block in single.blocks] == [False] * 220
    for one, two in zip(table, single.rules, strict=True):
        assert (one.id, one.condition, one.order) == (two.id, two.condition, two.order)
    names = [
        [strategy.groups[rule.group] if rule.group >= 0 else "" for rule, strategy in rules]
        for rules in ([(rule, strategy) for rule in table], [(rule, single) for rule in single.rules])
    ]
    assert names[0] == names[1]


def test_what_a_table_has_once_is_the_same_in_its_rows(tmp_path: Path) -> None:
    rows = [
        f"MSFT,Sell,1,STP,{100 + n},{'a' if n < 205 else 'b'},{'X' if n < 410 else 'Y'},{'GTC' if n < 615 else 'DAY'}"
        for n in range(820)
    ]
    text = "\n".join(["Symbol,Side,Qty,Type,Stop,Note,Account,TIF", *rows])
    strategy = strategy_of(tmp_path, imported(tmp_path, text))
    assert [len(block) for block in strategy.blocks] == [205] * 4
    seen = [(rule.note, rule.order.account, rule.order.tif.name, rule.order.qty) for rule in strategy.rules]
    assert seen == [(*row.split(",")[5:], 1) for row in rows]
    assert [rule.condition.threshold for rule in strategy.rules] == [4 * (100 + n) for n in range(820)]


def test_children_are_armed_by_their_parents(tmp_path: Path) -> None:
    found = imported(tmp_path, f"{HEAD},Parent\nIn 1,MSFT,Buy,1,STP,20,,0\nOut,MSFT,Sell,1,STP,10,,In 1\n")
    assert found.diagnostics == []
    child = strategy_of(tmp_path, found).rules[1]
    assert (child.block.parents, child.block.armed_on) == ((range(1),), ArmedOn.FILLED)


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ("1,MSFT,Short,1,STP,20,", [("list-order", 2, 8)]),
        ("1,MSFT,Sell,1,MKT,,", [("list-order", 2, 15)]),
        ("1,MSFT,Sell,1,TRAIL LIMIT,1,", [("list-order", 2, 15)]),
        ("1,MSFT,Sell,1,ICE,1,", [("list-value", 2, 15)]),
        ("1,MSFT,Sell,1,STP,,", [("list-value", 2, 19)]),
        ("1,MSFT,Sell,1,STP,20,19", [("list-order", 2, 22)]),
        ("1,MSFT,Sell,1,STP,20.1,", [("off-grid", 2, 19)]),
        ("1,MSFT,Sell,1,STP,20000,", [("outside-range", 2, 19)]),
        ("1,7203,Sell,50,STP,20,", [("not-a-lot", 2, 13)]),
        ("1,MSFTX,Sell,1,STP,20,", [("unknown-instrument", 2, 3)]),
        ("1,MSFT,,1,STP,20,", [("list-value", 2, 8)]),
        ("1,MSFT,Sell,1.5,STP,20,", [("not-a-lot", 2, 13)]),
        ("1,MSFT,Sell,-1,STP,20,", [("list-value", 2, 13)]),
        ("1,MSFT,Sell,1,STP,$20,", [("list-value", 2, 19)]),
        ("1,MSFT,Sell,1,STP,20", [("list-row", 2, 1)]),
        ('1,MSFT,Sell,1,"STP,20,', [("list-row", 2, 15)]),
        ("1,MSFT,Sell,1,TRAIL,20,", [("list-value", 2, 15), ("list-order", 2, 21)]),
        ("", [("list-header", 1, 1)]),
        # Each row says what is wrong with it, and a good one beside them does not help.
        ("1,MSFT,Short,1,STP,20,\n\n2,MSFT,Sell,1,STP,20,\n3,MSFT,Buy,x,STP,20,", [
            ("list-order", 2, 8), ("list-value", 5, 12)]),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_said_at_its_place(tmp_path: Path, rows: str, places: list[tuple[str, int, int]]) -> None:
    assert errors(tmp_path, f"{HEAD}\n{rows}\n") == places
    assert imported(tmp_path, f"{HEAD}\n{rows}\n").written is None


@pytest.mark.parametrize("method", ["default", "Double Last", "bid/ask", "last or bid/ask", "mark"])
def test_a_trigger_that_is_not_one_price_is_chosen_or_refused(tmp_path: Path, method: str) -> None:
    text = f"{HEAD},Trigger Method\n1,MSFT,Sell,1,STP,20,,{method}\n2,MSFT,Sell,1,STP,20,,ask\n3,MSFT,Buy,1,STP,20,,\n"
    assert errors(tmp_path, text) == [("list-order", 2, 23)]
    strategy = strategy_of(tmp_path, imported(tmp_path, text, Wish(trigger=Source.BID)))
    assert [rule.source for rule in strategy.rules] == [Source.BID, Source.ASK, Source.BID]


@pytest.mark.parametrize("name", ["Gtd", "OPG"])
def test_other_times_in_force_are_refused(tmp_path: Path, name: str) -> None:
    assert errors(tmp_path, f"{HEAD},TIF\n1,MSFT,Sell,1,STP,20,,{name}\n") == [("list-value", 2, 23)]


def test_parents_that_cannot_arm(tmp_path: Path) -> None:
    rows = (
        "1,MSFT,Buy,1,LMT,,20,\n2,MSFT,Sell,1,STP,20,,1\n3,MSFT,Sell,1,STP,20,,2\n4,MSFT,Sell,1,STP,20,,4\n"
        "5,MSFT,Sell,1,STP,21,,\n5,MSFT,Sell,1,STP,22,,\n6,MSFT,Sell,1,STP,20,,5\n"
    )
    found = errors(tmp_path, f"{HEAD},Parent\n{rows}")
    assert found == [("list-order", 2, 14), *(("list-parent", line, 23) for line in (3, 4, 5, 8))]


def test_a_circle_of_parents_is_said_at_a_row(tmp_path: Path) -> None:
    found = errors(tmp_path, f"{HEAD},Parent\n1,MSFT,Sell,1,STP,20,,2\n2,MSFT,Sell,1,STP,21,,1\n")
    assert [(slug, line) for slug, line, _ in found] == [("armed-by-cycle", 2)]


def test_columns_are_named_where_they_are_not_known(tmp_path: Path) -> None:
    text = "No,What,Side,Qty,Type,At,Trigger,Extra\n1,MSFT,Sell,1,STP,20,30,x\n2,MSFT,Sell,1,TRAIL,5,,\n"
    assert errors(tmp_path, text) == [("list-header", 1, 1)]
    columns = (("symbol", "What"), ("stop", "at"), ("trail", "At"), ("ignore", "Trigger"), ("id", "no"))
    found = imported(tmp_path, text, Wish(columns=columns))
    assert [(one.code.slug, one.span.column) for one in found.diagnostics] == [("list-column", 34)]
    rules = strategy_of(tmp_path, found).rules
    assert (rules[0].id, rules[0].condition.text) == ("1", "last <= 20")
    assert found.written
    assert "by: 5" in found.written.text
    assert errors(tmp_path, f"{HEAD},Trigger\n1,MSFT,Sell,1,STP,20,,\n") == [("list-header", 1, 42)]


@pytest.mark.parametrize(
    ("text", "decimal", "comma_list", "value"),
    [
        ("1180.5", None, False, "1180.5"), ("-1.25", None, False, "-1.25"), ("1,180.50", None, False, "1180.50"),
        ("1,234,567", None, False, "1234567"), ("1'180.5", None, False, "1180.5"), ("1 180", None, True, "1180"),
        ("1,180", None, False, None), ("1.180", None, False, "1.180"), ("1.180", None, True, None),
        ("1,180", None, True, None), ("1,180", "point", True, "1180"), ("1,180", "comma", False, "1.180"),
        ("1.180", "comma", True, "1180"), ("1.180,5", "comma", True, "1180.5"), ("1180,5", None, True, None),
        ("1.180,5", None, True, None), ("11,80.5", None, False, None), ("1,18,0.5", None, False, None),
        ("1.", None, False, None), (".5", None, False, None), ("1e3", None, False, None),
        ("1180.5", "comma", True, None),
        ("1,180'000.5", None, False, None), ("--5", None, False, None), ("1.8E308", None, False, None),
    ],
)  # fmt: skip
def test_numbers_are_read_exactly_or_not_at_all(
    text: str, decimal: str | None, comma_list: bool, value: str | None
) -> None:
    numerals = Numerals(decimal, comma_list)
    if value is None:
        with pytest.raises(NumberError):
            numerals.read(text)
    else:
        assert numerals.read(text) == Decimal(value)


CELLS = st.sampled_from([
    "MSFT", "7203", "Sell", "B", "short", "100", "1,5", "1.180", "-1", "0", "STP", "STP LMT", "TRAIL", "LIT", "MKT",
    "20.5", "5%", "DAY", "gtd", "last", "default", "", " ", '"', '"a""b"', "x", "1", "\x00", "\u2028", "é", "Order Id",
])  # fmt: skip


@given(
    st.lists(st.sampled_from([*NAMES, "Stop Price", "", "Side", "x"]), max_size=9),
    st.lists(st.lists(CELLS, max_size=9), max_size=5),
    st.sampled_from(",;\t"),
    st.booleans(),
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_list_holds_is_taken_or_said(
    tmp_path: Path, names: list[str], rows: list[list[str]], delimiter: str, skip: bool
) -> None:
    header = [*("Symbol", "Side", "Qty", "Type", "Stop"), *names]
    lines = [header, *([*("MSFT", "Sell", "1", "STP", "20"), *row][: len(header)] for row in rows), *rows]
    text = "\n".join(delimiter.join(cells) for cells in lines)
    found = imported(tmp_path, text, Wish(skip_bad_rows=skip))
    assert found.written or found.failed
    assert not found.written or found.taken <= found.rows
    assert not found.written or skip or found.taken == found.rows
    if found.written:
        assert len(strategy_of(tmp_path, found).rules) == found.taken


def test_names_are_legal_and_unique() -> None:
    names = Names()
    given = ["Stop MSFT!", "stop-msft", "  ", "ÄÖ", "x" * 40, "x" * 40, "-.a", "2"]
    assert [names.take(text) for text in given] == [
        "stop-msft", "stop-msft-2", "order", "order-2", "x" * 32, "x" * 30 + "-2", "a", "2",
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "latin-1"])
def test_another_encoding_is_said(tmp_path: Path, encoding: str) -> None:
    text = f"{HEAD},Comment\r\n1,MSFT,Sell,1,STP,20,,für später\r\n"
    imported(tmp_path, "")
    (tmp_path / "orders.csv").write_bytes(text.encode(encoding))
    paths = (tmp_path / "orders.csv", tmp_path / "venue.yaml", tmp_path / "out.yaml")
    refused = import_orders(*paths, Wish())
    assert [(one.code.slug, one.help and "--encoding" in one.help) for one in refused.diagnostics] == [
        ("not-utf-8", True)
    ]
    assert strategy_of(tmp_path, import_orders(*paths, Wish(encoding=encoding))).rules[0].note == "für später"


def test_the_command_writes_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(tmp_path, f"{HEAD}\n1,MSFT,Sell,1,STP,20,\n2,MSFT,Short,1,STP,20,\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "er")
    orders, venue, out = Path("orders.csv"), Path("venue.yaml"), Path("link", "out.yaml")
    result = run("import", orders, "--venue", venue, "-o", out)
    assert (result.exit_code, out.exists()) == (1, False)
    assert "nothing is written: 1 of 2 rows can be taken" in result.output
    dry = run("import", orders, "--venue", venue, "-o", out, "--skip-bad-rows", "--dry-run")
    assert (dry.exit_code, out.exists()) == (1, False)
    assert f"1 of 2 rows taken, would write {out}" in dry.output
    result = run("import", orders, "--venue", venue, "-o", out, "--skip-bad-rows")
    assert result.exit_code == 1
    assert "list-order" not in result.output
    assert f"{orders}:3:8" in result.output
    assert "venue: ../../venue.yaml" in out.read_text()
    assert run("check", out).exit_code == 0
    assert run("fmt", "--check", out).exit_code == 0


def test_the_command_never_replaces_what_it_should_not(tmp_path: Path) -> None:
    imported(tmp_path, f"{HEAD}\n1,MSFT,Sell,1,STP,20,\n")
    orders, venue, out = tmp_path / "orders.csv", tmp_path / "venue.yaml", tmp_path / "out.yaml"
    before = orders.read_text(), venue.read_text()
    for path in (orders, venue):
        assert run("import", orders, "--venue", venue, "-o", path, "--overwrite").exit_code == 2
    assert (orders.read_text(), venue.read_text()) == before
    out.write_text("mine\n")
    assert run("import", orders, "--venue", venue, "-o", out).exit_code == 2
    assert out.read_text() == "mine\n"
    assert run("import", orders, "--venue", venue, "-o", out, "--overwrite").exit_code == 0
    assert out.read_text().startswith("# From orders.csv")
    shown = run("import", orders, "--venue", venue, "--format", "concise")
    assert shown.output.startswith("# From orders.csv")


def test_the_command_says_what_cannot_be_asked(tmp_path: Path) -> None:
    imported(tmp_path, f"{HEAD}\n1,MSFT,Sell,1,STP,20,\n")
    orders, venue = tmp_path / "orders.csv", tmp_path / "venue.yaml"
    assert run("import", tmp_path / "none.csv", "--venue", venue).exit_code == 2
    assert run("import", orders, "--venue", tmp_path / "none.yaml").exit_code == 2
    assert "fields are id" in run("import", orders, "--venue", venue, "--column", "bad=X").output
    assert "has no column `X`" in run("import", orders, "--venue", venue, "--column", "stop=X").output
    data = json.loads(run("import", orders, "--venue", orders, "--format", "json").output)
    assert data["diagnostics"]
