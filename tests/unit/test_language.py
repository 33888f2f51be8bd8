# SPDX-License-Identifier: Apache-2.0
"""Conditions and orders: what they mean, and what is said of texts that mean nothing."""

import pytest

from fixaccel.language.forms import Condition
from fixaccel.language.terms import Direction, OrderType, Side, Source, TimeInForce

MARKET = "order: {side: sell, qty: 100, type: market}"


@pytest.mark.parametrize(
    ("instrument", "when", "direction", "threshold"),
    [
        ("MSFT", "last <= 1180", Direction.LE, 118000),
        ("MSFT", "last>=1180.50", Direction.GE, 118050),
        ("MSFT", "last > 1180.500", Direction.GE, 118051),
        ("MSFT", "last < 1180", Direction.LE, 117999),
        ("7203", "last > 999.9", Direction.GE, 10000),
        ("7203", "last > 1000", Direction.GE, 10005),
        ("7203", "last < 1000", Direction.LE, 9999),
        ("7203", "last < 5000", Direction.LE, 49995),
        ("CLZ6", "last <= -37.50", Direction.LE, -3750),
        ("CLZ6", "last < 0", Direction.LE, -1),
        ("CLZ6", '"last  >  -0"', Direction.GE, 1),
    ],
)
def test_strict_conditions_become_inclusive(
    desk, instrument: str, when: str, direction: Direction, threshold: int
) -> None:
    condition = desk.rule(instrument, when).rules[0].condition
    assert condition == Condition(Source.LAST, direction, threshold, "")
    assert condition.text == when.strip('"')


@pytest.mark.parametrize(
    ("when", "slug"),
    [
        ("middle >= 5", "bad-condition"),
        ("last == 5", "bad-condition"),
        ("last => 5", "bad-condition"),
        ("5 <= last", "bad-condition"),
        ("bid/ask >= 5", "bad-condition"),
        ("last >= 5 and bid >= 4", "bad-condition"),
        ("last >=", "bad-condition"),
        ("last", "bad-condition"),
        ('">= 5"', "bad-condition"),
        ("last >= +5", "bad-condition"),
        ("last >= 1e3", "bad-condition"),
        ("last >= ٣", "bad-condition"),
        ("last >= 1,180", "bad-condition"),
        ("last >= 1180.001", "off-grid"),
        ("last >= 0.001", "outside-range"),
        ("last >= 10001", "outside-range"),
        ("last > 10000", "outside-range"),
        ("[last >= 5]", "wrong-shape"),
    ],
)
def test_conditions_that_are_none(desk, when: str, slug: str) -> None:
    assert desk.rule_slugs(when=when) == [slug]


def test_off_grid_names_both_neighbours_and_the_tick(desk) -> None:
    _, diagnostics = desk.load(f'- id: a\n  instrument: "7203"\n  when: last <= 1000.3\n  {MARKET}')
    assert diagnostics[0].help == "write 1000 or 1000.5"
    assert diagnostics[0].related[0].label == "the tick here is 0.5"
    tick = diagnostics[0].related[0].span
    assert desk.venue.splitlines()[tick.line - 1][tick.column - 1 : tick.end_column - 1] == "0.5"


def test_instruments_are_text(desk) -> None:
    for name in ("7203", '"7203"', "'7203'"):
        assert desk.rule(name).rules[0].instrument.symbol == "7203"
    assert desk.rule_slugs("07203") == ["unknown-instrument"]
    assert desk.rule_slugs("7203.0") == ["unknown-instrument"]


@pytest.mark.parametrize(
    ("price", "units"),
    [
        ("1100", 110000),
        ("trigger", 118000),
        ("trigger + 2 ticks", 118002),
        ("trigger - 1 tick", 117999),
        ("trigger-10 ticks", 117990),
    ],
)
def test_order_prices(desk, price: str, units: int) -> None:
    order = desk.rule(more=f"order: {{side: sell, qty: 1, type: limit, price: {price}}}").rules[0].order
    assert order.price == units


def test_ticks_from_the_trigger_follow_the_table(desk) -> None:
    more = "order: {side: buy, qty: 100, type: limit, price: trigger - 3 ticks}"
    assert desk.rule("7203", "last >= 1000.5", more).rules[0].order.price == 9998


@pytest.mark.parametrize(
    ("order", "slugs"),
    [
        ("{side: sell, qty: 1, type: limit}", ["order-price"]),
        ("{side: sell, qty: 1, type: market, price: 5}", ["order-price"]),
        ("{side: sell, qty: 1, type: limit, price: 5.001}", ["off-grid"]),
        ("{side: sell, qty: 1, type: limit, price: trigger - 5}", ["bad-order-price"]),
        ("{side: sell, qty: 1, type: limit, price: trigger - 999999999 ticks}", ["outside-range"]),
        ("{side: sell, qty: 0, type: market}", ["not-a-lot"]),
        ("{side: sell, qty: -1, type: market}", ["not-a-lot"]),
        ("{side: sell, qty: 1.5, type: market}", ["not-a-lot"]),
        ("{side: sell, qty: 12345678901, type: market}", ["too-wide"]),
        ("{side: short, qty: 1, type: market}", ["bad-choice"]),
        ("{side: sell, qty: 1, type: stop}", ["bad-choice"]),
        ("{side: sell, qty: 1, type: market, tif: week}", ["bad-choice"]),
        ("{side: sell, type: market}", ["missing-order-key"]),
        ("{}", ["missing-order-key"] * 3),
        ("{side: sell, qty: 1, type: market, fields: {11: a}}", ["owned-field"]),
        ("{side: sell, qty: 1, type: market, fields: {x: a}}", ["bad-number"]),
        ("{side: sell, qty: 1, type: market, fields: {58: é}}", ["bad-text"]),
        ('{side: sell, qty: 1, type: market, fields: {58: "a\\x01b"}}', ["bad-text"]),
    ],
)
def test_orders_that_are_none(desk, order: str, slugs: list[str]) -> None:
    assert desk.rule_slugs(more=f"order: {order}") == slugs


def test_orders_are_merged_over_the_defaults(desk) -> None:
    head = "defaults:\n  order: {side: buy, qty: 7, tif: ioc, account: X, fields: {58: a, 100: b}}\n"
    order = desk.rule(more='order: {side: sell, type: market, fields: {58: "c"}}', head=head).rules[0].order
    assert (order.side, order.qty, order.type, order.tif, order.account) == (
        Side.SELL,
        7,
        OrderType.MARKET,
        TimeInForce.IOC,
        "X",
    )
    assert order.fields == {58: "c", 100: "b"}


def test_lists_disabled_rules_and_numbers(desk) -> None:
    strategy, _ = desk.load(
        f"- {{id: off, instrument: MSFT, when: last <= 1, enabled: false, {MARKET}}}\n"
        f"- {{id: many, instrument: [MSFT, 7203], when: last <= 100, {MARKET}}}\n"
        f"- {{id: one, instrument: [CLZ6], when: last <= 100, note: kept, {MARKET}}}"
    )
    assert strategy
    assert [(rule.id, rule.index) for rule in strategy.rules] == [("many@MSFT", 0), ("many@7203", 1), ("one@CLZ6", 2)]
    assert strategy.rules[2].note == "kept"


WRITTEN_OUT = (
    "confirm: 1",
    "if_already_through: fire",
    "rearm: never",
    "enabled: true",
    "note: |\n    two\n    lines",
)


@pytest.mark.parametrize("line", WRITTEN_OUT)
def test_defaults_may_be_written_out(desk, line: str) -> None:
    assert desk.rule(more=f"{line}\n  {MARKET}").rules
