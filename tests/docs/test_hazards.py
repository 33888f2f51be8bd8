# SPDX-License-Identifier: Apache-2.0
"""The tables of hazards name a test for each, and the tests are there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from model.run import load

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "explanation"
_NAMED = re.compile(r"`([^`]+)`")
_FILE, _SUITE = re.compile(r"(?:test|tb)_\w+"), re.compile(r"[A-Z]\w+(?:\.[A-Z]\w+)?")


def rows(page: str, heading: str) -> list[list[str]]:
    """Cells of the first table below ``heading``, without its head."""
    text = (PAGES / page).read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    lines = [line for line in text.partition("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


@cache
def files() -> dict[str, Path]:
    """Of a test's file name without its ending; those of `tests/e2e` go before others of the same name."""
    found = [*(ROOT / "tests" / "cocotb").rglob("tb_*.py"), *(ROOT / "tests" / "e2e").glob("test_*.py")]
    return {path.stem: path for path in found}


@cache
def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {name.removeprefix("test_") for name in names}


@cache
def suites() -> set[str]:
    """Of GoogleTest: each suite, and each test as `Suite.Name`."""
    sources = (ROOT / "runtime").rglob("*_test.cpp")
    made = [
        test
        for path in sources
        for test in re.findall(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    return {suite for suite, _ in made} | {f"{suite}.{name}" for suite, name in made}


def missing(cell: str) -> list[str]:
    """What of the tests that ``cell`` names is not there; a file's own are named behind it."""
    wrong, file = [], None
    for name in _NAMED.findall(cell):
        if _FILE.fullmatch(name):
            file = files().get(name)
            there = file is not None
        elif _SUITE.fullmatch(name):
            there = name in suites()
        elif "/" in name:
            there = (ROOT / name).exists()
        else:
            there = file is not None and name in functions(file)
        if not there:
            wrong.append(name)
    return wrong


SHARING = [*rows("session-sharing.md", "When something goes wrong"), *rows("session-sharing.md", "After a load")]
MODEL = rows("session-model.md", "Hazards")


def test_the_tables_are_found() -> None:
    assert len(SHARING) > 35
    assert len(MODEL) > 20


@pytest.mark.parametrize("row", SHARING, ids=lambda row: row[0][:40])
def test_each_hazard_is_tried_by_tests_that_are_there(row: list[str]) -> None:
    assert _NAMED.search(row[-1]), "a hazard without a test"
    assert missing(row[-1]) == []


@pytest.mark.parametrize("row", MODEL, ids=lambda row: row[0][:40])
def test_so_is_each_of_the_models_page(row: list[str]) -> None:
    _, whole, beside, _ = row
    assert _FILE.search(whole), "no test provokes it with the whole product"
    assert missing(whole) + missing(beside) == []


def test_the_runs_of_the_model_are_there() -> None:
    known = set(load(ROOT / "scripts" / "model" / "models.yaml")["session_sharing.pml"].runs)
    assert {name for row in MODEL for name in _NAMED.findall(row[3])} <= known


def test_what_is_not_there_is_noticed() -> None:
    assert missing("`test_faults`: `no_such_test`; `tb_nothing`, `NoTest`, `LedgerTest.Nothing`") == [
        "no_such_test", "tb_nothing", "NoTest", "LedgerTest.Nothing",
    ]  # fmt: skip
