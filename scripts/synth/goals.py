# SPDX-License-Identifier: Apache-2.0
"""What is asked of each figure: the goal, or where the ratchet has an entry, what was reached before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

HEAD = """# SPDX-License-Identifier: Apache-2.0
# What modules that miss a goal of goal.yaml have reached, and faults that are known. Only ever tightened:
# `make synth ARGS=--tighten` writes what has become better and drops what has reached its goal.
"""
_HIGHER_IS_BETTER = frozenset({"fmax"})


@dataclass(frozen=True)
class Goal:
    """goal.yaml: MHz, share, LUT levels by folder, bits, capacities."""

    fmax: float
    noise: float
    seeds: int
    levels: Mapping[str, int]
    memory: Mapping[str, int]
    route_capacity: Mapping[str, int]

    @classmethod
    def load(cls, file: Path) -> "Goal":
        return cls(**yaml.safe_load(file.read_text(encoding="utf-8")))

    def levels_of(self, source: str) -> int:
        """LUT levels that a module may have whose file is ``source``; the longest folder that fits decides."""
        folders = [folder for folder in self.levels if source.startswith(f"{folder}/")]
        return self.levels[max(folders, key=len)] if folders else max(self.levels.values())


@dataclass
class Ratchet:
    """ratchet.yaml: figures by module, and keys of known findings."""

    modules: dict[str, dict[str, float]] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, file: Path) -> "Ratchet":
        """An absent file holds nothing."""
        content: dict[str, Any] = {}
        if file.exists():
            content = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
        return cls(content.get("modules") or {}, content.get("known") or [])

    def write(self, file: Path) -> None:
        body = {"modules": {name: self.modules[name] for name in sorted(self.modules)}, "known": sorted(self.known)}
        file.write_text(HEAD + yaml.safe_dump(body, sort_keys=False, default_flow_style=None, width=120), "utf-8")


@dataclass(frozen=True)
class Verdict:
    """One figure against what is asked of it."""

    module: str
    figure: str  # fmax, levels, lut, ff, bram36 or dsp
    value: float
    goal: float
    held: float | None  # what the ratchet asks instead
    ok: bool
    better: bool  # than its ratchet, which can be tightened

    @property
    def reached(self) -> bool:
        """Whether the goal itself is met."""
        return not _worse(self.figure, self.value, self.goal)

    def __str__(self) -> str:
        asked = f"goal {self.goal:g}" if self.held is None else f"ratchet {self.held:g}, goal {self.goal:g}"
        return f"{self.module}: {self.figure} {self.value:g} ({asked})"


def _worse(figure: str, value: float, bound: float) -> bool:
    return value < bound if figure in _HIGHER_IS_BETTER else value > bound


def judge(module: str, figure: str, value: float, goal: float, ratchet: Ratchet, noise: float) -> Verdict:
    """Holds a figure to its goal, or to its entry in the ratchet less the noise of a placement."""
    value = round(value, 1)
    held = ratchet.modules.get(module, {}).get(figure)
    if held is None:
        return Verdict(module, figure, value, goal, None, not _worse(figure, value, goal), better=False)
    bound = held * (1 - noise) if figure in _HIGHER_IS_BETTER else held
    reached = not _worse(figure, value, goal)
    ok = reached or not _worse(figure, value, bound)
    return Verdict(module, figure, value, goal, held, ok, better=reached or _worse(figure, held, value))


def tighten(ratchet: Ratchet, verdicts: Iterable[Verdict], gone: Iterable[str]) -> Ratchet:
    """The ratchet with what has become better, without what has reached its goal and without ``gone`` findings."""
    modules = {name: dict(figures) for name, figures in ratchet.modules.items()}
    for verdict in verdicts:
        if not verdict.better:
            continue
        if verdict.reached:
            del modules[verdict.module][verdict.figure]
        else:
            modules[verdict.module][verdict.figure] = verdict.value
    left = set(gone)
    return Ratchet({name: figures for name, figures in modules.items() if figures}, sorted(set(ratchet.known) - left))


def admit(ratchet: Ratchet, verdicts: Iterable[Verdict], findings: Iterable[str]) -> Ratchet:
    """The ratchet with an entry for every figure that misses its goal and has none; those that are there stay."""
    modules = {name: dict(figures) for name, figures in ratchet.modules.items()}
    for verdict in verdicts:
        if verdict.held is None and not verdict.reached:
            modules.setdefault(verdict.module, {})[verdict.figure] = verdict.value
    return Ratchet(modules, sorted({*ratchet.known, *findings}))
