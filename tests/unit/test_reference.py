# SPDX-License-Identifier: Apache-2.0
"""What the worked cases in tests/meaning cannot say: rows of the results, counters, messages out of time."""

from fixaccel.language.terms import Source
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.semantics.reference import Interpreter

S = 10**9
STOP = "- {id: stop, instrument: MSFT, when: last <= 100, order: {side: sell, qty: 100, type: limit, price: 99.50}"


def interpreter(desk, rules, head=""):
    strategy, diagnostics = desk.load(rules, head)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    return Interpreter(strategy)


def message(event, ts_ns, **prices):
    return Message(event, ts_ns, "MSFT", Kind.UPDATE, {Source(name): text for name, text in prices.items()}, {})


def test_a_fire_is_a_row_of_the_results(desk):
    (fire,) = interpreter(desk, f"{STOP}}}").process(message(7, 42, last="98.50"))
    row = (42, 7, "stop", "last", "100", "98.5", "sell", 100, "limit", "99.5", "00000000000000000001", "sent")
    assert fire == Fire(*row)


def test_a_rejected_fire_has_no_cl_ord_id(desk):
    run = interpreter(desk, f"{STOP}}}", "limits: {per_instrument: {MSFT: {total_qty: 99}}}\n")
    (fire,) = run.process(message(1, 1, last="98"))
    assert (fire.cl_ord_id, fire.outcome) == ("", "rejected:total_qty")


def test_cl_ord_ids_count_the_sent_fires_of_the_part(desk):
    other = STOP.replace("id: stop", "id: other").replace("last", "ask")
    rules = f"{other}}}\n{STOP}, rearm: {{after: 1s, times: 5}}}}"
    run = interpreter(desk, rules)
    ids = [fire.cl_ord_id for event in range(1, 6) for fire in run.process(message(event, event * S, last="98"))]
    assert ids == ["0000" + "00000001" + f"0000000{count}" for count in (1, 2, 3)]


def test_prices_that_are_none_are_counted(desk):
    run = interpreter(desk, f"{STOP}}}")
    prices = [{"last": "99.999"}, {"bid": "0", "ask": "10000.01"}, {"last": "-"}, {"bid": "-5"}, {"bid": "10000"}]
    for event, carried in enumerate(prices, start=1):
        assert not list(run.process(message(event, event, **carried)))
    assert run.market.invalid_prices == 4


def test_time_is_a_running_maximum(desk):
    run = interpreter(desk, f"{STOP}, rearm: {{after: 10s, times: 1}}}}")
    times = [20 * S, 15 * S, 29 * S, 30 * S, 1]
    fires = [list(run.process(message(event, time, last="90"))) for event, time in enumerate(times, start=1)]
    assert [[fire.ts_ns for fire in some] for some in fires] == [[20 * S], [], [], [], [30 * S]]
