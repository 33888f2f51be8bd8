# SPDX-License-Identifier: Apache-2.0
"""The page of faults names tests that are there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "authoring-faults.md").read_text(encoding="utf-8")


def test_the_tests_of_the_page_are_there() -> None:
    named = re.findall(r"`(tests/\w[\w/]*\.py)::(\w+)`", PAGE)
    assert len(named) > 40
    missing = []
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        if name not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            missing.append(f"{file}::{name}")
    assert missing == []


def test_so_are_those_of_the_ledger() -> None:
    source = (ROOT / "runtime" / "tests" / "ledger_fills_test.cpp").read_text(encoding="utf-8")
    named = re.findall(r"`LedgerFillsTest\.(\w+)`", PAGE)
    assert named
    assert all(f"TEST_F(LedgerFillsTest, {name})" in source for name in named)
