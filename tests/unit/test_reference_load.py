# SPDX-License-Identifier: Apache-2.0
"""What a load keeps: rules by their meaning, the market, what the risk gate counted."""

import json

import pytest

from fixaccel.language.terms import Source
from fixaccel.semantics.identity import meaning
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.states import State

S = 10**9
BASE = {
    "instrument": "MSFT",
    "when": "last <= 100",
    "order": "{side: sell, qty: 100, type: market}",
}


def rule(id_="a", **keys):
    lines = [f"- id: {id_}", *(f"  {key}: {value}" for key, value in (BASE | keys).items() if value)]
    return "\n".join(lines)


def strategy(desk, *rules, head=""):
    loaded, diagnostics = desk.load("\n".join(rules), head)
    assert loaded, [diagnostic.message for diagnostic in diagnostics]
    return loaded


class Run:
    """Feeds prices of MSFT, a second apart."""

    def __init__(self, loaded):
        self.interpreter = Interpreter(loaded)
        self.event = 0

    def see(self, kind="update", symbol="MSFT", **prices):
        self.event += 1
        carried = {Source(name): str(price) for name, price in prices.items()}
        message = Message(self.event, self.event * S, symbol, Kind(kind), carried, {})
        return [f"{fire.rule} {fire.outcome}" for fire in self.interpreter.process(message)]

    def states(self):
        return {part.rule.id: part.state for part in self.interpreter.parts}


def test_an_unchanged_rule_stays_fired_and_a_changed_one_is_new(desk):
    run = Run(strategy(desk, rule("a"), rule("b")))
    assert run.see(last=100) == ["a sent", "b sent"]
    run.interpreter.load(
        strategy(desk, rule("b", when="last <= 101"), rule("a", note="the same rule, moved"), rule("c"))
    )
    assert run.states() == {"a": State.FIRED, "b": State.ARMED, "c": State.ARMED}
    assert run.see(last=100) == ["b sent", "c sent"]


def test_a_removed_rule_is_gone_and_comes_back_as_new(desk):
    both = strategy(desk, rule("a"), rule("b"))
    run = Run(both)
    run.see(last=100)
    run.interpreter.load(strategy(desk, rule("b")))
    assert run.see(last=90) == []
    run.interpreter.load(both)
    assert run.see(last=90) == ["a sent"]


def test_a_new_rule_is_armed_by_what_is_known_now(desk):
    run = Run(strategy(desk, rule("a")))
    run.see(last=90)
    waits, rejects = (rule(how[0], if_already_through=how) for how in ("wait", "reject"))
    run.interpreter.load(strategy(desk, rule("a"), waits, rejects))
    assert run.states() == {"a": State.FIRED, "w": State.ARMED, "r": State.REFUSED}
    assert run.see(last=90) == []
    assert run.see(last=110) == []
    assert run.see(last=90) == ["w sent"]


def test_a_new_child_of_a_parent_that_fired_is_disarmed(desk):
    run = Run(strategy(desk, rule("a")))
    run.see(last=90)
    run.interpreter.load(strategy(desk, rule("a"), rule("child", armed_by="a")))
    assert run.states()["child"] is State.DISARMED


def test_previous_observations_suspensions_and_halts_survive(desk):
    run = Run(strategy(desk, rule("a", when="last <= 1")))
    run.see(last=90)
    run.interpreter.load(strategy(desk, rule("two", confirm=2)))
    assert run.see(last=91) == ["two sent"]
    run.see("gap")
    run.interpreter.load(strategy(desk, rule("b")))
    assert run.see(last=90) == []
    assert run.see("snapshot", last=90) == ["b sent"]
    run.see("halt")
    run.interpreter.load(strategy(desk, rule("c")))
    assert run.see(last=90) == []


def test_extremes_pending_rearmings_and_fire_counts_survive(desk):
    trail = rule("t", when="", trail="{source: last, by: 10}")
    again = rule("r", when="bid <= 50", rearm="{after: 3s, times: 2}")
    run = Run(strategy(desk, trail, again))
    run.see(last=100)
    assert run.see(bid=50) == ["r sent"]
    run.interpreter.load(strategy(desk, again, trail))
    assert run.see(last=90) == ["t sent"]
    assert run.see(bid=50) == []
    assert run.see(bid=51) == []
    assert run.see(bid=50) == ["r sent"]
    assert run.interpreter.parts[0].fires == 2


