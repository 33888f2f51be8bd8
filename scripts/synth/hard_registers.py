# SPDX-License-Identifier: Apache-2.0
"""Registers that stand behind a block RAM or a multiplier go into it.

Both have registers at their outputs, and a vendor's synthesis puts a register there that takes nothing but their word.
yosys leaves it in the slices, where the word arrives late: the ECP5's RAM alone takes 5.8 ns of a cycle.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Loads = Mapping[Any, list[tuple[str, str]]]  # the cell and port at each input that a wire drives


@dataclass(frozen=True)
class Output:
    """A registered output of a primitive: its bits, and how the register is switched on."""

    bits: re.Pattern[str]
    clock: str
    enable: str
    parameters: Mapping[str, str]


OUTPUTS = {
    "DP16KD": [Output(re.compile(rf"DO{s}\d+"), f"CLK{s}", f"OCE{s}", {f"REGMODE_{s}": "OUTREG"}) for s in "AB"],
    "MULT18X18D": [Output(re.compile(r"P\d+"), "CLK0", "CE0", {"REG_OUTPUT_CLK": "CLK0", "GSR": "DISABLED"})],
}


def absorb(module: dict[str, Any]) -> int:
    """Moves what it can of the mapped ECP5 ``module`` of yosys' JSON, in place; the number of flip-flops that left."""
    cells = module["cells"]
    loads = _loads(module)
    moved = 0
    for hard in [cell for cell in cells.values() if cell["type"] in OUTPUTS]:
        for output in OUTPUTS[hard["type"]]:
            behind = _behind(hard, output, cells, loads)
            for port, name in behind.items():
                register = cells.pop(name)
                hard["connections"][port] = register["connections"]["Q"]
                for control, wire in (
                    (output.clock, register["connections"]["CLK"]),
                    (output.enable, _enable(register)),
                ):
                    hard["connections"][control] = wire
                    hard["port_directions"][control] = "input"
                hard["parameters"] |= output.parameters
            moved += len(behind)
    return moved


def _loads(module: Mapping[str, Any]) -> Loads:
    loads: dict[Any, list[tuple[str, str]]] = defaultdict(list)
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "input":
                for bit in bits:
                    loads[bit].append((name, port))
    for name, port in module["ports"].items():
        if port["direction"] != "input":
            for bit in port["bits"]:
                loads[bit].append(("", name))
    return loads


def _behind(hard: Mapping[str, Any], output: Output, cells: Mapping[str, Any], loads: Loads) -> dict[str, str]:
    """The flip-flop behind each bit of the output that is in use, by the bit's port; none unless all can go."""
    found: dict[str, str] = {}
    for port, (bit, *_) in hard["connections"].items():
        if output.bits.fullmatch(port) and loads[bit]:
            (name, where), *others = loads[bit]
            if others or where != "DI":
                return {}
            found[port] = name
    registers = [cells[name] for name in found.values()]
    controls = {(*register["connections"]["CLK"], *_enable(register)) for register in registers}
    # A memory's own clock is there already.
    clock = hard["connections"].get(output.clock, registers[0]["connections"]["CLK"] if registers else [])
    fits = all(_plain(register) and register["connections"]["CLK"] == clock for register in registers)
    return found if fits and len(controls) == 1 else {}


def _plain(cell: Mapping[str, Any]) -> bool:
    """A flip-flop without reset, on the rising edge."""
    options = cell["parameters"]
    reset = cell["connections"].get("LSR", ["0"]) if options.get("LSRMUX", "LSR") == "LSR" else ["1"]
    return bool(cell["type"] == "TRELLIS_FF" and options.get("CLKMUX", "CLK") == "CLK" and reset == ["0"])


def _enable(register: Mapping[str, Any]) -> list[Any]:
    enabled: list[Any] = register["connections"]["CE"] if register["parameters"]["CEMUX"].strip() == "CE" else ["1"]
    return enabled
