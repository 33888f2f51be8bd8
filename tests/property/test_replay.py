# SPDX-License-Identifier: Apache-2.0
"""What a replay says of a day is what the reference interpreter went through, message by message."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from choices import RandomChoices
from engine_law import Played
from hypothesis import given, settings
from strategy_cases import PATIENT, Case, engine_cases, exit_case, loaded, make_case

from fixaccel.language.codes import SOURCES
from fixaccel.language.forms import Trail
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Side, Source
from fixaccel.replay.fills import TOUCH
from fixaccel.replay.ledger import Fill
from fixaccel.replay.record import Day, PartDay, record
from fixaccel.semantics.market import Observation
from fixaccel.semantics.messages import Fire
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part
from fixaccel.semantics.touch import Touch, TouchFill

Seen = tuple[int, Source, int]  # event from 0, source, units
_Told = tuple[int, str, Side, int, Decimal]  # event from 1, rule, side, quantity, price


class Reference(Interpreter):
    """Keeps what each part judged, and every observation."""

    def __init__(self, strategy: Strategy, touch: Touch | None) -> None:
        self.judged: dict[int, list[Seen]] = {}
        self.observed: dict[str, list[Seen]] = {}
        super().__init__(strategy, touch)

    def _observe(self, observation: Observation) -> Iterator[Fire]:
        self.observed.setdefault(observation.instrument.symbol, []).append(_seen(observation))
        yield from super()._observe(observation)

    def _judge(self, part: Part, observation: Observation) -> Shot | None:
        self.judged.setdefault(part.rule.index, []).append(_seen(observation))
        return super()._judge(part, observation)


def _told(fill: Fill) -> _Told:
    return fill.event, fill.rule, fill.side, fill.qty, fill.price


def _made(strategy: Strategy, fill: TouchFill, event: int) -> _Told:
    order, rule = fill.order.shot.order, strategy.rules[fill.order.part]
    return event, rule.id, order.side, order.qty, rule.instrument.to_price(fill.price)


def _seen(observation: Observation) -> Seen:
    return observation.message.event - 1, observation.source, observation.price


@settings(PATIENT, max_examples=30)
@given(engine_cases())
def test_a_replay_is_what_the_reference_went_through(case: Case) -> None:
    _compare(case)


def test_of_many_cases_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # So small that most of a case lies between two pieces.
    monkeypatch.setattr("fixaccel.replay.course._PIECE", 3)
    made = 0
    for seed in range(100):
        choices = RandomChoices(seed)
        case = exit_case(choices) if seed % 2 else make_case(choices)
        try:
            made += _compare(case)
        except AssertionError as error:
            raise AssertionError(f"case {seed}:\n{case}") from error
    assert made > 10


def _compare(case: Case) -> int:
    """Compares the day of a case with the reference; returns how many fills the model made in it."""
    strategy, messages = loaded(case)
    played = Played.of(case)
    model = Touch() if case.touch else None
    day = record(strategy, played.columns(), lambda _: None, model=TOUCH if case.touch else None)
    reference = Reference(strategy, model)
    filled: list[int] = []  # event of each fill of the model
    assert list(day.course.fires) == played.rules
    assert day.course.invalid_prices == played.invalid_prices
    walks = {part.rule.index: _Walk(part, day) for one in day.instruments for rule in one.rules for part in rule.parts}
    for part in reference.parts:
        walks[part.rule.index].compare(part, -1)
    for number, message in enumerate(messages):
        assert message.event == number + 1
        list(reference.process(message))
        filled += [message.event] * (len(model.fills) - len(filled) if model else 0)
        for part in reference.parts:
            walks[part.rule.index].compare(part, number)
        for one in day.instruments:
            row = int(one.market.event.searchsorted(number))
            if row < len(one.market) and one.market.event[row] == number:
                for source in SOURCES:
                    known = reference.market.known(one.market.instrument.symbol, source)
                    assert one.market.price(source, row) == known
    for one in day.instruments:
        found = [
            (int(one.market.event[row]), source, units)
            for source, seen in one.market.observed.items()
            for row, units in zip(seen.row.tolist(), seen.units.tolist(), strict=True)
        ]
        assert sorted(found, key=str) == sorted(reference.observed.get(one.market.instrument.symbol, []), key=str)
    assert day.course.unmatched == reference.unmatched
    if model is not None:
        # Of several by one observation the order is nobody's concern.
        assert sorted(map(str, map(_told, day.fills))) == sorted(
            str(_made(strategy, fill, event)) for fill, event in zip(model.fills, filled, strict=True)
        )
    for walk in walks.values():
        walk.compare_judged(reference.judged.get(walk.part.rule.index, []))
    return len(model.fills) if model else 0


class _Walk:
    """Goes through the day of one part, message by message."""

    def __init__(self, part: PartDay, day: Day) -> None:
        self.part = part
        self._market = next(one.market for one in day.instruments if any(part in rule.parts for rule in one.rules))

    def compare(self, reference: Part, event: int) -> None:
        """State and stop after a message."""
        state = next(change.state for change in reversed(self.part.changes) if change.event <= event)
        assert state == reference.state.value, (event, self.part)
        if isinstance(reference.rule.block.form, Trail) and state == "armed":
            life = max(place for place, life in enumerate(self.part.lives) if life.begin <= event)
            stops = self.part.stops[life]
            rows = int(self._market.event.searchsorted(event, "right"))
            place = int(stops.row.searchsorted(rows)) - 1
            assert (int(stops.units[place]) if place >= 0 else None) == reference.follow.stop

    def compare_judged(self, judged: list[Seen]) -> None:
        """A nearest approach is among what the part judged."""
        near = self.part.near
        if near is not None:
            assert (int(self._market.event[near.row]), near.source, near.units) in judged
