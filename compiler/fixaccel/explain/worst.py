# SPDX-License-Identifier: Apache-2.0
"""The worst case of a strategy in lines for people."""

from collections.abc import Iterator

from fixaccel.exposure.worst_case import Exposure, Figure, WorstCase
from fixaccel.values import decimal_text


def worst_lines(worst: WorstCase) -> Iterator[str]:
    """A line for each instrument and side, one for all, and how the figures were found."""
    for entry in worst.entries:
        assert entry.side
        yield f"{entry.instrument} {entry.side.value}: {_figures(entry)}"
    yield f"all together: {_figures(worst.total)}"
    yield worst.method


def _figures(entry: Exposure) -> str:
    plural = "" if entry.orders.value == 1 else "s"
    texts = [f"{_text(entry.orders)} order{plural}", f"quantity {_text(entry.qty)}"]
    if entry.notional.value:
        texts.append(f"{_text(entry.notional)} in limit orders")
    if entry.market_orders.value:
        texts.append(f"{_text(entry.market_notional)} at the thresholds of market orders")
    if entry.unpriced:
        texts.append(f"{entry.unpriced:,} whose price is known when they fire")
    return ", ".join(texts)


def _text(figure: Figure) -> str:
    """The number with commas; an upper bound says so."""
    bound = "" if figure.exact else "at most "
    if isinstance(figure.value, int):
        return f"{bound}{figure.value:,}"
    whole, point, part = decimal_text(figure.value).partition(".")
    return f"{bound}{int(whole):,}{point}{part}"
