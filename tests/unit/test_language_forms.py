# SPDX-License-Identifier: Apache-2.0
"""Every form of rule: what its columns hold, and what is refused."""

import pytest

from fixaccel.language.forms import Condition, Decision, DistanceKind, Trail
from fixaccel.language.rules import RearmAfter, RearmReset, Strategy, Through, Window
from fixaccel.language.terms import Direction, OrderType, Side, Source

SELL = "order: {side: sell, qty: 100, type: market}"
BUY = "order: {side: buy, qty: 100, type: limit, price: trigger + 2 ticks}"


def loaded(desk, rules: str, head: str = "") -> Strategy:
    strategy, diagnostics = desk.load(rules, head)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    return strategy


@pytest.mark.parametrize(
    ("when", "direction", "threshold"),
    [
        ("mid <= 1180", Direction.LE, 236000),
        ("mid >= 1180.01", Direction.GE, 236002),
        ("mid > 1180", Direction.GE, 236001),
        ("mid < 1180", Direction.LE, 235999),
    ],
)
def test_mid_is_compared_doubled(desk, when: str, direction: Direction, threshold: int) -> None:
    assert desk.rule("MSFT", when).rules[0].condition == Condition(Source.MID, direction, threshold, "")


@pytest.mark.parametrize(
    ("instrument", "when", "side", "price", "expected"),
    [
        ("MSFT", "mid > 1180", "buy", "trigger", 118000),
        ("MSFT", "mid > 1180", "sell", "trigger", 118001),
        ("MSFT", "mid < 1180", "buy", "trigger", 117999),
        ("MSFT", "mid <= 1180", "sell", "trigger", 118000),
        ("MSFT", "mid > 1180", "sell", "trigger + 2 ticks", 118003),
        ("7203", "mid > 1000", "buy", "trigger", 10000),
        ("7203", "mid > 1000", "sell", "trigger", 10005),
        ("CLZ6", "mid < 0", "buy", "trigger", -1),
        ("CLZ6", "mid < 0", "sell", "trigger", 0),
    ],
)
def test_the_trigger_of_mid_is_rounded_to_the_grid(
    desk, instrument: str, when: str, side: str, price: str, expected: int
) -> None:
    order = f"order: {{side: {side}, qty: 100, type: limit, price: {price}}}"
    assert desk.rule(instrument, when, order).rules[0].order.price == expected


@pytest.mark.parametrize("when", ["mid > 10000", "mid < 0.01"])
def test_mid_beyond_the_price_range(desk, when: str) -> None:
    assert desk.rule_slugs(when=when) == ["outside-range"]


def test_a_ladder_by_price(desk) -> None:
    strategy = desk.rule("MSFT", "ask <= 1150", f"ladder: {{step: -5, count: 10}}\n  {BUY}")
    rules = list(strategy.rules)
    assert [rule.id for rule in rules] == [f"a[{number}]" for number in range(1, 11)]
    assert [rule.condition.threshold for rule in rules] == list(range(115000, 110000, -500))
    assert [rule.order.price for rule in rules] == list(range(115002, 110002, -500))
    assert rules[3].condition.text == "ask <= 1135"
    assert {rule.order.side for rule in rules} == {Side.BUY}


def test_a_ladder_in_ticks_follows_the_table(desk) -> None:
    strategy = desk.rule("7203", "last >= 999.8", f"ladder: {{step: 1 tick, count: 5}}\n  {SELL}")
    assert [rule.condition.threshold for rule in strategy.rules] == [9998, 9999, 10000, 10005, 10010]


def test_a_strict_ladder(desk) -> None:
    strategy = desk.rule("7203", "last > 999.9", f"ladder: {{step: 0.1, count: 2}}\n  {SELL}")
    assert [rule.condition.threshold for rule in strategy.rules] == [10000, 10005]


