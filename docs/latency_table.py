# SPDX-License-Identifier: Apache-2.0
"""Makes the table of cycles from a frame to its order, by the shape of the message; a test holds these figures."""

from fixaccel.language.terms import Board
from fixaccel.latency.cycles import KINDS, MESSAGE_CYCLES, latency_of, nanoseconds, shapes


def table(board: Board) -> str:
    """A row for each kind of message and shape: without limits that compare what an order says, and with them."""
    rows = ["| message | shape | cycles | ns | cycles with `order_notional` or `total_qty` |\n"]
    rows.append("| --- | --- | ---: | ---: | ---: |\n")
    for kind in KINDS:
        plain, limited = (shapes(latency_of(kind, unlimited_orders=unlimited)) for unlimited in (True, False))
        for (shape, cycles), more in zip(plain.items(), limited.values(), strict=True):
            rows.append(f"| {kind} | {shape} | {cycles} | {nanoseconds(cycles, board.clock_hz)} | {more} |\n")
    return "".join(rows)


def commits(board: Board) -> str:
    """A row for each `commit`: cycles to the first byte of an order whose message others follow in their frame."""
    frame = latency_of("snapshot", unlimited_orders=True).followed
    rows = ["| `commit` | from the last byte of | cycles | ns |\n", "| --- | --- | ---: | ---: |\n"]
    for mode, cycles in (("frame", frame), ("message", MESSAGE_CYCLES)):
        rows.append(f"| `{mode}` | the {mode} | {cycles} | {nanoseconds(cycles, board.clock_hz)} |\n")
    return "".join(rows)
