# SPDX-License-Identifier: Apache-2.0
"""What is drawn of one instrument, as columns of numbers and texts, bounded in size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fixaccel.language.forms import At, Decision, Trail, Triggers, price_text
from fixaccel.language.rules import Limits
from fixaccel.language.terms import Source
from fixaccel.replay.clock import Clock
from fixaccel.replay.decimate import POINTS_OF_A_BUCKET, Columns, Floats, changes, thinned
from fixaccel.replay.ledger import standing
from fixaccel.replay.lives import Life
from fixaccel.replay.market import to_float
from fixaccel.replay.reasons import book_text, condition_text, observed_text, order_text, outcome_text
from fixaccel.replay.record import InstrumentDay, PartDay, RuleDay, Shot
from fixaccel.semantics.fires import SENT

# The ends of more of them are no lines any more but a surface.
_MOST_INTERVALS = 20
_OPEN_END = "at the end of the day"


@dataclass(frozen=True)
class Bounds:
    """How many points one instrument may take, and how many lives of thresholds are drawn."""

    messages: int
    points: int  # of each trail's stop, of position and result
    thresholds: int = 400


class Lines:
    """The rules of one instrument."""

    def __init__(self, day: InstrumentDay, clock: Clock, bounds: Bounds, end_ns: int) -> None:
        self._day, self._clock, self._bounds = day, clock, bounds
        self._market = day.market
        self._instrument = day.market.instrument
        self._end_ns = end_ns
        self._drawn = {id(part) for part in self._nearest_parts()}

    @property
    def left_out(self) -> int:
        """Thresholds that are not drawn: those farthest from the market."""
        return sum(len(rule.parts) for rule in self._day.rules) - len(self._drawn)

    def _nearest_parts(self) -> list[PartDay]:
        parts = [part for rule in self._day.rules for part in rule.parts]
        far = np.iinfo(np.int64).max

        def rank(part: PartDay) -> int:
            ended = any(life.ended == "fired" for life in part.lives)
            return -1 if ended else part.near.ticks if part.near else far

        return sorted(parts, key=rank)[: self._bounds.thresholds]

    def thresholds(self, rule: RuleDay) -> Columns:
        """A line for each life of each threshold, and for each end of a decision's intervals if they are few."""
        rows = []
        for part in rule.parts:
            if id(part) in self._drawn:
                rows += [self._life(part, life, units) for life in part.lives for units in _levels(part)]
        return _columns(rows, ("x0", "x1", "y", "rule", "condition", "armed", "ended"))

    def _life(self, part: PartDay, life: Life, units: int) -> tuple[Any, ...]:
        begin, end = life.begin_ns, self._end_ns if life.end_ns is None else life.end_ns
        y = self._price(units, part.rule.source)
        armed = "at the start" if life.begin < 0 else self._clock.text(begin)
        ended = _OPEN_END if life.end_ns is None else f"{life.ended} {self._clock.text(life.end_ns)}"
        return self._x(begin), self._x(end), y, part.rule.id, condition_text(part.rule), armed, ended

    def trail(self, rule: RuleDay) -> Columns:
        """The stops of a trail as one line of steps, broken between its lives."""
        x: list[Floats] = []
        y: list[Floats] = []
        for part in rule.parts:
            for life, stops in zip(part.lives, part.stops, strict=False):
                if not len(stops.row):
                    continue
                values = to_float(stops.units, part.rule.source, self._instrument)
                at = self._market.ts_ns[stops.row]
                chosen = thinned(at, values, max(self._bounds.points // POINTS_OF_A_BUCKET, 1))
                end = self._end_ns if life.end_ns is None else life.end_ns
                corners = np.append(self._clock.axis(at[chosen]), self._x(end))
                x += [np.repeat(corners, 2)[1:-1], np.array([np.nan])]
                y += [np.repeat(values[chosen], 2), np.array([np.nan])]
        name = [rule.block.id] * sum(map(len, x))
        empty = [np.zeros(0)]
        return {"x": np.concatenate(x or empty), "y": np.concatenate(y or empty), "rule": name}

    def states(self, rule: RuleDay) -> Columns:
        """Marks where a part was armed after the start, cancelled or refused."""
        rows = []
        for part in rule.parts:
            if id(part) not in self._drawn:
                continue
            for change in part.changes:
                y = self._level(part, change.event)
                if change.event >= 0 and change.state != "fired" and y is not None:
                    marker = _MARKERS.get(change.state, "dot")
                    rows.append(
                        (self._x(change.ts_ns), y, part.rule.id, change.state, self._clock.text(change.ts_ns), marker)
                    )
        return _columns(rows, ("x", "y", "rule", "state", "time", "marker"))

    def fires(self, rule: RuleDay, limits: Limits) -> Columns:
        """A mark for each fire, with its reason and what the book was."""
        rows = [
            (
                self._x(shot.fire.ts_ns), self._seen(shot), shot.rule.id, condition_text(shot.rule),
                observed_text(shot.fire), order_text(shot.fire), outcome_text(shot.fire, shot.rule, limits),
                book_text(self._market, shot.row), self._clock.text(shot.fire.ts_ns), str(shot.fire.event),
                "triangle" if shot.fire.side == "buy" else "inverted_triangle",
                0.9 if shot.fire.outcome == SENT else 0.0,
            )
            for shot in rule.shots
        ]  # fmt: skip
        names = (
            "x",
            "y",
            "rule",
            "condition",
            "observed",
            "order",
            "outcome",
            "book",
            "time",
            "event",
            "marker",
            "fill",
        )
        return _columns(rows, names)

    def near(self, rule: RuleDay) -> Columns:
        """The nearest approach of each part that is drawn and never fired, and what it would have taken."""
        rows = []
        for part in rule.parts:
            near = part.near
            if near is None or id(part) not in self._drawn:
                continue
            at = int(self._market.ts_ns[near.row])
            seen = f"{near.source.value} {price_text(near.units, near.source, self._instrument)}"
            ys = self._price(near.units, near.source), self._price(near.goal, near.source)
            rows.append(
                (
                    self._x(at),
                    *ys,
                    part.rule.id,
                    condition_text(part.rule),
                    seen,
                    near_text(near.ticks),
                    self._clock.text(at),
                )
            )
        return _columns(rows, ("x", "y", "goal", "rule", "condition", "seen", "away", "time"))

    def standing(self) -> Columns:
        """Position and result, as steps."""
        found = standing(
            self._day.fills, self._market.event, self._market.floats(Source.LAST), self._instrument.multiplier
        )
        rows = np.union1d(changes(found.position.astype(float)), changes(found.result)).astype(np.int64)
        places = [
            thinned(self._market.ts_ns[rows], values[rows], max(self._bounds.points // POINTS_OF_A_BUCKET, 1))
            for values in (found.position.astype(float), found.result)
        ]
        # The lines go on to the end of the day.
        chosen = rows[np.unique(np.concatenate(places))]
        rows = np.union1d(chosen, [len(self._market) - 1] if len(self._market) else []).astype(np.int64)
        x = self._clock.axis(self._market.ts_ns[rows])
        return {"x": x, "position": found.position[rows].astype(float), "result": found.result[rows]}

    def _x(self, ts_ns: int) -> float:
        return self._clock.place(ts_ns)

    def _price(self, units: int, source: Source) -> float:
        return float(to_float(np.array([units], np.int64), source, self._instrument)[0])

    def _seen(self, shot: Shot) -> float:
        """Where on the price axis a fire stands."""
        if shot.fire.observed:
            return float(shot.fire.observed)
        known = ((source, self._market.price(source, shot.row)) for source in (Source.LAST, Source.BID, Source.ASK))
        return next((self._price(units, source) for source, units in known if units is not None), np.nan)

    def _level(self, part: PartDay, event: int) -> float | None:
        """Where on the price axis the mark of a part stands: at its threshold, else at the price it looks at."""
        if isinstance(part.rule.block.form, Triggers):
            return self._price(part.rule.condition.threshold, part.rule.source)
        row = int(self._market.event.searchsorted(event, "right")) - 1
        source = Source.LAST if isinstance(part.rule.block.form, At) else part.rule.source
        units = self._market.price(source, row)
        return None if units is None else self._price(units, source)


_MARKERS = {"armed": "circle", "cancelled": "x", "refused": "square_x"}


def near_text(ticks: int) -> str:
    """How near a price came."""
    if not ticks:
        return "satisfied, but held back"
    return f"{ticks:,} tick{'' if ticks == 1 else 's'} away"


def _levels(part: PartDay) -> Iterator[int]:
    """Prices at which a part has something to do, in units of its source; a trail's move."""
    match part.rule.block.form:
        case Triggers():
            yield part.rule.condition.threshold
        case Decision() as decision:
            if len(decision.low) <= _MOST_INTERVALS:
                yield from np.unique([decision.low, decision.high]).tolist()
        case Trail() | At():
            return


def _columns(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> Columns:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}