def test_what_the_gate_counted_survives(desk):
    head = "limits: {{total_orders: {0}, orders_per_second: 2, per_instrument: {{MSFT: {{total_qty: 250}}}}}}\n"
    run = Run(strategy(desk, rule("a"), head=head.format(5)))
    run.see(last=100)
    run.interpreter.load(strategy(desk, rule("b"), rule("c"), head=head.format(5)))
    assert run.see(last=100) == ["b sent", "c rejected:total_qty"]
    run.interpreter.load(strategy(desk, rule("d", order="{side: buy, qty: 100, type: market}"), head=head.format(2)))
    assert run.see(last=100) == ["d rejected:total_orders"]


SELL, BUY = (f"{{side: {side}, qty: 1, type: limit, price: 110}}" for side in ("sell", "buy"))


def test_what_rests_and_when_a_rule_last_sent_survive(desk):
    run = Run(strategy(desk, rule("a", order=SELL), rule("b"), head="limits: {order_qty: 100}\n"))
    assert run.see(last=100) == ["a sent", "b sent"]
    both = "limits: {self_trade: reject, repeat: 10s}\n"
    again, meets = rule("b", when="last <= 101"), rule("c", order=BUY)
    run.interpreter.load(strategy(desk, again, meets, rule("d", order=BUY.replace("110", "109.99")), head=both))
    assert run.see(last=100) == ["b rejected:repeat", "c rejected:self_trade", "d sent"]


def test_a_bucket_survives_and_a_new_one_is_full(desk):
    rules = [rule(name) for name in "abcd"]
    run = Run(strategy(desk, *rules[:2], head="limits: {orders_per_second: 2}\n"))
    assert run.see(last=100) == ["a sent", "b sent"]
    run.event = 0  # at the same time
    run.interpreter.load(strategy(desk, *rules[2:], head="limits: {orders_per_second: 1}\n"))
    assert run.see(last=100) == ["c rejected:orders_per_second", "d rejected:orders_per_second"]
    run.interpreter.load(strategy(desk, rule("e")))
    run.interpreter.load(strategy(desk, rule("f"), rule("g"), head="limits: {orders_per_second: 1}\n"))
    run.event = 0
    assert run.see(last=100) == ["f sent", "g rejected:orders_per_second"]


def test_a_bucket_made_smaller_loses_what_does_not_fit(desk):
    run = Run(strategy(desk, rule("a"), head="limits: {orders_per_second: 9}\n"))
    run.interpreter.load(strategy(desk, rule("b"), rule("c"), head="limits: {orders_per_second: 1}\n"))
    assert run.see(last=100) == ["b sent", "c rejected:orders_per_second"]


def test_a_new_sibling_does_not_cancel_what_has_fired(desk):
    fired = rule("a", oco="g", rearm="{after: 1s, times: 1}")
    run = Run(strategy(desk, fired))
    run.see(last=100)
    run.interpreter.load(strategy(desk, fired, rule("b", oco="g", when="bid <= 100")))
    assert run.see(bid=100) == ["b sent"]
    assert run.see(last=100) == ["a sent"]


def test_prices_of_another_unit_are_forgotten(desk):
    venue = desk.folder / "venue.yaml"
    run = Run(strategy(desk, rule("a", when="last <= 1")))
    run.see(last=90)
    venue.write_text(venue.read_text().replace("MSFT: {tick: 0.01", "MSFT: {tick: 0.005"))
    run.interpreter.load(strategy(desk, rule("b", if_already_through="reject"), rule("a", when="last <= 1")))
    assert run.states() == {"b": State.ARMED, "a": State.ARMED}
    assert run.see(last=90) == []
    assert run.states()["b"] is State.REFUSED


