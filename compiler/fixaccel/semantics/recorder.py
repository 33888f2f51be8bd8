# SPDX-License-Identifier: Apache-2.0
"""Why a rule has not fired: an interpreter that remembers what held each part back."""

from collections.abc import Iterator
from dataclasses import dataclass

from fixaccel.language.forms import At, Decision, Trail, Triggers, price_text
from fixaccel.language.rules import ArmedOn, Strategy
from fixaccel.language.terms import Side, Source
from fixaccel.semantics.calendar import minute_of_day, time_text
from fixaccel.semantics.market import Moment, Observation, why_unseen
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part, Sight, State
from fixaccel.semantics.thresholds import satisfied

_NAMED = 3  # parts of one rule that an answer names


@dataclass(slots=True)
class Log:
    """What befell one part since it was last armed; each text says what and at which event."""

    since: int = 0  # event that armed it, 0: the load
    ended: str | None = None  # what became of it: fired, cancelled, refused
    hindered: str | None = None  # the last time that a price would have fired it but for something else
    nearest: tuple[int, Observation] | None = None  # distance, in units of the source
    unseen: str | None = None  # a price of its source that it could not see, and none that it could since


class Recorder(Interpreter):
    """Runs a strategy as `Interpreter` does; `held_back` tells what it saw."""

    def __init__(self, strategy: Strategy) -> None:
        self._logs: dict[str, Log] = {}
        self._event = 0
        super().__init__(strategy)

    def process(self, message: Message) -> Iterator[Fire]:
        """Takes one message; yields its fires in firing order."""
        self._event = message.event
        yield from super().process(message)
        if message.instrument is not None and message.kind in {Kind.UPDATE, Kind.SNAPSHOT}:
            self._note_unseen(message.instrument, message)
            self._note_invalid(message.instrument, message)

    def held_back(self, name: str) -> str:
        """Why the part, or the parts of the rule, of this name did not fire since they were last armed."""
        parts = [part for part in self.parts if part.rule.id == name]
        parts = parts or [part for part in self.parts if name in {part.rule.block.id, part.rule.block.rule_id}]
        if not parts:
            return f"the strategy has no rule `{name}`, or it is disabled"
        if len(parts) == 1:
            return self._reason(parts[0])
        more = [f"and {len(parts) - _NAMED} more"] if len(parts) > _NAMED else []
        return "; ".join([*(f"{part.rule.id}: {self._reason(part)}" for part in parts[:_NAMED]), *more])

    def _log(self, part: Part) -> Log:
        return self._logs.setdefault(part.rule.id, Log())

    # What the interpreter does, noted on the way.

    def _arm(self, part: Part) -> None:
        self._logs[part.rule.id] = Log(since=self._event)
        super()._arm(part)
        if part.state is State.REFUSED:
            condition = part.rule.condition.text
            self._log(part).ended = f"refused when it was armed{self._at()}: the market was already at `{condition}`"

    def _eligible(self, part: Part, observation: Observation) -> bool:
        if super()._eligible(part, observation):
            return True
        if observation.source is part.rule.source and part.state is State.ARMED:
            if not self.gate.admits(observation, part.rule):
                no_reference = observation.reference is None
                reason = "the collar had no last or mid to compare it with" if no_reference else "the collar ignores it"
            else:
                minute = minute_of_day(observation.message.ts_ns, self._zone)
                windows = ", ".join(map(str, part.rule.block.during))
                reason = f"it was {minute // 60:02}:{minute % 60:02}, outside `during` {windows}"
            if _reached(part, observation.price):
                self._log(part).hindered = f"{_seen(observation)} would have fired it, but {reason}"
            else:
                self._log(part).unseen = f"{_seen(observation)} was not eligible: {reason}"
        return False

    def _judge(self, part: Part, observation: Observation) -> Shot | None:
        sight = part.sight
        shot = super()._judge(part, observation)
        if shot is None and observation.source is part.rule.source:
            self._note_unfired(part, observation, sight)
        return shot

    def _note_unfired(self, part: Part, observation: Observation, sight: Sight) -> None:
        log, distance = self._log(part), _distance(part, observation.price)
        log.unseen = None
        if part.state is State.REFUSED:
            log.ended = f"refused: {_seen(observation)} was the first to be seen, and satisfied its condition"
        elif distance == 0 and isinstance(part.rule.block.form, Triggers):
            live = sight is Sight.LIVE
            reason = "the observation before did not" if live else "it must first be seen not satisfied"
            log.hindered = f"{_seen(observation)} satisfied it, but {reason}"
        elif distance is not None and (log.nearest is None or distance < log.nearest[0]):
            log.nearest = (distance, observation)

    def _fire(self, part: Part, shot: Shot, cause: Observation | Moment) -> Fire:
        siblings = [self.parts[index] for index in self._links.siblings(part.rule)]
        lively = [sibling for sibling in siblings if sibling.state is not State.CANCELLED]
        fire = super()._fire(part, shot, cause)
        outcome = "" if fire.outcome == "sent" else f", and its order was {fire.outcome.replace(':', ' by `')}`"
        self._log(part).ended = f"it fired{self._at()}{outcome}"
        for sibling in lively:
            if sibling.state is State.CANCELLED:
                self._log(sibling).ended = f"cancelled{self._at()} by `{part.rule.id}`, which fired in the same `oco`"
        return fire

    def _note_unseen(self, symbol: str, message: Message) -> None:
        """Prices that would have fired a part, had the instrument not been halted or suspended."""
        if self.market.is_open(symbol) and not self.market.is_suspended(symbol):
            return
        why = "suspended since a gap" if self.market.is_suspended(symbol) else "halted"
        for part in self._looking():
            source = part.rule.source
            known = self.market.known(symbol, source) if part.rule.instrument.symbol == symbol else None
            if known is not None and part.state is State.ARMED and _carries(message, source) and _reached(part, known):
                price = price_text(known, source, part.rule.instrument)
                self._log(part).hindered = f"{source.value} {price} at event {message.event} came while it was {why}"

    def _note_invalid(self, symbol: str, message: Message) -> None:
        """Prices that are off the unit or out of range, for the parts that they might have fired."""
        for part in self._looking():
            rule = part.rule
            if rule.instrument.symbol != symbol or part.state is not State.ARMED:
                continue
            for side in _sides(rule.source) & message.prices.keys():
                why = why_unseen(rule.instrument, message.prices[side])
                if why:
                    what = f"{side.value} {message.prices[side]} at event {message.event}"
                    self._log(part).unseen = f"{what} is no observation: {why}"

    def _looking(self) -> list[Part]:
        """Parts that look at the market at all."""
        return [part for part in self.parts if not isinstance(part.rule.block.form, At)]

    # Words.

    def _at(self) -> str:
        return f" at event {self._event}" if self._event else " at the load"

    def _reason(self, part: Part) -> str:
        log = self._log(part)
        if part.state is State.DISARMED:
            return self._never_armed(part)
        since = f" (armed at event {log.since})" if log.since else ""
        return log.ended or f"{log.hindered or log.unseen or _unsatisfied(part, log)}{since}"

    def _never_armed(self, part: Part) -> str:
        parents = [self.parts[index].rule for span in part.rule.block.parents or () for index in span]
        names = ", ".join(f"`{parent.id}`" for parent in parents[:_NAMED])
        fates = [log.ended for parent in parents if (log := self._logs.get(parent.id)) and log.ended]
        told = f": {fates[0].replace('it fired', 'that fired')}" if fates else ""
        missing = {
            ArmedOn.SENT: f"no order of {names} was sent",
            ArmedOn.FIRST_FILL: f"no order of {names} was filled, in part or whole",
            ArmedOn.FILLED: f"no order of {names} was done with something filled",
        }[part.rule.block.armed_on]
        return f"never armed: {missing}{told}"


