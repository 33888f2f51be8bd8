# SPDX-License-Identifier: Apache-2.0
"""Instruments of a strategy, to try functions of `decide` with."""

from decimal import Decimal

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        ("999.85", "1001.2", [999.9, 1000.0, 1000.5, 1001.0]),
        (Decimal("999.9"), 1000, [999.9, 1000.0]),
        (1000.1, 1000.4, []),
    ],
)
def test_prices_follow_the_tick_table(quickstart, low, high, wanted):
    prices = quickstart.instruments["7203"].prices(low, high)
    assert prices.floats.tolist() == wanted
    assert [Decimal(int(units)) * prices.unit for units in prices.units] == [Decimal(repr(price)) for price in wanted]
    assert np.asarray(prices).tolist() == wanted


def test_bounds_are_those_of_the_venue(quickstart):
    oil = quickstart.instruments["CLZ6"]
    assert (oil.price_min, oil.price_max, oil.multiplier, oil.lot) == (-100, 500, 1000, 1)
    assert oil.floor("-1.255") == Decimal("-1.26")
