# SPDX-License-Identifier: Apache-2.0
"""Holds all figures of a run to goals, budgets and the ratchet."""

from collections.abc import Iterator
from dataclasses import dataclass

from synth.checks import Finding
from synth.goals import Goal, Ratchet, Verdict, judge
from synth.measure import Measured


@dataclass(frozen=True)
class Judgement:
    """What was asked and how it went; ``gone`` are known findings that are no more."""

    verdicts: list[Verdict]
    new: list[Finding]
    known: list[Finding]
    gone: list[str]

    @property
    def failed(self) -> bool:
        """Whether anything is worse than it may be."""
        return bool(self.new) or any(not verdict.ok for verdict in self.verdicts)

    @property
    def can_tighten(self) -> list[Verdict]:
        """Figures that are better than their ratchet."""
        return [verdict for verdict in self.verdicts if verdict.better]


def judge_all(measured: Measured, goal: Goal, ratchet: Ratchet) -> Judgement:
    """Every figure that was measured."""
    verdicts = list(_verdicts(measured, goal, ratchet))
    known = set(ratchet.known)
    new = [finding for finding in measured.findings if finding.key not in known]
    old = [finding for finding in measured.findings if finding.key in known]
    gone = sorted(known - {finding.key for finding in measured.findings}) if measured.whole else []
    return Judgement(verdicts, new, old, gone)


def _verdicts(measured: Measured, goal: Goal, ratchet: Ratchet) -> Iterator[Verdict]:
    noise = goal.noise
    if measured.whole:
        for name, value in measured.total.figures().items():
            bound = measured.board.budget.get(name, measured.board.chip.get(name))
            if bound is not None:
                yield judge(measured.top, name, value, bound, ratchet, noise)
    for part in measured.parts.values():
        if part.levels is not None:
            yield judge(part.definition, "levels", part.levels, goal.levels_of(part.source), ratchet, noise)
        if part.fmax is not None:
            yield judge(part.definition, "fmax", part.fmax, goal.fmax, ratchet, noise)
