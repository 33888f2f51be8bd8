# SPDX-License-Identifier: Apache-2.0
"""Strategies that are sound in each of their parts and dangerous as a whole: each has a warning with its places."""

import pytest

from fixaccel.pipeline import load_strategy

ENTRY = "- {id: entry, instrument: MSFT, when: last >= 1200, order: {side: buy, qty: 5, type: market}}"
BUY = "order: {side: buy, qty: 2, type: market}"
RESTING = "- {id: entry, instrument: MSFT, when: ask <= 1150, order: {side: buy, qty: 5, type: limit, price: 1149TIF}}"


def exit_(name: str, qty: int, more: str = "", when: str = "last <= 1100") -> str:
    return (
        f"\n- {{id: {name}, instrument: MSFT, when: {when}, armed_by: entry, {more}"
        f"order: {{side: sell, qty: {qty}, type: market}}}}"
    )


def found(desk, slug: str, rules: str, head: str = "") -> list[str]:
    return [d.message for d in desk.load(rules, head)[1] if d.code.slug == slug]


@pytest.mark.parametrize(
    ("rule", "limit", "rejected"),
    [
        ("when: last <= 1180, order: {side: sell, qty: 2, type: market}", "2359.99", "1180"),
        ("when: last <= 1180, order: {side: sell, qty: 2, type: market}", "2360", None),
        ("when: last >= 1180, order: {side: buy, qty: 2, type: market}", "2000", "1180"),
        ("when: mid > 1180, order: {side: buy, qty: 2, type: market}", "2360", "1180.005"),
        ("when: mid >= 1180, order: {side: buy, qty: 2, type: market}", "2360", None),
        ("when: last <= 1180, order: {side: sell, qty: 1, type: limit, price: 1100}", "1150", None),
        ("when: last <= 1180, ladder: {step: -9, count: 3}, order: {side: sell, qty: 2, type: market}", "2350", "1180"),
        (f"{BUY}, decide: {{source: last, intervals: [{{from: 9, to: 50}}]}}", "99", "50"),
        (f"{BUY}, decide: {{source: last, intervals: [{{from: 1, to: 9}}]}}", "99", None),
        ("trail: {source: last, by: 10}, order: {side: sell, qty: 2, type: market}", "1", None),
    ],
)  # fmt: skip
def test_a_market_order_that_its_own_limit_rejects(desk, rule: str, limit: str, rejected: str | None) -> None:
    head = f"limits: {{order_notional: {limit}}}\n"
    messages = found(desk, "over-notional", f"- {{id: a, instrument: MSFT, {rule}}}", head)
    assert [message.split(" ")[1] for message in messages] == ([rejected] if rejected else [])


def test_the_limit_of_the_rule_alone_rejects_too(desk) -> None:
    rule = f"- {{id: a, instrument: MSFT, when: last >= 50, {BUY}, limits: {{order_notional: 99}}}}"
    for head in ("", "limits: {order_notional: 1000}\n"):
        (message,) = found(desk, "over-notional", rule, head)
        assert "`order_notional: 99`" in message
    (message,) = found(desk, "over-notional", rule.replace("99", "1000"), "limits: {order_notional: 98}\n")
    assert "`order_notional: 98`" in message
    assert not found(desk, "over-notional", rule.replace("99", "100"))


def test_a_collar_of_the_rule_alone_is_one(desk) -> None:
    rule = f"- {{id: NAME, instrument: MSFT, when: last >= 50, {BUY}, limits: {{LIMIT: 5%}}}}\n"
    guarded = rule.replace("NAME", "a").replace("LIMIT", "collar")
    open_ = rule.replace("NAME", "b").replace("LIMIT: 5%", "total_orders: 5")
    for rules, line in ((guarded, []), (guarded + open_, [5])):
        desk.load(rules)
        found = load_strategy(desk.folder / "test.yaml").diagnostics
        assert [d.span.line for d in found if d.code.slug == "no-collar"] == line


def test_repeat_of_the_rule_alone_spends_too(desk) -> None:
    again = "rearm: {after: 1s, times: 2}, limits: {repeat: 2s}"
    rule = f"- {{id: a, instrument: MSFT, when: last >= 50, {BUY}, {again}}}"
    (message,) = found(desk, "repeat-spends", rule)
    assert "before 2s is rejected" in message
    (message,) = found(desk, "repeat-spends", rule, "limits: {repeat: 3s}\n")
    assert "before 3s is rejected" in message
    assert not found(desk, "repeat-spends", rule.replace("after: 1s", "after: 2s"))


