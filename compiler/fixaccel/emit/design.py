# SPDX-License-Identifier: Apache-2.0
"""Files for synthesis. They follow from the board alone: no strategy or venue needs a new design."""

from decimal import Decimal

from fixaccel.emit.render import render
from fixaccel.language.terms import Board
from fixaccel.values import decimal_text

# Capacities that are parameters of the core so far.
_PARAMETERS = ("instruments", "triggers", "orders", "templates", "groups")


def design_files(board: Board) -> dict[str, bytes]:
    """Contents by path inside the bundle."""
    period = decimal_text((Decimal(10**9) / board.clock_hz).quantize(Decimal("0.001")))
    values = {
        "board": board,
        "capacity": sorted(board.capacity.items()),
        "period_ns": period,
        "generics": [(name.upper(), board.capacity[name]) for name in _PARAMETERS],
    }
    return {
        f"design/{name}": render(f"design/{name}.j2", **values) for name in ("params.svh", "build.tcl", "board.xdc")
    }
