# SPDX-License-Identifier: Apache-2.0
"""Buy below fair value, sell above it, more the further away; nothing within the spread that we need."""

from decimal import Decimal

from fixaccel.decide import Instrument, Order

FAIR = Decimal(1150)
EDGE = Decimal(5)


def decide(price: Decimal, instrument: Instrument) -> Order | None:
    """The order to send when the market trades at ``price``."""
    distance = price - FAIR
    if abs(distance) < EDGE:
        return None
    qty = min(100, int(abs(distance) // EDGE) * 10) // instrument.lot * instrument.lot
    side = "sell" if distance > 0 else "buy"
    limit = FAIR + EDGE // 2 if distance > 0 else FAIR - EDGE // 2
    return Order(side=side, qty=qty, type="limit", price=limit)