def test_two_rules_that_both_reject_self_trade(desk) -> None:
    own = ", limits: {self_trade: reject}"
    rules = "".join(
        f"- {{id: {side}, instrument: MSFT, when: last >= 50, order: {{side: {side}, qty: 2, type: market}}OWN}}\n"
        for side in ("buy", "sell")
    )
    assert found(desk, "self-trade", rules.replace("OWN", ""))
    assert found(desk, "self-trade", rules.replace("OWN", own, 1).replace("OWN", ""))
    assert not found(desk, "self-trade", rules.replace("OWN", own))


@pytest.mark.parametrize(
    ("rule", "of_strategy", "of_rule", "limit"),
    [
        (f"when: last >= 50, {BUY}", 1, None, 1),
        (f"when: last >= 50, {BUY}", 2, None, None),
        (f"when: last >= 50, {BUY}", None, 1, 1),
        (f"when: last >= 50, {BUY}", 5, 1, 1),
        (f"when: last >= 50, {BUY}", 1, 5, 1),
        (f"trail: {{source: last, by: 10}}, {BUY}", 1, None, 1),
        (f"at: 15:55, {BUY}", 1, None, 1),
        (f"{BUY}, decide: {{source: last, intervals: [{{from: 9, to: 50}}]}}", 1, None, 1),
    ],
)
def test_an_order_larger_than_a_total(
    desk, rule: str, of_strategy: int | None, of_rule: int | None, limit: int | None
) -> None:
    total = "limits: {{per_instrument: {{MSFT: {{total_qty: {}}}, CLZ6: {{total_qty: 1}}}}}}"
    head = f"{total.format(of_strategy)}\n" if of_strategy else ""
    own = f", {total.format(of_rule)}" if of_rule else ""
    messages = found(desk, "over-total", f"- {{id: a, instrument: MSFT, {rule}{own}}}", head)
    assert [f"more than `total_qty: {limit}` of MSFT ever" in message for message in messages] == [True] * bool(limit)


def test_what_was_filled_is_no_order_larger_than_a_total(desk) -> None:
    """Nobody knows it before it is."""
    exits = ENTRY.replace("qty: 5", "qty: 1") + exit_("stop", 0).replace("qty: 0", "qty: filled").replace(
        "armed_by: entry", "armed_by: {rule: entry, on: filled}"
    )
    assert not found(desk, "over-total", exits, "limits: {per_instrument: {MSFT: {total_qty: 1}}}\n")


def test_the_multiplier_and_prices_below_zero_count(desk) -> None:
    rule = "- {id: a, instrument: CLZ6, when: last <= -50, order: {side: sell, qty: 2, type: market}}"
    assert found(desk, "over-notional", rule, "limits: {order_notional: 99999}\n")
    assert not found(desk, "over-notional", rule, "limits: {order_notional: 100000}\n")


def test_the_warning_says_how_many_steps_there_are(desk) -> None:
    rule = (
        "- {id: a, instrument: MSFT, when: last >= 1180, ladder: {step: 1, count: 3}, "
        "order: {side: buy, qty: 2, type: market}}"
    )
    (message,) = found(desk, "over-notional", rule, "limits: {order_notional: 2361}\n")
    assert "the market order of `a[2]` comes to more than `order_notional: 2361`" in message
    assert message.endswith("(and 1 more of `a`)")


STOP = "- {id: stop, instrument: MSFT, when: last <= 1100, oco: GROUP, order: {side: sell, qty: 5, type: market}}\n"
TAKE = "- {id: take, instrument: MSFT, when: last >= 1300, oco: GROUP, order: {side: sell, qty: 5, type: market}}\n"
LOW = "- {id: low, instrument: CLZ6, when: last <= 10, oco: OTHER, order: {side: sell, qty: 5, type: market}}\n"
HIGH = "- {id: high, instrument: CLZ6, when: last >= 99, oco: OTHER, order: {side: sell, qty: 5, type: market}}\n"


def grouped(*names: str) -> str:
    rules = (STOP, TAKE, LOW, HIGH)
    return "".join(rule.replace("GROUP", name).replace("OTHER", name) for rule, name in zip(rules, names, strict=False))


def test_a_group_of_one(desk) -> None:
    (message,) = found(desk, "oco-alone", grouped("exit"))
    assert message == "`stop` is all of its `oco` group `exit`: it cancels nothing, and nothing cancels it"
    assert found(desk, "oco-alone", grouped("exit", "exit")) == []


def test_a_group_of_one_names_its_neighbour(desk) -> None:
    diagnostics = desk.load(grouped("exit", "exit", "exti"))[1] + desk.load(grouped("exit", "exit", "exlt"))[1]
    helps = [d.help for d in diagnostics if d.code.slug == "oco-alone"]
    assert helps[1] == "did you mean `exit`?"
    assert helps[0] == "give the rules that belong to it the same name, or leave `oco` out"


