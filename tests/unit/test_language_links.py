# SPDX-License-Identifier: Apache-2.0
"""`oco`, `armed_by`, `limits`, and where each part runs."""

from decimal import Decimal
from itertools import product

import pytest

from fixaccel.language.placements import Placement
from fixaccel.language.rules import NO_GROUP, Limits, Strategy
from fixaccel.passes.placement import MOST_WINDOWS

MARKET = "order: {side: sell, qty: 100, type: market}"
LIMIT = "order: {side: sell, qty: 100, type: limit, price: 1100}"
RUNTIME = "rearm: {after: 1s, times: 32767}"  # where a rule with it runs


def rule(name: str, more: str = "", instrument: str = "MSFT", order: str = MARKET, when: str = "last <= 400") -> str:
    extra = f", {more}" if more else ""
    return f"- {{id: {name}, instrument: {instrument}, when: {when}{extra}, {order}}}\n"


def loaded(desk, rules: str, head: str = "") -> Strategy:
    strategy, diagnostics = desk.load(rules, head)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    return strategy


def only(desk, rules: str, head: str = ""):
    """The one error."""
    errors = [diagnostic for diagnostic in desk.load(rules, head)[1] if diagnostic.is_error]
    assert len(errors) == 1, errors
    return errors[0]


def groups(strategy: Strategy) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {name: [] for name in strategy.groups}
    for part in strategy.rules:
        if part.group != NO_GROUP:
            members[strategy.groups[part.group]].append(part.id)
    return members


def parents(strategy: Strategy) -> dict[str, list[str] | None]:
    return {
        block.id: None
        if block.parents is None
        else [strategy.rules[index].id for reach in block.parents for index in reach]
        for block in strategy.blocks
    }


def test_a_group_of_single_rules(desk) -> None:
    strategy = loaded(desk, rule("a", "oco: x") + rule("b") + rule("c", "oco: x", "CLZ6"))
    assert groups(strategy) == {"x": ["a", "c"]}
    assert strategy.blocks[1].oco is None


def test_a_group_of_lists_is_one_for_each_symbol(desk) -> None:
    text = rule("a", "oco: x", "[MSFT, CLZ6]") + rule("b", "oco: x", "[CLZ6]")
    assert groups(loaded(desk, text)) == {"x@MSFT": ["a@MSFT"], "x@CLZ6": ["a@CLZ6", "b@CLZ6"]}


def test_a_group_of_a_list_and_a_single_rule_is_one(desk) -> None:
    text = rule("a", "oco: x", "[MSFT, CLZ6]") + rule("b", "oco: x", "CLZ6")
    assert groups(loaded(desk, text)) == {"x": ["a@MSFT", "a@CLZ6", "b"]}


def test_all_steps_of_a_ladder_are_in_the_group(desk) -> None:
    text = rule("a", "oco: x, ladder: {step: -1, count: 3}")
    assert groups(loaded(desk, text)) == {"x": ["a[1]", "a[2]", "a[3]"]}


@pytest.mark.parametrize("name", ["Two Words", "a@b", "x" * 33])
def test_group_names(desk, name: str) -> None:
    assert only(desk, rule("a", f"oco: {name}")).code.slug == "bad-id"


def test_armed_by_a_rule_that_comes_later(desk) -> None:
    strategy = loaded(desk, rule("child", "armed_by: entry") + rule("entry"))
    assert parents(strategy) == {"child": ["entry"], "entry": None}


def test_any_part_of_the_parent_arms(desk) -> None:
    text = rule("grid", "ladder: {step: -1, count: 2}", "[MSFT, CLZ6]") + rule("child", "armed_by: grid")
    strategy = loaded(desk, text)
    assert parents(strategy)["child"] == ["grid@MSFT[1]", "grid@MSFT[2]", "grid@CLZ6[1]", "grid@CLZ6[2]"]
    assert strategy.blocks[2].parents == (range(4),)


