# SPDX-License-Identifier: Apache-2.0
"""The model of a channel of the link: short runs hold, a fault of each rule breaks it; `make model` has all of both."""

import json
from pathlib import Path

import pytest

from model.run import Checker, Fault, Run, head_lists, load

ROOT = Path(__file__).resolve().parents[2]
MODEL = load(ROOT / "scripts" / "model" / "models.yaml")["link_channel.pml"]
RULES, HAPPENINGS = head_lists((ROOT / "models" / MODEL.file).read_text(encoding="utf-8"))
FIGURES = json.loads((ROOT / "docs" / "figures" / "model.json").read_text(encoding="utf-8"))
SHARE = [run for run in MODEL.runs.values() if not run.long]
FIRST = {fault.rule: fault for fault in reversed(MODEL.faults)}  # of each rule
BUT_THE_LAST = next(fault for fault in MODEL.faults if fault.says.startswith("any life of the peer is taken up but"))


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    return Checker(ROOT / "models", MODEL.file, tmp_path)


def test_the_rules_hold_and_speak_of_what_happens(checker: Checker) -> None:
    reached = set()
    for run in SHARE:
        result = checker.check(run)
        assert result.rule is None, (run.name, checker.words(run))
        assert result.states == FIGURES[run.name]["states"], "`make model ARGS=--figures` keeps them for the pages"
        reached |= result.reached
    assert [text for number, text in HAPPENINGS.items() if number not in reached] == []


@pytest.mark.parametrize("fault", FIRST.values(), ids=lambda fault: f"rule {fault.rule}")
def test_finds_a_fault(checker: Checker, fault: Fault) -> None:
    assert checker.check(fault.run, fault, fault.rule).rule == fault.rule


def test_each_rule_has_a_fault() -> None:
    assert sorted(FIRST) == sorted(RULES)


def test_one_start_and_one_swap_are_enough_for_a_former_life_to_be_known_for_good(checker: Checker) -> None:
    run = Run("swap", "", {"LEFT_STARTS": 1})
    assert checker.check(run).rule is None
    assert checker.check(run, BUT_THE_LAST, 8).rule == 8
