# SPDX-License-Identifier: Apache-2.0
"""Decimals and tick tables, against definitions that are slow and plain."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixaccel.values import TickTable, decimal_places, decimal_text, parse_decimal, scaled, unscaled

DIGITS = st.text("0123456789", min_size=1, max_size=12)
DECIMAL_TEXTS = st.builds(
    lambda sign, whole, part: sign + whole + (f".{part}" if part else ""),
    st.sampled_from(["", "-"]),
    DIGITS,
    st.text("0123456789", max_size=12),
)


@given(DECIMAL_TEXTS)
def test_decimals_are_exact(text: str) -> None:
    value = parse_decimal(text)
    assert value is not None
    assert Fraction(value) == Fraction(text)
    assert Fraction(decimal_text(value)) == Fraction(text)
    assert decimal_text(value) == decimal_text(Decimal(decimal_text(value)))


OTHER_TEXTS = [
    "",
    "-",
    ".5",
    "5.",
    "+1",
    "1e3",
    "1,000",
    "1_000",
    "0x10",
    "1 ",
    " 1",
    "--1",
    "1.2.3",
    "NaN",
    "Infinity",
    "1\n",
]
OTHER_DIGITS = ["\u0663", "\uff11"]  # Arabic three, full-width one


@pytest.mark.parametrize("text", ["", *OTHER_TEXTS, *OTHER_DIGITS, "9" * 41])
def test_other_texts_are_no_decimals(text: str) -> None:
    assert parse_decimal(text) is None


@given(st.text(max_size=8))
def test_any_text_is_read_or_refused(text: str) -> None:
    value = parse_decimal(text)
    assert (value is None) or value.is_finite()


TEXTS = {"1180.00": "1180", "-0.00": "0", "100": "100", "0.00000001": "0.00000001", "-37.50": "-37.5"}


@pytest.mark.parametrize(("value", "text"), TEXTS.items())
def test_decimal_text(value: str, text: str) -> None:
    assert decimal_text(Decimal(value)) == text


@given(DECIMAL_TEXTS, st.integers(0, 14))
def test_scaling_is_exact_or_refused(text: str, places: int) -> None:
    value = Decimal(text)
    product = Fraction(text) * 10**places
    assert scaled(value, places) == (product if product.denominator == 1 else None)


@given(st.integers(-(10**20), 10**20), st.integers(0, 10))
def test_unscaled_reverses(value: int, places: int) -> None:
    assert scaled(unscaled(value, places), places) == value
    assert "E" not in str(unscaled(value, places)) or abs(value) < 10**places


def tick_tables() -> st.SearchStrategy[TickTable]:
    def build(unit: Decimal, multiples: list[int], gaps: list[int], low: int) -> TickTable:
        finest = multiples.index(min(multiples))
        multiples[finest] = 1
        position, steps = low, []
        for multiple, gap in zip(multiples, gaps, strict=True):
            position = -(-(position + gap) // multiple) * multiple
            steps.append((unit * position, unit * multiple))
        return TickTable(tuple(steps))

    return st.integers(1, 4).flatmap(
        lambda n: st.builds(
            build,
            st.sampled_from([Decimal(text) for text in ("0.01", "0.05", "0.25", "0.1", "1", "5", "0.00000001")]),
            st.lists(st.integers(1, 12), min_size=n, max_size=n),
            st.lists(st.integers(1, 60), min_size=n, max_size=n),
            st.integers(-100, 100),
        )
    )


def plain_grid(table: TickTable, low: int, high: int) -> list[int]:
    """Every grid price from ``low`` to ``high`` in units, by the definition: a multiple of the tick in force there."""
    unit = Fraction(table.unit)
    grid = []
    for units in range(low, high + 1):
        price = units * unit
        ticks = [Fraction(tick) for start, tick in table.steps if Fraction(start) <= price]
        tick = ticks[-1] if ticks else Fraction(table.steps[0][1])
        if price % tick == 0:
            grid.append(units)
    return grid


@given(tick_tables(), st.integers(-300, 400), st.integers(-20, 20))
def test_stepping_follows_the_grid(table: TickTable, units: int, count: int) -> None:
    grid = plain_grid(table, units - 300, units + 300)
    assert table.on_grid(units) == (units in grid)
    above = [price for price in grid if price > units]
    below = [price for price in grid if price < units]
    assert table.next_up(units) == above[0]
    assert table.next_down(units) == below[-1]
    if count > 0:
        assert table.step(units, count) == above[count - 1]
    elif count < 0:
        assert table.step(units, count) == below[count]
    else:
        assert table.step(units, 0) == units


@given(tick_tables(), st.integers(-300, 400), st.integers(1, 9))
def test_neighbours_of_an_off_grid_price(table: TickTable, units: int, tenths: int) -> None:
    grid = plain_grid(table, units - 100, units + 100)
    between = table.to_price(units) + table.unit * tenths / 10
    below, above = table.neighbours(between)
    assert below == max(price for price in grid if price <= units)
    assert above == min(price for price in grid if price > units)
    if units not in grid:
        assert table.neighbours(table.to_price(units)) == (table.next_down(units), table.next_up(units))


@given(tick_tables(), st.integers(-(10**12), 10**12))
def test_prices_and_units_reverse(table: TickTable, units: int) -> None:
    price = table.to_price(units)
    assert table.to_units(price) == units
    assert Fraction(price) == units * Fraction(table.unit)
    assert table.to_units(price + table.unit / 2) is None
    assert decimal_places(price) <= table.places


UNUSABLE: list[dict[str, str]] = [
    {},
    {"0": "0"},
    {"0": "-1"},
    {"0": "0.2", "100": "0.5"},
    {"0": "0.1", "100.3": "0.5"},
    {"10": "1", "5": "2"},
    {"0": "1", "0.0": "1"},
]


@pytest.mark.parametrize("steps", UNUSABLE)
def test_unusable_tables_are_refused(steps: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"tick|step"):
        TickTable.of(steps)


def test_a_single_tick_holds_everywhere() -> None:
    table = TickTable.of("0.01")
    assert table.on_grid(-3751)
    assert table.next_down(0) == -1
    assert table.to_units(Decimal("1180.005")) is None
