# SPDX-License-Identifier: Apache-2.0
"""Our own orders: what was sent, what of it was filled, and whether it is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from fixaccel.language.terms import Instrument
from fixaccel.semantics.resting import RestingOrder
from fixaccel.semantics.shots import Shot


@dataclass(slots=True, eq=False)
class OwnOrder:
    """One order that was sent. ``filled`` may be more than ordered, or below zero after a bust."""

    part: int  # number over the whole strategy
    shot: Shot
    instrument: Instrument
    resting: RestingOrder | None  # its place among those that our own would meet
    filled: int = 0
    done: bool = False


def oldest(orders: Sequence[OwnOrder]) -> OwnOrder | None:
    """The first order of a part that is not done; ``orders`` are all of it, oldest first."""
    return next((order for order in orders if not order.done), None)


def of_fill(orders: Sequence[OwnOrder], qty: int) -> OwnOrder | None:
    """The order that a fill belongs to; a bust, which is below zero, may be of one that is done."""
    order = oldest(orders)
    if order is None and qty < 0 and orders:
        return orders[-1]
    return order


def whole_lots(qty: int, instrument: Instrument) -> int:
    """The quantity rounded down to lots, never below zero."""
    return max(qty, 0) // instrument.lot * instrument.lot
