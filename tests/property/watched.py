# SPDX-License-Identifier: Apache-2.0
"""A run of the reference interpreter that keeps what laws speak of."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from fixaccel.language.rules import Strategy
from fixaccel.semantics.market import Observation
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part, State


@dataclass(frozen=True)
class Fired:
    """A fire with the part and the observation that it came from, and the others that it changed."""

    fire: Fire
    part: Part
    shot: Shot
    observation: Observation
    changed: list[str]

    @property
    def sent(self) -> bool:
        return self.fire.outcome == "sent"


@dataclass
class Stops:
    """The stops of one trail since it was last armed, message by message."""

    rearmings: int
    stops: list[int] = field(default_factory=list)


class Watched(Interpreter):
    """Collects every fire in ``fired`` and every stop in ``trails`` (by part index; each arming anew)."""

    def __init__(self, strategy: Strategy) -> None:
        self.fired: list[Fired] = []
        self.trails: dict[int, list[Stops]] = {}
        self.day_roll = strategy.venue.day_roll  # seconds of the venue's day, None without
        super().__init__(strategy)

    @property
    def time_zone(self) -> str:
        """The venue's."""
        return self._zone

    def run(self, messages: Iterable[Message]) -> list[Fire]:
        fires = []
        for message in messages:
            fires += self.process(message)
            for part in self.parts:
                if part.state is State.ARMED and part.follow.stop is not None:
                    self._note_stop(part)
        return fires

    def _counted(self) -> tuple[object, ...]:
        return self.gate.whole.sent_orders, dict(self.gate.whole.sent_qty), dict(self.gate.sent_ns)

    def _note_stop(self, part: Part) -> None:
        armings = self.trails.setdefault(part.rule.index, [Stops(part.rearmings)])
        if armings[-1].rearmings != part.rearmings:
            armings.append(Stops(part.rearmings))
        armings[-1].stops.append(part.follow.stop or 0)

    def _fire(self, part: Part, shot: Shot, observation: Observation) -> Fire:
        before = [replace(other) for other in self.parts]
        armed_before, counted = len(self._to_arm), self._counted()
        fire = super()._fire(part, shot, observation)
        changed = [new.rule.id for old, new in zip(before, self.parts, strict=True) if old != new and new is not part]
        changed += [other.rule.id for other in self._to_arm[armed_before:]]
        if counted != self._counted():
            changed.append("the gate")
        self.fired.append(Fired(fire, part, shot, observation, changed))
        return fire


def fires_of(strategy: Strategy, messages: Iterable[Message]) -> list[Fire]:
    return Watched(strategy).run(messages)


def without_numbers(fires: Iterable[Fire], leave_out: Collection[str] = ()) -> list[Fire]:
    """Fires without what counts messages and rules, and without those of some rules."""
    return [replace(fire, event=0, cl_ord_id="") for fire in fires if fire.rule not in leave_out]
