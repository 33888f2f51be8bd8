# SPDX-License-Identifier: Apache-2.0
"""A quote for every best price of its side: behind a fair value that is drawn towards an anchor."""

import numpy as np

from fixaccel.decide import Instrument, Orders, Prices, vectorized

ANCHOR = 6800.0  # where the day's volume traded
PULL = 0.1  # how much of the way back to the anchor counts as fair
BEHIND = 0.25  # how far behind that is quoted
WIDE = 40.0  # this far from the anchor the market is left alone


def _fair(price: np.ndarray) -> np.ndarray:
    return price + PULL * (ANCHOR - price)


def _quiet(price: np.ndarray) -> np.ndarray:
    return np.abs(price - ANCHOR) <= WIDE


@vectorized
def bids(prices: Prices, instrument: Instrument) -> Orders:
    """The buy quote for each best bid: rounded down to the tick, never above it."""
    best, tick = prices.floats, float(instrument.tick(ANCHOR))
    price = np.floor(np.minimum(_fair(best) - BEHIND, best) / tick) * tick
    return Orders(side="buy", price=price, where=_quiet(best))


@vectorized
def offers(prices: Prices, instrument: Instrument) -> Orders:
    """The sell quote for each best ask: rounded up to the tick, never below it."""
    best, tick = prices.floats, float(instrument.tick(ANCHOR))
    price = np.ceil(np.maximum(_fair(best) + BEHIND, best) / tick) * tick
    return Orders(side="sell", price=price, where=_quiet(best))
