# SPDX-License-Identifier: Apache-2.0
"""Position and result of a day from a list of fills, marked to the last price."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from fixaccel.events.columns import EventColumns
from fixaccel.language.terms import Instrument, Side, Source
from fixaccel.replay.market import Market

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fill:
    """Something of an order was filled: ``qty`` above zero, below it where it was taken back. ``event`` from 1."""

    ts_ns: int
    event: int
    rule: str
    instrument: str
    side: Side
    qty: int
    price: Decimal


@dataclass(frozen=True, eq=False)
class Standing:
    """Position and result at each of n moments, the first fill being among the first.

    ``result`` is in the venue's currency: what was paid and received, and what the position is worth at the last
    price; at the price of the latest fill as long as no last is known.
    """

    position: npt.NDArray[np.int64]
    result: Floats


def standing(fills: Sequence[Fill], event: npt.NDArray[np.int64], last: Floats, multiplier: Decimal) -> Standing:
    """Of one instrument after each of n messages; ``last`` is NaN where unknown, ``event`` counts from 0 and rises."""
    signed = np.array([fill.qty if fill.side is Side.BUY else -fill.qty for fill in fills], np.int64)
    prices = np.array([float(fill.price) for fill in fills])
    done = np.searchsorted(np.array([fill.event - 1 for fill in fills], np.int64), event, "right")
    position = np.concatenate([[0], np.cumsum(signed)])[done]
    paid = np.concatenate([[0.0], np.cumsum(signed * prices)])[done]
    latest = np.concatenate([[np.nan], prices])[done]
    mark = np.where(np.isnan(last), latest, last)
    worth = np.where(position == 0, 0.0, position * mark)
    return Standing(position, np.where(done == 0, 0.0, worth - paid) * float(multiplier))


def final_result(instruments: Mapping[str, Instrument], fills: Sequence[Fill], events: EventColumns) -> float:
    """The result of all fills at the end of the events; ``instruments`` are the venue's, in its order."""
    result = 0.0
    for number, (symbol, instrument) in enumerate(instruments.items()):
        own = [fill for fill in fills if fill.instrument == symbol]
        if own:
            market = Market.of(events, number, instrument)
            found = standing(own, market.event[-1:], market.floats(Source.LAST)[-1:], instrument.multiplier)
            result += float(found.result[-1])
    return result