def test_between_lists_symbol_by_symbol(desk) -> None:
    text = rule("in", "", "[MSFT, CLZ6]") + rule("out", "armed_by: in", "[CLZ6, MSFT]")
    assert parents(loaded(desk, text)) == {
        "in@MSFT": None,
        "in@CLZ6": None,
        "out@CLZ6": ["in@CLZ6"],
        "out@MSFT": ["in@MSFT"],
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("grid@MSFT[2]", ["grid@MSFT[2]"]),
        ("grid@CLZ6", ["grid@CLZ6[1]", "grid@CLZ6[2]"]),
        ("one[1]", ["one[1]"]),
        ("one", ["one[1]", "one[2]"]),
    ],
)
def test_armed_by_one_part(desk, name: str, expected: list[str]) -> None:
    text = rule("grid", "ladder: {step: -1, count: 2}", "[MSFT, CLZ6]") + rule("one", "ladder: {step: -1, count: 2}")
    assert parents(loaded(desk, text + rule("child", f'armed_by: "{name}"')))["child"] == expected


@pytest.mark.parametrize(
    ("name", "message", "way_out"),
    [
        ("entri", "there is no rule `entri`", "did you mean `entry`?"),
        ("zzz", "there is no rule `zzz`", "name the id of a rule, or one part of it such as `grid[3]`"),
        ("off", "`off` is disabled: nothing would arm this rule", "enable it, or disable this one too"),
        ("grid[3]", "`grid` has no part `grid[3]`", "its parts go from `grid[1]` to `grid[2]`"),
        ("entry[1]", "`entry` has no part `entry[1]`", "its parts are `entry`"),
        ("many[1]", "`many` has no part `many[1]`", "its parts are `many@MSFT`, `many@CLZ6`"),
        ("grid[0]", "`grid` has no part `grid[0]`", "its parts go from `grid[1]` to `grid[2]`"),
    ],
)
def test_parents_that_are_none(desk, name: str, message: str, way_out: str) -> None:
    text = (
        rule("entry")
        + rule("off", "enabled: false")
        + rule("grid", "ladder: {step: -1, count: 2}")
        + rule("many", "", "[MSFT, CLZ6]")
    )
    error = only(desk, text + rule("child", f'armed_by: "{name}"'))
    assert (error.code.slug, error.message, error.help) == ("unknown-parent", message, way_out)


def test_a_parent_without_the_symbol(desk) -> None:
    error = only(desk, rule("in", "", "[MSFT]") + rule("out", "armed_by: in", "[MSFT, CLZ6]"))
    assert (error.code.slug, error.help) == ("parent-lacks-symbol", "add CLZ6 there, or take it out here")


def test_cycles_are_shown_once_with_their_path(desk) -> None:
    text = (
        rule("tail", "armed_by: a")
        + rule("a", "armed_by: b")
        + rule("b", "armed_by: c")
        + rule("c", "armed_by: a")
        + rule("fine", "armed_by: root")
        + rule("root")
    )
    error = only(desk, text)
    assert error.code.slug == "armed-by-cycle"
    assert error.message.endswith("`a` ← `b` ← `c` ← `a`")
    assert [place.label for place in error.related] == ["`b` is armed by", "`c` is armed by"]


@pytest.mark.parametrize("name", ["a", "a[2]"])
def test_a_rule_armed_by_itself(desk, name: str) -> None:
    error = only(desk, rule("a", f'armed_by: "{name}", ladder: {{step: -1, count: 2}}'))
    assert error.message == "`a` is armed by itself: it is never armed"


def test_limits(desk) -> None:
    head = (
        "limits:\n  order_qty: 500\n  order_notional: 600000.5\n  limit_collar: 10%\n  collar: 0.25%\n"
        "  orders_per_second: 50\n  total_orders: 1000\n  per_instrument: {MSFT: {total_qty: 1000}}\n"
        "  self_trade: reject\n  repeat: 1500ms\n"
    )
    limits = Limits(500, Decimal("600000.5"), 1000, 25, 50, 1000, {"MSFT": 1000}, self_trade=True, repeat=1_500_000_000)
    assert desk.rule(head=head).limits == limits
    assert desk.rule().limits == Limits()


