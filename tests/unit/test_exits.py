# SPDX-License-Identifier: Apache-2.0
"""Exits that follow fills, rules by the clock, limits of one rule: what is read, what is refused, what is warned of."""

from decimal import Decimal

import pytest

from fixaccel.explain.links import Links
from fixaccel.language.forms import At
from fixaccel.language.placements import Placement
from fixaccel.language.rules import ArmedOn
from fixaccel.semantics.identity import meaning

ENTRY = "- {id: entry, instrument: MSFT, when: ask <= 1150, order: {side: buy, qty: 5, type: limit, price: 1149TIF}}\n"
SELL = "order: {side: sell, qty: filled, type: market}"


def exit_(more: str, order: str = SELL, name: str = "stop") -> str:
    return f"- {{id: {name}, instrument: MSFT, when: last <= 1100, {more}, {order}}}\n"


def rules(*more: str, tif: str = "") -> str:
    return "".join((ENTRY.replace("TIF", tif), *more))


def found(desk, slug: str, text: str, head: str = "") -> list[str]:
    return [d.message for d in desk.load(text, head)[1] if d.code.slug == slug]


def helps(desk, slug: str, text: str) -> list[str | None]:
    return [d.help for d in desk.load(text)[1] if d.code.slug == slug]


@pytest.mark.parametrize(
    ("written", "on"),
    [
        ("entry", ArmedOn.SENT),
        ("{rule: entry}", ArmedOn.SENT),
        ("{rule: entry, on: sent}", ArmedOn.SENT),
        ("{rule: entry, on: first-fill}", ArmedOn.FIRST_FILL),
        ("{on: filled, rule: entry}", ArmedOn.FILLED),
    ],
)
def test_what_of_a_rule_arms(desk, written: str, on: ArmedOn) -> None:
    strategy, _ = desk.load(rules(exit_(f"armed_by: {written}")))
    assert strategy
    assert strategy.blocks[1].armed_on is on
    assert strategy.blocks[1].parents == (range(1),)
    assert strategy.rules[1].order.filled
    assert strategy.rules[1].order.qty == 0


@pytest.mark.parametrize(
    ("written", "slugs"),
    [
        ("{on: filled}", ["missing-key"]),
        ("{rule: entry, on: fill}", ["bad-choice"]),
        ("{rule: entry, when: filled}", ["unknown-key"]),
        ("[entry]", ["wrong-shape"]),
        ("{rule: entri, on: filled}", ["unknown-parent"]),
        ("{rule: stop, on: filled}", ["armed-by-cycle"]),
    ],
)
def test_what_cannot_arm(desk, written: str, slugs: list[str]) -> None:
    assert desk.slugs(rules(exit_(f"armed_by: {written}"))) == slugs


@pytest.mark.parametrize(
    "rule",
    [
        "when: last <= 1100, order: {side: sell, qty: filled, type: market}",
        f"when: last <= 1100, armed_by: entry, rearm: {{after: 1s, times: 1}}, {SELL}",
        f"decide: {{source: last, intervals: [{{from: 1, to: 2}}]}}, armed_by: entry, {SELL}",
    ],
)  # fmt: skip
def test_where_filled_has_no_meaning(desk, rule: str) -> None:
    assert desk.slugs(rules(f"- {{id: stop, instrument: MSFT, {rule}}}\n"))[0] == "filled-qty"


def test_filled_in_ladders_trails_defaults_and_tables(desk) -> None:
    (desk.folder / "grid.csv").write_text("when,type\nlast <= 1100,market\nlast <= 1090,market\n")
    more = (
        "- {id: steps, instrument: MSFT, when: last <= 1100, ladder: {step: -1, count: 3}, armed_by: entry, ORDER}\n"
        "- {id: trail, instrument: MSFT, trail: {source: last, by: 5}, armed_by: entry, ORDER}\n"
        "- {id: grid, instrument: MSFT, table: grid.csv, armed_by: entry, order: {side: sell}}\n"
    ).replace("ORDER", "order: {side: sell, type: market}")
    strategy, diagnostics = desk.load(rules(more), "defaults: {order: {qty: filled}}\n")
    assert strategy, diagnostics
    assert [block.form.orders.filled for block in strategy.blocks] == [False, True, True, True]
    assert [rule.order.qty for rule in strategy.rules] == [5, 0, 0, 0, 0, 0, 0]


