# SPDX-License-Identifier: Apache-2.0
"""Observations a second of the table interpreter alone, by the number of triggers loaded."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from fixaccel.events.columns import EventColumns, PriceState
from fixaccel.image.software.columns import SYMBOL_CHARS, PartColumns
from fixaccel.native.interpreter import TableInterpreter
from fixaccel.simulate.progress import ProgressBar
from report import Figure, figure

TRIGGERS = (1, 1_000, 10_000, 100_000, 1_000_000)
_INSTRUMENTS = 1000
_EVENTS = 2_000_000
_SAMPLES = 5
_SOURCES = 3
_UNIT = 1_000_000  # 0.01
_LOW, _HIGH = 45_000, 55_000  # where the market is, in units; every trigger lies outside
_MILLION = 1e6

NOTE = (
    f"The loop of the library, one core, without reading a file: {_EVENTS:,} messages over {_INSTRUMENTS:,} "
    "instruments in random order. `mid` counts as an observation. In `fires` every message reaches one more trigger. "
    "The ratio is to one trigger."
)


def measure() -> list[Figure]:
    """A row for each number of triggers and shape of messages, then loading and firing."""
    figures: list[Figure] = []
    last, quotes = _market(1), _market(_SOURCES)
    steps = len(TRIGGERS) * 2 + 2
    with ProgressBar("table", steps) as progress:

        def add(name: str, unit: str, sample: Callable[[], float], against: Figure | None = None) -> Figure:
            row = figure(name, unit, [sample() for _ in range(_SAMPLES)], against)
            figures.append(row)
            progress(len(figures))
            return row

        for name, market, observations in (("last", last, 1), ("bid, ask, last", quotes, _SOURCES + 1)):
            first: Figure | None = None
            for number in TRIGGERS:
                sample = partial(_rate, TableInterpreter(_triggers(number)), market, observations)
                row = add(f"{name}: {number:,} triggers", "M obs/s", sample, first)
                first = first or row
        most = _triggers(TRIGGERS[-1])
        add(f"load {len(most):,} triggers", "ms", lambda: _seconds(lambda: TableInterpreter(most)) * 1000)
        add("fires", "M fires/s", lambda: _fires(most))
    return figures


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _rate(table: TableInterpreter, market: EventColumns, observations: int) -> float:
    return len(market) * observations / _seconds(lambda: table.run(market)) / _MILLION


def _fires(triggers: PartColumns) -> float:
    """Each instrument's trade falls from trigger to trigger."""
    table = TableInterpreter(triggers)
    below = np.flatnonzero((triggers["part.direction"] == 0) & (triggers["part.source"] == _SOURCES - 1))
    market = EventColumns.empty(len(below))
    order = np.argsort(-triggers["part.threshold"][below], kind="stable")
    market.instrument[:] = triggers["part.instrument"][below[order]]
    market.price[-1] = triggers["part.threshold"][below[order]] * _UNIT
    market.state[-1] = PriceState.VALUE
    start = time.perf_counter()
    fires = table.run(market)
    seconds = time.perf_counter() - start
    assert len(fires) == len(below)
    return len(fires) / seconds / _MILLION


def _market(sources: int) -> EventColumns:
    """Messages that carry the last ``sources`` of bid, ask and last, and fire nothing."""
    random = np.random.default_rng(1)
    market = EventColumns.empty(_EVENTS)
    market.ts_ns[:] = np.arange(_EVENTS)
    market.instrument[:] = random.integers(0, _INSTRUMENTS, _EVENTS)
    middle = (_LOW + _HIGH) // 2
    for row, (low, high) in enumerate(((_LOW, middle), (middle, _HIGH), (_LOW, _HIGH))):
        if row >= _SOURCES - sources:
            market.price[row] = random.integers(low + 1, high, _EVENTS) * _UNIT
            market.state[row] = PriceState.VALUE
    return market


def _triggers(number: int) -> PartColumns:
    """Spread over instruments, sources and both sides of the market, each at a price of its own."""
    part = np.arange(number)
    instrument, source, direction = part % _INSTRUMENTS, part // _INSTRUMENTS % _SOURCES, part // 3000 % 2
    away = part // 6000
    return PartColumns.of(
        {
            "instrument.symbol": np.zeros((_INSTRUMENTS, SYMBOL_CHARS), np.uint8),
            "instrument.unit": np.full(_INSTRUMENTS, _UNIT),
            "instrument.price_min": np.ones(_INSTRUMENTS),
            "instrument.price_max": np.full(_INSTRUMENTS, 1_000_000),
            "instrument.tick_first": np.zeros(_INSTRUMENTS),
            "instrument.tick_count": np.ones(_INSTRUMENTS),
            "instrument.notional_cap": np.full((_INSTRUMENTS, 2), 2**64 - 1, np.uint64),
            "instrument.total_qty": np.full(_INSTRUMENTS, -1),
            "tick.start": [0],
            "tick.size": [1],
            "limits.collar": [-1],
            "limits.orders_per_second": [-1],
            "limits.total_orders": [-1],
            "limits.repeat_ns": [-1],
            "part.index": part,
            "part.instrument": instrument,
            "part.source": source,
            "part.direction": direction,
            "part.confirm": np.ones(number),
            "part.order": part,
            "part.threshold": np.where(direction == 0, _LOW - away, _HIGH + away),
            "order.side": direction,
            "order.qty": np.ones(number),
        },
    )