@pytest.mark.parametrize(
    ("limits", "slug"),
    [
        ("{order_qty: 0}", "bad-number"),
        ("{order_qty: 1.5}", "bad-number"),
        ("{order_notional: 0}", "bad-number"),
        ("{order_notional: -5}", "bad-number"),
        ("{collar: 5}", "bad-percent"),
        ("{collar: 0%}", "bad-percent"),
        ("{collar: 0.125%}", "bad-percent"),
        ("{limit_collar: -5%}", "bad-percent"),
        ("{orders_per_second: 1000001}", "bad-number"),
        ("{total_orders: many}", "bad-number"),
        ("{per_instrument: {MSTF: {total_qty: 5}}}", "unknown-instrument"),
        ("{per_instrument: {MSFT: {}}}", "missing-key"),
        ("{per_instrument: [MSFT]}", "wrong-shape"),
        ("{self_trade: allow}", "bad-choice"),
        ("{self_trade: true}", "bad-choice"),
        ("{self_trade: }", "key-without-value"),
        ("{repeat: 0s}", "bad-duration"),
        ("{repeat: -1s}", "bad-duration"),
        ("{repeat: 10}", "bad-duration"),
        ("{repeat: 900000h}", "bad-duration"),
        ("{order_quantity: 5}", "unknown-key"),
        ("5", "wrong-shape"),
    ],
)
def test_limits_that_are_none(desk, limits: str, slug: str) -> None:
    assert only(desk, rule("a", order=LIMIT), f"limits: {limits}\n").code.slug == slug


def violated(desk, limits: str, rules: str) -> list[str]:
    found = [diagnostic for diagnostic in desk.load(rules, f"limits: {limits}\n")[1] if diagnostic.is_error]
    assert {diagnostic.code.slug for diagnostic in found} <= {"limit-violated"}
    return [diagnostic.message for diagnostic in found]


def priced(price: str, qty: int = 100) -> str:
    return f"order: {{side: buy, qty: {qty}, type: limit, price: {price}}}"


@pytest.mark.parametrize(
    ("limits", "order", "when", "bad"),
    [
        ("{order_qty: 100}", MARKET, "last <= 400", False),
        ("{order_qty: 99}", MARKET, "last <= 400", True),
        ("{order_notional: 40000}", priced("400"), "last <= 400", False),
        ("{order_notional: 39999.99}", priced("400"), "last <= 400", True),
        ("{order_notional: 1}", MARKET, "last <= 400", False),
        ("{limit_collar: 10%}", priced("440"), "last >= 400", False),
        ("{limit_collar: 10%}", priced("440.01"), "last >= 400", True),
        ("{limit_collar: 10%}", priced("360"), "last >= 400", False),
        ("{limit_collar: 10%}", priced("359.99"), "last >= 400", True),
        ("{limit_collar: 10%}", priced("440"), "mid >= 400", False),
        ("{limit_collar: 10%}", priced("440.01"), "mid >= 400", True),
        ("{limit_collar: 10%}", MARKET, "last <= 400", False),
    ],
)
def test_static_limits(desk, limits: str, order: str, when: str, bad: bool) -> None:
    assert bool(violated(desk, limits, rule("a", order=order, when=when))) is bad


def test_notional_counts_the_multiplier(desk) -> None:
    text = rule("a", instrument="CLZ6", when="last >= 50", order=priced("-60", 2))
    assert violated(desk, "{order_notional: 120000}", text) == []
    assert violated(desk, "{order_notional: 119999}", text) == [
        "`a` comes to 120000, more than `order_notional: 119999`"
    ]


def test_the_largest_order_does_not_wrap_round(desk) -> None:
    (desk.folder / "venue.yaml").write_text(
        desk.venue + "  FINE: {tick: 0.00000001, lot: 1, price_range: 0.00000001..100000}\n"
    )
    text = rule("a", instrument="FINE", when="last >= 50", order=priced("10000", 9999999999))
    assert violated(desk, "{order_notional: 99999999990000}", text) == []
    assert len(violated(desk, "{order_notional: 99999999989999}", text)) == 1


