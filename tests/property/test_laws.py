# SPDX-License-Identifier: Apache-2.0
"""Laws that every strategy keeps over any market data, checked on the reference interpreter."""

from collections import Counter, defaultdict
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from itertools import accumulate
from zoneinfo import ZoneInfo

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linked import linked_parts, linked_symbols
from strategy_cases import PATIENT, Case, cases, loaded
from watched import Fired, Watched, fires_of, without_numbers

from fixaccel.language.forms import Decision, Trail, Triggers
from fixaccel.language.rules import NO_GROUP, Limits
from fixaccel.language.terms import OrderType, Side, TimeInForce
from fixaccel.semantics.day_roll import next_roll
from fixaccel.semantics.recorder import Recorder
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.states import State
from fixaccel.semantics.thresholds import satisfied


@settings(PATIENT, max_examples=200)
@given(cases())
def test_laws_of_every_run(case: Case) -> None:
    strategy, messages = loaded(case)
    run = Watched(strategy)
    run.run(messages)
    for law in (
        fires_no_more_often_than_armed,
        one_of_a_group_is_sent,
        a_trail_never_loosens,
        a_fire_has_its_reason,
        a_rejected_order_changes_nothing,
        limits_hold,
    ):
        law(run, strategy.limits)


def fires_no_more_often_than_armed(run: Watched, _: Limits) -> None:
    count = Counter(fired.part.rule.index for fired in run.fired)
    for part in run.parts:
        rearm = part.rule.block.rearm
        assert count[part.rule.index] <= 1 + (rearm.times if rearm else 0), part.rule.id
    ended = set()
    for fired in run.fired:
        assert fired.part.rule.index not in ended, "fired again after it was rejected"
        if not fired.sent:
            ended.add(fired.part.rule.index)


def one_of_a_group_is_sent(run: Watched, _: Limits) -> None:
    sent = defaultdict(set)
    for fired in run.fired:
        if fired.sent and fired.part.rule.group != NO_GROUP:
            sent[fired.part.rule.group].add(fired.part.rule.id)
    assert all(len(names) == 1 for names in sent.values()), sent


def a_trail_never_loosens(run: Watched, _: Limits) -> None:
    for index, armings in run.trails.items():
        falling = run.parts[index].rule.order.side is Side.BUY
        for arming in armings:
            assert arming.stops == sorted(arming.stops, reverse=falling), run.parts[index].rule.id


def a_fire_has_its_reason(run: Watched, _: Limits) -> None:
    for fired in run.fired:
        rule, price, form = fired.part.rule, fired.observation.price, fired.part.rule.block.form
        assert fired.observation.source is rule.source
        assert fired.observation.instrument is rule.instrument
        match form:
            case Triggers():
                assert satisfied(rule.condition, price)
                if rule.confirm == 2:
                    assert fired.observation.previous is not None
                    assert satisfied(rule.condition, fired.observation.previous)
            case Decision():
                landed = [row for row in range(len(form.low)) if form.low[row] <= price <= form.high[row]]
                assert [form.orders[row] for row in landed] == [fired.shot.order]
            case Trail():
                stop = fired.shot.trigger
                assert stop is not None
                assert price <= stop if rule.order.side is Side.SELL else price >= stop


def a_rejected_order_changes_nothing(run: Watched, _: Limits) -> None:
    for fired in run.fired:
        assert fired.sent or not fired.changed, (fired.fire, fired.changed)
        assert fired.sent == bool(fired.fire.cl_ord_id)


def limits_hold(run: Watched, limits: Limits) -> None:
    sent = [fired for fired in run.fired if fired.sent]
    for day in days(run, sent):
        totals_hold(day, limits)
    for fired in sent:
        if limits.order_notional is not None and fired.shot.order.type is OrderType.MARKET:
            worth = (
                abs(Fraction(fired.fire.observed)) * Fraction(fired.part.rule.instrument.multiplier) * fired.fire.qty
            )
            assert worth <= limits.order_notional
        if limits.collar is not None:
            reference = fired.observation.reference
            assert reference is not None
            observed = Fraction(fired.fire.observed) / Fraction(fired.part.rule.instrument.unit)
            assert abs(2 * observed - reference) * 10_000 <= limits.collar * abs(reference)
    if limits.repeat is not None:
        last: dict[str, int] = {}
        for fired in sent:
            rule = fired.part.rule.block.rule_id
            assert fired.fire.ts_ns - last.get(rule, fired.fire.ts_ns - limits.repeat) >= limits.repeat, rule
            last[rule] = fired.fire.ts_ns
    if limits.self_trade:
        nobody_trades_with_himself(run, sent)
    rate = limits.orders_per_second
    if rate is not None:
        times = [fired.fire.ts_ns for fired in sent]
        for first, start in enumerate(times):
            for last, end in enumerate(times[first:], start=first):
                assert last - first + 1 <= rate + Fraction(rate * (end - start), 10**9)


