# SPDX-License-Identifier: Apache-2.0
"""What a part wants to send when it is satisfied."""

from dataclasses import dataclass

from fixaccel.language.orders import Order


@dataclass(frozen=True, slots=True)
class Shot:
    """An order on its way to the risk gate.

    ``trigger`` is the threshold or stop in the units of the rule's source, None for a decision; ``price`` the limit
    price in price units, None for a market order.
    """

    order: Order
    trigger: int | None
    price: int | None
