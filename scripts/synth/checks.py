# SPDX-License-Identifier: Apache-2.0
"""Structure that no design of ours may have, whatever it takes and however fast it is."""

import re
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
_DRIVERS = re.compile(r"Warning: multiple conflicting drivers for \S+?\.\\(\S+?):?$", re.MULTILINE)
_UNDRIVEN = re.compile(r"Warning: Wire \S+?\.\\(\S+).* is used but has no driver")


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
        if cell.type in _LATCHES:
            yield Finding(f"latch {here}.{_driven(cell)}", f"{here}: {_driven(cell)} is a latch")
        elif cell.type in _ASYNCHRONOUS:
            name = _driven(cell)
            yield Finding(f"asynchronous {here}.{name}", f"{here}: {name} has an asynchronous reset; ours are synchronous")
        elif cell.type not in design.modules and not cell.type.startswith("$"):
            if not cell.source.startswith(VENDOR_FOLDER):
                text = f"{here}: {cell.type} is a primitive of the vendor; those stand in {VENDOR_FOLDER} ({cell.source})"
                yield Finding(f"vendor {here}.{cell.type}", text)
        if cell.type in _REGISTERS:
            clock, rising = cell.ports.get("CLK", ""), cell.parameters.get("CLK_POLARITY", "1").endswith("1")
            if clock != f"\\{CLOCK}" or not rising:
                edge = "" if rising else "falling edge of "
                text = f"{here}: {_driven(cell)} runs on the {edge}{clock.lstrip(chr(92))}; the one clock is {CLOCK}, rising"
                yield Finding(f"clock {here}.{_driven(cell)}", text)
        elif cell.type in design.modules and cell.ports.get(CLOCK, f"\\{CLOCK}") != f"\\{CLOCK}":
            text = f"{here}: {cell.name} is clocked by {cell.ports[CLOCK].lstrip(chr(92))}; the one clock is {CLOCK}"
            yield Finding(f"clock {here}.{cell.name}", text)


def _driven(cell: Cell) -> str:
    """The signal that a register or latch drives."""
    return cell.ports.get("Q", cell.name).split()[0].lstrip("\\")


def _nets(design: Elaborated, top: str, root: Path, scratch: Path) -> Iterator[Finding]:
    """Loops, nets with several drivers and nets with none, through all levels of the hierarchy."""
    said = (scratch / "check.txt").resolve()
    commands = [f"read_rtlil {design.file}", f"hierarchy -top {top}", "flatten", f"tee -q -o {said} check"]
    yosys.run(commands, "check", root=root, scratch=scratch)
    text = said.read_text(encoding="utf-8")
    for loop in _LOOP.findall(text):
        names = sorted(set(_LOOP_WIRE.findall(loop)))
        yield Finding(f"loop {' '.join(names)}", f"combinational loop through {', '.join(names)}")
    for name in _DRIVERS.findall(text):
        yield Finding(f"drivers {name}", f"{name} has more than one driver")
    for name in _UNDRIVEN.findall(text):
        yield Finding(f"undriven {name}", f"{name} is read and nothing drives it")


def memories(placed: Iterable[PlacedMemory], lutram_bits: int, register_bits: int) -> list[Finding]:
    """Memories that fell into logic: larger than these bounds and yet in LUTs, or in flip-flops."""
    found = set()
    for memory in placed:
        bits = memory.width * memory.size
        bound, what = {"lutram": (lutram_bits, "LUTs"), "registers": (register_bits, "flip-flops")}.get(
            memory.where, (bits, "")
        )
        if bits > bound:
            name = f"{memory.path.partition('.')[2]}.{memory.name}"
            text = f"{name}: {bits} bits ({memory.size} x {memory.width}) fell into {what}; at most {bound} may"
            found.add(Finding(f"memory {name}", text))
    return sorted(found)
