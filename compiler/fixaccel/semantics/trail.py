# SPDX-License-Identifier: Apache-2.0
"""Trails: a sell stop below the highest observation, a buy stop above the lowest. A stop never loosens.

Stops and extremes are in the units of the trail's source: price units, half units where it is mid. The tick table
knows whole price units only, hence `_floor` and `_ceil`.
"""

from fractions import Fraction

from fixaccel.language.forms import DistanceKind, Trail
from fixaccel.language.rules import Rule
from fixaccel.language.terms import Side, Source
from fixaccel.semantics.market import Observation
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part
from fixaccel.semantics.thresholds import satisfied
from fixaccel.values import TickTable

PPM = 10**6  # percentages are kept in millionths


def judge(part: Part, observation: Observation) -> Shot | None:
    """What one eligible observation does to an armed trail: activate it, fire it or move its stop."""
    trail, follow = part.rule.block.form, part.follow
    assert isinstance(trail, Trail)
    if not follow.active:
        activate = trail.activate
        assert activate is not None
        follow.active = activate.source is observation.source and satisfied(activate, observation.price)
        if not follow.active:
            return None
    if observation.source is not trail.source:
        return None
    if follow.stop is not None and _reached(part.rule.order.side, observation.price, follow.stop):
        return Shot(part.rule.order, follow.stop, _limit_price(part.rule, follow.stop))
    _ratchet(part, observation.price)
    return None


def _reached(side: Side, price: int, stop: int) -> bool:
    return price <= stop if side is Side.SELL else price >= stop


def _ratchet(part: Part, price: int) -> None:
    """Moves the extreme out to ``price`` and the stop after it, never back."""
    follow = part.follow
    farther = max if part.rule.order.side is Side.SELL else min
    follow.extreme = price if follow.extreme is None else farther(follow.extreme, price)
    stop = stop_behind(part.rule, follow.extreme)
    follow.stop = stop if follow.stop is None else farther(follow.stop, stop)


def stop_behind(rule: Rule, extreme: int) -> int:
    """The stop that belongs to an extreme."""
    trail, side, ticks = rule.block.form, rule.order.side, rule.instrument.ticks
    assert isinstance(trail, Trail)
    scale = 2 if trail.source is Source.MID else 1
    away = -1 if side is Side.SELL else 1
    match trail.by.kind:
        case DistanceKind.PRICE:
            return extreme + away * trail.by.value * scale
        case DistanceKind.TICKS:
            whole = _to_grid(ticks, Fraction(extreme, scale), down=side is Side.SELL)
            return ticks.step(whole, away * trail.by.value) * scale
        case DistanceKind.PERCENT:
            exact = Fraction(extreme, scale) + away * Fraction(abs(extreme) * trail.by.value, scale * PPM)
            return _to_grid(ticks, exact, down=side is Side.SELL) * scale


def _limit_price(rule: Rule, stop: int) -> int | None:
    """Price units: as written, or some ticks from the stop rounded to the grid, buy down and sell up."""
    order = rule.order
    if order.ticks is None:
        return order.price
    ticks = rule.instrument.ticks
    exact = Fraction(stop, 2 if rule.source is Source.MID else 1)
    return ticks.step(_to_grid(ticks, exact, down=order.side is Side.BUY), order.ticks)


def _to_grid(ticks: TickTable, price: Fraction, *, down: bool) -> int:
    """The nearest grid price at or below ``price`` (price units), or at or above it."""
    if down:
        whole = _floor(price.numerator, price.denominator)
        return whole if ticks.on_grid(whole) else ticks.next_down(whole)
    whole = _ceil(price.numerator, price.denominator)
    return whole if ticks.on_grid(whole) else ticks.next_up(whole)


def _floor(value: int, scale: int) -> int:
    return value // scale


def _ceil(value: int, scale: int) -> int:
    return -(-value // scale)
