# SPDX-License-Identifier: Apache-2.0
"""What becomes of the orders that were sent, and what that arms: fills, ends, cancels."""

from fixaccel.language.rules import ArmedOn
from fixaccel.semantics.arming import Links
from fixaccel.semantics.gate import Gate
from fixaccel.semantics.market import Market, Observation
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.orders import OwnOrder, of_fill, oldest, whole_lots
from fixaccel.semantics.states import Part, State
from fixaccel.semantics.touch import Sent, Touch


class OrderKeeper:
    """The part of an interpreter that keeps orders. ``parts`` holds the state of each part, by its index.

    ``cancels`` counts the orders that were cancelled, ``unmatched`` has the events of executions without an order.
    """

    _links: Links

    def __init__(self, touch: Touch | None) -> None:
        self.market = Market()
        self.gate = Gate()
        self.parts: list[Part] = []
        self.cancels = 0
        self.unmatched: list[int] = []
        self._touch = touch
        self._to_arm: list[Part] = []  # at the end of the message

    def _execute(self, message: Message) -> None:
        """A fill or an end of the oldest order of a part."""
        assert message.execution is not None
        part, qty = self.parts[message.execution.part], message.execution.qty
        order = of_fill(part.orders, qty) if message.kind is Kind.FILL else oldest(part.orders)
        if order is None:
            self.unmatched.append(message.event)
        elif message.kind is Kind.FILL:
            self._fill(part, order, qty)
        else:
            self._end(part, order)

    def _fill(self, part: Part, order: OwnOrder, qty: int) -> None:
        part.filled += qty
        order.filled += qty
        if qty > 0:
            self._arm_children(part, ArmedOn.FIRST_FILL)
        if not order.done and order.filled >= order.shot.order.qty:
            self._end(part, order)

    def _end(self, part: Part, order: OwnOrder) -> None:
        """The order is done, with what it has."""
        order.done = True
        if order.resting is not None:
            self.gate.done(order.resting)
        if order.filled > 0:
            self._arm_children(part, ArmedOn.FILLED)

    def _arm_children(self, part: Part, on: ArmedOn) -> None:
        children = [self.parts[index] for index in self._links.children(part.rule, on)]
        self._to_arm += [child for child in children if child.state is State.DISARMED]

    def _cancel_orders(self, part: Part) -> None:
        """The order of ``part`` was sent: what may still rest of the rules that it names is cancelled."""
        for index in sorted({index for parts in part.rule.block.cancels for index in parts}):
            for order in self.parts[index].orders:
                if not order.done:
                    self.cancels += 1
                    self._end(self.parts[index], order)

    def _touched(self, observation: Observation) -> None:
        """Orders that an observation fills, where the model does that."""
        for order in self._touch.filled_by(observation) if self._touch else ():
            self._fill(self.parts[order.part], order, order.shot.order.qty)

    def _touch_at_once(self, part: Part, order: OwnOrder) -> None:
        """The order was just sent."""
        match self._touch.sent(order, self.market) if self._touch else Sent.WORKING:
            case Sent.FILLED:
                self._fill(part, order, order.shot.order.qty)
            case Sent.DONE:
                self._end(part, order)

    def _filled_by_parents(self, part: Part) -> int:
        """What the orders of all its parents have filled so far, in whole lots."""
        parents = {index for parts in part.rule.block.parents or () for index in parts}
        return whole_lots(sum(self.parts[index].filled for index in parents), part.rule.instrument)
