# SPDX-License-Identifier: Apache-2.0
"""Synthesis for the xc7 part: by module for what each takes, and flattened for the paths across modules."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from synth import netlist, rtlil, yosys
from synth.design import Elaborated
from synth.netlist import Netlist

# No pads and no clock buffers: the core is a block in a larger design.
_SYNTH = "tee -q synth_xilinx -family xc7 -noiopad -noclkbuf"
_LUTS = "map_luts"  # the step from which on modules are mapped apart from what is below them
# The same step by levels of logic. The usual mapper counts picoseconds of its own model: to save area it lets paths
# without a carry chain grow until they take as long as the longest chain, so it tells little of how deep they must be.
_LUTS_BY_LEVEL = (
    "opt_expr -mux_undef -noclkinv",
    "tee -q abc -luts 2:2,3,6:5,10,20",
    "clean",
    "xilinx_srl -fixed -minlen 3",
    "techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -map +/xilinx/ff_map.v -D LUT_WIDTH=6",
    "xilinx_dffopt",
    "opt_lut_ins -tech xilinx",
    "clean",
    "blackbox =A:whitebox",
)
# From here on a few modules at a time are taken of what has been read, into a design with nothing else but primitives.
_APART = ("design -stash coarse", "read_verilog -lib -specify +/xilinx/cells_sim.v", "design -save primitives")
# The mapper prepares the primitives for each of these designs, which takes longer than most modules.
_AT_ONCE = 8
_TOOL = f"pyosys {version('pyosys')}"


def fingerprint(design: Elaborated, top: str) -> str:
    """Equal where ``top`` takes the same: of the tool, its passes, and the elaborated hardware, not of its text."""
    given = (_TOOL, _SYNTH, _LUTS, _LUTS_BY_LEVEL, _APART, rtlil.digest(dict(design.modules), top))
    return sha256(repr(given).encode()).hexdigest()


def by_module(design: Elaborated, top: str, *, root: Path, scratch: Path) -> Mapping[str, Netlist]:
    """The mapped netlist of each module below ``top``, its hierarchy kept."""
    folder = (scratch / "modules").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: folder / f"{number}.json" for number, name in enumerate(design.below(top))}
    commands = [
        f"read_rtlil {design.file}",
        f"hierarchy -top {top}",
        f"{_SYNTH} -top {top} -run begin:{_LUTS}",
        f"write_rtlil {_coarse(scratch)}",
        *_APART,
    ]
    for names in _together(design, list(files)):
        commands += _luts(names, design, files)
    yosys.run(commands, "modules", root=root, scratch=scratch)
    return {name: netlist.load(file)[name] for name, file in files.items()}


def by_level(names: Iterable[str], *, root: Path, scratch: Path) -> Mapping[str, Netlist]:
    """The netlists of modules without others below them, mapped for few levels. Goes on from ``by_module``."""
    folder = (scratch / "levels").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: folder / f"{number}.json" for number, name in enumerate(names)}
    commands = [f"read_rtlil {_coarse(scratch)}", *_APART]
    for name, file in files.items():
        commands += ["design -load primitives", f"design -copy-from coarse -as {name} {_pattern(name)}"]
        commands += [*_LUTS_BY_LEVEL, f"select {_pattern(name)}", f"write_json -selected {file}"]
    yosys.run(commands, "levels", root=root, scratch=scratch)
    return {name: netlist.load(file)[name] for name, file in files.items()}


def _coarse(scratch: Path) -> Path:
    """All modules as they are just before their logic becomes LUTs."""
    return (scratch / "coarse.il").resolve()


def _together(design: Elaborated, names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Modules that can be mapped at once: none of them stands in another."""

    def height(name: str) -> int:
        return max((height(child) + 1 for child in design.modules[name].children), default=0)

    for _, of_height in groupby(sorted(names, key=height), key=height):
        level = tuple(of_height)
        yield from (level[at : at + _AT_ONCE] for at in range(0, len(level), _AT_ONCE))


def _luts(names: Sequence[str], design: Elaborated, files: Mapping[str, Path]) -> Iterator[str]:
    """Maps a few modules in a design of their own: the mapper goes through all that is there for each module."""
    yield "design -load primitives"
    for child in sorted({child for name in names for child in design.modules[name].children}):
        yield f"design -copy-from coarse -as {child} {_pattern(child)}"
        yield f"blackbox {_pattern(child)}"
    for name in names:
        yield f"design -copy-from coarse -as {name} {_pattern(name)}"
    yield f"{_SYNTH} -run {_LUTS}:"
    for name in names:
        yield f"select {_pattern(name)}"
        yield f"write_json -selected {files[name]}"


def _pattern(name: str) -> str:
    """A name of which none of the characters is special in a selection."""
    return re.sub(r"[\[\]]", "?", name)


def flat(design: Elaborated, top: str, *, root: Path, scratch: Path) -> Netlist:
    """The netlist of ``top`` with all that is below it in one module, mapped for few levels."""
    file = (scratch / "flat.json").resolve()
    commands = [
        f"read_rtlil {design.file}",
        f"hierarchy -top {top}",
        f"{_SYNTH} -flatten -top {top} -run begin:{_LUTS}",
        *_LUTS_BY_LEVEL,
        f"write_json {file}",
    ]
    yosys.run(commands, "flat", root=root, scratch=scratch)
    return netlist.load(file)[top]
