# SPDX-License-Identifier: Apache-2.0
"""The columns that all parts of a strategy share: instruments, limits and the venue's time zone."""

import numpy as np

from fixaccel.image.limits_left import notional_cap
from fixaccel.image.software.columns import NONE, SYMBOL_CHARS, Array
from fixaccel.image.software.time_zone import offsets
from fixaccel.language.keys.instrument import WIRE_DECIMALS
from fixaccel.language.rules import Limits, Strategy
from fixaccel.language.terms import Instrument
from fixaccel.values import scaled

_WORD = 64


def venue_columns(strategy: Strategy) -> dict[str, Array]:
    """The columns of `columns.SHARED`."""
    limits = strategy.limits
    zone = offsets(strategy.venue.time_zone)  # of the venue's day, too
    return {
        **_instruments(list(strategy.venue.instruments.values()), limits),
        "limits.collar": _one(limits.collar),
        "limits.orders_per_second": _one(limits.orders_per_second),
        "limits.total_orders": _one(limits.total_orders),
        "limits.self_trade": np.array([limits.self_trade], np.uint8),
        "limits.repeat_ns": _one(limits.repeat),
        "limits.collar_ignores": np.array([limits.collar_ignores], np.uint8),
        "limits.order_qty": _one(limits.order_qty),
        "limits.day_roll": _one(strategy.venue.day_roll),
        "zone.start_s": np.array([start for start, _ in zone], np.int64),
        "zone.offset_s": np.array([offset for _, offset in zone], np.int32),
    }


def _one(limit: int | None) -> Array:
    return np.array([NONE if limit is None else limit], np.int64)


def _instruments(instruments: list[Instrument], limits: Limits) -> dict[str, Array]:
    symbols = b"".join(instrument.symbol.encode("ascii").ljust(SYMBOL_CHARS, b"\0") for instrument in instruments)
    ticks = [_ticks(instrument) for instrument in instruments]
    counts = np.array([len(steps) for steps in ticks], np.int32)
    caps = [notional_cap(limits.order_notional, instrument) for instrument in instruments]
    totals = [limits.total_qty.get(instrument.symbol, NONE) for instrument in instruments]
    return {
        "instrument.symbol": np.frombuffer(symbols, np.uint8).reshape(-1, SYMBOL_CHARS),
        "instrument.unit": np.array([scaled(instrument.unit, WIRE_DECIMALS) for instrument in instruments], np.int64),
        "instrument.price_min": np.array([instrument.price_min for instrument in instruments], np.int64),
        "instrument.price_max": np.array([instrument.price_max for instrument in instruments], np.int64),
        "instrument.tick_first": np.cumsum(counts) - counts,
        "instrument.tick_count": counts,
        "instrument.notional_cap": np.array([divmod(cap, 1 << _WORD)[::-1] for cap in caps], np.uint64).reshape(-1, 2),
        "instrument.total_qty": np.array(totals, np.int64),
        "instrument.lot": np.array([instrument.lot for instrument in instruments], np.int64),
        "tick.start": np.array([start for steps in ticks for start, _ in steps], np.int64),
        "tick.size": np.array([size for steps in ticks for _, size in steps], np.int64),
    }


def _ticks(instrument: Instrument) -> list[tuple[int, int]]:
    """Start and tick of each step in units. The first start need not be a multiple of the unit, and does not count."""
    steps = instrument.ticks.steps
    return [(instrument.to_units(start) or 0, instrument.to_units(tick) or 1) for start, tick in steps]
