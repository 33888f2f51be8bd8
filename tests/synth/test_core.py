# SPDX-License-Identifier: Apache-2.0
"""The short form of `make synth`: the whole core synthesised once, held to budgets, levels and checks; no placement."""

import os
from pathlib import Path

import pytest

from synth import published, report, xilinx
from synth.goals import Goal, Ratchet
from synth.measure import Bench
from synth.verdicts import judge_all

ROOT = Path(__file__).parents[2]
DATA = ROOT / "scripts" / "synth"


@pytest.mark.synth
@pytest.mark.slow
@pytest.mark.parametrize("name", published.BESIDE)
def test_what_is_published_beside_the_core_is_what_it_takes(name: str, tmp_path: Path) -> None:
    """It is not synthesised where just this was when its figures were written; `make soak` synthesises it always."""
    bench = Bench(ROOT, Goal.load(DATA / "goal.yaml"), tmp_path, tmp_path, print)
    design = bench.beside(name, "full")
    assert design is not None
    known = published.measured_of(ROOT / published.FILE, name, xilinx.fingerprint(design, name))
    if known and not os.environ.get("SYNTHESISE"):
        return
    behind = list(published.beside_outdated(ROOT / published.FILE, bench.synthesise(design, name)))
    again = f"make synth ARGS='--module {name} --no-route --publish'"
    assert not behind, f"{published.FILE}: {'; '.join(behind)}: {again} writes it anew"


@pytest.mark.synth
@pytest.mark.slow
def test_the_core_keeps_to_its_budget_levels_and_checks(tmp_path: Path) -> None:
    goal = Goal.load(DATA / "goal.yaml")
    bench = Bench(ROOT, goal, tmp_path, tmp_path, print)
    core = bench.elaborated("full")
    measured = bench.synthesise(core, core.top)
    judged = judge_all(measured, goal, Ratchet.load(DATA / "ratchet.yaml"))
    assert not judged.failed, report.text(measured, judged)
    # The figures are of the whole core: every module of the fabric is among them.
    assert {part.definition for part in measured.parts.values()} == {m.definition for m in core.modules.values()}
    assert measured.total.bram36 > 0
    behind = list(published.outdated(ROOT / published.FILE, measured))
    assert not behind, f"{published.FILE}: {'; '.join(behind)}: make synth ARGS='--no-route --publish' writes it anew"
