# SPDX-License-Identifier: Apache-2.0
"""What is measured of a checkout, step by step; later steps take longer and can be left out."""

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from fixaccel.language.terms import Board
from synth import checks, design, levels, resources, route, xilinx
from synth.checks import Finding
from synth.design import CORE, Elaborated
from synth.goals import Goal
from synth.levels import Group, LoopError
from synth.netlist import Netlist
from synth.resources import PlacedMemory, Resources
from synth.yosys import ToolError

Say = Callable[[str], None]
# What stands beside the core, by what the names of its modules begin with.
_BESIDE = {"gem_": design.elaborate_port} | {
    f"{unit.partition('_')[0]}_": partial(design.elaborate_unit, unit) for unit in design.UNITS
}


@dataclass
class Part:
    """One module by the name of its definition; several instances are added up, and the worst of them counts."""

    definition: str
    source: str
    instances: int = 0
    own: Resources = field(default_factory=Resources)  # without what is below it
    paths: list[Group] = field(default_factory=list)  # the deepest first; empty where modules below hide them
    runs: list[route.Run] = field(default_factory=list)

    @property
    def levels(self) -> int | None:
        """LUTs in a row on the deepest path."""
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
    memories: list[PlacedMemory]
    findings: list[Finding]
    parts: dict[str, Part] = field(default_factory=dict)
    flat: Resources | None = None  # of the top with all that is below it in one module
    fingerprint: str = ""  # of the tool and the elaborated top

    @property
    def total(self) -> Resources:
        """Of all modules."""
        return sum((part.own for part in self.parts.values()), Resources())


@dataclass
class Bench:
    """A checkout, the goals, a folder for what the tools write, and one for placements that need no second run."""

    root: Path
    goal: Goal
    scratch: Path
    cache: Path
    say: Say
    jobs: int = 1

    def __post_init__(self) -> None:
        self.board = design.board_of(self.root)

    def elaborated(self, name: str, change: Mapping[str, int] | None = None) -> Elaborated:
        """The core at the board's capacities, some of them changed."""
        values = design.parameters(self.root, self.board, {**self.board.capacity, **(change or {})})
        with self._timed(f"read the fabric ({', '.join(f'{k} {v}' for k, v in values.items())})"):
            return design.elaborate(self.root, self.scratch, name, values)

    def beside(self, module: str, name: str) -> Elaborated | None:
        """gem_port, feed_unit or link_unit, if ``module`` is one of them or in it: they are no part of the core."""
        for prefix, elaborate in _BESIDE.items():
            if module.startswith(prefix):
                with self._timed(f"read what {module} is in"):
                    return elaborate(self.root, self.scratch, name)
        return None

    def synthesise(self, core: Elaborated, top: str) -> Measured:
        """Checks, and what ``top`` and each module below it take: resources, memories, levels inside a module."""
        with self._timed(f"structural checks of {top}"):
            findings = checks.structure(core, top, root=self.root, scratch=self.scratch)
        with self._timed(f"synthesis of {top} by module, xc7"):
            netlists = xilinx.by_module(core, top, root=self.root, scratch=self.scratch)
        memories = resources.memories(core, netlists, top)
        bits = self.goal.memory
        findings += checks.memories(core, top, memories, bits["lutram"], bits["registers"])
        measured = Measured(self.board, core.modules[top].definition, top == CORE, memories, findings)
        measured.fingerprint = xilinx.fingerprint(core, top)
        for name in core.below(top):
            module = core.modules[name]
            part = measured.parts.setdefault(module.definition, Part(module.definition, module.source))
            part.instances += 1
            part.own += resources.count(netlists[name])
        for name, paths in self._inside(core, top, netlists, findings).items():
            part = measured.parts[core.modules[name].definition]
            part.paths = max(part.paths, paths, key=_depth)
        return measured

    def _inside(
        self, core: Elaborated, top: str, netlists: Mapping[str, Netlist], findings: list[Finding]
    ) -> dict[str, list[Group]]:
        """Paths of each module without others below it: of the rest, those through a module below are not seen.

        One that is too deep is mapped once more, for few levels: the usual mapper saves area on all that is shorter
        than the longest carry chain, so its rows of LUTs need not be as deep.
        """
        lowest = [name for name in core.below(top) if not core.modules[name].children]
        paths = {name: _paths(netlists[name], None, findings) for name in lowest}
        deep = [name for name in lowest if _depth(paths[name])[0] > self.goal.levels_of(core.modules[name].source)]
        if deep:
            with self._timed(f"synthesis of {len(deep)} modules for few levels, xc7"):
                again = xilinx.by_level(deep, root=self.root, scratch=self.scratch)
            paths |= {name: min(paths[name], _paths(again[name], None, []), key=_depth) for name in deep}
        return paths

    def flatten(self, core: Elaborated, top: str, measured: Measured) -> None:
        """Levels of ``top`` across the modules below it, and what it takes when nothing keeps them apart."""
        if not core.modules[top].children:
            return  # that is what was measured
        with self._timed(f"synthesis of {top}, flattened, xc7"):
            flat = xilinx.flat(core, top, root=self.root, scratch=self.scratch)
        measured.flat = resources.count(flat)
        measured.parts[measured.top].paths = _paths(flat, core.inputs_below(top), measured.findings)

    def place(self, core: Elaborated, top: str, measured: Measured, seeds: list[int], *, below: bool) -> None:
        """Place and route of ``top``, and of all modules below it; fills ``runs``. The worst instance counts."""
        names = core.below(top) if below else [top]
        order = sorted(names, key=lambda name: len(core.below(name)))  # the small ones first
        self.say(
            f"          place and route of {len(order)} modules on ECP5, {len(seeds)} seeds, {self.jobs} at a time"
        )
        with ThreadPoolExecutor(self.jobs) as pool:
            runs = pool.map(lambda at: self._placed(core, at[1], seeds, f"{at[0]}/{len(order)}"), enumerate(order, 1))
            for name, found in zip(order, runs, strict=True):
                part = measured.parts[core.modules[name].definition]
                if not part.runs or route.median(found) < route.median(part.runs):
                    part.runs = found

    def _placed(self, core: Elaborated, name: str, seeds: list[int], number: str) -> list[route.Run]:
        with self._timed(f"{number} {name}") as done:
            found = route.measure(core, name, seeds, scratch=self.scratch, cache=self.cache)
            done.append(f"{route.median(found):.0f} MHz, {found[0].source} -> {found[0].sink}")
        return found

    def _timed(self, what: str) -> "_Timed":
        return _Timed(what, self.say)


class _Timed:
    """Tells what was done, how long it took, and a result if there is one."""

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


def _paths(netlist: Netlist, inputs: Iterable[str] | None, findings: list[Finding]) -> list[Group]:
    try:
        return levels.worst(netlist, levels.Names(netlist, inputs or ()))
    except LoopError as error:
        findings.append(Finding(f"loop {netlist.name}", str(error)))
        return []


def _depth(paths: list[Group]) -> tuple[int, int]:
    return (paths[0].luts, paths[0].carries) if paths else (-1, -1)


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
