# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist, read from yosys' JSON: cells with the bits at their ports, and the names of bits."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Bit = int | str  # a wire's number, or "0", "1", "x", "z"


@dataclass(frozen=True, slots=True)
class Cell:
    name: str
    type: str
    inputs: Mapping[str, list[Bit]]
    outputs: Mapping[str, list[Bit]]
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Netlist:
    """One module: its cells and instances, the bits of its ports, and the public names of each bit."""

    name: str
    cells: list[Cell]
    inputs: Mapping[str, list[Bit]]
    outputs: Mapping[str, list[Bit]]
    names: Mapping[Bit, list[str]]  # signals, without their indices


def load(file: Path) -> dict[str, Netlist]:
    """The modules of the file that are no blackboxes, by name."""
    modules = json.loads(file.read_text(encoding="utf-8"))["modules"]
    return {name: _netlist(name, m) for name, m in modules.items() if not _blackbox(m["attributes"])}


def _blackbox(attributes: Mapping[str, Any]) -> bool:
    return any(name in attributes for name in ("blackbox", "whitebox"))


def _netlist(name: str, module: Mapping[str, Any]) -> Netlist:
    names: dict[Bit, list[str]] = {}
    made_up = tuple(f"_{kind}_" for kind in {cell["type"] for cell in module["cells"].values()})
    for signal, net in module["netnames"].items():
        # yosys names nets that had no name after the primitives around them.
        if net["hide_name"] or any(part in signal for part in made_up):
            continue
        for bit in net["bits"]:
            names.setdefault(bit, []).append(signal)
    ports = module["ports"]
    return Netlist(
        name,
        [_cell(cell_name, cell) for cell_name, cell in module["cells"].items()],
        {port: p["bits"] for port, p in ports.items() if p["direction"] == "input"},
        {port: p["bits"] for port, p in ports.items() if p["direction"] != "input"},
        names,
    )


def _cell(name: str, cell: Mapping[str, Any]) -> Cell:
    directions, bits = cell["port_directions"], cell["connections"]
    return Cell(
        name,
        cell["type"],
        {port: value for port, value in bits.items() if directions[port] == "input"},
        {port: value for port, value in bits.items() if directions[port] != "input"},
        cell["parameters"],
    )
