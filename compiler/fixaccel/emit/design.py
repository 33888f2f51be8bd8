# SPDX-License-Identifier: Apache-2.0
"""Files for synthesis. They follow from the board alone: no strategy or venue needs a new design."""

from decimal import Decimal

from fixaccel.emit.render import render
from fixaccel.language.terms import Board
from fixaccel.values import decimal_text

# Capacities that are parameters of the core so far.
GENERICS = ("instruments", "triggers", "orders", "templates", "groups")


def period_ns(board: Board) -> Decimal:
    """A cycle of the fabric's clock, in nanoseconds, to the picosecond."""
    return (Decimal(10**9) / board.clock_hz).quantize(Decimal("0.001"))


def design_files(board: Board) -> dict[str, bytes]:
    """Contents by path inside the bundle."""
    values = {
        "board": board,
        "capacity": sorted(board.capacity.items()),
        "period_ns": decimal_text(period_ns(board)),
        "generics": [(name.upper(), board.capacity[name]) for name in GENERICS],
    }
    return {
        f"design/{name}": render(f"design/{name}.j2", **values) for name in ("params.svh", "build.tcl", "board.xdc")
    }
