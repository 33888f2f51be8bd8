# SPDX-License-Identifier: Apache-2.0
"""Tick tables over arrays give what the plain tick table gives, price by price."""

from decimal import Decimal

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from fixaccel.tick_arrays import FAR, TickArrays
from fixaccel.values import TickTable

UNIT = Decimal("0.25")


@st.composite
def tables(draw: st.DrawFn) -> TickTable:
    """Up to four steps; the finest tick may stand anywhere, starts may be negative."""
    first = draw(st.integers(-60, 10))
    sizes = draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    sizes[draw(st.integers(0, len(sizes) - 1))] = 1
    steps, at = [], first
    for place, size in enumerate(sizes):
        if place:
            at = (at + draw(st.integers(1, 40))) // size * size + size
        steps.append((at * UNIT, size * UNIT))
    return TickTable(tuple(steps))


ODD = TickTable(((Decimal(0), Decimal(3)), (Decimal(10), Decimal(1)), (Decimal(15), Decimal(5))))
PRICES = st.lists(st.integers(-200, 300), min_size=1, max_size=30)


@given(tables(), PRICES, st.lists(st.integers(-90, 90), min_size=30, max_size=30))
@example(ODD, [9, 10, 11, 8, 14, 15, 16, 0, -1], [1, -1, -1, 1, 1, -1, 1, 0, -4] + [0] * 21)
def test_same_as_the_plain_table(table: TickTable, prices: list[int], counts: list[int]) -> None:
    arrays, units, steps = TickArrays(table), np.array(prices), np.array(counts[: len(prices)])
    assert arrays.on_grid(units).tolist() == [table.on_grid(price) for price in prices]
    expected = [table.step(price, count) for price, count in zip(prices, counts, strict=False)]
    assert arrays.step(units, steps).tolist() == expected
    assert arrays.step(units, counts[0]).tolist() == [table.step(price, counts[0]) for price in prices]
    assert arrays.next_up(units).tolist() == [table.next_up(price) for price in prices]
    assert arrays.next_down(units).tolist() == [table.next_down(price) for price in prices]
    assert arrays.floor(units).tolist() == [p if table.on_grid(p) else table.next_down(p) for p in prices]
    assert arrays.ceil(units).tolist() == [p if table.on_grid(p) else table.next_up(p) for p in prices]


@given(tables(), st.integers(-200, 200), st.integers(-10, 200))
@example(ODD, 8, 8)
def test_between_lists_the_grid(table: TickTable, low: int, length: int) -> None:
    expected = [price for price in range(low, low + length + 1) if table.on_grid(price)]
    arrays = TickArrays(table)
    assert arrays.between(low, low + length).tolist() == expected
    assert arrays.count_between(low, low + length) == len(expected)


@given(tables(), st.lists(st.integers(-(10**12), 10**12), min_size=1))
def test_wire_units(table: TickTable, wire: list[int]) -> None:
    units, exact = TickArrays(table).from_wire(np.array(wire))
    expected = [table.to_units(Decimal(value).scaleb(-8)) for value in wire]
    assert [unit if whole else None for unit, whole in zip(units.tolist(), exact.tolist(), strict=True)] == expected
    assert (TickArrays(table).to_wire(units) <= wire).all()


@given(tables(), st.integers(-(2**47), 2**47), st.sampled_from([-1, 1]))
def test_steps_beyond_all_prices_do_not_wrap(table: TickTable, price: int, sign: int) -> None:
    reached = int(TickArrays(table).step(np.array([price]), sign * 2**62)[0])
    assert 2**48 < reached * sign <= FAR