def test_a_table_with_quantities_of_its_own(desk) -> None:
    table = "- {id: grid, instrument: MSFT, table: grid.csv, armed_by: entry, ORDER}\n"
    (desk.folder / "grid.csv").write_text("when,qty\nlast <= 1100,2\n")
    assert desk.slugs(rules(table.replace("ORDER", SELL))) == ["filled-qty"]
    (desk.folder / "grid.csv").write_text("when,qty\nlast <= 1100,filled\n")
    assert desk.slugs(rules(table.replace("ORDER", "order: {side: sell, type: market}"))) == ["bad-number"]


def test_what_is_cancelled(desk) -> None:
    steps = (
        "- {id: steps, instrument: MSFT, when: ask <= 1140, ladder: {step: -1, count: 3}, "
        "order: {side: buy, qty: 1, type: limit, price: trigger}}\n"
    )
    cancel = "cancels: LIST, order: {side: sell, qty: 1, type: market}}\n"
    text = rules(steps, f"- {{id: stop, instrument: MSFT, when: last <= 1100, {cancel}")
    for written, ranges in (
        ("entry", (range(1),)),
        ('["steps[2]", entry]', (range(2, 3), range(1))),
        ("[entry, steps, entry]", (range(4),)),
    ):
        strategy, diagnostics = desk.load(text.replace("LIST", written))
        assert strategy, diagnostics
        assert strategy.blocks[2].cancels == ranges, written
        assert strategy.placed(4) is Placement.CANCELS
    for written in ("entri", "[stop]", '"steps[4]"', f"[{', '.join(['entry'] * 17)}]"):
        assert desk.slugs(text.replace("LIST", written)) == ["unknown-cancelled"], written
    assert desk.slugs(text.replace("LIST", "[]")) == ["empty-value"]


def test_what_is_cancelled_goes_by_name(desk) -> None:
    other = ENTRY.replace("TIF", "").replace("id: entry", "id: NAME, ladder: {step: -1, count: COUNT}")
    cancel = (
        '- {id: off, instrument: MSFT, at: 15:55, cancels: [a, b, "c[2]"], order: {side: buy, qty: 1, type: market}}\n'
    )
    seen = []
    for count in ("2", "3"):
        text = "".join(other.replace("NAME", name).replace("COUNT", count) for name in "abc")
        strategy, diagnostics = desk.load(text + cancel)
        assert strategy, diagnostics
        block = strategy.blocks[-1]
        assert Links(strategy).names(block.cancels) == ["a", "b", "c[2]"]
        seen.append(meaning(strategy, strategy.rules[block.first]))
    assert seen[0] == seen[1]  # one more step of a ladder is no other rule


def test_over_lists_each_symbol_cancels_its_own(desk) -> None:
    both = "- {id: in, instrument: [MSFT, CLZ6], when: bid <= 1, order: {side: buy, qty: 1, type: limit, price: 1}}\n"
    off = (
        "- {id: off, instrument: [CLZ6, MSFT], when: bid >= 9, cancels: in, order: {side: sell, qty: 1, type: market}}"
    )
    strategy, diagnostics = desk.load(both + off)
    assert strategy, diagnostics
    assert [block.cancels for block in strategy.blocks] == [(), (), (range(1, 2),), (range(1),)]


@pytest.mark.parametrize(("written", "second"), [("15:55", 57300), ("00:00", 0), ('"23:59:59"', 86399)])
def test_a_time_of_day(desk, written: str, second: int) -> None:
    strategy, diagnostics = desk.load(f"- {{id: a, instrument: MSFT, at: {written}, {SELL.replace('filled', '1')}}}")
    assert strategy, diagnostics
    assert isinstance(strategy.blocks[0].form, At)
    assert strategy.blocks[0].form.second == second
    assert strategy.placed(0) is Placement.AT
    with pytest.raises(TypeError):
        assert strategy.rules[0].source


@pytest.mark.parametrize(
    ("written", "way_out"),
    [("9:30", "09:30"), ("930", None), ("24:00", None), ("15.55", "15:55"), ("15:5:1", "15:05:01")],
)  # fmt: skip
def test_what_is_no_time_of_day(desk, written: str, way_out: str | None) -> None:
    diagnostics = desk.load(f"- {{id: a, instrument: MSFT, at: {written}, {SELL.replace('filled', '1')}}}")[1]
    assert [d.code.slug for d in diagnostics] == ["bad-times"]
    assert (diagnostics[0].help == f"write `{way_out}`") == (way_out is not None)