def days(run: Watched, sent: list[Fired]) -> list[list[Fired]]:
    """The orders of each day by which the totals count: the venue says when it rolls, else there is one."""
    if run.day_roll is None:
        return [sent]
    found: dict[int, list[Fired]] = defaultdict(list)
    for fired in sent:
        found[next_roll(run.day_roll, run.time_zone, fired.fire.ts_ns)].append(fired)
    return list(found.values())


def totals_hold(sent: list[Fired], limits: Limits) -> None:
    assert limits.total_orders is None or len(sent) <= limits.total_orders
    quantity: Counter[tuple[str, Side]] = Counter()
    for fired in sent:
        quantity[fired.part.rule.instrument.symbol, fired.shot.order.side] += fired.shot.order.qty
    for (symbol, _), total in quantity.items():
        assert total <= limits.total_qty.get(symbol, total)


def nobody_trades_with_himself(run: Watched, sent: list[Fired]) -> None:
    """No two orders of one instrument and day of which the first rests and the second meets it."""
    zone = ZoneInfo(run.time_zone)
    for number, later in enumerate(sent):
        for earlier in sent[:number]:
            rests = earlier.shot.price is not None and earlier.shot.order.tif in {TimeInForce.DAY, TimeInForce.GTC}
            opposite = earlier.shot.order.side is not later.shot.order.side
            if not rests or not opposite or earlier.part.rule.instrument is not later.part.rule.instrument:
                continue
            days = {datetime.fromtimestamp(one.fire.ts_ns // 10**9, zone).date() for one in (earlier, later)}
            price, resting = later.shot.price, earlier.shot.price
            assert resting is not None
            up = later.shot.order.side is Side.BUY
            apart = price is not None and (price < resting if up else price > resting)
            assert apart or len(days) == 2, (earlier.fire, later.fire)


@settings(PATIENT, max_examples=100)
@given(cases())
def test_an_explained_run_is_the_same_run(case: Case) -> None:
    strategy, messages = loaded(case)
    recorder = Recorder(strategy)
    fires = [fire for message in messages for fire in recorder.process(message)]
    assert fires == fires_of(strategy, messages)
    for part in recorder.parts:
        reason = recorder.held_back(part.rule.id)
        assert ("it fired" in reason) == (part.state is State.FIRED), reason


@settings(PATIENT, max_examples=50)
@given(cases(), st.data())
def test_time_is_a_running_maximum(case: Case, data: st.DataObject) -> None:
    strategy, messages = loaded(case)
    times = data.draw(st.permutations([message.ts_ns for message in messages]))
    as_sent = [replace(message, ts_ns=time) for message, time in zip(messages, times, strict=True)]
    rising = [replace(message, ts_ns=time) for message, time in zip(messages, accumulate(times, max), strict=True)]
    assert fires_of(strategy, as_sent) == fires_of(strategy, rising)


@settings(PATIENT, max_examples=100)
@given(cases())
def test_instruments_that_nothing_links_do_not_matter_to_each_other(case: Case) -> None:
    strategy, messages = loaded(case)
    known = list(strategy.venue.instruments)
    symbols = linked_symbols(strategy, known[0])
    assume(symbols != set(known))
    fires = fires_of(strategy, messages)
    alone = [message for message in messages if message.instrument is None or message.instrument in symbols]
    others = {part.id for part in strategy.rules if part.instrument.symbol not in symbols}
    assert without_numbers(fires, leave_out=others) == without_numbers(fires_of(strategy, alone), leave_out=others)


@settings(PATIENT, max_examples=100)
@given(cases(), st.data())
def test_loading_the_same_strategy_changes_nothing(case: Case, data: st.DataObject) -> None:
    strategy, messages = loaded(case)
    again, _ = loaded(case)
    at = data.draw(st.integers(0, len(messages)), label="messages before the load")
    interpreter = Interpreter(strategy)
    fires = [fire for message in messages[:at] for fire in interpreter.process(message)]
    interpreter.load(again)
    fires += [fire for message in messages[at:] for fire in interpreter.process(message)]
    assert fires == fires_of(strategy, messages)


@settings(PATIENT, max_examples=100)
@given(cases(), st.data())
def test_a_load_leaves_unchanged_rules_alone(case: Case, data: st.DataObject) -> None:
    """One rule changes its place and its name: rules that nothing links to it run as if nothing had been loaded."""
    case = replace(case, head="")
    number = data.draw(st.integers(0, len(case.rules) - 1), label="rule that changes")
    assume(not any(f"armed_by: r{number}" in rule for rule in case.rules))
    strategy, messages = loaded(case)
    rules = list(case.rules)
    moved = rules.pop(number).replace(f"id: r{number}", "id: new", 1)
    changed, _ = loaded(replace(case, rules=(*rules, moved)))
    at = data.draw(st.integers(0, len(messages)), label="messages before the load")
    interpreter = Interpreter(strategy)
    fires = [fire for message in messages[:at] for fire in interpreter.process(message)]
    interpreter.load(changed)
    fires += [fire for message in messages[at:] for fire in interpreter.process(message)]
    touched = linked_parts(strategy, f"r{number}") | linked_parts(changed, "new")
    expected = without_numbers(fires_of(strategy, messages), leave_out=touched)
    assert without_numbers(fires, leave_out=touched) == expected
