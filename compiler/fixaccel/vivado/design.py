# SPDX-License-Identifier: Apache-2.0
"""Files for a bitstream: they follow from the board alone."""

from decimal import Decimal

from fixaccel.data import data_path
from fixaccel.emit.design import GENERICS, period_ns
from fixaccel.emit.render import render
from fixaccel.hwmap import load_hwmap, load_window
from fixaccel.language.documents.board import GEM_BRAM
from fixaccel.language.terms import Board
from fixaccel.values import decimal_text
from fixaccel.vivado.ports import ports_of

# The scripts name commands, cells and parameters as this version has them.
VERSION = "2022.1"
# Exit code of the script where timing is not met; Vivado itself ends with 1.
NOT_MET = 3
DESIGN = "fixaccel"
FILES = ("build.tcl", "block_design.tcl", "fixaccel_board.v", "board.xdc")
_ID_BITS = 12  # of a processing system's general purpose port
_WRAPPED = {"clk", "rst", "irq", "elapsed_ns"}  # ports that the wrapper has in words of its own


class NotBuildableError(Exception):
    """No bitstream can be made for this board; the text says why, and what to do."""


def bitstream_files(board: Board) -> dict[str, bytes]:
    """Contents by name. Raises NotBuildableError."""
    if board.interface != GEM_BRAM:
        raise NotBuildableError(
            f"board {board.name} has `interface: {board.interface}`, and there is no block design for that: "
            f"it needs Ethernet MACs that are not there yet; `interface: {GEM_BRAM}` has one"
        )
    period = period_ns(board)
    if period != period.to_integral_value():
        raise NotBuildableError(
            f"board {board.name}: a cycle of its clock takes {decimal_text(period)} ns, and the fabric counts "
            "whole ones; choose 125 MHz or 100 MHz"
        )
    hwmap, window, controller = load_hwmap(), load_window("gem_port"), load_window("zynq_gem")
    sizes = {
        "ID_BITS": _ID_BITS,
        "GEM_PORT_ADDRESS_BITS": window.constant("address_bits"),
        "address_t": hwmap.constant("address_bits"),
    }
    ports = [port for port in ports_of(data_path("rtl/fixaccel_gem.sv"), sizes) if port.name not in _WRAPPED]
    values = {
        "board": board,
        "design": DESIGN,
        "vivado": VERSION,
        "not_met": NOT_MET,
        "period_ns": int(period),
        "clock_mhz": decimal_text(Decimal(board.clock_hz) / 10**6),
        "ports": [(port.direction, port.width, port.name) for port in ports],
        "generics": [
            *((name.upper(), board.capacity[name]) for name in GENERICS),
            *((name.upper(), slots) for name, slots in board.gem.items()),
            ("ID_BITS", _ID_BITS),
        ],
        "id_bits": _ID_BITS,
        "window_base": controller.constant("base_gp0"),
        "window_bytes": 1 << sizes["GEM_PORT_ADDRESS_BITS"],
        "registers_base": controller.constant("base_gp1"),
        "registers_bytes": 1 << sizes["address_t"],
    }
    return {name: render(f"vivado/{name}.j2", **values) for name in FILES}
