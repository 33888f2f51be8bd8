# SPDX-License-Identifier: Apache-2.0
"""Laws of rules that follow fills and the clock, checked on the reference interpreter from what the events say."""

from datetime import datetime
from zoneinfo import ZoneInfo

from choices import HypothesisChoices, random_seed
from hypothesis import given, settings
from hypothesis import strategies as st
from strategy_cases import PATIENT, Case, each_case, exit_case, loaded

from fixaccel.language.forms import At, Decision
from fixaccel.language.rules import ArmedOn, Rule, Strategy
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.touch import Touch

CASES = 250


@st.composite
def exit_cases(draw: st.DrawFn) -> Case:
    return exit_case(HypothesisChoices(draw))


def test_laws_of_runs_with_executions() -> None:
    seed = random_seed()
    each_case(CASES, seed, keeps_the_laws, exit_case)


def keeps_the_laws(case: Case) -> None:
    try:
        laws_hold(case)
    except AssertionError:
        print(case)
        raise


def laws_hold(case: Case) -> None:
    strategy, messages = loaded(case)
    interpreter = Interpreter(strategy, Touch() if case.touch else None)
    fires = [fire for message in messages for fire in interpreter.process(message)]
    told = [message for message in messages if message.execution and message.event not in interpreter.unmatched]
    rules = {rule.id: rule for rule in strategy.rules}
    for fire in fires:
        rule = rules[fire.rule]
        if isinstance(rule.block.form, At):
            fires_at_its_time(strategy, rule.block.form, fire)
        if not case.touch:
            waits_for_fills(rule, fire, told)
            sends_what_is_filled(rule, fire, told)


def fires_at_its_time(strategy: Strategy, at: At, fire: Fire) -> None:
    """On the venue's clocks; a time that they skip comes as long after the change as it would have."""
    assert fire.ts_ns % 10**9 == 0
    assert (fire.source, fire.trigger, fire.observed) == ("", "", "")
    zone = ZoneInfo(strategy.venue.time_zone)
    local = datetime.fromtimestamp(fire.ts_ns // 10**9, zone)
    shown = (local.hour * 60 + local.minute) * 60 + local.second
    before = datetime.fromtimestamp(fire.ts_ns // 10**9 - 7200, zone).utcoffset()
    offset = local.utcoffset()
    assert before is not None
    assert offset is not None
    assert shown in {at.second, at.second + int((offset - before).total_seconds())}


def before(fire: Fire, rule: Rule, told: list[Message]) -> list[Message]:
    """The executions of its parents that came before it; those of its own row if that is one."""
    parents = {index for parts in rule.block.parents or () for index in parts}
    return [one for one in told if one.execution and one.execution.part in parents and one.event < fire.event]


def waits_for_fills(rule: Rule, fire: Fire, told: list[Message]) -> None:
    if rule.block.parents is not None and rule.block.armed_on is not ArmedOn.SENT:
        fills = [one for one in before(fire, rule, told) if one.kind is Kind.FILL]
        assert any(one.execution and one.execution.qty > 0 for one in fills), fire


def sends_what_is_filled(rule: Rule, fire: Fire, told: list[Message]) -> None:
    form = rule.block.form
    if isinstance(form, Decision) or not form.orders.filled:
        return
    filled = sum(one.execution.qty for one in before(fire, rule, told) if one.execution)
    assert fire.qty == max(filled, 0) // rule.instrument.lot * rule.instrument.lot, fire
    assert (fire.outcome == "rejected:filled") == (fire.qty == 0), fire


@settings(PATIENT, max_examples=40)
@given(exit_cases(), st.data())
def test_loading_the_same_strategy_keeps_fills_and_moments(case: Case, data: st.DataObject) -> None:
    strategy, messages = loaded(case)
    again, _ = loaded(case)
    at = data.draw(st.integers(0, len(messages)), label="messages before the load")
    runs = [Interpreter(strategy, Touch() if case.touch else None) for _ in range(2)]
    whole = [fire for message in messages for fire in runs[0].process(message)]
    fires = [fire for message in messages[:at] for fire in runs[1].process(message)]
    runs[1].load(again)
    fires += [fire for message in messages[at:] for fire in runs[1].process(message)]
    assert fires == whole
    assert runs[1].unmatched == runs[0].unmatched
