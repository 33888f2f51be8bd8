# SPDX-License-Identifier: Apache-2.0
"""The worst case against a search that fires rules one after the other, by the meaning of the language."""

import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixaccel.exposure import worst_case as exposure
from fixaccel.exposure.worst_case import CHOICE, LIMITED, SEARCH, SUM, WorstCase, worst_case
from fixaccel.language.forms import Decision, Trail
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import OrderType
from fixaccel.pipeline import load_strategy

VENUE = """\
fixaccel-venue: 1
name: test
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 127.0.0.1:9878, heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  A: {tick: 0.5, lot: 1, price_range: 0.5..1000}
  B: {tick: 0.25, lot: 2, multiplier: 1.5, price_range: -100..1000}
"""
FIGURES = ("orders", "qty", "notional", "market_orders", "market_notional")


def load(rules: list[str], limits: str = "") -> Strategy:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "venue.yaml").write_text(VENUE)
        path = Path(folder) / "test.yaml"
        entries = "".join(f"  - {{{rule}}}\n" for rule in rules)
        path.write_text(f"fixaccel: 1\nvenue: venue.yaml\nlimits: {{{limits}}}\nrules:\n{entries}")
        loaded = load_strategy(path)
    assert loaded.strategy, [diagnostic.message for diagnostic in loaded.diagnostics]
    return loaded.strategy


def orders_of(strategy: Strategy) -> list[list[tuple[tuple[str, str], int, Decimal, bool]]]:
    """Of each part the orders that it can send: instrument and side, quantity, money, whether at market."""
    found = []
    for rule in strategy.rules:
        form, instrument = rule.block.form, rule.instrument
        one = []
        for row in range(len(form.orders)) if isinstance(form, Decision) else [rule.row]:
            order = form.orders[row]
            market = order.type is OrderType.MARKET
            if isinstance(form, Trail):
                price = order.price if not market and order.ticks is None else 0
            elif market:
                price = max(abs(form.low[row]), abs(form.high[row])) if isinstance(form, Decision) else 0
                price = price if isinstance(form, Decision) else rule.condition.threshold
            else:
                price = order.price
            scale = Decimal("0.5") if market and rule.source.value == "mid" else 1
            money = abs(instrument.to_price(int(price or 0))) * scale * order.qty * instrument.multiplier
            owners = (strategy.limits, rule.block.limits)
            limits = [one.order_notional for one in owners if one and one.order_notional is not None]
            money = min([money, *limits]) if market else money
            one.append(((instrument.symbol, order.side.value), order.qty, money, market))
        found.append(one)
    return found


def sequences(strategy: Strategy) -> Iterator[tuple[tuple[int, int], ...]]:
    """All sets of orders that can leave, by firing one part after the other."""
    orders, rules = orders_of(strategy), list(strategy.rules)
    times = [rule.block.rearm.times if rule.block.rearm else 0 for rule in rules]
    parents = [rule.block.parents for rule in rules]
    limits = strategy.limits
    start = tuple("disarmed" if parent is not None else "armed" for parent in parents)
    todo, seen = [(start, (0,) * len(rules), ())], set()
    while todo:
        states, counts, sent = todo.pop()
        if (states, counts, sent) in seen:
            continue
        seen.add((states, counts, sent))
        yield sent
        for index, state in enumerate(states):
            if state != "armed":
                continue
            for place, (cell, qty, _, _) in enumerate(orders[index]):
                if limits.total_orders is not None and len(sent) >= limits.total_orders:
                    continue
                before = sum(orders[i][p][1] for i, p in sent if orders[i][p][0] == cell)
                if before + qty > limits.total_qty.get(cell[0], 10**9):
                    continue
                now, more = list(states), list(counts)
                more[index] += 1
                now[index] = "armed" if more[index] <= times[index] else "fired"
                for other in range(len(rules)):
                    if other != index and rules[index].group >= 0 and rules[other].group == rules[index].group:
                        now[other] = now[other] if now[other] == "fired" else "cancelled"
                    above = parents[other]
                    if now[other] == "disarmed" and above and any(index in one for one in above):
                        now[other] = "armed"
                todo.append((tuple(now), tuple(more), tuple(sorted([*sent, (index, place)]))))


def brute(strategy: Strategy) -> dict[tuple[str, str] | None, list[Decimal]]:
    orders = orders_of(strategy)
    best: dict[tuple[str, str] | None, list[Decimal]] = {}
    for sent in set(sequences(strategy)):
        totals: dict[tuple[str, str] | None, list[Decimal]] = {None: [Decimal(0)] * 5}
        for index, place in sent:
            cell, qty, money, market = orders[index][place]
            one = [1, qty, 0 if market else money, int(market), money if market else 0]
            for key in (cell, None):
                totals[key] = [a + b for a, b in zip(totals.get(key, [Decimal(0)] * 5), one, strict=True)]
        for key, amounts in totals.items():
            best[key] = [max(a, b) for a, b in zip(best.get(key, [Decimal(0)] * 5), amounts, strict=True)]
    return best


ORDER = st.builds(
    lambda side, qty, price: (
        f"order: {{side: {side}, qty: {qty}, "
        + ("type: market}" if price is None else f"type: limit, price: {price}}}")
    ),
    st.sampled_from(["buy", "sell"]),
    st.sampled_from([2, 4, 6]),
    st.sampled_from([None, 2, 3.5, 4]),
)