TRAIL = "{source: last, by: 2 ticks}"
OTHERS = [
    {"instrument": "CLZ6"},
    {"when": "last < 100"},
    {"when": "last >= 100"},
    {"when": "bid <= 100"},
    {"when": "mid <= 100"},
    {"confirm": 2},
    {"if_already_through": "wait"},
    {"during": "[09:30-16:00]"},
    {"during": "[09:30-16:01]"},
    {"oco": "g"},
    {"oco": "h"},
    {"armed_by": "parent"},
    {"armed_by": "parent[1]"},
    {"rearm": "{after: 1s, times: 1}"},
    {"rearm": "{after: 2s, times: 1}"},
    {"rearm": "{after: 1s, times: 2}"},
    {"rearm": "{reset: last >= 101, times: 1}"},
    {"rearm": "{reset: last >= 102, times: 1}"},
    {"ladder": "{step: 1, count: 1}"},
    {"when": "", "trail": TRAIL},
    {"when": "", "trail": "{source: bid, by: 2 ticks}"},
    {"when": "", "trail": "{source: last, by: 0.02}"},
    {"when": "", "trail": "{source: last, by: 2%}"},
    {"when": "", "trail": "{source: last, by: 2 ticks, activate: last >= 5}"},
    {"when": "", "trail": "{source: last, by: 2 ticks, activate: bid >= 5}"},
    {"when": "", "decide": "{source: last, intervals: [{from: 1, to: 2}]}"},
    {"when": "", "decide": "{source: last, intervals: [{from: 1, to: 3}]}"},
    {"when": "", "decide": "{source: last, intervals: [{from: 1, to: 2, order: {side: buy}}]}"},
    *(
        {"order": f"{{side: sell, qty: 100, type: market, {more}}}"}
        for more in ("tif: ioc", "account: A", "account: B", "fields: {58: a}", "fields: {58: b}", "fields: {18: a}")
    ),
    {"order": "{side: buy, qty: 100, type: market}"},
    {"order": "{side: sell, qty: 200, type: market}"},
    {"order": "{side: sell, qty: 100, type: limit, price: 99}"},
    {"order": "{side: sell, qty: 100, type: limit, price: 98}"},
    {"when": "", "trail": TRAIL, "order": "{side: sell, qty: 100, type: limit, price: trigger}"},
    {"when": "", "trail": TRAIL, "order": "{side: sell, qty: 100, type: limit, price: trigger - 1 ticks}"},
]


def meanings(desk, keys):
    loaded = strategy(desk, rule(**keys), rule("parent", ladder="{step: 1, count: 2}", oco="g"))
    return [meaning(loaded, part) for part in loaded.rules if part.block.rule_id == "a"]


def test_every_key_is_part_of_the_meaning(desk):
    texts = [text for keys in [{}, *OTHERS] for text in meanings(desk, keys)]
    assert len(set(texts)) == len(OTHERS) + 1
    assert all(json.loads(text) for text in texts)


@pytest.mark.parametrize(
    "keys",
    [
        {"note": "for the desk"},
        {"when": "last <= 100.00"},
        {"when": "last < 100.01"},
        {"confirm": 1},
        {"if_already_through": "fire"},
        {"rearm": "never"},
        {"enabled": "true"},
        {"order": "{type: market, qty: 100.0, side: sell, tif: day}"},
    ],
)
def test_how_it_is_written_is_not(desk, keys):
    assert meanings(desk, keys) == meanings(desk, {})


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("tick: 0.01, lot: 1,", "tick: 0.005, lot: 1,", False),
        ("time_zone: UTC", "time_zone: Europe/London", False),
        ("lot: 1, price_range: 0.01..10000", "lot: 100, price_range: 0.01..20000", True),
    ],
)
def test_what_of_the_venue_is(desk, old, new, same):
    keys = {"during": "[09:30-16:00]"}
    before = meanings(desk, keys)
    venue = desk.folder / "venue.yaml"
    venue.write_text(venue.read_text().replace(old, new, 1))
    assert (meanings(desk, keys) == before) is same


def test_the_unit_counts_even_where_no_price_does(desk):
    keys = {"instrument": "CLZ6", "when": "last <= 0"}
    before = meanings(desk, keys)
    venue = desk.folder / "venue.yaml"
    venue.write_text(venue.read_text().replace("CLZ6: {tick: 0.01", "CLZ6: {tick: 0.005"))
    assert meanings(desk, keys) != before


def test_a_row_more_in_a_parent_does_not_change_its_children(desk):
    def child(count):
        steps = rule("parent", ladder=f"{{step: 1, count: {count}}}")
        loaded = strategy(desk, rule("a", armed_by="parent"), steps)
        return meaning(loaded, loaded.rules[0])

    assert child(2) == child(3)