def test_a_ladder_on_mid(desk) -> None:
    more = "ladder: {step: 0.01, count: 3}\n  order: {side: sell, qty: 1, type: limit, price: trigger - 1 tick}"
    rules = desk.rule("MSFT", "mid > 1180", more).rules
    assert [rule.condition.threshold for rule in rules] == [236001, 236003, 236005]
    assert [rule.order.price for rule in rules] == [118000, 118001, 118002]
    assert [rule.condition.text for rule in rules] == ["mid >= 1180.005", "mid >= 1180.015", "mid >= 1180.025"]


def test_a_ladder_with_one_price(desk) -> None:
    more = "ladder: {step: 5, count: 2}\n  order: {side: sell, qty: 1, type: limit, price: 1100}"
    assert [rule.order.price for rule in desk.rule(more=more).rules] == [110000, 110000]


def test_a_ladder_over_a_list(desk) -> None:
    strategy = desk.rule("[MSFT, CLZ6]", "last <= 100", f"ladder: {{step: -1, count: 2}}\n  {SELL}")
    assert [rule.id for rule in strategy.rules] == ["a@MSFT[1]", "a@MSFT[2]", "a@CLZ6[1]", "a@CLZ6[2]"]
    assert [block.first for block in strategy.blocks] == [0, 2]


@pytest.mark.parametrize(
    ("instrument", "when", "ladder", "message"),
    [
        ("7203", "last >= 999.8", "{step: 0.1, count: 4}", "step 4 of the ladder comes to 1000.1, between the ticks"),
        ("MSFT", "last >= 1", "{step: 0.005, count: 4}", "step 2 of the ladder comes to 1.005, between the ticks"),
        ("MSFT", "last >= 9999", "{step: 1, count: 3}", "step 3 of the ladder comes to 10001, outside the price range"),
        ("MSFT", "last <= 1", "{step: -99999999999, count: 1000000}", "step 2 of the ladder comes to -99999999998,"),
        ("MSFT", "last <= 1", "{step: 999999999999999999999999, count: 3}", "step 2 of the ladder comes to 1000000000"),
        ("MSFT", "last <= 1", "{step: -999999999 ticks, count: 1000000}", "step 2 of the ladder comes to "),
        ("MSFT", "last > 9999.98", "{step: 0.01, count: 3}", "step 3 of the ladder comes to > 10000: no price"),
        ("MSFT", "mid > 9999.98", "{step: 0.01, count: 3}", "step 3 of the ladder comes to > 10000: no price"),
        ("MSFT", "mid < 0.03", "{step: -0.01, count: 3}", "step 3 of the ladder comes to < 0.01: no price"),
    ],
)
def test_steps_that_are_no_prices(desk, instrument: str, when: str, ladder: str, message: str) -> None:
    _, diagnostics = desk.load(f'- id: a\n  instrument: "{instrument}"\n  when: {when}\n  ladder: {ladder}\n  {SELL}')
    assert [diagnostic.code.slug for diagnostic in diagnostics] == ["ladder-step"]
    assert diagnostics[0].message.startswith(message)
    assert diagnostics[0].help


def test_an_order_price_of_a_step_out_of_range(desk) -> None:
    more = "ladder: {step: 1, count: 5}\n  order: {side: buy, qty: 1, type: limit, price: trigger + 200 ticks}"
    assert desk.rule_slugs(when="last >= 9995", more=more) == ["ladder-step"]


def test_a_million_steps(desk) -> None:
    strategy = desk.rule("MSFT", "last >= 0.01", f"ladder: {{step: 1 tick, count: 1000000}}\n  {SELL}")
    assert len(strategy.rules) == 1_000_000
    assert strategy.rules[999_999].condition.threshold == 1_000_000
    assert strategy.rules[-1].id == "a[1000000]"


