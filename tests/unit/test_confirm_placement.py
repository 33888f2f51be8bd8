# SPDX-License-Identifier: Apache-2.0
"""Where thresholds with `confirm: 2` run: a chain is of one kind, and nothing fires out of turn."""

import pytest

from fixaccel.language.placements import Placement

FABRIC, MIXED, BEHIND, TOGETHER = Placement.FABRIC, Placement.MIXED, Placement.BEHIND, Placement.TOGETHER
ORDER = "order: {side: sell, qty: 100, type: market}"


def when(name: str, condition: str, more: str = "", instrument: str = "MSFT") -> str:
    """With `confirm: 2` if the name ends so."""
    confirm = ", confirm: 2" if name.endswith("2") else ""
    return f"- {{id: {name}, instrument: {instrument}, when: {condition}{confirm}, {ORDER}{more and ', '}{more}}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (when("a2", "last <= 4") + when("b2", "last <= 5"), {"a2": FABRIC, "b2": FABRIC}),
        # The first rule says what the chain is.
        (when("a2", "last <= 4") + when("b", "last <= 5"), {"a2": FABRIC, "b": MIXED}),
        (when("a", "last <= 4") + when("b2", "last <= 5") + when("c", "last <= 6"),
         {"a": FABRIC, "b2": MIXED, "c": FABRIC}),
        (when("a2", "last <= 4") + when("b", "bid <= 5") + when("c", "last <= 6", instrument="CLZ6"),
         {"a2": FABRIC, "b": FABRIC, "c": FABRIC}),
        # What runs in the runtime anyway says nothing.
        (when("a", "last <= 4", "rearm: {after: 1s, times: 32767}") + when("b2", "last <= 5"),
         {"a": Placement.TIMES, "b2": FABRIC}),
        # No observation of the mid is kept.
        (when("a2", "mid <= 4") + when("b", "mid <= 5"), {"a2": Placement.CONFIRM, "b": FABRIC}),
        # `<=` is looked at first: that must not matter.
        (when("a2", "last <= 4") + when("b", "last >= 5"), {"a2": FABRIC, "b": FABRIC}),
        (when("a2", "last <= 4") + when("b", "last >= 4"), {"a2": BEHIND, "b": FABRIC}),
        (when("a2", "last <= 4") + when("b2", "last <= 3") + when("c", "last >= 4") + when("d", "last >= 7"),
         {"a2": BEHIND, "b2": FABRIC, "c": FABRIC, "d": FABRIC}),
        (when("a", "last <= 9") + when("b2", "last >= 1"), {"a": FABRIC, "b2": FABRIC}),
        (when("a2", "last <= 9") + when("b2", "last >= 1"), {"a2": FABRIC, "b2": FABRIC}),
        (when("a2", "last <= 9") + when("b", "bid >= 1"), {"a2": FABRIC, "b": FABRIC}),
        # A threshold `>=` that is no longer there is in nobody's way.
        (when("a2", "last <= 9") + when("b2", "last >= 1") + when("c", "last >= 2"),
         {"a2": FABRIC, "b2": FABRIC, "c": MIXED}),
        # What is joined goes along, and leaves its place.
        (when("a2", "last <= 4", "oco: x") + when("b", "last >= 4") + when("c", "bid <= 1", "oco: x"),
         {"a2": BEHIND, "b": FABRIC, "c": TOGETHER}),
        # What is watched for a rule is a threshold without.
        (when("a2", "last <= 4", "if_already_through: wait"), {"a2": FABRIC}),
        (when("a2", "last >= 4", "if_already_through: wait"), {"a2": FABRIC}),
        (when("a2", "last <= 4", "if_already_through: reject"), {"a2": Placement.REFUSES}),
        (when("a2", "last <= 4", "rearm: {reset: last >= 5, times: 1}"), {"a2": FABRIC}),
        (when("a2", "last <= 4", "rearm: {reset: last >= 4, times: 1}"), {"a2": BEHIND}),
        (when("a2", "last <= 4") + when("b", "bid <= 5", "rearm: {reset: last <= 3, times: 1}") + when("c", "bid <= 4"),
         {"a2": FABRIC, "b": MIXED, "c": FABRIC}),
        (when("a", "bid <= 5", "rearm: {reset: last <= 3, times: 1}") + when("b2", "last <= 4"),
         {"a": FABRIC, "b2": MIXED}),
    ],
)  # fmt: skip
def test_where_they_run(desk, text: str, expected: dict[str, Placement]) -> None:
    strategy, diagnostics = desk.load(text)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    assert {part.id: strategy.placed(part.index) for part in strategy.rules} == expected


def test_rows_of_one_table(desk) -> None:
    """Part by part: rows behind a first one of the other kind."""
    rows = ["when,side,qty,type,price,confirm", "last <= 40,sell,100,market,,2", "last <= 30,sell,100,market,,"]
    (desk.folder / "rows.csv").write_text("\n".join([*rows, ""]))
    strategy, _ = desk.load(f"- {{id: t, instrument: MSFT, table: rows.csv, {ORDER}}}\n")
    assert [strategy.placed(part.index) for part in strategy.rules] == [FABRIC, MIXED]