@pytest.mark.parametrize(
    ("more", "slug"),
    [
        ("confirm: 2", "does-not-go-with"),
        ("during: [09:00-10:00]", "does-not-go-with"),
        ("if_already_through: wait", "does-not-go-with"),
        ("ladder: {step: 1, count: 2}", "does-not-go-with"),
        ("rearm: {reset: last >= 5, times: 1}", "does-not-go-with"),
        ("when: last >= 5", "one-condition"),
        ("order: {side: sell, qty: 1, type: limit, price: trigger}", "no-trigger"),
        ("note: x", "missing-key"),
    ],
)
def test_what_does_not_go_with_a_time(desk, more: str, slug: str) -> None:
    order = "" if more.startswith(("order", "note")) else ", order: {side: sell, qty: 1, type: market}"
    assert desk.slugs(f"- {{id: a, instrument: MSFT, at: 15:55, {more}{order}}}") == [slug]


def test_limits_of_one_rule(desk) -> None:
    own = "limits: {order_notional: 900, collar: 5%, collar_breach: ignore, per_instrument: {MSFT: {total_qty: 7}}}"
    text = (
        f"- {{id: a, instrument: [MSFT, CLZ6], when: last <= 90, {own}, order: {{side: sell, qty: 2, type: market}}}}"
    )
    strategy, diagnostics = desk.load(text)
    assert strategy, diagnostics
    limits = strategy.blocks[0].limits
    assert limits == strategy.blocks[1].limits
    assert limits
    assert (limits.order_notional, limits.collar, limits.collar_ignores) == (Decimal(900), 500, True)
    assert limits.total_qty == {"MSFT": 7}
    assert strategy.limits.collar is None
    assert strategy.placed(0) is Placement.RULE_LIMITS


@pytest.mark.parametrize(
    ("own", "slug"),
    [
        ("{order_qty: 1}", "limit-violated"),
        ("{order_notional: 100}", "limit-violated"),
        ("{limit_collar: 1%}", "limit-violated"),
        ("{collar_breach: ignore}", "missing-key"),
        ("{collar: 5%, collar_breach: skip}", "bad-choice"),
        ("{per_instrument: {MSTF: {total_qty: 1}}}", "unknown-instrument"),
        ("{total_order: 1}", "unknown-key"),
    ],
)
def test_limits_of_one_rule_that_are_wrong(desk, own: str, slug: str) -> None:
    order = "order: {side: sell, qty: 2, type: limit, price: 80}"
    other = f"- {{id: b, instrument: CLZ6, when: last <= 90, {order}}}\n"
    assert desk.slugs(f"{other}- {{id: a, instrument: MSFT, when: last <= 90, limits: {own}, {order}}}") == [slug]


def test_limit_collar_says_nothing_of_a_rule_without_a_trigger(desk) -> None:
    at = "- {id: a, instrument: MSFT, at: 15:55, order: {side: sell, qty: 2, type: limit, price: 80}}"
    assert desk.slugs(at, "limits: {limit_collar: 1%}\n") == []


# Where it runs, and that it says so.


def test_what_waits_for_fills_runs_in_the_runtime_and_its_entry_need_not(desk) -> None:
    by_fills = rules(exit_("armed_by: {rule: entry, on: first-fill}"))
    by_sent = rules(exit_("armed_by: entry"))
    for text, places in ((by_fills, ["FABRIC", "FILLS"]), (by_sent, ["TOGETHER", "FILLS"])):
        strategy, _ = desk.load(text)
        assert strategy
        assert [strategy.placed(index).name for index in range(2)] == places


def test_the_collar_that_ignores_moves_all_rules_and_says_so(desk) -> None:
    text = ENTRY.replace("TIF", "") + exit_("note: x", SELL.replace("filled", "1"))
    head = "limits: {collar: 5%, collar_breach: BREACH}\n"
    (message,) = found(desk, "off-fabric", text, head.replace("BREACH", "ignore"))
    assert message.startswith("`collar_breach` moves 2 of 2 rules (`entry`, `stop`) from the fabric into the runtime")
    assert found(desk, "off-fabric", text, head.replace("BREACH", "reject")) == []


def test_own_limits_move_their_rule_and_what_is_counted_with_it(desk) -> None:
    text = ENTRY.replace("TIF", "") + exit_("limits: {total_orders: 1}", SELL.replace("filled", "1"))
    (message,) = found(desk, "off-fabric", text)
    assert message.startswith("`limits` moves 1 of 2 rules (`stop`) from the fabric into the runtime")
    (message,) = found(desk, "off-fabric", text, "limits: {total_orders: 9}\n")
    assert message.startswith("`limits` moves 2 of 2 rules (`entry`, `stop`)")


