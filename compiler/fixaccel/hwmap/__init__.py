# SPDX-License-Identifier: Apache-2.0
"""The hardware map: one layout source for SystemVerilog, C++, Python and the docs."""

from fixaccel.hwmap.hwmap import Constant, Field, Hwmap, Memory, Record, Register
from fixaccel.hwmap.load import WINDOWS, HwmapError, load_hwmap, load_window

__all__ = [
    "WINDOWS", "Constant", "Field", "Hwmap", "HwmapError", "Memory", "Record", "Register", "load_hwmap", "load_window",
]  # fmt: skip
