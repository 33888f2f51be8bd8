# SPDX-License-Identifier: Apache-2.0
"""Where decisions run: one for each source of an instrument in the fabric, where no thresholds `>=` are."""

import pytest

from fixaccel.language.placements import Placement

MARKET = "order: {side: sell, qty: 100, type: market}"
RUNTIME = "rearm: {after: 1s, times: 32767}"  # where a rule with it runs
LIMIT = "order: {side: sell, qty: 100, type: limit, price: 1}"


def bands(name: str, more: str = "", source: str = "last", instrument: str = "MSFT", order: str = MARKET) -> str:
    decide = f"{{source: {source}, intervals: [{{from: 1, to: 2}}]}}"
    return f"- {{id: {name}, instrument: {instrument}, decide: {decide}, {order}{more and ', '}{more}}}\n"


def when(name: str, condition: str, more: str = "", instrument: str = "MSFT") -> str:
    return f"- {{id: {name}, instrument: {instrument}, when: {condition}, {MARKET}{more and ', '}{more}}}\n"


def placed(desk, text: str, head: str = "") -> dict[str, Placement]:
    strategy, diagnostics = desk.load(text, head)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    return {part.id: strategy.placed(part.index) for part in strategy.rules}


FABRIC, DECIDE, TOGETHER = Placement.FABRIC, Placement.DECIDE, Placement.TOGETHER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (bands("a"), {"a": FABRIC}),
        (bands("a") + bands("b"), {"a": FABRIC, "b": DECIDE}),
        (bands("a") + bands("b", source="bid") + bands("c", instrument="CLZ6"), dict.fromkeys("abc", FABRIC)),
        (bands("a") + when("t", "last <= 4"), {"a": FABRIC, "t": FABRIC}),
        (bands("a") + when("t", "bid >= 4") + when("u", "last > 4", instrument="CLZ6"), dict.fromkeys("atu", FABRIC)),
        # Thresholds keep their place wherever they stand.
        (bands("a") + when("t", "last >= 4"), {"a": DECIDE, "t": FABRIC}),
        # What runs in the runtime anyway leaves it free.
        (bands("a") + when("t", "last >= 4", RUNTIME), {"a": FABRIC, "t": Placement.TIMES}),
        (bands("a") + when("t", "last >= 4", "confirm: 2"), {"a": DECIDE, "t": FABRIC}),
        (bands("a") + when("t", "last <= 4", "confirm: 2"), {"a": FABRIC, "t": FABRIC}),
        (bands("m", source="mid") + bands("a"), {"m": FABRIC, "a": FABRIC}),
        (bands("a", "during: [09:30-16:00]") + bands("b"), {"a": FABRIC, "b": DECIDE}),
        (bands("a", "during: [09:30-16:00]") + when("t", "last <= 4"), {"a": FABRIC, "t": FABRIC}),
        (bands("a", "oco: x") + when("t", "ask <= 4", f"oco: x, {RUNTIME}") + bands("b"),
         {"a": TOGETHER, "t": Placement.TIMES, "b": FABRIC}),
        # It takes along what it is joined to, and what it is itself joined to keeps its place out of the fabric.
        (bands("a") + bands("b", "oco: x") + when("t", "ask <= 4", "oco: x"),
         {"a": FABRIC, "b": DECIDE, "t": TOGETHER}),
        (bands("a", "armed_by: t") + when("t", "last >= 4"), {"a": DECIDE, "t": TOGETHER}),
    ],
)  # fmt: skip
def test_who_has_the_place(desk, text: str, expected: dict[str, Placement]) -> None:
    assert placed(desk, text) == expected


def test_market_orders_of_any_interval_may_have_a_limit_on_them(desk) -> None:
    two = "{from: 1, to: 2, order: {type: limit, price: 1}}, {from: 3, to: 4}"
    mixed = f"- {{id: m, instrument: MSFT, decide: {{source: bid, intervals: [{two}]}}, {MARKET}}}\n"
    head = "limits: {order_notional: 500000}\n"
    assert placed(desk, bands("l", order=LIMIT) + mixed, head) == {"l": FABRIC, "m": FABRIC}


def test_a_decision_that_decides_nothing_needs_no_place(desk) -> None:
    (desk.folder / "none.py").write_text("def decide(price, instrument):\n    return None\n")
    empty = f"- {{id: e, instrument: MSFT, decide: {{source: last, over: 1..1.1, python: none.py:decide}}, {MARKET}}}\n"
    assert placed(desk, empty + bands("a")) == {"e": Placement.EMPTY, "a": FABRIC}