def test_one_diagnostic_for_a_ladder(desk) -> None:
    text = rule("a", "ladder: {step: 1, count: 20}", when="last >= 390", order=priced("400"))
    message = "the limit price of `a[1]` is more than 1% from its trigger, `last >= 390` (and 11 more of `a`)"
    assert violated(desk, "{limit_collar: 1%}", text) == [message]


def test_limits_of_intervals(desk) -> None:
    def decision(low: str, high: str, price: str, instrument: str = "MSFT") -> str:
        interval = f"{{from: {low}, to: {high}, {priced(price)}}}"
        other = f"{{from: 480, to: 490, {MARKET}}}"
        return f"- {{id: a, instrument: {instrument}, decide: {{source: last, intervals: [{other}, {interval}]}}}}\n"

    assert violated(desk, "{limit_collar: 10%}", decision("400", "440", "420")) == []
    assert violated(desk, "{limit_collar: 10%}", decision("380", "440", "420")) == [
        "the limit price of interval 1 of `a` is more than 10% from a price of its interval"
    ]
    # Across zero each end allows one side of it.
    assert len(violated(desk, "{limit_collar: 100%}", decision("-5", "5", "1", "CLZ6"))) == 1
    assert len(violated(desk, "{limit_collar: 100%}", decision("-5", "5", "-1", "CLZ6"))) == 1
    assert violated(desk, "{limit_collar: 100%}", decision("-5", "5", "0", "CLZ6")) == []


def test_limits_name_the_place_of_the_order_and_of_the_limit(desk) -> None:
    error = only(desk, rule("a"), "limits: {order_qty: 99}\n")
    lines = (desk.folder / "test.yaml").read_text().splitlines()
    for span, text in ((error.span, "100"), (error.related[0].span, "99")):
        assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == text


def test_a_trail_with_a_limit_price_under_limit_collar(desk) -> None:
    def trail(order: str) -> str:
        return f"- {{id: a, instrument: MSFT, trail: {{source: last, by: 10}}, {order}}}\n"

    for price in ("400", "trigger - 5 ticks"):
        assert only(desk, trail(priced(price)), "limits: {limit_collar: 10%}\n").code.slug == "limit-unprovable"
    loaded(desk, trail(MARKET), "limits: {limit_collar: 10%}\n")
    assert only(desk, trail(priced("400")), "limits: {order_notional: 5}\n").code.slug == "limit-violated"


def trail_collar(desk, trail: str, price: str, collar: str, instrument: str = "MSFT", side: str = "sell") -> bool:
    order = f"order: {{side: {side}, qty: 100, type: limit, price: {price}}}"
    text = f"- {{id: a, instrument: {instrument}, trail: {{source: last, by: {trail}}}, {order}}}\n"
    return not violated_codes(desk, f"limits: {{limit_collar: {collar}}}\n", text)


def violated_codes(desk, head: str, text: str) -> list[str]:
    return [diagnostic.code.slug for diagnostic in desk.load(text, head)[1] if diagnostic.is_error]


@pytest.mark.parametrize(
    ("trail", "price", "collar", "sound"),
    [
        ("10, activate: last >= 1250", "trigger - 50 ticks", "1%", True),
        ("10, activate: last >= 1250", "trigger", "0.01%", True),
        # 0.62 of 1240; where each unit is a tick a stop lies on one.
        ("10, activate: last >= 1250", "trigger - 62 ticks", "0.05%", True),
        ("10, activate: last >= 1250", "trigger - 63 ticks", "0.05%", False),
        ("10 ticks, activate: last >= 1250", "trigger - 50 ticks", "0.05%", True),
        ("50%, activate: last >= 1250", "trigger - 63 ticks", "0.1%", False),
        ("50%, activate: last >= 1250", "trigger - 62 ticks", "0.1%", True),
        ("10, activate: bid >= 1250", "trigger - 50 ticks", "1%", False),
        ("10, activate: last <= 1250", "trigger - 50 ticks", "1%", False),
        ("10", "trigger - 50 ticks", "1%", False),
        ("10", "1000", "90%", False),
    ],
)
def test_a_trail_by_ticks_is_near_enough_for_every_stop(desk, trail: str, price: str, collar: str, sound: bool) -> None:
    assert trail_collar(desk, trail, price, collar) is sound


