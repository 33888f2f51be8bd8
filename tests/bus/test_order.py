# SPDX-License-Identifier: Apache-2.0
"""What readers make of messages, against models of ten lines: each once, in order, with its losses."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fixaccel.bus import names
from fixaccel.bus.order import EventOrder, QuoteOrder


def quote(run: int, n: int, gaps: int = 0, *, state: str = "open") -> dict[str, Any]:
    return {
        "symbol": "S", "run": run, "n": n, "gaps": gaps, "ts_ns": 0, "kind": "update", "msg": {},
        "top": {"bid": f"{run}.{n}", "state": state},
    }  # fmt: skip


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 8))))
def test_quotes_come_once_never_backwards_and_with_what_was_missed(sent: list[tuple[int, int]]) -> None:
    order = QuoteOrder("b1")
    shown = [found for message in sent if (found := order.take(quote(*message)))]
    model: list[tuple[int, int]] = []
    for message in sent:
        if not model or message > model[-1]:
            model.append(message)
    assert [(one.run, one.n) for one in shown] == model
    for before, one in pairwise(shown):
        assert one.missed == (one.n - before.n - 1 if one.run == before.run else None)


@given(st.data())
def test_a_reader_that_gets_all_but_some_is_told_how_many(data: st.DataObject) -> None:
    dropped = data.draw(st.sets(st.integers(2, 30)))
    order = QuoteOrder("b1")
    shown = [found for n in range(1, 31) if n not in dropped and (found := order.take(quote(1, n)))]
    behind = [n for n in dropped if n > shown[-1].n]  # nobody knows of them yet
    assert sum(one.missed or 0 for one in shown) == len(dropped) - len(behind)


def test_a_gap_that_was_skipped_is_not_hidden() -> None:
    order = QuoteOrder("b1")
    order.take(quote(1, 1))
    found = order.take(quote(1, 3, gaps=1))
    assert found
    assert found.missed is None


def test_what_is_doubted_holds_again_when_it_is_said_again() -> None:
    order = QuoteOrder("b1")
    order.take(quote(1, 1))
    assert [one.stale for one in order.doubt()] == [True]
    assert order.doubt() == []
    again = order.take(quote(1, 1))
    assert again
    assert not again.stale
    assert order.take(quote(1, 1)) is None


def test_what_is_unknown_is_stale() -> None:
    found = QuoteOrder("b1").take(quote(1, 1, state="unknown"))
    assert found
    assert found.stale


@given(st.permutations(range(1, 13)), st.lists(st.integers(1, 12)), st.integers(0, 12))
def test_events_come_once_in_order_whichever_copy_comes_first(stored: list[int], routed: list[int], after: int) -> None:
    order = EventOrder(after)
    given_out = []
    for n in [*routed[:5], *stored, *routed]:
        order.offer(n, {"n": n})
        given_out += [event["n"] for event in order.ready()]
        assert order.hole is None or order.hole == order.position + 1
    assert given_out == list(range(after + 1, 13))


@given(st.text())
def test_a_symbol_is_one_token_and_comes_back(symbol: str) -> None:
    token = names.token(symbol)
    assert not set(token) & set(".*> \t\r\n\0")
    assert names.symbol_of(token) == symbol


def test_tokens_are_those_of_the_relay() -> None:
    # The same as in runtime/bus/tests/images_test.cpp.
    assert names.token("BRK.B") == "BRK%2EB"
    assert names.token("EUR/USD^2") == "EUR/USD^2"
    assert names.token("A*>% B") == "A%2A%3E%25%20B"