@pytest.mark.parametrize(
    ("ladder", "slug"),
    [
        ("{step: 0, count: 3}", "bad-distance"),
        ("{step: 0 ticks, count: 3}", "bad-distance"),
        ("{step: 5%, count: 3}", "bad-distance"),
        ("{step: +5, count: 3}", "bad-distance"),
        ("{step: 5, count: 0}", "bad-number"),
        ("{step: 5, count: 1000001}", "bad-number"),
        ("{step: 5, count: " + "9" * 3999 + "}", "bad-number"),
        ("{step: 5}", "missing-key"),
        ("{count: 5}", "missing-key"),
        ("[5, 3]", "wrong-shape"),
    ],
)
def test_ladders_that_are_none(desk, ladder: str, slug: str) -> None:
    assert desk.rule_slugs(more=f"ladder: {ladder}\n  {SELL}") == [slug]


def trail(desk, by: str, instrument: str = "MSFT", order: str = SELL, more: str = "") -> Trail:
    strategy = loaded(
        desk, f'- id: a\n  instrument: "{instrument}"\n  trail: {{source: last, by: {by}{more}}}\n  {order}'
    )
    assert isinstance(strategy.blocks[0].form, Trail)
    return strategy.blocks[0].form


@pytest.mark.parametrize(
    ("by", "kind", "value"),
    [
        ("10", DistanceKind.PRICE, 1000),
        ("0.01", DistanceKind.PRICE, 1),
        ("50 ticks", DistanceKind.TICKS, 50),
        ("1 tick", DistanceKind.TICKS, 1),
        ("1.5%", DistanceKind.PERCENT, 15000),
        ("0.0001%", DistanceKind.PERCENT, 1),
        ("'100 %'", DistanceKind.PERCENT, 1_000_000),
    ],
)
def test_trails(desk, by: str, kind: DistanceKind, value: int) -> None:
    form = trail(desk, by)
    assert (form.by.kind, form.by.value, form.by.text) == (kind, value, by.strip("'"))
    assert form.activate is None
    assert (len(form), form.orders[0].side) == (1, Side.SELL)


def test_a_trail_that_is_activated(desk) -> None:
    form = trail(desk, "10", more=", activate: mid > 1250")
    assert form.source is Source.LAST
    assert form.activate == Condition(Source.MID, Direction.GE, 250001, "")


@pytest.mark.parametrize(("price", "fixed", "ticks"), [("1100", 110000, None), ("trigger - 5 ticks", None, -5)])
def test_the_limit_price_of_a_trail(desk, price: str, fixed: int | None, ticks: int | None) -> None:
    order = trail(desk, "10", order=f"order: {{side: sell, qty: 1, type: limit, price: {price}}}").orders[0]
    assert (order.type, order.price, order.ticks) == (OrderType.LIMIT, fixed, ticks)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("{source: last, by: 0}", "bad-distance"),
        ("{source: last, by: -5}", "bad-distance"),
        ("{source: last, by: 0 ticks}", "bad-distance"),
        ("{source: last, by: ten}", "bad-distance"),
        ("{source: last, by: 0%}", "bad-percent"),
        ("{source: last, by: 101%}", "bad-percent"),
        ("{source: last, by: 1.00001%}", "bad-percent"),
        ("{source: last, by: x%}", "bad-percent"),
        ("{source: last, by: 0.005}", "trail-distance"),
        ("{source: last, by: 10000}", "trail-distance"),
        ("{source: last, by: 10, activate: last >= 1180.001}", "off-grid"),
        ("{source: last, by: 10, activate: last 1180}", "bad-condition"),
        ("{source: high, by: 10}", "bad-choice"),
        ("{by: 10}", "missing-key"),
        ("last", "wrong-shape"),
    ],
)
def test_trails_that_are_none(desk, text: str, slug: str) -> None:
    assert desk.slugs(f"- id: a\n  instrument: MSFT\n  trail: {text}\n  {SELL}") == [slug]


BANDS = """\
- id: a
  instrument: {instrument}
  decide:
    source: {source}
    {over}
    intervals:
      {intervals}
  order: {{side: buy, qty: 100, type: market}}"""


def bands(intervals: str, source: str = "last", over: str = "", instrument: str = "MSFT") -> str:
    lines = "\n      ".join(f"- {interval}" for interval in intervals.split(" | "))
    return BANDS.format(source=source, over=over, intervals=lines, instrument=instrument)


