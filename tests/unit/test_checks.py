# SPDX-License-Identifier: Apache-2.0
"""Warnings over a whole strategy: given where they are due, and nowhere else."""

import pytest

from fixaccel.pipeline import load_strategy

SELL = "order: {side: sell, qty: 100, type: limit, price: 40}"
BUY = "order: {side: buy, qty: 100, type: limit, price: 200}"


def rule(number: int, keys: str) -> str:
    keys = keys if "instrument:" in keys else f"instrument: MSFT, {keys}"
    keys = keys if "order:" in keys else f"{keys}, {SELL}"
    return f"- {{id: r{number}, {keys}}}"


def two(desk, first: str, second: str, head: str = "") -> list[str]:
    return desk.slugs(f"{rule(1, first)}\n{rule(2, second)}", head)


SHADOW = ["oco-shadow"]
MORNING = "during: ['09:00-10:00']"


@pytest.mark.parametrize(
    ("first", "second", "slugs"),
    [
        ("when: last <= 100, oco: g", "when: last <= 90, oco: g", SHADOW),
        ("when: last <= 90, oco: g", "when: last <= 100, oco: g", SHADOW),
        ("when: last <= 100, oco: g", "when: last <= 100, oco: g", SHADOW),
        ("when: last >= 90, oco: g", "when: last >= 100, oco: g", SHADOW),
        ("when: mid > 90, oco: g", "when: mid > 90.01, oco: g", SHADOW),
        ("when: last <= 100, oco: g", "when: last <= 90, oco: h", ["oco-alone"] * 2),
        ("when: last <= 100, oco: g", "when: bid <= 90, oco: g", []),
        ("when: last <= 100, oco: g", "when: last >= 90, oco: g", []),
        ("when: last <= 100, oco: g", "instrument: CLZ6, when: last <= 90, oco: g", []),
        ("when: last <= 100, oco: g", "when: last <= 90, oco: g, confirm: 2", [*SHADOW, "confirm-snapshot"]),
        ("when: bid <= 100, oco: g, confirm: 2", "when: bid <= 90, oco: g", []),
        ("when: bid <= 90, oco: g, confirm: 2", "when: bid <= 90, oco: g", SHADOW),
        ("when: last <= 100, oco: g, during: ['09:00-10:00']", "when: last <= 90, oco: g", []),
        (f"when: last <= 100, oco: g, {MORNING}", f"when: last <= 90, oco: g, {MORNING}", SHADOW),
        ("when: last <= 100, oco: g", "when: last <= 90, oco: g, during: ['09:00-10:00']", SHADOW),
        ("when: last <= 100, oco: g, if_already_through: wait", "when: last <= 90, oco: g", []),
        ("when: last <= 100, oco: g", "when: last <= 90, oco: g, if_already_through: reject", SHADOW),
        ("when: last <= 100, oco: g", "when: last <= 90, oco: g, rearm: {after: 1s, times: 2}", SHADOW),
    ],
)  # fmt: skip
def test_a_sibling_that_always_comes_first(desk, first: str, second: str, slugs: list[str]) -> None:
    assert sorted(two(desk, first, second)) == sorted(slugs)


@pytest.mark.parametrize(
    ("limits", "second", "slugs"),
    [
        ("orders_per_second: 5", "90", []),
        ("total_orders: 5", "90", []),
        ("collar: 5%", "90", []),
        ("collar: 5%", "100", SHADOW),
        ("order_qty: 1000", "90", SHADOW),
        ("self_trade: reject", "100", []),
        ("repeat: 1s", "100", ["off-fabric"]),
        ("per_instrument: {MSFT: {total_qty: 500}}", "100", []),
        ("per_instrument: {CLZ6: {total_qty: 500}}", "90", SHADOW),
    ],
)
def test_a_sibling_that_a_limit_may_reject(desk, limits: str, second: str, slugs: list[str]) -> None:
    head = f"limits: {{{limits}}}\n"
    assert two(desk, "when: last <= 100, oco: g", f"when: last <= {second}, oco: g", head) == slugs


def test_a_sibling_armed_by_the_same_parent(desk) -> None:
    parent = rule(0, "when: bid >= 100")
    both = [rule(n, f"when: last <= {price}, oco: g, armed_by: r0") for n, price in ((1, 100), (2, 90))]
    assert desk.slugs("\n".join([parent, *both])) == SHADOW
    alone = rule(2, "when: last <= 90, oco: g")
    assert desk.slugs("\n".join([parent, both[0], alone])) == []


SAME = ["same-rules"]


@pytest.mark.parametrize(
    ("first", "second", "slugs"),
    [
        ("when: last <= 100", "when: last < 100.01", SAME),
        ("when: last <= 100", "when: last <= 100, confirm: 2", ["confirm-snapshot"]),
        ("when: last <= 100", "when: last <= 100, during: ['09:00-10:00']", []),
        ("when: last <= 100, oco: g", "when: last <= 100", ["oco-alone", *SAME]),
        ("when: last <= 100", f"when: last <= 100, {SELL.replace('qty: 100', 'qty: 200')}", []),
        ("when: last <= 100", f"when: last <= 100, {SELL.replace('price', 'tif: ioc, price')}", []),
        ("when: last <= 100", "when: last <= 100, rearm: {after: 1s, times: 1}", []),
    ],
)
def test_rules_that_are_the_same(desk, first: str, second: str, slugs: list[str]) -> None:
    assert two(desk, first, second) == slugs


