# SPDX-License-Identifier: Apache-2.0
"""Synthesis for the xc7 part: by module for what each takes, and flattened for the paths across modules."""

from collections.abc import Mapping
from pathlib import Path

from synth import netlist, yosys
from synth.design import Elaborated
from synth.netlist import Netlist

# No pads and no clock buffers: the core is a block in a larger design.
_SYNTH = "tee -q synth_xilinx -family xc7 -noiopad -noclkbuf"


def by_module(design: Elaborated, top: str, *, root: Path, scratch: Path) -> Mapping[str, Netlist]:
    """The mapped netlist of each module below ``top``, its hierarchy kept."""
    return _synthesise(design, top, "", "modules", root, scratch)


def flat(design: Elaborated, top: str, *, root: Path, scratch: Path) -> Netlist:
    """The mapped netlist of ``top`` with all that is below it in one module."""
    return _synthesise(design, top, " -flatten", "flat", root, scratch)[top]


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
