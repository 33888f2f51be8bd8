# SPDX-License-Identifier: Apache-2.0
"""Makes the table of the cycles that a decision's look-up takes."""

from fixaccel.language.terms import Board
from fixaccel.latency.cycles import search_cycles


def table(board: Board) -> str:
    """By number of intervals, up to those that ``board`` has room for."""
    counts = [1 << power for power in range(board.capacity["intervals"].bit_length())]
    rows = (
        ("intervals, up to", *(f"{count:,}" for count in counts)),
        ("---", *("---:" for _ in counts)),
        ("cycles more", *(str(search_cycles(count)) for count in counts)),
    )
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
