# SPDX-License-Identifier: Apache-2.0
"""`commit: message` over frames that turn out bad: rules are told what those spent, and say whether they may have."""

from collections import deque
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace

from fixaccel.language.placements import Placement
from fixaccel.language.rules import Strategy
from fixaccel.semantics.fires import REJECTED, SENT
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.states import State
from fixaccel.simulate.rtl.stream import Traffic

FRAME = f"{REJECTED}frame"


class Spoiled:
    """What the fabric says it has spent on damaged frames, in that order.

    Whether an order began ahead of the verdict is a matter of cycles, so it need not have. What began is what rules
    would have sent first of all that the frame says; a fire that is not stays here, and nobody agrees with it.
    """

    def __init__(self, traffic: Traffic, seen: Sequence[Fire]) -> None:
        self._left = deque(fire for fire in seen if fire.outcome == FRAME)
        self._frames: dict[int, list[list[Message]]] = {}  # by the event that they begin with
        for damaged in traffic.damaged:
            said = [event for together in traffic.numbered[damaged.first : damaged.last] for event in together]
            if said:
                self._frames.setdefault(said[0].event, []).append(said)

    def ahead_of(self, message: Message, interpreter: Interpreter, strategy: Strategy) -> Iterator[Fire]:
        """Fires of damaged frames that come just before the one with ``message``, each of them spent."""
        for said in self._frames.get(message.event, []):
            fire = _first(interpreter, strategy, said)
            if fire is not None and self._left and self._left[0] == fire:
                self._left.popleft()
                spend(interpreter, fire)
                yield fire


def spend(interpreter: Interpreter, fire: Fire) -> None:
    """No order was sent: nothing but its own rule is touched."""
    (part,) = (part for part in interpreter.parts if part.rule.id == fire.rule)
    part.state = State.FIRED


def by_event(fires: Sequence[Fire]) -> list[Fire]:
    """In the order of events, what was spent ahead of each first: as fires of fabric and runtime can be compared."""
    return sorted(fires, key=lambda fire: (fire.event, fire.outcome != FRAME))


def _first(interpreter: Interpreter, strategy: Strategy, said: Sequence[Message]) -> Fire | None:
    """The first fire of the fabric on these, as it is recorded for a bad frame; None if no order is sent for it."""
    trial = deepcopy(interpreter)
    there = {rule.id for rule in strategy.rules if strategy.placed(rule.index) is Placement.FABRIC}
    for message in said:
        for fire in trial.process(message):
            if fire.rule in there:
                return replace(fire, cl_ord_id="", outcome=FRAME) if fire.outcome == SENT else None
    return None
