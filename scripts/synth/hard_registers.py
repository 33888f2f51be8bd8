# SPDX-License-Identifier: Apache-2.0
"""Registers that stand behind a block RAM or a multiplier go into it, and those that stand before a multiplier.

Both have registers at their outputs, a multiplier at its inputs, too, and a vendor's synthesis puts a register there
that takes nothing but their word, or that nothing but multipliers takes. yosys leaves it in the slices, where the word
arrives late: the ECP5's RAM alone takes 5.8 ns of a cycle, its multiplier 3.9.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Loads = Mapping[Any, list[tuple[str, str]]]  # the cell and port at each input that a wire drives


@dataclass(frozen=True)
class Registers:
    """Those at an output or operand of a primitive: its bits, their clock and enable, and what switches them on."""

    bits: re.Pattern[str]
    clock: str
    enable: str
    parameters: Mapping[str, str]


OUTPUTS = {
    "DP16KD": [Registers(re.compile(rf"DO{s}\d+"), f"CLK{s}", f"OCE{s}", {f"REGMODE_{s}": "OUTREG"}) for s in "AB"],
    "MULT18X18D": [Registers(re.compile(r"P\d+"), "CLK0", "CE0", {"REG_OUTPUT_CLK": "CLK0", "GSR": "DISABLED"})],
}


# Of a multiplier; its output's have CE0.
OPERANDS = [
    Registers(
        re.compile(rf"{side}\d+"), "CLK0", f"CE{enable}",
        {f"REG_INPUT{side}_CLK": "CLK0", f"REG_INPUT{side}_CE": f"CE{enable}", "GSR": "DISABLED"},
    )
    for enable, side in enumerate("AB", start=1)
]  # fmt: skip


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
    return moved + _absorb_operands(cells, loads)


def _absorb_operands(cells: dict[str, Any], loads: Loads) -> int:
    """Registers that only multipliers take both of whose operands go in: nextpnr times no multiplier with one."""
    drivers = {_word(cell): name for name, cell in cells.items() if cell["type"] == "TRELLIS_FF"}
    multipliers = [name for name, cell in cells.items() if cell["type"] == "MULT18X18D"]
    going = [
        (name, operand, _before(cells[name], operand, cells, drivers)) for name in multipliers for operand in OPERANDS
    ]
    before = 0
    while len(going) != before:
        before = len(going)
        inside = {(name, port) for name, _, registers in going for port in registers}
        stay = {
            name
            for name, _, registers in going
            if not registers or any(load not in inside for r in registers.values() for load in loads[_word(cells[r])])
        }
        going = [entry for entry in going if entry[0] not in stay]
    for name, operand, registers in going:
        hard = cells[name]
        for port, register in registers.items():
            hard["connections"][port] = cells[register]["connections"]["DI"]
            controls = {operand.clock: cells[register]["connections"]["CLK"], operand.enable: _enable(cells[register])}
        hard["connections"] |= controls
        hard["port_directions"] |= dict.fromkeys(controls, "input")
        hard["parameters"] |= operand.parameters
    gone = {register for _, _, registers in going for register in registers.values()}
    for register in gone:
        del cells[register]
    return len(gone)


def _before(
    hard: Mapping[str, Any], operand: Registers, cells: Mapping[str, Any], drivers: Mapping[Any, str]
) -> dict[str, str]:
    """The flip-flop before each bit of the operand that is not 0, by the bit's port; none unless all could go."""
    wires = {port: wire for port, (wire, *_) in hard["connections"].items() if operand.bits.fullmatch(port)}
    found = {port: drivers.get(wire) for port, wire in wires.items() if wire != "0"}
    registers = {port: name for port, name in found.items() if name is not None}
    if len(registers) != len(found) or not registers:
        return {}
    plain = all(_plain(cells[name]) for name in registers.values())
    controls = {(*cells[name]["connections"]["CLK"], *_enable(cells[name])) for name in registers.values()}
    clock = hard["connections"].get(operand.clock)
    fits = clock is None or all(cells[name]["connections"]["CLK"] == clock for name in registers.values())
    return registers if plain and fits and len(controls) == 1 else {}


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


def _behind(hard: Mapping[str, Any], output: Registers, cells: Mapping[str, Any], loads: Loads) -> dict[str, str]:
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


def _word(register: Mapping[str, Any]) -> int | str:
    word: int | str = register["connections"]["Q"][0]
    return word


def _plain(cell: Mapping[str, Any]) -> bool:
    """A flip-flop without reset, on the rising edge."""
    options = cell["parameters"]
    reset = cell["connections"].get("LSR", ["0"]) if options.get("LSRMUX", "LSR") == "LSR" else ["1"]
    return bool(cell["type"] == "TRELLIS_FF" and options.get("CLKMUX", "CLK") == "CLK" and reset == ["0"])


def _enable(register: Mapping[str, Any]) -> list[Any]:
    enabled: list[Any] = register["connections"]["CE"] if register["parameters"]["CEMUX"].strip() == "CE" else ["1"]
    return enabled
