# SPDX-License-Identifier: Apache-2.0
"""Structure that no design of ours may have, whatever it takes and however fast it is."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from synth import yosys
from synth.alone import CLOCK
from synth.design import Elaborated
from synth.resources import PlacedMemory
from synth.rtlil import Cell, Module

VENDOR_FOLDER = "rtl/vendor/"
_LATCHES = frozenset({"$dlatch", "$adlatch", "$dlatchsr", "$sr"})
_ASYNCHRONOUS = frozenset({"$adff", "$adffe", "$aldff", "$aldffe", "$dffsr", "$dffsre"})
_REGISTERS = _ASYNCHRONOUS | {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce"}
_LOOP = re.compile(r"Warning: found logic loop.*?(?=\nWarning|\nFound and reported)", re.DOTALL)
_LOOP_WIRE = re.compile(r"    wire \\(\S+)")
_DRIVERS = re.compile(r"Warning: multiple conflicting drivers for \S+?\.\\(\S+?)(?: \[[\d:]+\])?:$", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Finding:
    """A fault: a key that stays the same from run to run, and the text for people."""

    key: str
    text: str


def structure(design: Elaborated, top: str, *, root: Path, scratch: Path) -> list[Finding]:
    """All faults of ``top`` and what is below it, but those of its memories."""
    found = [finding for name in design.below(top) for finding in _module(design.modules[name], design)]
    return sorted({*found, *_nets(design, top, root, scratch)})


def _module(module: Module, design: Elaborated) -> Iterator[Finding]:
    here = module.definition
    for signal in module.initial:
        yield Finding(f"initial {here}.{signal}", f"{here}: {signal} has a value at power-up beside the reset's")
    for cell in module.cells:
        driven = f"{here}.{_driven(cell)}"
        if cell.type in _LATCHES:
            yield Finding(f"latch {driven}", f"{driven} is a latch")
        elif cell.type in _ASYNCHRONOUS:
            yield Finding(f"asynchronous {driven}", f"{driven} has an asynchronous reset; ours are synchronous")
        elif _foreign(cell, design):
            text = f"{here}: {cell.type} is a primitive of the vendor; those stand in {VENDOR_FOLDER} ({cell.source})"
            yield Finding(f"vendor {here}.{cell.type}", text)
        clock = _clock(cell, design)
        if clock != CLOCK:
            yield Finding(f"clock {driven}", f"{driven} is clocked by {clock}; the one clock is {CLOCK}, rising")


def _foreign(cell: Cell, design: Elaborated) -> bool:
    """Whether it is a primitive of the vendor outside the folder for those."""
    known = cell.type.startswith("$") or cell.type in design.modules
    return not known and not cell.source.startswith(VENDOR_FOLDER)


def _clock(cell: Cell, design: Elaborated) -> str:
    """The signal that clocks a register or an instance; that of the one clock for anything else."""
    port = "CLK" if cell.type in _REGISTERS else CLOCK if cell.type in design.modules else ""
    name = cell.ports.get(port, CLOCK).lstrip("\\")
    rising = cell.parameters.get("CLK_POLARITY", "1").endswith("1")
    return name if rising or port != "CLK" else f"the falling edge of {name}"


def _driven(cell: Cell) -> str:
    """The signal that a register or latch drives."""
    return cell.ports.get("Q", cell.name).split()[0].lstrip("\\")


def _nets(design: Elaborated, top: str, root: Path, scratch: Path) -> Iterator[Finding]:
    """Loops, and nets with several drivers, through all levels of the hierarchy."""
    said = (scratch / "check.txt").resolve()
    commands = [f"read_rtlil {design.file}", f"hierarchy -top {top}", "flatten", f"tee -q -o {said} check"]
    yosys.run(commands, "check", root=root, scratch=scratch)
    text = said.read_text(encoding="utf-8")
    for loop in _LOOP.findall(text):
        names = sorted(set(_LOOP_WIRE.findall(loop)))
        yield Finding(f"loop {' '.join(names)}", f"combinational loop through {', '.join(names)}")
    for name in _DRIVERS.findall(text):
        yield Finding(f"drivers {name}", f"{name} has more than one driver")


def memories(
    design: Elaborated, top: str, placed: Iterable[PlacedMemory], lutram_bits: int, register_bits: int
) -> list[Finding]:
    """Memories that fell into logic: larger than these bounds and yet in LUTs, or in flip-flops."""
    bounds = {"lutram": (lutram_bits, "LUTs"), "registers": (register_bits, "flip-flops")}
    sizes = [(m.path, m.bits, *bounds[m.where]) for m in placed if m.where in bounds]
    sizes += [(name, bits, *bounds["registers"]) for name, bits in _registers(design, top).items()]
    return sorted(
        Finding(f"memory {name}", f"{name}: {bits} bits fell into {what}; at most {bound} may")
        for name, bits, bound, what in sizes
        if bits > bound
    )


def _registers(design: Elaborated, top: str) -> Counter[str]:
    """Bits of each variable in flip-flops: an array whose words are not read one by one is no memory from the start."""
    bits: Counter[str] = Counter()
    for name in design.below(top):
        for cell in design.modules[name].cells:
            if cell.type in _REGISTERS:
                path = ".".join(filter(None, (design.path_below(top, name), _driven(cell))))
                bits[path] += int(cell.parameters["WIDTH"])
    return bits
