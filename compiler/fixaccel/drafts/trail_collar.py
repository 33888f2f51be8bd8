# SPDX-License-Identifier: Apache-2.0
"""How far a trail's limit price can be from its stop: for every stop at which it can fire."""

import numpy as np

from fixaccel.language.codes import Units
from fixaccel.language.forms import DistanceKind, Trail
from fixaccel.language.terms import Direction, Instrument, Side, Source
from fixaccel.tick_arrays import Flags, tick_arrays

_MILLION = 10**6
_WHOLE = 10_000  # basis points


def farthest_stop(trail: Trail, instrument: Instrument, ticks: int, collar: int) -> int | None:
    """The highest stop from which ``ticks`` lead further than ``collar`` basis points; None if there is no such stop.

    Between the prices where a tick begins to hold the distance is a straight line, and its share of the stop rises or
    falls all along: it is most at one of the ends.
    """
    lowest = _lowest_stop(trail, instrument)
    if lowest <= 0:
        return lowest
    table = tick_arrays(instrument.ticks)
    away = ticks
    if not _on_grid(trail, instrument):  # it is rounded first, which is less than one tick more
        away += 1 if ticks >= 0 else -1
    starts = np.array([instrument.to_units(start) for start, _ in instrument.ticks.steps], np.int64)
    turns = np.concatenate([starts, table.step(starts, -away)])
    near = [turns, table.next_down(turns), table.next_up(turns), np.array([lowest, instrument.price_max])]
    stops: Units = np.unique(np.clip(np.concatenate(near), lowest, max(lowest, instrument.price_max)))

    def is_far(at: Units) -> Flags:
        return np.asarray(np.abs(table.step(at, away) - at) * _WHOLE > collar * at)

    far = np.flatnonzero(is_far(stops))
    if not len(far):
        return None
    last = int(far[-1])
    if last + 1 == len(stops):
        return int(stops[last])
    # On the line to the next turn there is one price up to which it is too far.
    low, high = int(stops[last]), int(stops[last + 1])
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_far(np.array([middle]))[0] else (low, middle)
    return low


def _on_grid(trail: Trail, instrument: Instrument) -> bool:
    """Whether no stop lies between two ticks: those by ticks or by a share are rounded, of a price each unit may be."""
    each_unit = len(instrument.ticks.steps) == 1 and trail.source is not Source.MID
    return trail.by.kind is not DistanceKind.PRICE or each_unit


def _lowest_stop(trail: Trail, instrument: Instrument) -> int:
    """No stop at which it fires is below: what it sees is in the price range, and what activates it may bound that."""
    sell, first = trail.orders[0].side is Side.SELL, trail.activate
    if not sell or first is None or first.source is not trail.source or first.direction is not Direction.GE:
        return instrument.price_min
    high = first.threshold // 2 if trail.source is Source.MID else first.threshold
    match trail.by.kind:
        case DistanceKind.PRICE:
            stop = high - trail.by.value
        case DistanceKind.TICKS:
            stop = tick_arrays(instrument.ticks).step(np.array([high + 1]), -1 - trail.by.value)[0]
        case DistanceKind.PERCENT:
            stop = tick_arrays(instrument.ticks).floor(np.array([high - -(-abs(high) * trail.by.value // _MILLION)]))[0]
    return max(instrument.price_min, int(stop))
