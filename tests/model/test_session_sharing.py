# SPDX-License-Identifier: Apache-2.0
"""The model of a shared session: some of its runs hold, and some faults break it; `make model` has all of both."""

import json
from pathlib import Path

import pytest

from model.run import Checker, Fault, Run, ToolError, head_lists, load

ROOT = Path(__file__).resolve().parents[2]
MODELS = load(ROOT / "scripts" / "model" / "models.yaml")
MODEL = MODELS["session_sharing.pml"]
RULES, HAPPENINGS = head_lists((ROOT / "models" / MODEL.file).read_text(encoding="utf-8"))
FIGURES = json.loads((ROOT / "docs" / "figures" / "model.json").read_text(encoding="utf-8"))
SHARE = [MODEL.runs[name] for name in ("traffic", "rogue", "gap", "still", "still-crash", "still-board")]
FIRST = {fault.rule: fault for fault in reversed(MODEL.faults)}  # of each rule
SOME = 5  # faults: enough to see that the checker finds them; that all are found changes with the model
FAULT = MODEL.faults[0]


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
    for one in MODEL.open:  # what stands open is found
        assert checker.check(one.run, None, one.rule).rule == one.rule


@pytest.mark.parametrize("fault", list(FIRST.values())[:SOME], ids=lambda fault: f"rule {fault.rule}")
def test_finds_a_fault(checker: Checker, fault: Fault) -> None:
    assert checker.check(fault.run, fault, fault.rule).rule == fault.rule


def test_each_rule_has_a_fault() -> None:
    assert sorted(FIRST) == sorted(RULES)


def test_each_run_has_figures() -> None:
    assert FIGURES.keys() == {name for model in MODELS.values() for name in model.runs}


def test_a_fault_that_does_not_fit_is_an_error(checker: Checker) -> None:
    nowhere = Fault("", FAULT.run, 1, FAULT.file, "nowhere", "")
    with pytest.raises(ToolError, match="0 times what a fault replaces: nowhere"):
        checker.check(FAULT.run, nowhere, 1)


def test_a_model_that_goes_beyond_its_bounds_is_an_error(checker: Checker) -> None:
    beyond = Fault("", FAULT.run, 1, FAULT.file, "ring_left[head] = 0;", "ring_left[head + RING] = 0;")
    with pytest.raises(ToolError, match="the model itself is wrong"):
        checker.check(FAULT.run, beyond)


def test_a_setting_that_is_none_is_an_error(checker: Checker) -> None:
    with pytest.raises(ToolError, match="failed"):
        checker.check(Run("none", "", {"LOSSES": "many"}))


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text("{file: x, title: X, runs: {}, faults: [], open: [], depth: 2}", encoding="utf-8")
    with pytest.raises(ValueError, match="no key depth"):
        load(file)


def test_a_run_that_two_models_have_is_named(tmp_path: Path) -> None:
    one = "{file: %s, title: X, runs: {traffic: {says: y, with: {}}}, faults: [], open: []}\n"
    file = tmp_path / "models.yaml"
    file.write_text(one % "x" + "---\n" + one % "z", encoding="utf-8")
    with pytest.raises(ValueError, match="more than one run traffic"):
        load(file)