def test_the_tick_table_counts(desk) -> None:
    (desk.folder / "venue.yaml").write_text(
        desk.venue + "  T: {tick: {1000: 0.1, 2000: 10, 9000: 1}, lot: 100, price_range: 1000..20000}\n"
    )
    # Up from just below 2000, where the tick becomes 10.
    assert not trail_collar(desk, "10", "trigger + 4 ticks", "2%", "T", "buy")
    assert trail_collar(desk, "10", "trigger + 4 ticks", "2.5%", "T", "buy")
    # Down from 2000 the ticks are small, but from just above they are not.
    assert not trail_collar(desk, "10", "trigger - 4 ticks", "2%", "T")


def test_a_share_is_rounded_down_to_a_tick(desk) -> None:
    (desk.folder / "venue.yaml").write_text(
        desk.venue + "  T: {tick: {0: 0.01, 100: 0.05}, lot: 100, price_range: 0.01..1000}\n"
    )
    # 200.05 less 1 % is 198.0495, so the lowest stop is 198.00, and 2.00 are more than 1.01 % of it.
    trail = "1%, activate: last >= 200.05"
    assert not trail_collar(desk, trail, "trigger - 40 ticks", "1.01%", "T")
    assert trail_collar(desk, trail, "trigger - 40 ticks", "1.02%", "T")


def test_prices_below_zero_prove_nothing(desk) -> None:
    assert not trail_collar(desk, "1", "trigger - 1 tick", "90%", "CLZ6")
    assert trail_collar(desk, "1, activate: last >= 10", "trigger - 1 tick", "90%", "CLZ6")


def placed(desk, text: str, head: str = "") -> dict[str, Placement]:
    strategy = loaded(desk, text, head)
    return {part.id: strategy.placed(part.index) for part in strategy.rules}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("", Placement.FABRIC),
        ("confirm: 2", Placement.FABRIC),
        ("confirm: 2, oco: x", Placement.FABRIC),
        ("confirm: 2, if_already_through: wait", Placement.FABRIC),
        ("confirm: 2, if_already_through: reject", Placement.REFUSES),
        ("if_already_through: wait", Placement.FABRIC),
        ("if_already_through: reject", Placement.FABRIC),
        ("if_already_through: wait, rearm: {reset: last >= 500, times: 1}", Placement.THROUGH),
        ("during: [09:30-16:00]", Placement.FABRIC),
        ("oco: x", Placement.FABRIC),
        ("rearm: {after: 1ms, times: 32766}", Placement.FABRIC),
        ("rearm: {after: 1ms, times: 1}", Placement.FABRIC),
        ("rearm: {after: 1ms, times: 32767}", Placement.TIMES),
        ("rearm: {reset: last >= 500, times: 32766}", Placement.FABRIC),
        ("rearm: {reset: last >= 500, times: 32767}", Placement.TIMES),
    ],
)
def test_placement_by_key(desk, more: str, reason: Placement) -> None:
    assert placed(desk, rule("a", more) + rule("b", instrument="CLZ6")) == {"a": reason, "b": Placement.FABRIC}


def test_a_chain_has_the_window_of_its_first_rule(desk) -> None:
    text = (
        rule("a", "during: [09:30-16:00, 18:00-19:00]")
        + rule("b", "during: [18:00-19:00, 09:30-16:00]")
        + rule("c", "during: [09:30-16:01]")
        + rule("d")
        + rule("e", when="last >= 500")
        + rule("f", "during: [22:00-02:00]", when="bid <= 400")
        + rule("g", "oco: x", instrument="CLZ6")
        + rule("h", "oco: x", when="last >= 501")
        + rule("i", "during: [09:30-16:00], oco: x", when="last >= 501")
    )
    window, whole = Placement.DURING, Placement.TOGETHER
    fabric = dict.fromkeys("abef", Placement.FABRIC)
    assert placed(desk, text) == fabric | {"c": window, "d": window, "g": whole, "h": whole, "i": window}


