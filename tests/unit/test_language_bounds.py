# SPDX-License-Identifier: Apache-2.0
"""Files that are legal in form and enormous in meaning end in a diagnostic."""

import pytest

from fixaccel.passes.meaning import intervals, thresholds
from fixaccel.passes.reading import expand

SELL = "order: {side: sell, qty: 100, type: market}"


def test_ladders_are_counted_together(desk) -> None:
    step = f"when: last >= 1, ladder: {{step: 1 tick, count: {thresholds.PARTS_MOST // 8 + 1}}}"
    rules = "".join(f"- {{id: r{number}, instrument: MSFT, {step}, {SELL}}}\n" for number in range(8))
    assert desk.slugs(rules) == ["too-many-parts"]


def test_intervals_are_counted_for_each_instrument(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "INTERVALS_MOST", 3)
    decide = "decide: {source: last, intervals: [{from: 1, to: 2}, {from: 3, to: 4}]}"
    assert desk.load(f"- {{id: a, instrument: MSFT, {decide}, {SELL}}}\n")[0]
    assert desk.slugs(f"- {{id: a, instrument: [MSFT, CLZ6], {decide}, {SELL}}}\n") == ["too-many-parts"]


def test_rules_over_lists_are_counted(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expand, "DRAFTS_MOST", 2)
    rule = f"when: last <= 5, {SELL}}}\n"
    assert desk.load(f"- {{id: a, instrument: [MSFT, CLZ6], {rule}")[0]
    assert desk.slugs(f"- {{id: a, instrument: [MSFT, CLZ6], {rule}- {{id: b, instrument: MSFT, {rule}") == [
        "too-many-parts"
    ]


def test_a_long_chain_of_arming(desk) -> None:
    """Each armed by the next: what walks step by step would take a step for each pair."""
    count = 3_000
    when = f"instrument: MSFT, when: last <= 400, {SELL}"
    rules = "".join(f"- {{id: r{number}, armed_by: r{number + 1}, {when}}}\n" for number in range(count))
    strategy, diagnostics = desk.load(f"{rules}- {{id: r{count}, {when}}}\n")
    assert strategy, diagnostics
    assert strategy.blocks[0].parents == (range(1, 2),)
    _, diagnostics = desk.load(f"{rules}- {{id: r{count}, armed_by: r0, {when}}}\n")
    assert [diagnostic.code.slug for diagnostic in diagnostics if diagnostic.is_error] == ["armed-by-cycle"]
    assert len(diagnostics[0].message) < 200


@pytest.mark.parametrize("key", ["when", "armed_by", "oco", "during"])
def test_a_value_of_a_hundred_thousand_characters(desk, key: str) -> None:
    text = "last <= 5" + " " * 100_000 + "x"
    value = f"[{text}]" if key == "during" else text
    found = desk.slugs(
        f"- id: a\n  instrument: MSFT\n  {SELL}\n  {key}: '{value}'\n".replace("'[", "['").replace("]'", "']")
    )
    assert "bad-text" in found
