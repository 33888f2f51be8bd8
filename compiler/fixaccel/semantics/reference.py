# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter: the rule language as its specification words it, nothing clever."""

from collections.abc import Iterator
from dataclasses import replace

from fixaccel.language.model import Source
from fixaccel.language.rules import Decision, RearmAfter, RearmReset, Rule, Strategy, Trail, Triggers
from fixaccel.semantics import decide, thresholds, trail
from fixaccel.semantics.arming import Links, arm, cancel, spend
from fixaccel.semantics.calendar import in_session
from fixaccel.semantics.fires import fire_of
from fixaccel.semantics.gate import Gate
from fixaccel.semantics.identity import meaning
from fixaccel.semantics.market import Market, Observation
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.ranking import rank
from fixaccel.semantics.states import Part, Shot, State

# An observation of another instrument or source never evaluates a part.
_Watch = tuple[str, Source]


class Interpreter:
    """Runs a strategy message by message. ``parts`` holds the state of each part, by its index."""

    def __init__(self, strategy: Strategy) -> None:
        self.market = Market()
        self.gate = Gate()
        self.parts: list[Part] = []
        self._strategy = strategy
        self._ts_ns = 0
        self._to_arm: list[Part] = []  # at the end of the message
        self.load(strategy)

    def load(self, strategy: Strategy) -> None:
        """Replaces the strategy between two messages; at the start, that of no rules.

        A rule whose meaning is unchanged keeps its state; a changed or new one starts with what is known of the
        market now; a removed one is gone. The market and what the gate counted stay.
        """
        before = {meaning(self._strategy, part.rule): part for part in self.parts}
        self._strategy = strategy
        self._links = Links(strategy)
        self._zone = strategy.venue.time_zone
        self.market.load(strategy.venue.instruments)
        self.gate.load(strategy.limits, self._zone)
        self.parts = []
        for rule in strategy.rules:
            kept = before.get(meaning(strategy, rule)) if before else None
            self.parts.append(Part(rule) if kept is None else replace(kept, rule=rule))
            if kept is None and rule.block.parents is None:
                self._arm(self.parts[-1])
        self._index()

    def _index(self) -> None:
        """Who looks at an observation, in the order in which they take their turn."""
        self._watching: dict[_Watch, list[Part]] = {}
        self._resetting: dict[_Watch, list[Part]] = {}
        self._rearming: dict[str, list[Part]] = {}
        for part in sorted(self.parts, key=lambda part: rank(part.rule)):
            symbol = part.rule.instrument.symbol
            for source in sources(part.rule):
                self._watching.setdefault((symbol, source), []).append(part)
            match part.rule.block.rearm:
                case RearmReset(condition=condition):
                    self._resetting.setdefault((symbol, condition.source), []).append(part)
                case RearmAfter():
                    self._rearming.setdefault(symbol, []).append(part)

    def process(self, message: Message) -> Iterator[Fire]:
        """Takes one message; yields its fires in firing order."""
        self._ts_ns = max(self._ts_ns, message.ts_ns)
        message = replace(message, ts_ns=self._ts_ns)
        self.gate.advance(self._ts_ns)
        for symbol in self.market.concerned(message):
            self._to_arm = []
            for observation in self.market.apply(symbol, message):
                yield from self._observe(observation)
            self._to_arm += [part for part in self._rearming.get(symbol, []) if self._is_due(part)]
            # What this message arms is live from the next one of its instrument on.
            for part in self._to_arm:
                if part.state is not State.CANCELLED:
                    self._arm(part)

    def _observe(self, observation: Observation) -> Iterator[Fire]:
        watch = (observation.instrument.symbol, observation.source)
        for part in self._resetting.get(watch, []):
            if part.awaits_reset and self._eligible(part, observation):
                self._judge_reset(part, observation)
        for part in self._watching.get(watch, []):
            if part.state is State.ARMED and self._eligible(part, observation):
                shot = self._judge(part, observation)
                if shot is not None:
                    yield self._fire(part, shot, observation)

    def _eligible(self, part: Part, observation: Observation) -> bool:
        during = part.rule.block.during
        return self.gate.admits(observation) and in_session(during, observation.message.ts_ns, self._zone)

    def _judge(self, part: Part, observation: Observation) -> Shot | None:
        match part.rule.block.form:
            case Triggers():
                return thresholds.judge(part, observation)
            case Decision():
                return decide.judge(part, observation)
            case Trail():
                return trail.judge(part, observation)

    def _judge_reset(self, part: Part, observation: Observation) -> None:
        rearm = part.rule.block.rearm
        assert isinstance(rearm, RearmReset)
        if thresholds.satisfied(rearm.condition, observation.price):
            part.awaits_reset = False
            self._to_arm.append(part)

    def _fire(self, part: Part, shot: Shot, observation: Observation) -> Fire:
        """One shot, whether or not the gate lets the order out; only a sent one touches anything else."""
        part.state = State.FIRED
        violated = self.gate.violated(shot, part.rule, observation)
        if violated is None:
            self.gate.count(shot, part.rule)
            spend(part, observation.message.ts_ns)
            for sibling in self._links.siblings(part.rule):
                cancel(self.parts[sibling])
            children = [self.parts[index] for index in self._links.children(part.rule)]
            self._to_arm += [child for child in children if child.state is State.DISARMED]
        return fire_of(part, shot, observation, violated)

    def _is_due(self, part: Part) -> bool:
        """Whether it has come to the time of `rearm: {after}`."""
        return part.rearm_at_ns is not None and self._ts_ns >= part.rearm_at_ns

    def _arm(self, part: Part) -> None:
        arm(part, self.market.value(part.rule.instrument.symbol, part.rule.source))


def sources(rule: Rule) -> set[Source]:
    """The sources whose observations a part looks at."""
    form = rule.block.form
    if isinstance(form, Trail) and form.activate is not None:
        return {rule.source, form.activate.source}
    return {rule.source}