def _carries(message: Message, source: Source) -> bool:
    return bool(_sides(source) & message.prices.keys())


def _sides(source: Source) -> set[Source]:
    """What a message carries for it."""
    return {Source.BID, Source.ASK} if source is Source.MID else {source}


def _reached(part: Part, price: int) -> bool:
    """Whether a price of the part's source would fire it as it stands, `confirm` and the like aside."""
    return _distance(part, price) == 0


def _distance(part: Part, price: int) -> int | None:
    """How far a price of the part's source is from firing it, 0: it would; None for a trail without a stop."""
    match part.rule.block.form:
        case Triggers():
            condition = part.rule.condition
            return 0 if satisfied(condition, price) else abs(price - condition.threshold)
        case Decision(low=low, high=high):
            ends = zip(low, high, strict=True)
            return min((max(int(first) - price, price - int(last), 0) for first, last in ends), default=None)
        case Trail():
            stop = part.follow.stop
            beyond = price - (stop or 0) if part.rule.order.side is Side.SELL else (stop or 0) - price
            return None if stop is None else max(beyond, 0)
        case At():
            return None


def _unsatisfied(part: Part, log: Log) -> str:
    rule, form = part.rule, part.rule.block.form
    if isinstance(form, At):
        return f"no event came at or after {time_text(form.second)}"
    if isinstance(form, Trail) and not part.follow.active and form.activate is not None:
        return f"never active: `{form.activate.text}` was not satisfied"
    if log.nearest is None:
        stop = "" if not isinstance(form, Trail) or part.follow.stop is None else " after the one that set its stop"
        return f"no observation of {rule.source.value} of {rule.instrument.symbol}{stop}"
    distance, observation = log.nearest
    away = price_text(distance, rule.source, rule.instrument)
    match form:
        case Triggers():
            goal = f"`{rule.condition.text}`"
        case Decision():
            goal = "an interval with an order"
        case Trail():
            goal = "its stop"
    return f"never satisfied: {_seen(observation)} came nearest to {goal}, {away} away"


def _seen(observation: Observation) -> str:
    price = price_text(observation.price, observation.source, observation.instrument)
    return f"{observation.source.value} {price} at event {observation.message.event}"
