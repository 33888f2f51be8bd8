# SPDX-License-Identifier: Apache-2.0
"""What every engine takes and gives: market-data messages, own executions and fires, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from fixaccel.language.terms import Source

# A price column's text for "this side becomes unknown".
UNKNOWN = "-"

# Sources that a message can carry, in the order in which its observations are taken.
CARRIED = (Source.BID, Source.ASK, Source.LAST)


class Kind(Enum):
    """What a message does to the known state, or what befell an own order; the value is the text in event files."""

    UPDATE = "update"
    SNAPSHOT = "snapshot"
    GAP = "gap"
    HALT = "halt"
    OPEN = "open"
    FILL = "fill"
    DONE = "done"
    REJECT = "reject"


# Rows that tell of own orders: they are no market data.
EXECUTIONS = (Kind.FILL, Kind.DONE, Kind.REJECT)


@dataclass(frozen=True, slots=True)
class Execution:
    """What befell the oldest order of one part that is not done.

    ``part`` is its number over the whole strategy; ``qty`` what was filled, below zero where a fill was busted, 0 for
    what is no fill; ``price`` decimal text, empty where nobody says it.
    """

    part: int
    qty: int = 0
    price: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One market-data message, or one row about an own order.

    ``event`` is its 1-based number, ``ts_ns`` its arrival in nanoseconds since the epoch (never falling from message
    to message). ``prices`` maps what it carries to decimal text as sent, or to `UNKNOWN`; ``sizes`` likewise.
    ``instrument`` is None for a gap, halt or open of all instruments. ``execution`` is there for `EXECUTIONS` alone.
    """

    event: int
    ts_ns: int
    instrument: str | None
    kind: Kind
    prices: Mapping[Source, str]
    sizes: Mapping[Source, str]
    execution: Execution | None = None


@dataclass(frozen=True, slots=True)
class Fire:
    """One rule that fired: a row of the results. Prices are decimal text without trailing zeros."""

    ts_ns: int
    event: int
    rule: str
    source: str
    trigger: str
    observed: str
    side: str
    qty: int
    type: str
    price: str
    cl_ord_id: str
    outcome: str