def test_over_a_list_each_symbol_has_its_group(desk) -> None:
    rule = "- {id: a, instrument: [MSFT, CLZ6], when: last <= 90, oco: exit, order: {side: sell, qty: 1, type: market}}"
    (message, _) = found(desk, "oco-alone", rule) * 2
    assert message.startswith("`a@MSFT` is all of its `oco` group `exit`")


def test_a_sibling_may_be_disabled_for_a_while(desk) -> None:
    rules = grouped("exit", "exit").replace("id: take,", "id: take, enabled: false,")
    assert found(desk, "oco-alone", rules) == []


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("exit", "exlt", True),
        ("exit", "exits", True),
        ("exits", "exit", True),
        ("msft-entry", "msft-enry", True),
        ("exit-1", "exit-2", False),
        ("exit1", "exit", False),
        ("leg-a", "leg-b", False),
        ("a", "b", False),
        ("long", "short", False),
    ],
)
def test_names_one_letter_apart(desk, one: str, other: str, near: bool) -> None:
    messages = found(desk, "oco-names", grouped(one, one, other, other))
    said = f"the `oco` groups `{one}` and `{other}` are one letter apart: neither cancels the other"
    assert messages == ([said] if near else [])


@pytest.mark.parametrize(("tif", "rests"), [("", 1), (", tif: gtc", 1), (", tif: ioc", 0), (", tif: fok", 0)])
def test_an_exit_of_an_entry_that_may_rest(desk, tif: str, rests: int) -> None:
    messages = found(desk, "exit-of-resting", RESTING.replace("TIF", tif) + exit_("stop", 5))
    assert len(messages) == rests
    assert all(message.startswith("`stop` is armed when the limit order of `entry` is sent") for message in messages)


def test_what_is_no_exit_may_be_armed_by_what_rests(desk) -> None:
    resting = RESTING.replace("TIF", "")
    more = exit_("more", 5).replace("sell", "buy")
    other = exit_("hedge", 5).replace("MSFT", "CLZ6").replace("1100", "90")
    assert found(desk, "exit-of-resting", resting + more + other) == []
    again = (
        more.replace("id: more", "id: again").replace("armed_by: entry", "armed_by: stop").replace("qty: 5", "qty: 9")
    )
    limit = exit_("stop", 5).replace("type: market", "type: limit, price: 1100")
    assert found(desk, "exit-of-resting", ENTRY + limit + again) == [], "what an exit arms is an entry again"
    assert found(desk, "exit-larger", ENTRY + limit + again) == []


@pytest.mark.parametrize(
    ("exits", "words"),
    [
        (exit_("stop", 5), None),
        (exit_("stop", 6), "`stop` sells 6, and `entry` buys 5"),
        (exit_("stop", 5) + exit_("take", 5, when="last >= 1300"), "`stop` and `take` sell together 10"),
        (exit_("stop", 5, "oco: x, ") + exit_("take", 5, "oco: x, ", when="last >= 1300"), None),
        (exit_("stop", 3) + exit_("take", 2, when="last >= 1300"), None),
        (exit_("stop", 2, "ladder: {step: -1, count: 3}, "), "`stop` can sell 6, and `entry` buys 5"),
        (exit_("stop", 1, "ladder: {step: -1, count: 5}, "), None),
        (exit_("stop", 5, "oco: x, ladder: {step: -1, count: 5}, "), None),
        (
            exit_("s1", 2) + exit_("s2", 2) + exit_("s3", 2) + exit_("s4", 2),
            "`s1`, `s2`, `s3` and 1 more sell together 8",
        ),
    ],
)
def test_exits_larger_than_their_entry(desk, exits: str, words: str | None) -> None:
    messages = found(desk, "exit-larger", ENTRY + exits)
    assert len(messages) == (words is not None)
    assert all(words in message for message in messages)


def test_one_step_of_a_ladder_is_an_entry(desk) -> None:
    ladder = ENTRY.replace("order:", "ladder: {step: 1, count: 5}, order:").replace("qty: 5", "qty: 1")
    (message,) = found(desk, "exit-larger", ladder + exit_("stop", 5))
    assert "`stop` sells 5, and an order of `entry` buys 1" in message
    last = exit_("stop", 2).replace("armed_by: entry", 'armed_by: "entry[5]"')
    assert "and `entry[5]` buys 1" in found(desk, "exit-larger", ladder + last)[0]


def test_a_rule_over_a_list_is_said_once(desk) -> None:
    rules = (ENTRY + exit_("stop", 6)).replace("MSFT", "[MSFT, CLZ6]").replace("1200", "120").replace("1100", "90")
    assert len(found(desk, "exit-larger", rules)) == 1


def test_beside_an_error_none_of_it_is_said(desk) -> None:
    rules = ENTRY + exit_("stop", 6) + exit_("stop", 6)
    assert "exit-larger" not in desk.slugs(rules)
