# SPDX-License-Identifier: Apache-2.0
"""Our own orders: what was sent, what of it was filled, and whether it is done."""

from dataclasses import dataclass

from fixaccel.language.terms import Instrument
from fixaccel.semantics.resting import RestingOrder
from fixaccel.semantics.states import Part, Shot


@dataclass(slots=True, eq=False)
class OwnOrder:
    """One order that was sent. ``filled`` may be more than ordered, or below zero after a bust."""

    part: int  # number over the whole strategy
    shot: Shot
    instrument: Instrument
    resting: RestingOrder | None  # its place among those that our own would meet
    filled: int = 0
    done: bool = False


def oldest(part: Part) -> OwnOrder | None:
    """The first order of the part that is not done."""
    return next((order for order in part.orders if not order.done), None)


def of_fill(part: Part, qty: int) -> OwnOrder | None:
    """The order that a fill belongs to; a bust, which is below zero, may be of one that is done."""
    order = oldest(part)
    if order is None and qty < 0 and part.orders:
        return part.orders[-1]
    return order


def whole_lots(qty: int, instrument: Instrument) -> int:
    """The quantity rounded down to lots, never below zero."""
    return max(qty, 0) // instrument.lot * instrument.lot
