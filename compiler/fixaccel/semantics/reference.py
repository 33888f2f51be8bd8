# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter: the rule language as its specification words it, nothing clever."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from fixaccel.language.forms import At, Decision, Trail, Triggers
from fixaccel.language.rules import ArmedOn, RearmAfter, RearmReset, Rule, Strategy
from fixaccel.language.terms import Source
from fixaccel.semantics import decide, thresholds, trail
from fixaccel.semantics.arming import Links, arm, cancel, spend
from fixaccel.semantics.calendar import in_session
from fixaccel.semantics.fires import fire_of
from fixaccel.semantics.gate import observed_price
from fixaccel.semantics.identity import meaning
from fixaccel.semantics.market import Moment, Observation
from fixaccel.semantics.messages import EXECUTIONS, Fire, Message
from fixaccel.semantics.moments import next_moment
from fixaccel.semantics.order_keeper import OrderKeeper
from fixaccel.semantics.orders import OwnOrder
from fixaccel.semantics.ranking import rank
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part, State
from fixaccel.semantics.touch import Touch

# An observation of another instrument or source never evaluates a part.
_Watch = tuple[str, Source]


class Interpreter(OrderKeeper):
    """Runs a strategy message by message. ``touch`` fills orders where nobody reports fills."""

    def __init__(self, strategy: Strategy, touch: Touch | None = None) -> None:
        super().__init__(touch)
        self._strategy = strategy
        self._ts_ns = 0
        self._started = False  # the first message says what time it is
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
        self.gate.load(strategy)
        self.parts = []
        for rule in strategy.rules:
            kept = before.get(meaning(strategy, rule)) if before else None
            self.parts.append(Part(rule) if kept is None else replace(kept, rule=rule))
            if kept is None and rule.block.parents is None:
                self._arm(self.parts[-1])
            for order in self.parts[-1].orders:
                order.part = rule.index
        if self._touch:
            self._touch.load(order for part in self.parts for order in part.orders)
        self._index()

    def _index(self) -> None:
        """Who looks at an observation, in the order in which they take their turn."""
        self._watching: dict[_Watch, list[Part]] = {}
        self._resetting: dict[_Watch, list[Part]] = {}
        self._rearming: dict[str, list[Part]] = {}
        self._clocked = [part for part in self.parts if isinstance(part.rule.block.form, At)]
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
        message = replace(message, ts_ns=max(self._ts_ns, message.ts_ns))
        yield from self._fire_by_clock(message)
        self._come_to(message.ts_ns)
        if message.kind in EXECUTIONS:
            self._to_arm = []
            self._execute(message)
            self._arm_all()
            return
        for symbol in self.market.concerned(message):
            self._to_arm = []
            for observation in self.market.apply(symbol, message):
                yield from self._observe(observation)
            self._to_arm += [part for part in self._rearming.get(symbol, []) if self._is_due(part)]
            self._arm_all()

    def _come_to(self, ts_ns: int) -> None:
        self._ts_ns = ts_ns
        self.gate.advance(ts_ns)

    def _arm_all(self) -> None:
        """What a message arms is live from the next one of its instrument on."""
        for part in self._to_arm:
            if part.state is not State.CANCELLED:
                self._arm(part)

    # The clock.

    def _fire_by_clock(self, message: Message) -> Iterator[Fire]:
        """Rules `at` a time up to that of the message fire before it, each at its moment."""
        if not self._started:
            self._started = True
            for part in self._clocked:
                if part.state is State.ARMED:
                    part.moment_ns = self._next_moment(part.rule, message.ts_ns, inclusive=True)
        while due := [part for part in self._clocked if self._is_at_most(part, message.ts_ns)]:
            part = min(due, key=lambda one: (one.moment_ns, one.rule.index))
            assert part.moment_ns is not None
            self._come_to(part.moment_ns)
            self._to_arm = []
            order = part.rule.order
            yield self._fire(part, Shot(order, None, order.price), Moment(part.moment_ns, message))
            self._arm_all()

    def _is_at_most(self, part: Part, ts_ns: int) -> bool:
        return part.state is State.ARMED and part.moment_ns is not None and part.moment_ns <= ts_ns

    def _next_moment(self, rule: Rule, ts_ns: int, *, inclusive: bool = False) -> int:
        assert isinstance(rule.block.form, At)
        return next_moment(rule.block.form.second, self._zone, ts_ns, inclusive=inclusive)

    # The market.

    def _observe(self, observation: Observation) -> Iterator[Fire]:
        watch = (observation.instrument.symbol, observation.source)
        self._touched(observation)
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
        return self.gate.admits(observation, part.rule) and in_session(during, observation.message.ts_ns, self._zone)

    def _judge(self, part: Part, observation: Observation) -> Shot | None:
        match part.rule.block.form:
            case Triggers():
                return thresholds.judge(part, observation)
            case Decision():
                return decide.judge(part, observation)
            case Trail():
                return trail.judge(part, observation)
            case At():
                return None

    def _judge_reset(self, part: Part, observation: Observation) -> None:
        rearm = part.rule.block.rearm
        assert isinstance(rearm, RearmReset)
        if thresholds.satisfied(rearm.condition, observation.price):
            part.awaits_reset = False
            self._to_arm.append(part)

    def _fire(self, part: Part, shot: Shot, cause: Observation | Moment) -> Fire:
        """One shot, whether or not the gate lets the order out; only a sent one touches anything else."""
        part.state = State.FIRED
        if shot.order.filled:
            shot = replace(shot, order=replace(shot.order, qty=self._filled_by_parents(part)))
        observation = None if isinstance(cause, Moment) else cause
        price = self._known_price(part.rule) if observation is None else observed_price(observation)
        violated = self.gate.violated(shot, part.rule, observation, price)
        if violated is None:
            self._sent(part, shot)
        return fire_of(part, shot, cause, violated)

    def _sent(self, part: Part, shot: Shot) -> None:
        """What an order that left does to others."""
        order = OwnOrder(part.rule.index, shot, part.rule.instrument, self.gate.count(shot, part.rule))
        part.orders.append(order)
        spend(part, self._ts_ns)
        for sibling in self._links.siblings(part.rule):
            cancel(self.parts[sibling])
        self._arm_children(part, ArmedOn.SENT)
        self._cancel_orders(part)
        self._touch_at_once(part, order)

    def _known_price(self, rule: Rule) -> Fraction | None:
        """What a market order that fires by the clock is expected to cost, in price units: the last, else the mid."""
        last, mid = (self.market.known(rule.instrument.symbol, source) for source in (Source.LAST, Source.MID))
        if last is not None:
            return Fraction(last)
        return None if mid is None else Fraction(mid, 2)

    def _is_due(self, part: Part) -> bool:
        """Whether it has come to the time of `rearm: {after}`."""
        return part.rearm_at_ns is not None and self._ts_ns >= part.rearm_at_ns

    def _arm(self, part: Part) -> None:
        if not isinstance(part.rule.block.form, At):
            arm(part, self.market.value(part.rule.instrument.symbol, part.rule.source))
            return
        arm(part, None)
        if self._started:
            part.moment_ns = self._next_moment(part.rule, self._ts_ns)


def sources(rule: Rule) -> set[Source]:
    """The sources whose observations a part looks at."""
    form = rule.block.form
    if isinstance(form, At):
        return set()
    if isinstance(form, Trail) and form.activate is not None:
        return {rule.source, form.activate.source}
    return {rule.source}
