# SPDX-License-Identifier: Apache-2.0
"""Registers that stand behind a block RAM go into it.

Block RAMs have a register at their outputs, and a vendor's synthesis puts a register there that takes nothing but the
memory's word. yosys leaves it in the slices, where the word arrives late: the ECP5's RAM alone takes 5.8 ns of a cycle.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

_DATA = re.compile(r"DO([AB])\d+")
Loads = Mapping[Any, list[tuple[str, str]]]  # the cell and port at each input that a wire drives


def absorb(module: dict[str, Any]) -> int:
    """Moves what it can of the mapped ECP5 ``module`` of yosys' JSON, in place; the number of flip-flops that left."""
    cells = module["cells"]
    loads = _loads(module)
    moved = 0
    for memory in [cell for cell in cells.values() if cell["type"] == "DP16KD"]:
        for side in "AB":
            behind = _behind(memory, side, cells, loads)
            for port, name in behind.items():
                register = cells.pop(name)
                memory["connections"][port] = register["connections"]["Q"]
                memory["connections"][f"OCE{side}"] = _enable(register)
                memory["parameters"][f"REGMODE_{side}"] = "OUTREG"
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


def _behind(memory: Mapping[str, Any], side: str, cells: Mapping[str, Any], loads: Loads) -> dict[str, str]:
    """The flip-flop behind each data bit that one side has in use, by the bit's port; none unless all can go."""
    found: dict[str, str] = {}
    for port, (bit, *_) in memory["connections"].items():
        match = _DATA.fullmatch(port)
        if match and match[1] == side and loads[bit]:
            (name, where), *others = loads[bit]
            if others or where != "DI":
                return {}
            found[port] = name
    clock = memory["connections"][f"CLK{side}"]
    registers = [cells[name] for name in found.values()]
    fits = all(_plain(register) and register["connections"]["CLK"] == clock for register in registers)
    return found if fits and len({tuple(_enable(register)) for register in registers}) == 1 else {}


def _plain(cell: Mapping[str, Any]) -> bool:
    """A flip-flop without reset, on the rising edge."""
    options = cell["parameters"]
    reset = cell["connections"].get("LSR", ["0"]) if options.get("LSRMUX", "LSR") == "LSR" else ["1"]
    return bool(cell["type"] == "TRELLIS_FF" and options.get("CLKMUX", "CLK") == "CLK" and reset == ["0"])


def _enable(register: Mapping[str, Any]) -> list[Any]:
    enabled: list[Any] = register["connections"]["CE"] if register["parameters"]["CEMUX"].strip() == "CE" else ["1"]
    return enabled
