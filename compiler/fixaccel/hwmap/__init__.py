# SPDX-License-Identifier: Apache-2.0
"""The hardware map: one layout source for SystemVerilog, C++, Python and the docs."""

from fixaccel.hwmap.hwmap import Constant, Field, Hwmap, Memory, Record, Register
from fixaccel.hwmap.load import HwmapError, load_hwmap

__all__ = ["Constant", "Field", "Hwmap", "HwmapError", "Memory", "Record", "Register", "load_hwmap"]
