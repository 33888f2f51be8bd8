# SPDX-License-Identifier: Apache-2.0
"""Two quotes for every mid price: half a spread away from a fair value that is drawn towards an anchor."""

import numpy as np

from fixaccel.decide import Instrument, Orders, Prices, vectorized

ANCHOR = 6800.0  # where the day's volume traded
PULL = 0.1  # how much of the way back to the anchor counts as fair
HALF_SPREAD = 0.5
WIDE = 40.0  # this far from the anchor the market is left alone


def _fair(mid: np.ndarray) -> np.ndarray:
    return mid + PULL * (ANCHOR - mid)


def _quiet(mid: np.ndarray) -> np.ndarray:
    return np.abs(mid - ANCHOR) <= WIDE


@vectorized
def bids(prices: Prices, instrument: Instrument) -> Orders:
    """The buy quote for each mid: rounded down to the tick, never above the mid."""
    mid, tick = prices.floats, float(instrument.tick(ANCHOR))
    price = np.floor(np.minimum(_fair(mid) - HALF_SPREAD, mid) / tick) * tick
    return Orders(side="buy", price=price, where=_quiet(mid))


@vectorized
def offers(prices: Prices, instrument: Instrument) -> Orders:
    """The sell quote for each mid: rounded up to the tick, never below the mid."""
    mid, tick = prices.floats, float(instrument.tick(ANCHOR))
    price = np.ceil(np.maximum(_fair(mid) + HALF_SPREAD, mid) / tick) * tick
    return Orders(side="sell", price=price, where=_quiet(mid))