# Warnings.


def test_an_exit_of_an_entry_that_may_rest_is_told_of_fills(desk) -> None:
    (way_out,) = helps(desk, "exit-of-resting", rules(exit_("armed_by: entry")))
    assert way_out
    assert way_out.startswith("arm by fills: `armed_by: {rule: entry, on: first-fill}` with `qty: filled`")
    for on in ("first-fill", "filled"):
        text = rules(exit_(f"armed_by: {{rule: entry, on: {on}}}, cancels: entry"))
        assert desk.slugs(text) == []


@pytest.mark.parametrize(
    ("tif", "on", "warned"),
    [
        ("", "filled", 1),
        ("", "first-fill", 1),
        (", tif: ioc", "filled", 1),
        (", tif: fok", "filled", 0),
        ("", "sent", 0),
    ],
)  # fmt: skip
def test_a_quantity_of_its_own_and_a_fill_of_a_part(desk, tif: str, on: str, warned: int) -> None:
    text = rules(exit_(f"armed_by: {{rule: entry, on: {on}}}", SELL.replace("filled", "5")), tif=tif)
    assert len(found(desk, "exit-of-part", text)) == warned
    assert found(desk, "exit-of-part", text.replace("qty: 5, type: market", "qty: filled, type: market")) == []


@pytest.mark.parametrize(
    ("on", "cancels", "tif", "warned"),
    [
        ("first-fill", "", "", 1),
        ("first-fill", ", cancels: entry", "", 0),
        ("first-fill", "", ", tif: ioc", 0),
        ("filled", "", "", 0),
    ],
)
def test_an_entry_that_may_rest_on(desk, on: str, cancels: str, tif: str, warned: int) -> None:
    text = rules(exit_(f"armed_by: {{rule: entry, on: {on}}}{cancels}"), tif=tif)
    assert len(found(desk, "entry-rests-on", text)) == warned


def test_one_exit_of_what_was_filled_is_never_larger_than_its_entry_and_two_are(desk) -> None:
    arm = "armed_by: {rule: entry, on: filled}"
    one, two = exit_(arm), exit_(arm, name="two")
    assert found(desk, "exit-larger", rules(one)) == []
    (message,) = found(desk, "exit-larger", rules(one, two))
    assert message.startswith("`stop` and `two` sell together 10, and `entry` buys 5")
    joined = rules(one.replace(arm, f"{arm}, oco: out"), two.replace(arm, f"{arm}, oco: out"))
    assert found(desk, "exit-larger", joined) == []


def test_filled_of_another_instrument_or_of_the_same_side(desk) -> None:
    other = exit_("armed_by: {rule: entry, on: filled}").replace("MSFT", "CLZ6").replace("1100", "100")
    (message,) = found(desk, "filled-elsewhere", rules(other))
    assert message == "`stop` sends in CLZ6 what `entry` has filled in MSFT"
    same = exit_("armed_by: {rule: entry, on: filled}", SELL.replace("sell", "buy"))
    (message,) = found(desk, "filled-elsewhere", rules(same))
    assert message.startswith("`stop` and `entry` buy alike")


# What makes the same rule.


def test_the_new_terms_are_part_of_the_meaning_and_limits_are_not(desk) -> None:
    texts = {
        "sent": rules(exit_("armed_by: entry")),
        "first": rules(exit_("armed_by: {rule: entry, on: first-fill}")),
        "filled": rules(exit_("armed_by: {rule: entry, on: filled}")),
        "quantity": rules(exit_("armed_by: {rule: entry, on: filled}", SELL.replace("filled", "5"))),
        "cancels": rules(exit_("armed_by: {rule: entry, on: filled}, cancels: entry")),
        "at": rules(exit_("armed_by: {rule: entry, on: filled}").replace("when: last <= 1100", "at: 15:55")),
        "later": rules(exit_("armed_by: {rule: entry, on: filled}").replace("when: last <= 1100", "at: 15:56")),
    }
    seen = {}
    for name, text in texts.items():
        strategy, diagnostics = desk.load(text)
        assert strategy, diagnostics
        seen[name] = meaning(strategy, strategy.rules[1])
    assert len(set(seen.values())) == len(texts)
    own = texts["sent"].replace("armed_by: entry", "armed_by: {rule: entry, on: sent}, limits: {total_orders: 1}")
    strategy, _ = desk.load(own)
    assert strategy
    assert meaning(strategy, strategy.rules[1]) == seen["sent"]
