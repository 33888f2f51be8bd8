# SPDX-License-Identifier: Apache-2.0
"""The tests that the page about the simulator's tests names are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_each_is_one() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "exchange-sim/tests").glob("*.cpp")]
    made = [test for text in sources for test in re.findall(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", text, re.MULTILINE)]
    known = {suite for suite, _ in made} | {f"{suite}.{name}" for suite, name in made}
    page = (ROOT / "docs/explanation/exchange-tested.md").read_text(encoding="utf-8")
    table = [line for line in page.splitlines() if line.startswith("| ")]
    named = {name for line in table for name in re.findall(r"`([A-Z]\w+(?:\.[A-Z]\w+)?)`", line.split("|")[3])}
    cases = {"HugeQuantity"}  # of one table within a test
    assert len(named) > 15
    assert named - cases <= known
