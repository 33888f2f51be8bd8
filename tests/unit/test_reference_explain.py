# SPDX-License-Identifier: Apache-2.0
"""What held a rule back, in words."""

import pytest

from fixaccel.language.terms import Source
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.recorder import Recorder

S = 10**9
MORNING = 1_767_603_600 * S  # 2026-01-05 09:00 UTC

STOP = "- {id: a, instrument: MSFT, when: last <= 100, order: {side: sell, qty: 100, type: market}"
PARENT = "- {id: p, instrument: MSFT, when: bid <= 50, order: {side: sell, qty: 100, type: market}"


def held_back(desk, rules, events, head="", name="a"):
    strategy, diagnostics = desk.load(rules, head)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    recorder = Recorder(strategy)
    for number, event in enumerate(events, start=1):
        kind, *rest = event.split()
        prices = {Source(name): text for name, text in zip(rest[::2], rest[1::2], strict=True)}
        list(recorder.process(Message(number, MORNING + number * S, "MSFT", Kind(kind), prices, {})))
    return recorder.held_back(name)


@pytest.mark.parametrize(
    ("rule", "events", "expected"),
    [
        ("}", [], "no observation of last of MSFT"),
        ("}", ["update bid 90"], "no observation of last of MSFT"),
        (
            "}",
            ["update last 110", "update last 100.25", "update last 105"],
            "never satisfied: last 100.25 at event 2 came nearest to `last <= 100`, 0.25 away",
        ),
        ("}", ["halt", "update last 90"], "last 90 at event 2 came while it was halted"),
        ("}", ["gap", "update last 90"], "last 90 at event 2 came while it was suspended since a gap"),
        (", confirm: 2}", ["update last 90"], "last 90 at event 1 satisfied it, but the observation before did not"),
        (
            ", during: [09:30-10:00]}",
            ["update last 90"],
            "last 90 at event 1 would have fired it, but it was 09:00, outside `during` 09:30-10:00",
        ),
        (
            ", if_already_through: wait}",
            ["update last 90"],
            "last 90 at event 1 satisfied it, but it must first be seen not satisfied",
        ),
        (
            ", if_already_through: reject}",
            ["update last 90", "update last 110"],
            "refused: last 90 at event 1 was the first to be seen, and satisfied its condition",
        ),
        ("}", ["update last 90"], "it fired at event 1"),
        (", armed_by: p}", ["update last 90"], "never armed: no order of `p` was sent"),
        (", armed_by: p}", ["update bid 50"], "no observation of last of MSFT (armed at event 1)"),
        (
            ", armed_by: p, if_already_through: reject}",
            ["update last 90", "update bid 50"],
            "refused when it was armed at event 2: the market was already at `last <= 100`",
        ),
        (", oco: g}", ["update bid 50"], "cancelled at event 1 by `p`, which fired in the same `oco`"),
        (
            ", rearm: {reset: last >= 110, times: 1}}",
            ["update last 90", "update last 110", "update last 101"],
            "never satisfied: last 101 at event 3 came nearest to `last <= 100`, 1 away (armed at event 2)",
        ),
    ],
)
def test_thresholds(desk, rule, events, expected):
    parent = PARENT + (", oco: g}" if "oco" in rule else "}")
    assert held_back(desk, f"{STOP}{rule}\n{parent}", events) == expected


def test_limits(desk):
    limits = "limits: {total_orders: 1, collar: 50%}\n"
    rules = f"{STOP}}}\n{PARENT}}}\n{STOP.replace('id: a', 'id: c')}, armed_by: p}}"
    assert held_back(desk, rules, ["update last 90"], limits) == (
        "last 90 at event 1 would have fired it, but the collar had no last or mid to compare it with"
    )
    events = ["update last 101", "update last 100", "update bid 50.5 ask 51", "update last 60", "update bid 50"]
    assert held_back(desk, rules, events, limits, "p") == (
        "it fired at event 5, and its order was rejected by `total_orders`"
    )
    assert held_back(desk, rules, events, limits, "c") == (
        "never armed: no order of `p` was sent: that fired at event 5, and its order was rejected by `total_orders`"
    )


@pytest.mark.parametrize(
    ("form", "events", "expected"),
    [
        ("trail: {source: last, by: 5}", [], "no observation of last of MSFT"),
        (
            "trail: {source: last, by: 5}",
            ["update last 90", "update last 88", "update last 87"],
            "never satisfied: last 87 at event 3 came nearest to its stop, 2 away",
        ),
        (
            "trail: {source: last, by: 5, activate: bid >= 100}",
            ["update last 90"],
            "never active: `bid >= 100` was not satisfied",
        ),
        (
            "decide: {source: mid, intervals: [{from: 90, to: 91}, {from: 100, to: 101}]}",
            ["update bid 92 ask 92.01", "update ask 92.02 bid 97"],
            "never satisfied: mid 92.005 at event 1 came nearest to an interval with an order, 1.005 away",
        ),
    ],
)
def test_other_forms(desk, form, events, expected):
    rule = f"- {{id: a, instrument: MSFT, {form}, order: {{side: sell, qty: 100, type: market}}}}"
    assert held_back(desk, rule, events) == expected


def test_a_name_that_is_not_there(desk):
    rules = f"{STOP}, enabled: false}}\n{PARENT}}}"
    assert held_back(desk, rules, [], name="a") == "the strategy has no rule `a`, or it is disabled"


def test_a_rule_of_many_parts(desk):
    rules = STOP + ", ladder: {step: -1, count: 5}}"
    seen = held_back(desk, rules, ["update last 100"])
    assert seen.startswith(
        "a[1]: it fired at event 1; a[2]: never satisfied: last 100 at event 1 came nearest to `last "
    )
    assert seen.endswith("2 away; and 2 more")
