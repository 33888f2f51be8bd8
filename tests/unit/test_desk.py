# SPDX-License-Identifier: Apache-2.0
"""Several strategies as one desk: against brute force, one file with all rules, and the shipped examples."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixaccel.cli.main import cli
from fixaccel.cli.together import check_together
from fixaccel.desk.capacity import joined
from fixaccel.desk.exposure import FIGURES
from fixaccel.desk.look import Desk
from fixaccel.diagnostics import Diagnostic
from fixaccel.exposure.worst_case import worst_case
from fixaccel.hwmap import load_hwmap
from fixaccel.image.pack.pack import build_image
from fixaccel.pipeline import load_board, load_strategy

STRATEGIES = Path(__file__).parents[2] / "strategies"
VENUE = """\
fixaccel-venue: 1
name: test
time_zone: {zone}
session: {{begin_string: FIX.4.4, sender_comp_id: {sender}, target_comp_id: {target}, connect: 127.0.0.1:9878, heartbeat: 30s}}
market_data: {{message: snapshot}}
instruments:
  MSFT: {{tick: {tick}, lot: 1, price_range: 0.5..1000}}
  ESZ6: {{tick: 0.25, lot: 1, multiplier: 50, price_range: 0.25..20000}}
"""  # noqa: E501
SELL = "{id: s, instrument: MSFT, when: last <= 50, order: {side: sell, qty: 2, type: limit, price: 40}}"
BUY = "{id: b, instrument: MSFT, when: last <= 45, order: {side: buy, qty: 1, type: limit, price: 46, tif: ioc}}"


def venue(folder: Path, name: str = "venue", **changed: str) -> None:
    keys = {"zone": "UTC", "sender": "A", "target": "B", "tick": "0.5"} | changed
    (folder / f"{name}.yaml").write_text(VENUE.format(**keys))


def strategy(folder: Path, name: str, *rules: str, head: str = "", of: str = "venue") -> Path:
    path = folder / f"{name}.yaml"
    entries = "".join(f"  - {rule}\n" for rule in rules)
    path.write_text(f"fixaccel: 1\nvenue: {of}.yaml\n{head}rules:\n{entries}")
    return path


def found(*paths: Path) -> tuple[list[Diagnostic], Desk]:
    """What is said over the strategies, without what is said of each."""
    loaded = [load_strategy(path) for path in paths]
    checked, desk = check_together(loaded, None)
    assert desk, [diagnostic.message for diagnostic in checked.diagnostics]
    return desk.diagnostics, desk


def slugs(*paths: Path) -> list[str]:
    return [diagnostic.code.slug.removeprefix("desk-") for diagnostic in found(*paths)[0]]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_buy_and_a_sell_are_named_in_both_files(tmp_path: Path) -> None:
    venue(tmp_path)
    one, two = strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", BUY)
    diagnostic = found(one, two)[0][0]
    assert (diagnostic.code.slug, diagnostic.span.file, diagnostic.span.line) == ("desk-self-trade", str(two), 4)
    assert [(related.span.file, related.span.line) for related in diagnostic.related] == [(str(one), 4)]


def test_rules_at_other_times_do_not_meet_but_what_rests_stays(tmp_path: Path) -> None:
    venue(tmp_path)
    morning = SELL.replace("when", "during: ['09:00-12:00'], when")
    evening = BUY.replace("when", "during: ['12:00-18:00'], when")
    assert slugs(strategy(tmp_path, "one", morning), strategy(tmp_path, "two", evening)) == []
    resting = evening.replace(", tif: ioc", "").replace("price: 46", "price: 45")
    assert slugs(strategy(tmp_path, "one", morning), strategy(tmp_path, "two", resting)) == ["meets-resting"]
    overnight = SELL.replace("when", "during: ['17:59-09:00'], when")
    assert slugs(strategy(tmp_path, "one", overnight), strategy(tmp_path, "two", evening)) == ["self-trade"]


def test_self_trade_reject_helps_only_inside_a_strategy(tmp_path: Path) -> None:
    venue(tmp_path)
    head = "limits: {self_trade: reject}\n"
    assert slugs(strategy(tmp_path, "one", SELL, head=head), strategy(tmp_path, "two", BUY, head=head)) == [
        "self-trade"
    ]


def test_other_counterparties_are_not_compared_and_it_is_said(tmp_path: Path) -> None:
    venue(tmp_path)
    venue(tmp_path, "other", target="C")
    diagnostics, desk = found(strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", BUY, of="other"))
    assert [diagnostic.code.slug for diagnostic in diagnostics] == ["desk-session"]
    assert "whether orders to different counterparties can meet: they are not compared" in desk.unknown
    assert [one.market for one in desk.exposure] == ["B", "C"]
    assert [one.members for one in desk.capacity] == [(str(tmp_path / "one.yaml"),), (str(tmp_path / "two.yaml"),)]


def test_another_comp_id_is_another_board_and_the_same_market(tmp_path: Path) -> None:
    venue(tmp_path)
    venue(tmp_path, "other", sender="A2")
    diagnostics, desk = found(strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", BUY, of="other"))
    assert [diagnostic.code.slug for diagnostic in diagnostics] == ["desk-session", "desk-self-trade"]
    assert "A2 -> B" in diagnostics[0].message
    assert (len(desk.exposure), len(desk.capacity)) == (1, 2)


def test_prices_of_two_tick_tables_are_compared_as_prices(tmp_path: Path) -> None:
    venue(tmp_path)
    venue(tmp_path, "other", tick="0.25")
    up = BUY.replace("last <= 45", "last >= 50.25")
    assert slugs(strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", up, of="other")) == ["venue"]
    reached = BUY.replace("last <= 45", "last >= 50")
    diagnostics, desk = found(strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", reached, of="other"))
    assert [diagnostic.code.slug for diagnostic in diagnostics] == ["desk-venue", "desk-self-trade"]
    assert "`tick` 0.25, not 0.5" in diagnostics[0].message
    assert desk.capacity[0].unknown.startswith("their venue files differ")


@pytest.mark.parametrize(("moment", "seen"), [("15:55", ["self-trade"]), ("15:55:01", [])])
def test_two_rules_of_one_moment_meet(tmp_path: Path, moment: str, seen: list[str]) -> None:
    venue(tmp_path)
    other = (AT % "b").replace("sell", "buy").replace("15:55", moment)
    one, two = strategy(tmp_path, "one", AT % "s"), strategy(tmp_path, "two", other)
    assert slugs(one, two) == seen
    assert not seen or found(one, two)[0][0].message.startswith("MSFT at 15:55 can fire this buy and the sell of `s`")


def test_what_one_strategy_cancels_stays_its_own_beside_another(tmp_path: Path) -> None:
    venue(tmp_path)
    flat = "{id: flat, instrument: MSFT, at: 15:55, cancels: [x], order: {side: sell, qty: 1, type: market}}"
    desk = found(strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", STEP % "x", flat))[1]
    assert joined([member.strategy for member in desk.members]).blocks[2].cancels == (range(1, 2),)


@dataclass(frozen=True)
class Threshold:
    source: str
    down: bool
    price: int
    side: str

    def text(self, name: str) -> str:
        order = f"{{side: {self.side}, qty: 1, type: market}}"
        when = f"{self.source} {'<=' if self.down else '>='} {self.price}"
        return f"{{id: {name}, instrument: MSFT, when: {when}, order: {order}}}"

    def at(self, price: float) -> bool:
        return price <= self.price if self.down else price >= self.price


THRESHOLDS = st.lists(
    st.builds(
        Threshold, st.sampled_from(["last", "bid"]), st.booleans(), st.integers(1, 8), st.sampled_from(["buy", "sell"])
    ),
    min_size=1,
    max_size=3,
)


@given(THRESHOLDS, THRESHOLDS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pairs_that_one_price_fires_are_all_found(tmp_path: Path, one: list[Threshold], two: list[Threshold]) -> None:
    venue(tmp_path)
    paths = [
        strategy(tmp_path, name, *(rule.text(f"{name}{n}") for n, rule in enumerate(rules)))
        for name, rules in (("one", one), ("two", two))
    ]
    prices = [half / 2 for half in range(1, 20)]
    expected = sum(
        any(
            a.source == b.source == source and a.side != b.side and a.at(price) and b.at(price)
            for a in one
            for b in two
            for price in prices
        )
        for source in ("last", "bid")
    )
    assert slugs(*paths).count("self-trade") == expected


@pytest.mark.parametrize(("trigger", "seen"), [("last >= 70", True), ("last >= 70.5", False), ("last <= 60", True)])
def test_of_a_ladder_the_step_that_reaches_furthest_counts(tmp_path: Path, trigger: str, seen: bool) -> None:
    venue(tmp_path)
    order = "order: {side: sell, qty: 1, type: market}"
    ladder = f"{{id: s, instrument: MSFT, when: last <= 60, ladder: {{step: 5, count: 3}}, {order}}}"
    other = f"{{id: b, instrument: MSFT, when: {trigger}, {order.replace('sell', 'buy')}}}"
    assert ("self-trade" in slugs(strategy(tmp_path, "one", ladder), strategy(tmp_path, "two", other))) == seen


@pytest.mark.parametrize(("price", "seen"), [("40", True), ("50", True), ("50.5", False)])
def test_of_resting_orders_the_price_that_crosses_furthest_counts(tmp_path: Path, price: str, seen: bool) -> None:
    venue(tmp_path)
    taking = f"{{id: s, instrument: MSFT, when: bid >= 90, order: {{side: sell, qty: 1, type: limit, price: {price}}}}}"
    diagnostics, _ = found(strategy(tmp_path, "one", LADDER % "steps"), strategy(tmp_path, "two", taking))
    assert [diagnostic.code.slug for diagnostic in diagnostics] == ["desk-meets-resting"] * seen
    assert not seen or "`steps[1]`" in diagnostics[0].message
    assert not seen or "may rest at 50" in diagnostics[0].message


AT = "{id: %s, instrument: MSFT, at: 15:55, order: {side: sell, qty: 1, type: market}}"
TRAIL = "{id: %s, instrument: MSFT, trail: {source: last, by: 5}, order: {side: sell, qty: 1, type: market}}"
LADDER = (
    "{id: %s, instrument: MSFT, when: ask <= 50, ladder: {step: -5, count: 3}, "
    "order: {side: buy, qty: 1, type: limit, price: trigger}}"
)
STEP = "{id: %s, instrument: MSFT, when: ask <= 45, order: {side: buy, qty: 1, type: limit, price: 45}}"
DECIDE = (
    "{id: %s, instrument: MSFT, decide: {source: last, intervals: [{from: 10, to: 12, "
    "order: {side: sell, qty: 1, type: market}}]}}"
)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (AT, AT, True),
        (AT, AT.replace("15:55", "15:56"), False),
        (TRAIL, TRAIL, True),
        (TRAIL, TRAIL.replace("by: 5", "by: 6"), False),
        (LADDER, STEP, True),
        (LADDER, LADDER, True),
        (LADDER, STEP.replace("price: 45", "price: 45.5"), False),
        (LADDER, STEP.replace("qty: 1", "qty: 2"), False),
        (LADDER, STEP.replace("ask <= 45", "ask <= 44.5"), False),
        (LADDER, STEP.replace("when:", "during: ['09:00-10:00'], when:"), False),
        (LADDER, STEP.replace("qty: 1", "account: X, qty: 1"), False),
        (DECIDE, DECIDE, True),
        (DECIDE, DECIDE.replace("to: 12", "to: 13"), False),
    ],
)
def test_the_same_rule_is_found_by_its_meaning(tmp_path: Path, one: str, two: str, same: bool) -> None:
    venue(tmp_path)
    seen = slugs(strategy(tmp_path, "one", one % "x"), strategy(tmp_path, "two", two % "y"))
    assert ("same-rule" in seen) == same


def test_the_same_rule_of_a_table_counts_its_rows(tmp_path: Path) -> None:
    venue(tmp_path)
    (tmp_path / "rows.csv").write_text("when,side,qty,type,price\n" + "".join(
        f"ask <= {price},buy,1,limit,{price}\n" for price in (60, 50, 45, 40)))  # fmt: skip
    table = "{id: rows, instrument: MSFT, table: rows.csv}"
    diagnostics, _ = found(strategy(tmp_path, "one", LADDER % "ladder"), strategy(tmp_path, "two", table))
    same = [diagnostic for diagnostic in diagnostics if diagnostic.code.slug == "desk-same-rule"]
    assert [(one.message.split(":")[0], one.span.line) for one in same] == [
        (f"`rows[2]` is the same as `ladder[1]` in {tmp_path / 'one.yaml'}", 3)
    ]
    assert same[0].message.endswith("(and 2 more of `rows`)")


def test_ids_and_limits(tmp_path: Path) -> None:
    venue(tmp_path)
    head = "limits: {total_orders: 2, per_instrument: {MSFT: {total_qty: 3}}}\n"
    floor = SELL.replace("last <= 50", "last <= 30").replace("price: 40", "price: 20")
    diagnostics, desk = found(strategy(tmp_path, "one", SELL, head=head), strategy(tmp_path, "two", floor))
    assert [(diagnostic.code.slug, diagnostic.span.line) for diagnostic in diagnostics] == [
        ("desk-same-id", 4),
        ("desk-limit", 3),
    ]
    assert diagnostics[1].message.startswith("`total_qty` is 3 here, and together the strategies can sell 4 of MSFT")
    assert {row.key: row.sum for row in desk.limits} == {"total_orders": None, "total_qty MSFT": None}
    both = found(strategy(tmp_path, "one", SELL, head=head), strategy(tmp_path, "two", floor, head=head))[1]
    assert {row.key: row.sum for row in both.limits} == {"total_orders": "4", "total_qty MSFT": "6"}


EXAMPLES = ("quickstart", "grid", "bracket", "trailing-stops")


def test_the_worst_case_is_that_of_one_file_with_all_rules() -> None:
    paths = [STRATEGIES / f"{name}.yaml" for name in EXAMPLES]
    desk = found(*paths)[1]
    whole = worst_case(joined([member.strategy for member in desk.members]))
    total = desk.exposure[0].worst.total
    assert {name: getattr(total, name).value for name in FIGURES} == {
        name: getattr(whole.total, name).value for name in FIGURES
    }
    cells = {(entry.instrument, entry.side): entry.qty.value for entry in whole.entries}
    assert {(entry.instrument, entry.side): entry.qty.value for entry in desk.exposure[0].worst.entries} == cells


def test_capacity_is_that_of_one_file_with_all_rules(tmp_path: Path) -> None:
    venue(tmp_path)
    child = (
        "{id: c, instrument: MSFT, when: last >= 60, armed_by: x, oco: g, order: {side: sell, qty: 1, type: market}}"
    )
    sibling = (
        "{id: d, instrument: MSFT, when: bid <= 20, armed_by: x, oco: g, order: {side: sell, qty: 1, type: market}}"
    )
    first = [STEP % "x", child, sibling]
    second = [rule.replace("id: ", "id: z").replace("armed_by: ", "armed_by: z") for rule in first]
    other = "{id: es, instrument: ESZ6, when: last <= 100, order: {side: sell, qty: 1, type: market}}"
    desk = found(strategy(tmp_path, "one", *first), strategy(tmp_path, "two", other, *second))[1]
    whole = load_strategy(
        strategy(tmp_path, "all", *first, other, *(one.replace("oco: g", "oco: h") for one in second))
    )
    assert whole.strategy
    board = load_board().board
    assert board
    expected = build_image(whole.strategy, board, load_hwmap()).used
    assert dict(desk.capacity[0].used) == dict(expected)
    assert [share["triggers"] for share in desk.capacity[0].shares] == [3, 4]
    assert joined([member.strategy for member in desk.members]).placement.tolist() == whole.strategy.placement.tolist()


def test_the_command(tmp_path: Path) -> None:
    venue(tmp_path)
    one, two = strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", BUY)
    result = run("check", one, two, "--together")
    assert result.exit_code == 0
    assert "2 strategies together, 2 rules on 1 instrument" in result.output
    assert f"Board pynq-z1 on A -> B at 127.0.0.1:9878, for {one}, {two}:" in result.output
    data = json.loads(run("check", one, two, "--together", "--format", "json").output)
    assert [entry["code"] for entry in data["diagnostics"]] == ["FX0903"]
    assert data["together"]["capacity"][0]["memories"]["triggers"] == {
        "used": 2, "of": 16384, "alone": {str(one): 1, str(two): 1},
    }  # fmt: skip
    assert data["together"]["exposure"][0]["entries"][0]["shares"][str(one)]["qty"] == 2
    concise = run("check", one, two, "--together", "--format", "concise").output
    assert len(concise.splitlines()) == 1


def test_the_command_refuses(tmp_path: Path) -> None:
    venue(tmp_path)
    one = strategy(tmp_path, "one", SELL)
    link = tmp_path / "link.yaml"
    link.symlink_to(one)
    assert run("check", one, "--together").exit_code == 2
    assert run("check", one, tmp_path / "venue.yaml", "--together").exit_code == 2
    assert "a strategy counts once" in run("check", one, link, "--together").output
    assert run("check", one, "--board", STRATEGIES / "boards" / "pynq-z1.yaml").exit_code == 2
    wrong = strategy(tmp_path, "wrong", SELL.replace("MSFT", "MSTF"))
    result = run("check", one, wrong, "--together")
    assert result.exit_code == 1
    assert "nothing is said of the strategies together before each of them is right" in result.output
    assert run("check", one, tmp_path / "none.yaml", "--together").exit_code == 2
    assert json.loads(run("check", one, wrong, "--together", "--format", "json").output)["together"] is None


def test_a_board_that_is_too_small_is_an_error(tmp_path: Path) -> None:
    venue(tmp_path)
    board = tmp_path / "board.yaml"
    text = (STRATEGIES / "boards" / "pynq-z1.yaml").read_text()
    board.write_text(text.replace("templates: 64", "templates: 1"))
    one, two = strategy(tmp_path, "one", SELL), strategy(tmp_path, "two", BUY)
    result = run("check", one, two, "--together", "--board", board, "--format", "concise")
    assert result.exit_code == 1
    assert f"has 1 templates, together the strategies need 2: {one} 1, {two} 1" in result.output