@st.composite
def strategies(draw: st.DrawFn) -> Strategy:
    rules = []
    for number in range(draw(st.integers(1, 4))):
        keys = [f"id: r{number}", f"instrument: {draw(st.sampled_from('AB'))}"]
        form = draw(st.sampled_from(["when", "when", "ladder", "trail", "decide"]))
        if form == "decide":
            intervals = ", ".join(
                f"{{from: {low}, to: {low + 1}, {draw(ORDER)}}}" for low in (10, 20)[: draw(st.integers(1, 2))]
            )
            keys.append(f"decide: {{source: {draw(st.sampled_from(['last', 'mid']))}, intervals: [{intervals}]}}")
        elif form == "trail":
            keys += ["trail: {source: last, by: 1}", draw(ORDER)]
        else:
            keys += [f"when: {draw(st.sampled_from(['last', 'mid']))} <= {draw(st.integers(5, 9))}", draw(ORDER)]
        if form == "ladder":
            keys.append("ladder: {step: 1, count: 2}")
        if draw(st.booleans()):
            keys.append(f"oco: {draw(st.sampled_from('gh'))}")
        if number and draw(st.booleans()):
            keys.append(f"armed_by: r{draw(st.integers(0, number - 1))}")
        if draw(st.integers(0, 3)) == 0:
            keys.append(f"rearm: {{after: 1s, times: {draw(st.integers(1, 2))}}}")
        if "type: limit" not in "".join(keys) and draw(st.booleans()):
            keys.append(f"limits: {{order_notional: {draw(st.sampled_from([15, 50]))}}}")
        rules.append(", ".join(keys))
    limits = []
    if draw(st.booleans()):
        limits.append(f"total_orders: {draw(st.integers(1, 4))}")
    if draw(st.booleans()):
        limits.append(f"per_instrument: {{A: {{total_qty: {draw(st.integers(1, 5)) * 2}}}}}")
    if draw(st.integers(0, 3)) == 0:
        limits.append("order_notional: 40")
    return load(rules, ", ".join(limits))


def check(found: WorstCase, strategy: Strategy) -> None:
    expected = brute(strategy)
    seen = {None: found.total} | {(one.instrument, one.side.value): one for one in found.entries if one.side}
    for cell, amounts in expected.items():
        for name, amount in zip(FIGURES, amounts, strict=True):
            figure = getattr(seen[cell], name)
            if figure.exact:
                assert figure.value == amount, (cell, name, figure)
            else:
                assert figure.value >= amount, (cell, name, figure)
                assert figure.method.startswith("upper bound"), figure


@settings(max_examples=100, deadline=None)
@given(strategies())
def test_small_strategies_are_exact(strategy: Strategy) -> None:
    found = worst_case(strategy)
    check(found, strategy)
    assert all(getattr(one, name).exact for one in [*found.entries, found.total] for name in FIGURES)
    # A side that is shown can be reached.
    assert all(one.orders.value for one in found.entries)


@settings(max_examples=100, deadline=None)
@given(strategies())
def test_without_a_search_nothing_is_too_low(strategy: Strategy) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exposure, "searched", lambda *_: None)
        check(worst_case(strategy), strategy)


LIMIT_A = "order: {side: buy, qty: 2, type: limit, price: 10}"


def test_the_highest_without_limits_may_be_out_of_reach_under_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four once and not two twice is the most of the group; with two orders in all the others' share is one order."""
    group = "instrument: A, when: last <= 5, oco: g"
    rules = [
        f"id: often, {group}, {LIMIT_A}, rearm: {{after: 1s, times: 1}}",
        f"id: large, {group}, {LIMIT_A.replace('2', '4')}",
        *(f"id: r{number}, instrument: A, when: last <= 5, {LIMIT_A}" for number in range(2)),
    ]
    strategy = load(rules, "total_orders: 2")
    assert worst_case(strategy).total.qty == exposure.Figure(6, True, SEARCH)
    monkeypatch.setattr(exposure, "searched", lambda *_: None)
    for found in (worst_case(strategy).total, worst_case(strategy).entries[0]):
        assert (found.qty.value, found.qty.exact) == (8, False)


def test_methods_are_named() -> None:
    rules = [f"id: r{number}, instrument: A, when: last <= 5, {LIMIT_A}" for number in range(3)]
    assert worst_case(load(rules)).method == SUM
    assert worst_case(load(rules, "total_orders: 2")).method == SEARCH
    linked = [rules[0] + ", oco: g", rules[1] + ", oco: g", rules[2] + ", armed_by: r0"]
    assert worst_case(load(linked)).method == CHOICE
    ladder = [rules[0] + ", ladder: {step: 0.5, count: 100}"]
    found = worst_case(load(ladder, "total_orders: 60, per_instrument: {A: {total_qty: 100}}"))
    assert found.method == LIMITED
    entry = found.entries[0]
    assert (entry.orders.value, entry.orders.exact) == (50, True)
    assert (entry.qty.value, entry.qty.exact) == (100, True)
    assert (entry.notional.value, entry.notional.exact) == (1000, True)


def test_data_for_json_says_what_is_a_bound() -> None:
    sizes = [f"id: r{qty}, instrument: A, when: last <= 5, {LIMIT_A.replace('2', str(qty))}" for qty in range(2, 40)]
    data = worst_case(load(sizes, "per_instrument: {A: {total_qty: 100}}")).entries[0].as_data()
    assert (data["orders"], data["qty"]) == (12, 100)
    assert list(data["upper_bounds"]) == ["limit_notional"]
    assert data["limit_notional"] == "1000"
