# SPDX-License-Identifier: Apache-2.0
"""Which trails the fabric follows: those that keep the same distance, with room for all of them."""

from collections import Counter
from collections.abc import Iterator

from fixaccel.language.codes import Codes
from fixaccel.language.forms import DistanceKind, Trail
from fixaccel.language.patterns import HWMAP
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Instrument, Source

MOST_TRAILS = HWMAP.constant("trail_slots")
MOST_OF_AN_INSTRUMENT = HWMAP.constant("trails_an_instrument")
_MOST_DISTANCE = HWMAP.memories["trail"].record.field("distance").high
_MOST_STOP = HWMAP.memories["stop"].record.field("price").high
_FABRIC = PLACEMENTS.index(Placement.FABRIC)


def distance_of(trail: Trail, instrument: Instrument) -> int | None:
    """How far the stop is from every extreme, in units of the trail's source; None: that differs."""
    scale = 2 if trail.source is Source.MID else 1
    match trail.by.kind:
        case DistanceKind.PRICE:
            return trail.by.value * scale
        case DistanceKind.TICKS if len(instrument.ticks.steps) == 1 and trail.source is not Source.MID:
            return trail.by.value  # the one tick is the unit, and every price is on its grid
        case _:
            return None


def reasons(block: Block) -> Iterator[Placement]:
    """Why the fabric does not follow the trail of ``block``."""
    trail = block.form
    assert isinstance(trail, Trail)
    distance = distance_of(trail, block.instrument)
    if distance is None:
        yield Placement.TRAIL_BY
    if trail.orders.ticks is not None:
        yield Placement.TRAIL_PRICE
    if trail.activate is not None and block.rearm is not None:
        yield Placement.TRAIL_REARM
    if distance is not None:
        prices = max(abs(block.instrument.price_min), abs(block.instrument.price_max))
        farthest = prices * (2 if trail.source is Source.MID else 1) + distance
        if distance > _MOST_DISTANCE or farthest > _MOST_STOP:
            yield Placement.TRAIL_WIDE


def give_places(strategy: Strategy, placement: Codes) -> None:
    """The first trails have the fabric's room for them, of an instrument and in all."""
    own: Counter[str] = Counter()
    for block in strategy.blocks:
        if not isinstance(block.form, Trail) or placement[block.first] != _FABRIC:
            continue
        symbol = block.instrument.symbol
        if own[symbol] == MOST_OF_AN_INSTRUMENT or own.total() == MOST_TRAILS:
            placement[block.first] = PLACEMENTS.index(Placement.TRAILS)
        else:
            own[symbol] += 1
