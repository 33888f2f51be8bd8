# SPDX-License-Identifier: Apache-2.0
"""Goals, the ratchet that only tightens, and what fails."""

from pathlib import Path

import pytest

from fixaccel.pipeline import load_board
from synth import goals
from synth.checks import Finding
from synth.goals import Goal, Ratchet, judge
from synth.levels import Group
from synth.measure import Measured, Part
from synth.resources import Resources
from synth.route import Run
from synth.verdicts import judge_all

NOISE = 0.05
HELD = {"slow": {"fmax": 100, "levels": 9}}


@pytest.mark.parametrize(
    ("module", "figure", "value", "ok", "better"),
    [
        ("quick", "fmax", 165, True, False),
        ("quick", "fmax", 164.9, False, False),  # the goal knows no noise
        ("quick", "levels", 5, True, False),
        ("quick", "levels", 6, False, False),
        ("slow", "fmax", 95, True, False),  # as much as a placement may vary
        ("slow", "fmax", 94.9, False, False),
        ("slow", "fmax", 100.1, True, True),
        ("slow", "fmax", 170, True, True),
        ("slow", "levels", 9, True, False),
        ("slow", "levels", 10, False, False),
        ("slow", "levels", 8, True, True),
    ],
)
def test_a_figure_against_goal_and_ratchet(module: str, figure: str, value: float, ok: bool, better: bool) -> None:
    verdict = judge(module, figure, value, {"fmax": 165, "levels": 5}[figure], Ratchet(HELD), NOISE)
    assert (verdict.ok, verdict.better) == (ok, better)


def test_tighten_never_loosens() -> None:
    ratchet = Ratchet({"slow": {"fmax": 100, "levels": 9}, "other": {"fmax": 120}}, ["latch a", "loop b"])
    measured = [("fmax", 97), ("levels", 8)]
    verdicts = [
        judge("slow", figure, value, {"fmax": 165, "levels": 5}[figure], ratchet, NOISE) for figure, value in measured
    ]
    tightened = goals.tighten(ratchet, verdicts, ["loop b"])
    assert tightened == Ratchet({"slow": {"fmax": 100, "levels": 8}, "other": {"fmax": 120}}, ["latch a"])


def test_tighten_drops_what_has_reached_its_goal() -> None:
    ratchet = Ratchet({"slow": {"fmax": 100}})
    verdicts = [judge("slow", "fmax", 170, 165, ratchet, NOISE)]
    assert goals.tighten(ratchet, verdicts, []) == Ratchet({})
    assert ratchet.modules == {"slow": {"fmax": 100}}


def test_admit_adds_and_leaves_what_is_there() -> None:
    ratchet = Ratchet({"slow": {"fmax": 100}}, ["latch a"])
    verdicts = [
        judge("slow", "fmax", 90, 165, ratchet, NOISE),
        judge("new", "fmax", 130, 165, ratchet, NOISE),
        judge("quick", "fmax", 180, 165, ratchet, NOISE),
    ]
    admitted = goals.admit(ratchet, verdicts, ["loop b"])
    assert admitted == Ratchet({"slow": {"fmax": 100}, "new": {"fmax": 130}}, ["latch a", "loop b"])


def test_a_ratchet_survives_its_file(tmp_path: Path) -> None:
    ratchet = Ratchet({"b": {"fmax": 100.5, "levels": 9}, "a": {"bram36": 143.5}}, ["loop b", "latch a"])
    ratchet.write(tmp_path / "ratchet.yaml")
    assert Ratchet.load(tmp_path / "ratchet.yaml") == Ratchet(ratchet.modules, ["latch a", "loop b"])
    assert Ratchet.load(tmp_path / "absent.yaml") == Ratchet()


def test_levels_by_the_longest_folder() -> None:
    goal = Goal(165, NOISE, 3, {"rtl": 7, "rtl/parse": 5}, {}, {})
    assert goal.levels_of("rtl/parse/tcp_order.sv") == 5
    assert goal.levels_of("rtl/parser/x.sv") == 7
    assert goal.levels_of("elsewhere/x.sv") == 7


def measured(*, total: Resources | None = None, fmax: tuple[float, ...] = (), **more: object) -> Measured:
    board = load_board().board
    assert board
    part = Part("tcp_order", "rtl/parse/tcp_order.sv", 1, total or Resources(), [Group(5, 0, "a", "b")])
    part.runs = [Run(seed, f, "a", "b", 1, 1) for seed, f in enumerate(fmax)]
    return Measured(board, "fixaccel_core", True, [], **{"findings": [], **more}, parts={"tcp_order": part})


GOAL = Goal(165, NOISE, 3, {"rtl/parse": 5, "rtl": 7}, {"lutram": 2048, "registers": 1024}, {})


def test_over_budget_fails() -> None:
    budget = measured().board.budget
    fits = Resources(logic=budget["lut"] - 100, lutram=100, bram36=budget["bram36"])
    assert not judge_all(measured(total=fits), GOAL, Ratchet()).failed
    for more in (Resources(logic=1), Resources(lutram=1), Resources(bram36=0.5)):
        judged = judge_all(measured(total=fits + more), GOAL, Ratchet())
        assert judged.failed
        assert sum(not verdict.ok for verdict in judged.verdicts) == 1


def test_a_shared_site_does_not_lower_the_count() -> None:
    budget = measured().board.budget["lut"]
    assert judge_all(measured(total=Resources(logic=budget + 1, pairs=20)), GOAL, Ratchet()).failed


def test_what_has_no_budget_is_held_to_the_chip() -> None:
    chip = measured().board.chip
    assert "ff" not in measured().board.budget
    assert not judge_all(measured(total=Resources(ff=chip["ff"])), GOAL, Ratchet()).failed
    assert judge_all(measured(total=Resources(ff=chip["ff"] + 1)), GOAL, Ratchet()).failed


def test_the_median_counts() -> None:
    assert not judge_all(measured(fmax=(120, 165, 166)), GOAL, Ratchet()).failed
    assert judge_all(measured(fmax=(164, 164, 200)), GOAL, Ratchet()).failed


def test_findings_fail_unless_known() -> None:
    run = measured(findings=[Finding("latch a.q", "a.q is a latch")])
    assert judge_all(run, GOAL, Ratchet()).failed
    judged = judge_all(run, GOAL, Ratchet(known=["latch a.q", "loop b"]))
    assert not judged.failed
    assert judged.gone == ["loop b"]