def test_a_decision_written_out(desk) -> None:
    text = bands("{from: 1120.01, to: 1140, order: {side: sell, qty: 7}} | {from: 1100, to: 1120}")
    block = loaded(desk, text).blocks[0]
    assert isinstance(block.form, Decision)
    assert block.form.low.tolist() == [110000, 112001]
    assert block.form.high.tolist() == [112000, 114000]
    assert block.form.over == (110000, 114000)
    assert [(order.side, order.qty) for order in map(block.form.orders.__getitem__, range(2))] == [
        (Side.BUY, 100),
        (Side.SELL, 7),
    ]
    assert len(block) == 1


def test_a_decision_on_mid_is_doubled(desk) -> None:
    form = loaded(desk, bands("{from: 1100, to: 1120}", "mid", "over: 1000..1200")).blocks[0].form
    assert isinstance(form, Decision)
    assert (form.low.tolist(), form.high.tolist(), form.over) == ([220000], [224000], (200000, 240000))


@pytest.mark.parametrize(
    ("intervals", "over", "slugs"),
    [
        ("{from: 1100, to: 1120} | {from: 1120, to: 1140}", "", ["intervals-overlap"]),
        ("{from: 1100, to: 1120} | {from: 1100, to: 1120}", "", ["intervals-overlap"]),
        ("{from: 1100, to: 1099}", "", ["bad-interval"]),
        ("{from: 1100, to: 1120}", "over: 1110..1200", ["bad-interval"]),
        ("{from: 1100, to: 1120}", "over: 1200..1100", ["bad-interval"]),
        ("{from: 1100.001, to: 1120}", "", ["off-grid"]),
        ("{from: 1100, to: 11200}", "", ["outside-range"]),
        ("{from: 1100, to: 1120, order: {type: limit, price: trigger}}", "", ["no-trigger"]),
        ("{from: 1100, to: 1120, order: {side: up}}", "", ["bad-choice"]),
        ("{from: 1100}", "", ["missing-key"]),
        ("{from: 1100, to: 1120}", "python: a.py:decide", ["one-of"]),
    ],
)
def test_decisions_that_are_none(desk, intervals: str, over: str, slugs: list[str]) -> None:
    assert sorted(set(desk.slugs(bands(intervals, over=over)))) == slugs


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("{source: last}", "one-of"),
        ("{source: last, intervals: []}", "empty-value"),
        ("{source: last, python: a.py:decide}", "missing-key"),
        ("{source: last, over: 1..2, python: decide}", "bad-function"),
        ("{source: last, over: 1..2, python: ../a.py:1x}", "bad-function"),
        ("{source: last, over: 1-2, python: a.py:decide}", "bad-range"),
    ],
)
def test_decide_keys(desk, text: str, slug: str) -> None:
    assert desk.slugs(f"- id: a\n  instrument: MSFT\n  decide: {text}\n  {SELL}") == [slug]


def test_an_order_is_needed_by_some_interval(desk) -> None:
    rule = "- id: a\n  instrument: MSFT\n  decide: {source: last, intervals: [{from: 1, to: 2}]}"
    assert desk.slugs(rule) == ["missing-order-key"] * 3
    assert loaded(desk, rule, "defaults: {order: {side: buy, qty: 1, type: market}}\n")


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("confirm: 2", "trail: {source: last, by: 10}"),
        ("if_already_through: wait", "trail: {source: last, by: 10}"),
        ("confirm: 1", "decide: {source: last, intervals: [{from: 1, to: 2}]}"),
        ("if_already_through: fire", "decide: {source: last, intervals: [{from: 1, to: 2}]}"),
        ("ladder: {step: 1, count: 2}", "trail: {source: last, by: 10}"),
        ("ladder: {step: 1, count: 2}", "decide: {source: last, intervals: [{from: 1, to: 2}]}"),
    ],
)
def test_keys_that_do_not_go_together(desk, line: str, form: str) -> None:
    assert desk.slugs(f"- id: a\n  instrument: MSFT\n  {form}\n  {line}\n  {SELL}") == ["does-not-go-with"]


