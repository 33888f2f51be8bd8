# SPDX-License-Identifier: Apache-2.0
"""Cases that random ones seldom come to: the table interpreter does what the reference does, and what it must."""

import pytest

from fixaccel.events.columns import from_messages
from fixaccel.image.software.table import all_columns
from fixaccel.language.terms import Source
from fixaccel.native.interpreter import STATES, TableInterpreter
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.simulate.fires import fire_rows

S = 10**9
ORDER = "order: {side: sell, qty: 1, type: market}"


def messages(*rows):
    """Each row: instrument, then prices such as ``last=9``; ``kind``, and ``at`` in seconds."""
    return [
        Message(
            number,
            int(terms.pop("at", number) * S),
            symbol,
            Kind(terms.pop("kind", "update")),
            {Source(name): str(price) for name, price in terms.items()},
            {},
        )
        for number, (symbol, terms) in enumerate(((row[0], dict(row[1])) for row in rows), start=1)
    ]


@pytest.fixture
def both(desk):
    """Fires of both engines, which agree, as (event, rule, trigger, outcome), and the states at the end."""

    def run(rules, *rows, head=""):
        strategy, diagnostics = desk.load(rules, head)
        assert strategy, [diagnostic.message for diagnostic in diagnostics]
        reference, table, market = Interpreter(strategy), TableInterpreter(all_columns(strategy)), messages(*rows)
        expected = [fire for message in market for fire in reference.process(message)]
        fires = list(fire_rows(table.run(from_messages(market, strategy.venue.instruments)), strategy))
        assert fires == expected
        states = dict(zip((rule.id for rule in strategy.rules), (STATES[n] for n in table.states()), strict=True))
        return [(fire.event, fire.rule, fire.trigger, fire.outcome) for fire in fires], states

    return run


def last(price, **more):
    return ("CLZ6", {"last": price, **more})


def test_a_collar_lets_its_own_width_pass(both):
    rule = f"- {{id: t, instrument: MSFT, when: last <= 95, {ORDER}}}"
    rows = [("MSFT", {"last": 100}), ("MSFT", {"last": 95})]
    assert both(rule, *rows, head="limits: {collar: 5%}\n")[0] == [(2, "t", "95", "sent")]
    assert both(rule, *rows, head="limits: {collar: 4.99%}\n")[0] == [(2, "t", "95", "rejected:collar")]


def test_nothing_is_known_while_suspended(both):
    # Armed again by the gap itself: were the price before it known, the rule would be live at once.
    rule = (
        f"- {{id: t, instrument: MSFT, when: last <= 95, if_already_through: wait, "
        f"rearm: {{after: 10s, times: 1}}, {ORDER}}}"
    )
    start = [("MSFT", {"last": 100}), ("MSFT", {"last": 95}), ("MSFT", {"last": 100})]
    snapshot = ("MSFT", {"kind": "snapshot", "last": 90, "at": 21})
    gap = ("MSFT", {"kind": "gap", "at": 20})
    fires, states = both(rule, *start, gap, snapshot)
    assert fires == [(2, "t", "95", "sent")]
    assert states == {"t": "waiting"}
    halt = ("MSFT", {"kind": "halt", "at": 20})
    again = ("MSFT", {"kind": "open", "at": 20})
    assert both(rule, *start, halt, again, snapshot)[0] == [(2, "t", "95", "sent"), (6, "t", "95", "sent")]


def test_a_child_elsewhere_is_judged_by_what_is_known_there(both):
    rules = (
        f"- {{id: parent, instrument: MSFT, when: last >= 100, {ORDER}}}\n"
        f"- {{id: child, instrument: CLZ6, when: last <= 50, armed_by: parent, if_already_through: reject, {ORDER}}}"
    )
    parent = ("MSFT", {"last": 100})
    assert both(rules, last(40), parent, last(40))[1]["child"] == "refused"
    assert both(rules, last(60), parent, last(40))[0][1:] == [(3, "child", "50", "sent")]
    assert both(rules, parent, last(40))[1]["child"] == "refused"
    assert both(rules, parent, last(60), last(40))[0][1:] == [(3, "child", "50", "sent")]


def test_a_child_of_the_same_message_waits_for_the_next(both):
    rules = (
        f"- {{id: parent, instrument: MSFT, when: bid >= 100, {ORDER}}}\n"
        f"- {{id: child, instrument: MSFT, when: last >= 100, armed_by: parent, {ORDER}}}"
    )
    seen = ("MSFT", {"bid": 100, "last": 100})
    assert [fire[:2] for fire in both(rules, seen, seen)[0]] == [(1, "parent"), (2, "child")]


def test_a_rejected_order_touches_nobody(both):
    rules = (
        f"- {{id: only, instrument: CLZ6, when: last >= 1, {ORDER}}}\n"
        f"- {{id: a, instrument: MSFT, when: last >= 100, oco: g, rearm: {{after: 1s, times: 5}}, {ORDER}}}\n"
        f"- {{id: b, instrument: MSFT, when: last >= 101, oco: g, {ORDER}}}\n"
        f"- {{id: c, instrument: MSFT, when: last <= 99, armed_by: a, {ORDER}}}"
    )
    prices = [("MSFT", {"last": price}) for price in (100, 101, 99, 100)]
    fires, states = both(rules, last(1), *prices, head="limits: {total_orders: 1}\n")
    rejected = "rejected:total_orders"
    assert fires == [(1, "only", "1", "sent"), (2, "a", "100", rejected), (3, "b", "101", rejected)]
    assert states == {"only": "fired", "a": "fired", "b": "fired", "c": "disarmed"}


