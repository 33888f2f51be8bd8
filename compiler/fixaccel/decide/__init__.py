# SPDX-License-Identifier: Apache-2.0
"""What a trader's file for `decide` imports: the order to answer with, the instrument, and `@vectorized`."""

from fixaccel.decide.api import Instrument, Order, Orders, Prices, vectorized

__all__ = ["Instrument", "Order", "Orders", "Prices", "vectorized"]
