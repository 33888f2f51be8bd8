# SPDX-License-Identifier: Apache-2.0
"""What a board is to be like once it is set up, and the device tree overlay for it: both follow from the board file.

Addresses of the processing system are those of the Zynq-7000 technical reference manual (UG585, appendix B); those of
the fabric are the block design's, from the hwmaps.
"""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fixaccel.emit.render import render
from fixaccel.hwmap import Hwmap, load_hwmap, load_window
from fixaccel.language.documents.board import GEM_BRAM
from fixaccel.language.terms import Board

OVERLAY = "fixaccel.dtbo"
TAP = "fix0"
SERVICES = ("fixacceld", "fixaccel-gemd")  # in the order in which they stop
_REGISTERS, _WINDOW = "fixaccel-registers", "fixaccel-window"
_F2P_0 = 29  # shared peripheral interrupt of IRQ_F2P[0], UG585 table 7-4
_SLCR = {
    "base": 0xF8000000,
    "bytes": 0x1000,
    "unlock": 0x008,
    "unlock_key": 0xDF0D,
    # APER_CLK_CTRL, GEM0_RCLK_CTRL, GEM0_CLK_CTRL
    "clocks": [0x12C, 0x138, 0x140],
}


class PlanError(Exception):
    """The board cannot be set up like this; the text says why, and what to do."""


@dataclass(frozen=True)
class Node:
    """A node of the overlay; ``interrupt`` is a shared peripheral interrupt, None: it has none."""

    name: str
    kind: str
    base: int
    bytes: int
    interrupt: int | None

    @property
    def device(self) -> str:
        """Its platform device."""
        return f"{self.base:x}.{self.name}"


def nodes() -> list[Node]:
    """The fabric's windows, as the block design has them."""
    window, controller = load_window("gem_port"), load_window("zynq_gem")
    return [
        Node(_WINDOW, "window", controller.constant("base_gp0"), 1 << window.constant("address_bits"), _F2P_0),
        Node(
            _REGISTERS, "registers", controller.constant("base_gp1"), 1 << load_hwmap().constant("address_bits"), None
        ),
    ]


def plan_of(board: Board, interface: str) -> dict[str, Any]:
    """What `on_board.py` carries out; ``interface`` is that of the Ethernet controller. Raises PlanError."""
    if board.interface != GEM_BRAM:
        raise PlanError(
            f"board {board.name} has `interface: {board.interface}`, and only `{GEM_BRAM}` can be set up: "
            "the other has no bitstream yet"
        )
    window, registers = nodes()
    controller = load_window("zynq_gem").constant("base_gem0")
    hwmap = load_hwmap()
    return {
        "board": board.name,
        "bit": f"{board.name}.bit",
        "hwh": f"{board.name}.hwh",
        "dtbo": OVERLAY,
        "devices": {node.name: node.device for node in (window, registers)},
        "controller": {"device": f"{controller:x}.ethernet", "driver": "macb", "interface": interface},
        "slcr": _SLCR,
        "tap": TAP,
        "services": list(SERVICES),
        "windows": [
            _words(registers, hwmap, hwmap.registers["magic"].reset, board.capacity),
            _words(window, load_window("gem_port"), load_window("gem_port").constant("magic_word"), board.gem),
        ],
        "clock": {
            "base": registers.base,
            "bytes": registers.bytes,
            "cycle": hwmap.registers["cycle"].address,
            "hz": board.clock_hz,
        },
    }


def _words(node: Node, hwmap: Hwmap, magic: int, capacities: Mapping[str, int]) -> dict[str, Any]:
    """Registers that say what a window is: [offset, expected, what to do where it is another]."""
    rebuild = "build the bitstream again with this version of fixaccel, or use the one that it was built with"
    words: dict[str, list[object]] = {
        "magic": [hwmap.registers["magic"].address, magic, "the bitstream is another, or its clock does not run"],
        "hwmap_hash": [hwmap.registers["hwmap_hash"].address, hwmap.short_hash, rebuild],
    }
    for name, most in capacities.items():
        if f"cap_{name}" not in hwmap.registers:  # of the runtime alone
            continue
        words[f"cap_{name}"] = [
            hwmap.registers[f"cap_{name}"].address, most, "the bitstream is of another board file: --board names it"
        ]  # fmt: skip
    return {"base": node.base, "bytes": node.bytes, "words": words}


def overlay_source(board: Board) -> bytes:
    """The device tree overlay as text."""
    return render("board/overlay.dts.j2", board=board.name, nodes=nodes())


def overlay(board: Board) -> bytes:
    """The overlay, compiled. Raises PlanError where `dtc` is not there, or refuses it."""
    program = shutil.which("dtc")
    if program is None:
        raise PlanError("there is no `dtc` on this machine: install device-tree-compiler")
    # Warnings are errors, but for one: the bus that the nodes come to lie in is not in the overlay.
    command = [program, "-@", "-I", "dts", "-O", "dtb", "-"]
    done = subprocess.run(command, input=overlay_source(board), capture_output=True, check=False)
    if done.returncode:
        raise PlanError(f"dtc refuses the overlay: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout
