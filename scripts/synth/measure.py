# SPDX-License-Identifier: Apache-2.0
"""What is measured of a checkout, step by step; later steps take longer and can be left out."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from synth import checks, design, levels, resources, route, xilinx
from synth.checks import Finding
from synth.design import CORE, Elaborated
from synth.goals import Goal
from synth.levels import Group
from synth.resources import PlacedMemory, Resources
from synth.yosys import ToolError

from fixaccel.language.model import Board

Say = Callable[[str], None]


@dataclass
class Part:
    """One module by the name of its definition; several instances are added up, and the worst of them counts."""

    definition: str
    source: str
    instances: int = 0
    own: Resources = field(default_factory=Resources)
    paths: list[Group] = field(default_factory=list)  # empty where modules below hide them
    runs: list[route.Run] = field(default_factory=list)

    @property
    def levels(self) -> int | None:
        """LUTs in a row on the worst path inside."""
        return self.paths[0].luts if self.paths else None

    @property
    def fmax(self) -> float | None:
        """Median of the seeds in MHz."""
        return route.median(self.runs) if self.runs else None


@dataclass
class Measured:
    """All figures of one run; what was left out is empty."""

    board: Board
    top: str
    whole: bool  # the top is the core
    parts: dict[str, Part] = field(default_factory=dict)
    memories: list[PlacedMemory] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def total(self) -> Resources:
        """Of the top with all that is below it."""
        return sum((part.own for part in self.parts.values()), Resources())


@dataclass
class Bench:
    """A checkout, the goals, and a folder for what the tools write."""

    root: Path
    goal: Goal
    build: Path
    say: Say
    jobs: int = 1

    def __post_init__(self) -> None:
        self.board = design.board_of(self.root)

    def elaborated(self, name: str, change: Mapping[str, int] | None = None) -> Elaborated:
        """The core at the board's capacities, some of them changed."""
        values = design.parameters(self.root, self.board, {**self.board.capacity, **(change or {})})
        with self._timed(f"read the fabric ({', '.join(f'{k} {v}' for k, v in values.items())})"):
            return design.elaborate(self.root, self.build, name, values)

    def synthesise(self, core: Elaborated, top: str, *, flat: bool) -> Measured:
        """Resources, memories, levels and checks of a module with all that is below it."""
        measured = Measured(self.board, core.modules[top].definition, top == CORE)
        with self._timed("structural checks"):
            measured.findings = checks.structure(core, top, root=self.root, scratch=self.build)
        with self._timed(f"synthesis of {top} by module, xc7"):
            mapped = xilinx.by_module(core, top, root=self.root, scratch=self.build)
        for name in core.below(top):
            module = core.modules[name]
            part = measured.parts.setdefault(module.definition, Part(module.definition, module.source))
            part.instances += 1
            part.own += resources.own(mapped[name])
            if not module.children:  # paths through a module below are not seen here
                part.paths = max(part.paths, levels.worst(mapped[name]), key=_depth)
        measured.memories = resources.memories(core, mapped, top)
        bits = self.goal.memory
        measured.findings += checks.memories(measured.memories, bits["lutram"], bits["registers"])
        if flat and core.modules[top].children:
            with self._timed(f"synthesis of {top} flattened, xc7"):
                measured.parts[measured.top].paths = xilinx.flat(core, top, root=self.root, scratch=self.build)
        return measured

    def place(self, core: Elaborated, top: str, measured: Measured, seeds: list[int], *, below: bool) -> None:
        """Place and route of ``top``, and of all modules below it; fills ``runs``. The worst instance counts."""
        names = core.below(top) if below else [top]
        order = sorted(names, key=lambda name: len(core.below(name)))  # the small ones first
        with ThreadPoolExecutor(self.jobs) as pool:
            runs = pool.map(lambda name: self._placed(core, name, seeds), order)
            for name, found in zip(order, runs, strict=True):
                part = measured.parts[core.modules[name].definition]
                if found and (not part.runs or route.median(found) < route.median(part.runs)):
                    part.runs = found

    def _placed(self, core: Elaborated, name: str, seeds: list[int]) -> list[route.Run]:
        with self._timed(f"place and route of {name}, ECP5") as done:
            found = route.measure(core, name, seeds, scratch=self.build, cache=self.build / "cache")
            done.append(f"{route.median(found):.0f} MHz, {found[0].source} -> {found[0].sink}")
        return found

    def _timed(self, what: str) -> "_Timed":
        return _Timed(what, self.say)


class _Timed:
    """Tells what has been done, how long it took, and a result if there is one."""

    def __init__(self, what: str, say: Say) -> None:
        self._what, self._say = what, say

    def __enter__(self) -> list[str]:
        self._start = time.monotonic()
        self._result: list[str] = []
        return self._result

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None:
            result = f": {self._result[0]}" if self._result else ""
            self._say(f"{time.monotonic() - self._start:6.0f} s  {self._what}{result}")


def _depth(groups: list[Group]) -> tuple[int, int]:
    return (groups[0].luts, groups[0].carries) if groups else (-1, -1)


def find(core: Elaborated, name: str) -> str:
    """The module that a user names: an instance path such as `receiver.framing`, or a definition such as `rx_gate`.

    Of several instances of a definition the first. Raises ToolError with what there is.
    """
    if name == CORE or name in core.modules:
        return name
    by_path = core.instance(name)
    matches = [by_path] if by_path else [n for n in core.modules if core.modules[n].definition == name]
    if not matches:
        there = sorted({module.definition for module in core.modules.values()})
        raise ToolError(f"no module or instance {name}; there are: {', '.join(there)}")
    return matches[0]
