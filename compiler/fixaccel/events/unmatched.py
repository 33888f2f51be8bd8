# SPDX-License-Identifier: Apache-2.0
"""Rows that tell of an own order that is not there: a warning at each of the first."""

from collections.abc import Sequence
from pathlib import Path

from fixaccel.diagnostics.codes.events import EVENT_UNMATCHED
from fixaccel.diagnostics.report import Diagnostic
from fixaccel.source import Span

_SHOWN = 20
_PARQUET = ".parquet"


def unmatched_warnings(path: Path, rows: Sequence[int]) -> list[Diagnostic]:
    """``rows`` are numbers from 1; a CSV file has its header before them."""
    head = 0 if path.suffix == _PARQUET else 1
    found = []
    for place, row in enumerate(rows[:_SHOWN], start=1):
        more = f" (and {len(rows) - _SHOWN:,} more like this)" if place == _SHOWN < len(rows) else ""
        message = f"row {row} tells of an order that was not sent, or is done: it changes nothing{more}"
        way_out = "rows of an own order come behind the event at which it is sent, and before it is done"
        span = Span(str(path), row + head, 1, row + head, 2)
        found.append(Diagnostic(EVENT_UNMATCHED, message, span, help=way_out))
    return found
