# SPDX-License-Identifier: Apache-2.0
"""Quotes and trades of a day, thinned to what a drawing can show."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fixaccel.language.terms import Source
from fixaccel.replay.clock import Clock
from fixaccel.replay.decimate import POINTS_OF_A_BUCKET, Columns, Floats, changes, thinned
from fixaccel.replay.market import Market, Places
from fixaccel.replay.record import Shot
from fixaccel.semantics.messages import CARRIED
from fixaccel.tick_arrays import Flags

# Messages before and after a fire that are drawn whatever else is left out, for the first so many fires.
_AROUND = 50
_FIRES_WITH_ALL = 200


@dataclass(frozen=True)
class Book:
    """Quotes and trades: n messages of ``changed``, those that change a price."""

    columns: Columns
    drawn: int
    changed: int


def book(market: Market, shots: Sequence[Shot], clock: Clock, most: int) -> Book:
    """Bid, ask and last after each message that is drawn, and the pixel-wise extremes of those that are not."""
    prices = {source.value: market.floats(source) for source in CARRIED}
    changed = _changed(list(prices.values()), len(market))
    chosen = changed
    if len(changed) > most:
        keep = _around(market, shots)[changed]
        buckets = max(most // (POINTS_OF_A_BUCKET * len(prices)), 1)
        places = [thinned(market.ts_ns[changed], values[changed], buckets, keep) for values in prices.values()]
        chosen = changed[np.unique(np.concatenate(places))]
    columns: Columns = {"x": clock.axis(market.ts_ns[chosen])}
    columns |= {name: values[chosen] for name, values in prices.items()}
    # One line that is there wherever anything is known: what the pointer finds.
    last, bid, ask = (columns[source.value] for source in (Source.LAST, Source.BID, Source.ASK))
    columns["any"] = np.where(np.isnan(last), np.where(np.isnan(bid), ask, bid), last)
    return Book(columns, len(chosen), len(changed))


def _changed(prices: Sequence[Floats], count: int) -> Places:
    """Messages that change one of the prices, the first and the last."""
    if not count:
        return np.zeros(0, np.int64)
    places = np.concatenate([*(changes(values) for values in prices), [0, count - 1]])
    return np.unique(places).astype(np.int64)


def _around(market: Market, shots: Sequence[Shot]) -> Flags:
    """All messages of fires, and those near to the first of them."""
    keep = np.zeros(len(market), bool)
    for number, shot in enumerate(shots):
        reach = _AROUND if number < _FIRES_WITH_ALL else 0
        keep[max(shot.row - reach, 0) : shot.row + reach + 1] = True
    return keep


def pauses(market: Market, clock: Clock) -> list[tuple[float, float]]:
    """When nothing was evaluated: halted or suspended."""
    asleep = ~market.open | market.suspended
    edges = np.flatnonzero(np.diff(np.concatenate([[False], asleep, [False]]).astype(np.int8)))
    x = clock.axis(market.ts_ns)
    return [(float(x[a]), float(x[min(b, len(x) - 1)])) for a, b in edges.reshape(-1, 2).tolist()]
