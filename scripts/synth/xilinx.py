# SPDX-License-Identifier: Apache-2.0
"""Synthesis for the xc7 part: by module for resources and the levels inside each, flattened for paths across modules."""

from collections.abc import Mapping
from pathlib import Path

from synth import levels, netlist, yosys
from synth.design import Elaborated
from synth.levels import Group
from synth.netlist import Netlist

# No pads and no clock buffers: the core is a block in a larger design.
_SYNTH = "tee -q synth_xilinx -family xc7 -noiopad -noclkbuf"


def by_module(design: Elaborated, top: str, *, root: Path, scratch: Path) -> Mapping[str, Netlist]:
    """The mapped netlist of each module below ``top``, its hierarchy kept."""
    return _synthesise(design, top, "", "modules", root, scratch)


def flat(design: Elaborated, top: str, *, root: Path, scratch: Path) -> list[Group]:
    """The worst paths of ``top`` with all that is below it, by pairs of registers. Raises LoopError."""
    mapped = _synthesise(design, top, " -flatten", "flat", root, scratch)[top]
    return levels.worst(mapped, levels.Names(mapped, _input_ports(design, top)))


def _synthesise(design: Elaborated, top: str, option: str, name: str, root: Path, scratch: Path) -> dict[str, Netlist]:
    file = (scratch / f"{name}.json").resolve()
    commands = [
        f"read_rtlil {design.file}",
        f"hierarchy -top {top}",
        f"{_SYNTH}{option} -top {top}",
        f"write_json {file}",
    ]
    yosys.run(commands, name, root=root, scratch=scratch)
    return netlist.load(file)


def _input_ports(design: Elaborated, top: str) -> set[str]:
    """Names that the input ports of all instances have once the hierarchy is flat."""
    start = len(design.modules[top].path) + 1
    inner = [design.modules[name] for name in design.below(top)[1:]]
    return {f"{m.path[start:]}.{port.name}" for m in inner for port in m.ports if port.direction == "input"}