@pytest.mark.parametrize("form", ["when: last <= 5", "trail: {source: last, by: 1}"])
def test_an_order_is_needed_even_if_the_defaults_say_all(desk, form: str) -> None:
    head = "defaults: {order: {side: buy, qty: 1, type: market}}\n"
    assert desk.slugs(f"- id: a\n  instrument: MSFT\n  {form}", head) == ["missing-key"]


def test_confirm_and_through(desk) -> None:
    block = desk.rule(more=f"confirm: 2\n  if_already_through: reject\n  {SELL}").blocks[0]
    assert block.through is Through.REJECT
    assert desk.rule(more=f"confirm: 2\n  {SELL}").rules[0].confirm == 2
    assert desk.rule(more=f"confirm: 2\n  ladder: {{step: 1, count: 2}}\n  {SELL}").rules[1].confirm == 2
    assert desk.rule_slugs(more=f"confirm: 3\n  {SELL}") == ["bad-choice"]


def test_during(desk) -> None:
    strategy = desk.rule(more=f'during: [09:30-16:00, "22:00-00:00"]\n  {SELL}')
    assert strategy.blocks[0].during == (Window(570, 960), Window(1320, 0))


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ("9:30-16:00", "write `09:30-16:00`"),
        ("09:30-24:00", "the end of the day is 00:00: write `09:30-00:00`"),
        ("09:30..16:00", "write `09:30-16:00`"),
        ("09:60-16:00", "hours go from 00 to 23, minutes from 00 to 59"),
        ("09:30-09:30", "leave `during` out where the whole day is meant"),
        ("morning", "write two times of 24 hours with a `-` between them: `09:30-16:00`"),
    ],
)
def test_times_that_are_none(desk, text: str, way_out: str) -> None:
    _, diagnostics = desk.load(f"- id: a\n  instrument: MSFT\n  when: last <= 5\n  during: [{text}]\n  {SELL}")
    assert [(diagnostic.code.slug, diagnostic.help) for diagnostic in diagnostics] == [("bad-times", way_out)]


@pytest.mark.parametrize("line", ["during: []", "instrument: []"])
def test_lists_that_are_empty(desk, line: str) -> None:
    instrument = "" if line.startswith("instrument") else "instrument: MSFT, "
    assert desk.slugs(f"- {{id: a, {instrument}when: last <= 5, {line}, {SELL}}}") == ["empty-value"]


def test_rearm(desk) -> None:
    after = desk.rule(more=f"rearm: {{after: 30s, times: 3}}\n  {SELL}").blocks[0]
    assert after.rearm == RearmAfter(30 * 10**9, 3)
    reset = desk.rule(more=f"rearm: {{reset: bid > 1190, times: 1}}\n  {SELL}").blocks[0]
    assert reset.rearm == RearmReset(Condition(Source.BID, Direction.GE, 119001, ""), 1)
    assert desk.rule(more=f"rearm: never\n  {SELL}").blocks[0].rearm is None


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("always", "bad-choice"),
        ("{times: 3}", "one-of"),
        ("{after: 5s, reset: last >= 5, times: 3}", "one-of"),
        ("{after: 5s}", "missing-key"),
        ("{after: 0s, times: 3}", "bad-duration"),
        ("{after: 999999999h, times: 3}", "bad-duration"),
        ("{after: 5, times: 3}", "bad-duration"),
        ("{after: 5s, times: 0}", "bad-number"),
        ("{reset: last >= 5.001, times: 1}", "off-grid"),
        ("[never]", "wrong-shape"),
    ],
)
def test_rearms_that_are_none(desk, text: str, slug: str) -> None:
    assert desk.rule_slugs(more=f"rearm: {text}\n  {SELL}") == [slug]
