# SPDX-License-Identifier: Apache-2.0
"""Laws of a single price: equality fires and a unit short does not; a decision is where the price lands."""

from collections.abc import Iterator

from hypothesis import given, settings
from strategy_cases import PATIENT, Case, cases, loaded

from fixaccel.language.forms import Decision, Triggers
from fixaccel.language.rules import NO_GROUP, Rule, Strategy, Through
from fixaccel.language.terms import Direction, Instrument, Source
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.values import decimal_text

MOST = 12  # parts of a strategy that are looked at


def touch(strategy: Strategy, rule: Rule, price: int) -> list[Fire]:
    """What ``rule`` does when the very first message brings this price of its source (half units where it is mid)."""
    text = {side: decimal_text(rule.instrument.to_price(units)) for side, units in sides(rule.source, price)}
    message = Message(1, 0, rule.instrument.symbol, Kind.UPDATE, text, {})
    return [fire for fire in Interpreter(strategy).process(message) if fire.rule == rule.id]


def sides(source: Source, price: int) -> Iterator[tuple[Source, int]]:
    if source is Source.MID:
        yield from ((Source.BID, price // 2), (Source.ASK, -(-price // 2)))
    else:
        yield source, price


def untied(strategy: Strategy) -> list[Rule]:
    """Parts that see every price from the first on, and that no other part holds back."""
    if strategy.limits.collar is not None:
        return []
    return [
        rule
        for rule in strategy.rules
        if rule.confirm == 1
        and rule.group == NO_GROUP
        and rule.block.through is Through.FIRE
        and rule.block.parents is None
        and not rule.block.during
    ][:MOST]


def in_range(instrument: Instrument, source: Source, price: int) -> bool:
    return all(instrument.price_min <= units <= instrument.price_max for _, units in sides(source, price))


@settings(PATIENT, max_examples=150)
@given(cases())
def test_equality_fires_and_a_unit_short_does_not(case: Case) -> None:
    strategy, _ = loaded(case)
    for rule in untied(strategy):
        if not isinstance(rule.block.form, Triggers):
            continue
        condition = rule.condition
        assert len(touch(strategy, rule, condition.threshold)) == 1, rule.id
        short = condition.threshold + (1 if condition.direction is Direction.LE else -1)
        assert not touch(strategy, rule, short), rule.id


@settings(PATIENT, max_examples=150)
@given(cases())
def test_a_decision_is_where_the_price_lands(case: Case) -> None:
    strategy, _ = loaded(case)
    for rule in untied(strategy):
        form = rule.block.form
        if not isinstance(form, Decision):
            continue
        ends = {int(end) for column in (form.low, form.high) for end in column}
        for price in sorted({near for end in ends for near in (end - 1, end, end + 1)})[:MOST]:
            if not in_range(rule.instrument, form.source, price):
                continue
            rows = [row for row in range(len(form.low)) if form.low[row] <= price <= form.high[row]]
            orders = [(form.orders[row].side.value, form.orders[row].qty) for row in rows]
            assert [(fire.side, fire.qty) for fire in touch(strategy, rule, price)] == orders, (rule.id, price)