def test_a_limit_price_that_follows_a_stop_rests_where_it_was_sent(both):
    rules = (
        "- {id: t, instrument: MSFT, trail: {source: last, by: 1}, "
        "order: {side: sell, qty: 1, type: limit, price: trigger - 2 ticks}}\n"
        "- {id: below, instrument: MSFT, when: bid >= 1, order: {side: buy, qty: 1, type: limit, price: 98.97}}\n"
        "- {id: at, instrument: MSFT, when: bid >= 2, order: {side: buy, qty: 1, type: limit, price: 98.98}}\n"
        "- {id: any, instrument: MSFT, when: bid >= 3, order: {side: buy, qty: 1, type: market}}"
    )
    seen = [("MSFT", {"last": 100}), ("MSFT", {"last": 98}), ("MSFT", {"bid": 3})]
    fires, _ = both(rules, *seen, head="limits: {self_trade: reject}\n")
    assert [(name, outcome) for _, name, _, outcome in fires] == [
        ("t", "sent"),
        ("below", "sent"),
        ("at", "rejected:self_trade"),
        ("any", "rejected:self_trade"),
    ]


def test_better_and_worse_orders_of_two_days_rest_by_their_own(both):
    """The best is the elder: once its day is over, the one that was sent after it counts."""
    order = "order: {{side: sell, qty: 1, type: limit, price: {0}}}"
    rules = "\n".join(
        [
            *(
                f"- {{id: s{price}, instrument: MSFT, when: last <= {at}, {order.format(price)}}}"
                for price, at in ((110, 100), (105, 90), (107, 80), (120, 70))
            ),
            *(
                f"- {{id: b{price}, instrument: MSFT, when: bid >= {at}, order: {{side: buy, qty: 1, type: limit, "
                f"price: {price}, tif: ioc}}}}"
                for price, at in ((106, 1), (104, 2), (119, 3), (121, 4))
            ),
        ]
    )
    midnight = 86_400
    seen = [
        ("MSFT", {"last": 80, "at": midnight - 2}),  # 110, 105 and 107 rest
        ("MSFT", {"bid": 2, "at": midnight - 1}),
        ("MSFT", {"last": 70, "at": midnight}),  # 120 alone
        ("MSFT", {"bid": 4, "at": midnight + 1}),
    ]
    fires, _ = both(rules, *seen, head="limits: {self_trade: reject}\n")
    assert [(name, outcome) for _, name, _, outcome in fires if name.startswith("b")] == [
        ("b106", "rejected:self_trade"),
        ("b104", "sent"),
        ("b119", "sent"),
        ("b121", "rejected:self_trade"),
    ]


@pytest.mark.parametrize("tick", ["0.005", "0.02"])
def test_prices_that_rest_outlive_another_unit(desk, tick):
    head = "limits: {self_trade: reject}\n"
    sell = "- {id: s, instrument: MSFT, when: last <= 100, order: {side: sell, qty: 1, type: limit, price: 110}}"
    buys = "\n".join(
        f"- {{id: b{n}, instrument: MSFT, when: bid >= 1, order: {{side: buy, qty: 1, type: limit, price: {price}}}}}"
        for n, price in enumerate(("109.98", "110"))
    )
    before, _ = desk.load(sell, head)
    finest = "MSFT: {tick: 0.01, lot: 1, price_range: 0.01.."
    (desk.folder / "venue.yaml").write_text(
        desk.venue.replace(finest, f"MSFT: {{tick: {tick}, lot: 1, price_range: 0.1..")
    )
    after, diagnostics = desk.load(buys, head)
    assert before is not None
    assert after is not None, diagnostics
    reference, table = Interpreter(before), TableInterpreter(all_columns(before))
    first, second = messages(("MSFT", {"last": 100}), ("MSFT", {"bid": 1}))
    instruments = before.venue.instruments
    fires = list(fire_rows(table.run(from_messages([first], instruments)), before))
    table.reload(all_columns(after))
    fires += fire_rows(table.run(from_messages([second], instruments)), after)
    assert [fire.outcome for fire in fires] == ["sent", "sent", "rejected:self_trade"]
    expected = list(reference.process(first))
    reference.load(after)
    expected += reference.process(second)
    assert [fire.outcome for fire in expected] == [fire.outcome for fire in fires]


def test_schedules_of_one_price_fire_as_one_chain(both):
    during = "during: [00:00-23:59]"
    rules = "\n".join(
        f"- {{id: {name}, instrument: MSFT, when: last <= {price}, {more}{ORDER}}}"
        for name, price, more in (("a", 98, ""), ("b", 99, f"{during}, "), ("c", 98, f"{during}, "), ("d", 99, ""))
    )
    fires, _ = both(rules, ("MSFT", {"last": 97}))
    assert [fire[1] for fire in fires] == ["b", "d", "a", "c"]


def test_a_mid_at_half_a_unit(both):
    rules = (
        f"- {{id: le, instrument: MSFT, when: mid < 100.01, {ORDER}}}\n"
        f"- {{id: t, instrument: MSFT, trail: {{source: mid, by: 1%}}, "
        "order: {side: buy, qty: 1, type: limit, price: trigger + 2 ticks}}"
    )
    quotes = [(100, 100.02), (100, 100.01), (97, 97.01), (99, 99.99)]
    fires, _ = both(rules, *[("MSFT", {"bid": bid, "ask": ask}) for bid, ask in quotes])
    assert fires == [(2, "le", "100.005", "sent"), (4, "t", "97.98", "sent")]
