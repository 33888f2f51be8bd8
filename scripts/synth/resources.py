# SPDX-License-Identifier: Apache-2.0
"""What a mapped netlist takes of an xc7 part: by module, and by memory."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from synth.design import Elaborated
from synth.netlist import Netlist
from synth.packing import INPUTS, pairs

# Sites that a memory or shift register of LUTs takes.
LUTRAM = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1S": 4, "RAM128X1S": 2}
SHIFT = {"SRL16E": 1, "SRLC16E": 1, "SRLC32E": 1}
FLIP_FLOPS = frozenset(
    f"{kind}{edge}" for kind in ("FDRE", "FDSE", "FDCE", "FDPE", "LDCE", "LDPE") for edge in ("", "_1")
)
BLOCK_RAM = {"RAMB36E1": 1.0, "RAMB18E1": 0.5}
_PRIMITIVES = frozenset(LUTRAM) | frozenset(BLOCK_RAM)
_NUMBERS = re.compile(r"\.\d+\.\d+(\.genblk.*)?$")


@dataclass(frozen=True)
class Resources:
    """LUTs that are logic, LUTs that are memory or shift registers, flip-flops, 36 kbit block RAMs, DSP slices."""

    logic: int = 0
    lutram: int = 0
    ff: int = 0
    bram36: float = 0
    dsp: int = 0
    pairs: int = 0  # of LUTs that are logic, two at a site

    def __add__(self, other: "Resources") -> "Resources":
        return Resources(
            self.logic + other.logic,
            self.lutram + other.lutram,
            self.ff + other.ff,
            self.bram36 + other.bram36,
            self.dsp + other.dsp,
            self.pairs + other.pairs,
        )

    @property
    def lut(self) -> int:
        """All LUTs, as budgets count them."""
        return self.logic + self.lutram

    @property
    def sites(self) -> int:
        """What the LUTs take of the chip: fewer, for pairs of them share a site."""
        return self.lut - self.pairs

    def figures(self) -> dict[str, float]:
        """By the words of the board file."""
        return {"lut": self.lut, "ff": self.ff, "bram36": self.bram36, "dsp": self.dsp}


@dataclass(frozen=True)
class PlacedMemory:
    """A memory and where it went: `block`, `lutram` or `registers`."""

    path: str  # below the top, with the memory's own name at the end
    width: int
    size: int
    where: str
    bram36: float
    lutram: int

    @property
    def bits(self) -> int:
        """Its content in bits."""
        return self.width * self.size


def count(netlist: Netlist) -> Resources:
    """Of the netlist's own cells, not of instances in it."""
    types = Counter(cell.type for cell in netlist.cells)
    return Resources(
        sum(types[name] for name in INPUTS),
        sum(sites * types[name] for name, sites in (LUTRAM | SHIFT).items()),
        sum(types[name] for name in FLIP_FLOPS),
        sum(share * types[name] for name, share in BLOCK_RAM.items()),
        types["DSP48E1"],
        pairs(netlist),
    )


def memory_of(primitive: str) -> str:
    """The memory that a primitive is a piece of: yosys names those `path.mem.0.3`, or `path.mem.0.3.genblk1...`."""
    return _NUMBERS.sub("", primitive)


def memories(design: Elaborated, netlists: Mapping[str, Netlist], top: str) -> list[PlacedMemory]:
    """Every memory of ``top`` and the modules below it, the largest first."""
    placed = []
    for name in design.below(top):
        cells = netlists[name].cells
        primitives = Counter((memory_of(cell.name), cell.type) for cell in cells if cell.type in _PRIMITIVES)
        for memory in design.modules[name].memories:
            path = ".".join(filter(None, (design.path_below(top, name), memory.name)))
            bram36 = sum(share * primitives[memory.name, kind] for kind, share in BLOCK_RAM.items())
            lutram = sum(sites * primitives[memory.name, kind] for kind, sites in LUTRAM.items())
            where = "block" if bram36 else "lutram" if lutram else "registers"
            placed.append(PlacedMemory(path, memory.width, memory.size, where, bram36, lutram))
    return sorted(placed, key=lambda m: (-m.bram36, -m.bits))
