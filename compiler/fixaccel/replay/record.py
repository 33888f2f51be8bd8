# SPDX-License-Identifier: Apache-2.0
"""A day as the page shows it: by instrument, and there by rule, what was armed, what fired, what came near."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fixaccel.events.columns import EventColumns
from fixaccel.language.forms import Trail
from fixaccel.language.rules import Block, Rule, Strategy
from fixaccel.replay.course import Change, Course, follow
from fixaccel.replay.fills import TOUCH, made_fills
from fixaccel.replay.ledger import Fill
from fixaccel.replay.lives import Life, Sight, lives
from fixaccel.replay.market import Market
from fixaccel.replay.nearest import Approaches, Near
from fixaccel.replay.trails import Stops, stops
from fixaccel.semantics.fires import SENT
from fixaccel.semantics.messages import Fire


@dataclass(frozen=True)
class Shot:
    """A fire, and the message of its instrument at which it came."""

    fire: Fire
    rule: Rule
    row: int


@dataclass(frozen=True)
class PartDay:
    """One part: when it was armed, how its stop moved in each of these lives (a trail), and its nearest approach."""

    rule: Rule
    lives: Sequence[Life]
    changes: Sequence[Change]
    stops: Sequence[Stops] = ()
    near: Near | None = None  # None also for what fired


@dataclass(frozen=True)
class RuleDay:
    """The parts that a written rule has at one instrument."""

    block: Block
    parts: Sequence[PartDay]
    shots: Sequence[Shot]

    @property
    def sent(self) -> int:
        return sum(shot.fire.outcome == SENT for shot in self.shots)

    @property
    def nearest(self) -> PartDay | None:
        """The part that came nearest without ever firing."""
        near = [(part.near.ticks, part.near.row, place) for place, part in enumerate(self.parts) if part.near]
        return self.parts[min(near)[2]] if near else None


@dataclass(frozen=True)
class InstrumentDay:
    market: Market
    rules: Sequence[RuleDay]
    fills: Sequence[Fill]


@dataclass(frozen=True)
class Day:
    """``instruments`` are those with rules, in the venue's order; ``model`` names what made the fills, if anything."""

    strategy: Strategy
    events: int
    course: Course
    instruments: Sequence[InstrumentDay]
    fills: Sequence[Fill] = field(default=())
    model: str | None = None

    @property
    def sent(self) -> int:
        return sum(fire.outcome == SENT for fire in self.course.fires)


def record(
    strategy: Strategy,
    events: EventColumns,
    progress: Callable[[float], None],
    fills: Sequence[Fill] = (),
    model: str | None = None,
) -> Day:
    """Runs the strategy over a whole day and gathers what it did. Raises LibraryError, TableError.

    ``fills`` are in order of time, told by what ``model`` names; with `TOUCH` they are made here.
    """
    course = follow(strategy, events, lambda part: progress(0.8 * part), touch=model == TOUCH)
    if model == TOUCH:
        fills = made_fills(strategy, course.made)
    changes = course.of_part()
    fires: dict[int, list[Fire]] = {}
    for fire, part in zip(course.fires, course.parts, strict=True):
        fires.setdefault(part, []).append(fire)
    by_symbol: dict[str, list[Block]] = {}
    for block in strategy.blocks:
        by_symbol.setdefault(block.instrument.symbol, []).append(block)
    instruments = []
    for number, (symbol, instrument) in enumerate(strategy.venue.instruments.items()):
        if symbol not in by_symbol:
            continue
        market = Market.of(events, number, instrument)
        gather = _Gather(strategy, market, changes, fires)
        rules = [gather.rule(block) for block in by_symbol[symbol]]
        instruments.append(InstrumentDay(market, rules, [fill for fill in fills if fill.instrument == symbol]))
        progress(0.8 + 0.2 * len(instruments) / len(by_symbol))
    return Day(strategy, len(events), course, instruments, fills, model)


class _Gather:
    """Puts together what is known of the rules at one instrument."""

    def __init__(
        self,
        strategy: Strategy,
        market: Market,
        changes: dict[int, list[Change]],
        fires: dict[int, list[Fire]],
    ) -> None:
        self._strategy, self._market = strategy, market
        self._changes, self._fires = changes, fires
        self._sight = Sight(strategy, market)
        self._approaches = Approaches(self._sight)

    def rule(self, block: Block) -> RuleDay:
        """A written rule's day at this instrument."""
        parts = [self._part(self._strategy.rules[index]) for index in block.indices]
        shots = [
            Shot(fire, self._strategy.rules[index], self._row(fire))
            for index in block.indices
            for fire in self._fires.get(index, ())
        ]
        return RuleDay(block, parts, sorted(shots, key=lambda shot: shot.row))

    def _part(self, rule: Rule) -> PartDay:
        changes = self._changes.get(rule.index, [])
        armed = lives(changes)
        moved = [stops(rule, life, self._sight) for life in armed] if isinstance(rule.block.form, Trail) else []
        near = None if rule.index in self._fires else self._approaches.nearest(rule, armed)
        return PartDay(rule, armed, changes, moved, near)

    def _row(self, fire: Fire) -> int:
        """The place of the fire's message among those of the instrument; by the clock, that of the one before it."""
        row = int(self._market.event.searchsorted(fire.event - 1))
        return row if fire.observed else row - 1
