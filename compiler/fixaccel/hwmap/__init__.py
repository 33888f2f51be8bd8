# SPDX-License-Identifier: Apache-2.0
"""The hardware map: one layout source for SystemVerilog, C++, Python and the docs."""

from fixaccel.hwmap.load import HwmapError, load_hwmap
from fixaccel.hwmap.model import Constant, Field, Hwmap, Memory, Record, Register

__all__ = ["Constant", "Field", "Hwmap", "HwmapError", "Memory", "Record", "Register", "load_hwmap"]
