# SPDX-License-Identifier: Apache-2.0
"""The fabric of a checkout: its board, the core's parameters for a capacity, and the elaborated hierarchy."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fixaccel.language.terms import Board
from fixaccel.pipeline import load_board
from synth import rtlil, yosys
from synth.yosys import ToolError

CORE = "fixaccel_core"
BOARD_FILE = "strategies/boards/pynq-z1.yaml"
FILE_LIST = "rtl/files.f"
# The `gem-bram` interface: what stands in front of the core there is measured by itself.
PORT = "gem_port"
PORT_BOARD_FILE = "strategies/boards/pynq-z1-gem.yaml"
PORT_FILE_LIST = "rtl/files_gem.f"
# Units that are no part of the core yet, with what each adds to files.f: what decodes feeds, the link to another board.
UNITS = {"feed_unit": "rtl/files_feed.f", "link_unit": "rtl/files_link.f"}
# The part's primitives are known, so that an instance of one is found by a check and not an error of the reader.
PRIMITIVES = ("read_verilog -lib +/xilinx/cells_sim.v", "read_verilog -lib +/xilinx/cells_xtra.v")
# Assertions are no hardware.
READ = "read_slang --keep-hierarchy --ignore-assertions --extern-modules --unroll-limit 200000"
# A register that the source keeps apart from its likes stays so, as in a vendor's synthesis: yosys heeds the mark on a
# cell, not on the wire.
_KEPT = "setattr -set keep 1 */w:* */a:keep %i %ci1:+[Q] */t:$*dff* %i"
_PARAMETER = re.compile(r"\bparameter\s+int\s+(?:unsigned\s+)?(\w+)")


@dataclass(frozen=True)
class Elaborated:
    """An elaborated hierarchy: its RTLIL file, and the modules in it by name (one for each instance)."""

    file: Path
    top: str
    modules: Mapping[str, rtlil.Module]

    def instance(self, path: str) -> str | None:
        """Name of the module at an instance path below the top such as `receiver.framing`; the top for ``""``."""
        return self._by_path.get(f"{self.top}.{path}" if path else self.top)

    @cached_property
    def _by_path(self) -> dict[str, str]:
        return {module.path: module.name for module in self.modules.values()}

    def below(self, name: str) -> list[str]:
        """``name`` and all modules below it, parents first."""
        return [name, *(inner for child in self.modules[name].children for inner in self.below(child))]

    def path_below(self, top: str, name: str) -> str:
        """Instance path of module ``name`` from ``top`` on; ``""`` for ``top`` itself."""
        return self.modules[name].path[len(self.modules[top].path) + 1 :]

    def inputs_below(self, top: str) -> set[str]:
        """Names that the input ports of all instances below ``top`` have once the hierarchy is flat."""
        return {
            f"{self.path_below(top, name)}.{port.name}"
            for name in self.below(top)[1:]
            for port in self.modules[name].ports
            if port.direction == "input"
        }


def board_of(root: Path, file: str = BOARD_FILE) -> Board:
    """The board file of the checkout. Raises ToolError if it is wrong."""
    loaded = load_board(root / file)
    if loaded.board is None:
        raise ToolError(f"{file} is not a sound board file; `fixaccel check {file}` tells more")
    return loaded.board


def parameters(root: Path, board: Board, capacity: Mapping[str, int]) -> dict[str, int]:
    """The core's parameters: those that are named as a capacity, and the width of the data path."""
    values = {name.upper(): value for name, value in capacity.items()} | {"BYTES_PER_BEAT": board.bytes_per_beat}
    text = (root / "rtl" / f"{CORE}.sv").read_text(encoding="utf-8")
    head = text.partition(f"module {CORE}")[2].partition("\n);")[0]
    return {name: values[name] for name in _PARAMETER.findall(head) if name in values}


def elaborate(root: Path, scratch: Path, name: str, values: Mapping[str, int]) -> Elaborated:
    """Elaborates the core of the checkout with these parameters."""
    generics = "".join(f" -G {key}={value}" for key, value in values.items())
    return read(root, scratch, name, CORE, f"{generics} -F {FILE_LIST}")


def elaborate_port(root: Path, scratch: Path, name: str) -> Elaborated:
    """Elaborates gem_port of the checkout with the slots of its board file."""
    slots = board_of(root, PORT_BOARD_FILE).gem
    generics = "".join(f" -G {key.upper()}={value}" for key, value in slots.items())
    return read(root, scratch, name, PORT, f"{generics} -F {FILE_LIST} -F {PORT_FILE_LIST}")


def elaborate_unit(unit: str, root: Path, scratch: Path, name: str) -> Elaborated:
    """Elaborates one of ``UNITS`` of the checkout."""
    return read(root, scratch, name, unit, f" -F {FILE_LIST} -F {UNITS[unit]}")


def read(root: Path, scratch: Path, name: str, top: str, sources: str) -> Elaborated:
    """Elaborates ``top`` from ``sources``, the words of a `read_slang` command; one module per instance."""
    file = (scratch / f"{name}.il").resolve()
    yosys.run(
        [
            *PRIMITIVES,
            f"{READ} --top {top} {sources}",
            f"hierarchy -purge_lib -top {top}",
            _KEPT,
            f"write_rtlil {file}",
        ],
        name,
        root=root,
        scratch=scratch,
    )
    return Elaborated(file, top, rtlil.load(file))