def test_what_is_watched_for_a_rule_needs_its_window_too(desk) -> None:
    day, early = "during: [09:30-16:00]", "during: [08:00-09:30]"
    text = (
        rule("a", f"{day}, rearm: {{reset: bid >= 500, times: 1}}")
        + rule("b", day, when="bid >= 501")
        + rule("c", early, when="bid >= 502")
        + rule("d", f"{early}, if_already_through: wait", when="ask <= 400")
        + rule("e", when="ask >= 500")
        + rule("f", early, when="ask >= 500")
    )
    window = Placement.DURING
    assert placed(desk, text) == dict.fromkeys("abdf", Placement.FABRIC) | {"c": window, "e": window}


def test_what_is_watched_for_a_rule_takes_the_place_of_a_decision(desk) -> None:
    decision = "- {id: z, instrument: MSFT, decide: {source: bid, intervals: [{from: 400, to: 401}]}, " + MARKET + "}\n"
    waits = rule("a", "if_already_through: wait", when="bid <= 400")
    assert placed(desk, rule("a", when="bid <= 400") + decision)["z"] is Placement.FABRIC
    assert placed(desk, waits + decision)["z"] is Placement.DECIDE


def test_there_are_so_many_windows(desk) -> None:
    chains = list(product(("MSFT", "CLZ6", "7203"), ("bid", "ask", "last"), ("<=", ">=")))
    symbol, source, op = chains.pop()
    always = rule("always", when=f"{source} {op} 400", instrument=symbol)
    rules = [
        rule(f"r{n}", f"during: [{n // 6:02}:{n % 6}0-23:00]", when=f"{source} {op} 400", instrument=symbol)
        for n, (symbol, source, op) in enumerate(chains)
    ]
    again = rule("again", "during: [00:00-23:00]", when="bid <= 399")
    found = placed(desk, "".join([*rules, again, always]))
    beyond = [name for name, placement in found.items() if placement is Placement.DURINGS]
    assert beyond == [f"r{n}" for n in range(MOST_WINDOWS, len(rules))]
    assert {placement for name, placement in found.items() if name not in beyond} == {Placement.FABRIC}


def test_placement_by_form(desk) -> None:
    text = (
        rule("mid", when="mid <= 400")
        + f"- {{id: trail, instrument: MSFT, trail: {{source: last, by: 10}}, {MARKET}}}\n"
        + f"- {{id: bands, instrument: MSFT, decide: {{source: last, intervals: [{{from: 1, to: 2}}]}}, {MARKET}}}\n"
    )
    assert placed(desk, text) == {"mid": Placement.FABRIC, "trail": Placement.TRAIL, "bands": Placement.FABRIC}


def test_a_mid_is_compared_doubled(desk) -> None:
    most = Decimal(1 << 46) / 100_000
    tick = Decimal("0.00001")
    for low, high, where in (
        (tick - most, 0, "FABRIC"),
        (-most, 0, "MID"),
        (0, most - tick, "FABRIC"),
        (0, most, "MID"),
    ):
        venue = desk.venue.replace("price_range: -100..500", f"price_range: {low}..{high}")
        venue = venue.replace("CLZ6: {tick: 0.01", f"CLZ6: {{tick: {tick:f}")
        (desk.folder / "venue.yaml").write_text(venue)
        text = rule("m", instrument="CLZ6", when="mid <= 0") + rule("b", instrument="CLZ6", when="bid <= 0")
        assert placed(desk, text) == {"m": Placement[where], "b": Placement.FABRIC}


def test_parent_and_child_are_placed_together(desk) -> None:
    text = rule("grid", "ladder: {step: -1, count: 3}") + rule("child", 'armed_by: "grid[2]"')
    assert set(placed(desk, text).values()) == {Placement.FABRIC}
    text = rule("grid", "ladder: {step: -1, count: 3}") + rule("child", f'armed_by: "grid[2]", {RUNTIME}')
    assert placed(desk, text) == {
        "grid[1]": Placement.FABRIC,
        "grid[2]": Placement.TOGETHER,
        "grid[3]": Placement.FABRIC,
        "child": Placement.TIMES,
    }