TRADE = ["self-trade"]
TRAIL = "trail: {source: last, by: 1}, order: {side: sell, qty: 1, type: limit, price: 40}"
BANDS = "decide: {source: last, intervals: [{from: 60, to: 70, order: {side: buy, qty: 1, type: limit, price: 80}}]}"


@pytest.mark.parametrize(
    ("first", "second", "slugs"),
    [
        ("when: last <= 100", f"when: last <= 50, {BUY}", TRADE),
        ("when: last <= 100", f"when: last > 100, {BUY}", []),
        ("when: last <= 100", f"when: last >= 100, {BUY}", TRADE),
        ("when: last <= 100, oco: g", f"when: last >= 100, oco: g, {BUY}", []),
        ("when: last <= 100", f"when: last >= 100, {BUY}, armed_by: r1", ["exit-of-resting"]),
        ("when: last <= 100, during: ['09:00-10:00']", f"when: last >= 100, {BUY}, during: ['10:00-11:00']", []),
        ("when: last <= 100, during: ['22:00-02:00']", f"when: last >= 100, {BUY}, during: ['01:59-03:00']", TRADE),
        (TRAIL, f"when: last >= 100, {BUY}", TRADE),
        (TRAIL, f"when: bid >= 100, {BUY}", []),
        ("when: last <= 65", f"{BANDS}, order: {{}}", TRADE),
        ("when: last <= 59.99", f"{BANDS}, order: {{}}", []),
    ],
)
def test_a_buy_and_a_sell_at_one_price(desk, first: str, second: str, slugs: list[str]) -> None:
    assert two(desk, first, second) == slugs


def test_the_gate_rejects_what_would_trade_with_itself(desk) -> None:
    both = ("when: last <= 100", f"when: last >= 100, {BUY}")
    assert two(desk, *both, "limits: {self_trade: reject}\n") == []
    assert two(desk, *both, "limits: {repeat: 1s}\n") == ["off-fabric", *TRADE]


SPENDS = ["repeat-spends"]


@pytest.mark.parametrize(
    ("keys", "slugs"),
    [
        ("when: last <= 90", []),
        ("when: last <= 90, ladder: {step: -1, count: 3}", SPENDS),
        ("when: last <= 90, ladder: {step: -1, count: 3}, oco: g", ["oco-on-many"]),
        ("when: last <= 90, ladder: {step: -1, count: 1}", []),
        ("instrument: [MSFT, CLZ6], when: last <= 90", SPENDS),
        ("when: last <= 90, rearm: {after: 9999ms, times: 1}", SPENDS),
        ("when: last <= 90, rearm: {after: 10s, times: 1}", []),
        ("when: last <= 90, rearm: {reset: last > 91, times: 1}", []),
        ("instrument: [MSFT, CLZ6], when: last <= 90, rearm: {after: 1s, times: 1}", SPENDS),
    ],
)
def test_what_repeat_spends(desk, keys: str, slugs: list[str]) -> None:
    found = desk.slugs(f"{rule(1, keys)}\n{rule(2, 'when: bid >= 60')}", "limits: {repeat: 10s}\n")
    assert found == ["off-fabric", *slugs]
    assert set(desk.slugs(rule(1, keys))) == set(slugs) - set(SPENDS)


def test_tables_are_checked_too(desk) -> None:
    (desk.folder / "grid.csv").write_text(
        "when,side,qty,type,price,oco\n"
        "last <= 50,sell,1,limit,60,\n"
        "last <= 50,sell,1,limit,60,\n"
        "last >= 50,buy,1,limit,60,\n"
        "bid <= 30,sell,1,market,,g\n"
        "bid <= 20,sell,1,limit,20,g\n"
    )
    _, diagnostics = desk.load("- {id: grid, instrument: MSFT, table: grid.csv}")
    assert {(one.code.slug, one.span.line) for one in diagnostics} == {
        ("never-marketable", 2), ("same-rules", 3), ("self-trade", 4), ("oco-shadow", 6),
    }  # fmt: skip


def test_warnings_are_bounded(desk) -> None:
    rows = "last <= 50,sell,1,limit,60\n" * 500
    (desk.folder / "grid.csv").write_text("when,side,qty,type,price\n" + rows)
    rules = "\n".join(f"- {{id: g{number}, instrument: MSFT, table: grid.csv}}" for number in range(60))
    _, diagnostics = desk.load(rules)
    slugs = [one.code.slug for one in diagnostics]
    assert slugs.count("same-rules") <= 20
    assert any("40 more like this" in one.message for one in diagnostics)


def test_cautions(desk) -> None:
    order = "order: {side: sell, qty: 1, type: market}"
    ladder = f"- {{id: many, instrument: MSFT, when: last <= 50, ladder: {{step: -1, count: 3}}, oco: g, {order}}}"
    path = desk.folder / "test.yaml"
    desk.load(ladder)
    slugs = [one.code.slug for one in load_strategy(path).diagnostics]
    assert sorted(slugs) == ["no-collar", "oco-on-many"]
    desk.load(ladder.replace("type: market", "type: limit, price: 1").replace("oco: g, ", ""))
    assert load_strategy(path).diagnostics == []
    desk.load(ladder, "limits: {collar: 5%}\n")
    assert [one.code.slug for one in load_strategy(path).diagnostics] == ["oco-on-many"]