@pytest.mark.parametrize(
    ("limits", "reasons"),
    [
        ("{order_qty: 500, limit_collar: 90%}", {"m": Placement.FABRIC, "l": Placement.FABRIC, "c": Placement.FABRIC}),
        ("{collar: 5%}", dict.fromkeys("mlc", Placement.FABRIC)),
        (
            "{order_notional: 500000, orders_per_second: 5, total_orders: 5, per_instrument: {CLZ6: {total_qty: 50}}}",
            dict.fromkeys("mlc", Placement.FABRIC),
        ),
        ("{per_instrument: {CLZ6: {total_qty: 999999999}}}", dict.fromkeys("mlc", Placement.FABRIC)),
        (
            "{per_instrument: {CLZ6: {total_qty: 1000000000}}}",
            {"m": Placement.FABRIC, "l": Placement.FABRIC, "c": Placement.QUANTITY},
        ),
        (
            "{total_orders: 5, per_instrument: {CLZ6: {total_qty: 1000000000}}}",
            {"m": Placement.COUNTED, "l": Placement.COUNTED, "c": Placement.QUANTITY},
        ),
        ("{self_trade: reject}", dict.fromkeys("mlc", Placement.FABRIC)),
        ("{self_trade: reject, repeat: 1s}", dict.fromkeys("mlc", Placement.REPEAT)),
        ("{repeat: 1s}", dict.fromkeys("mlc", Placement.REPEAT)),
    ],
)
def test_placement_by_limits(desk, limits: str, reasons: dict[str, Placement]) -> None:
    text = rule("m") + rule("l", order=priced("400")) + rule("c", instrument="CLZ6")
    assert placed(desk, text, f"limits: {limits}\n") == reasons


def test_what_one_limit_counts_is_placed_whole(desk) -> None:
    """Also where `oco` and `armed_by` take it from one instrument to the next."""
    rules = (
        rule("a", RUNTIME)
        + rule("b", "oco: x")
        + rule("c", "oco: x", instrument="CLZ6")
        + rule("d", when="last <= 399", instrument="CLZ6")
        + rule("e", instrument="7203")
    )
    none = dict.fromkeys("bcde", Placement.FABRIC)
    assert placed(desk, rules) == {"a": Placement.TIMES, **none}
    by_instrument = "limits: {per_instrument: {MSFT: {total_qty: 9}, CLZ6: {total_qty: 9}}}\n"
    assert placed(desk, rules, by_instrument) == {
        "a": Placement.TIMES,
        "b": Placement.COUNTED,
        "c": Placement.TOGETHER,
        "d": Placement.COUNTED,
        "e": Placement.FABRIC,
    }
    assert placed(desk, rules, "limits: {self_trade: reject}\n") == {
        "a": Placement.TIMES,
        "b": Placement.COUNTED,
        "c": Placement.TOGETHER,
        "d": Placement.COUNTED,
        "e": Placement.FABRIC,
    }
    assert placed(desk, rules, "limits: {orders_per_second: 9}\n") == {
        "a": Placement.TIMES,
        **dict.fromkeys("bcde", Placement.COUNTED),
    }


def test_joined_rules_are_placed_whole(desk) -> None:
    text = (
        rule("one", "oco: x")
        + rule("two", f"oco: x, {RUNTIME}")
        + rule("child", "armed_by: one")
        + rule("grandchild", "armed_by: child, oco: y")
        + rule("cousin", "oco: y")
        + rule("free", "oco: z")
    )
    assert placed(desk, text) == {
        "one": Placement.TOGETHER,
        "two": Placement.TIMES,
        "child": Placement.TOGETHER,
        "grandchild": Placement.TOGETHER,
        "cousin": Placement.TOGETHER,
        "free": Placement.FABRIC,
    }
