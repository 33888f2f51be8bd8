# SPDX-License-Identifier: Apache-2.0
"""What a run of the reference interpreter came to: forms that fired, changes of state, outcomes, odd market data."""

from collections import Counter
from collections.abc import Iterator

from fixaccel.language.forms import Decision, Trail
from fixaccel.language.placements import Placement
from fixaccel.language.rules import ArmedOn, Limits, RearmAfter, Strategy
from fixaccel.language.terms import OrderType, Source
from fixaccel.semantics.market import Moment, Observation
from fixaccel.semantics.messages import UNKNOWN, Fire, Kind, Message
from fixaccel.semantics.orders import OwnOrder, oldest
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part, Sight, State
from fixaccel.semantics.touch import Touch

IN_FABRIC = ", in the fabric"
REJECTED = (
    "filled", "order_qty", "order_notional", "collar", "self_trade", "repeat", "orders_per_second", "total_orders",
    "total_qty",
)  # fmt: skip
# Limits that the fabric does not check, or that never reject in generated cases of it.
_NOT_THERE = {"filled", "order_qty", "collar", "repeat"}
# What a rule's own limits reject where the strategy has none.
_OF_RULES = ", by limits of the rule alone"

# What more `during` or re-armings than the fabric keeps, and prices too far for a doubled `mid`, come to is more than a
# case has.
_RARE = {Placement.DURINGS, Placement.TIMES, Placement.SLOTS, Placement.MID, Placement.EMPTY}

# What generated cases must come to, all of it.
GOALS = frozenset(
    [
        *(f"fired: {form}" for form in ("when", "ladder", "table", "table row with an id", "decide", "trail", "list")),
        *(f"fired: {source.value} {way}" for source in Source for way in ("<=", ">=")),
        *(f"fired: decide on {source.value}" for source in Source),
        *(f"fired: trail on {source.value} by {by}" for source in Source for by in ("price", "ticks", "percent")),
        *(f"fired: trail with {price}" for price in ("a market order", "a fixed price", "a price that follows")),
        *(f"fired: confirm 2{there}" for there in ("", IN_FABRIC)),
        "fired: at",
        "fired: at, without a message of its instrument",
        "fired: what parents have filled",
        # Own orders seldom meet where nothing else is limited.
        *(f"rejected:{name}{_OF_RULES}" for name in REJECTED if name not in {"filled", "self_trade"}),
        *(f"armed_by {on.value}: armed{there}" for on in ArmedOn for there in ("", IN_FABRIC)),
        *(
            f"execution: {what}"
            for what in ("fill", "bust", "done", "reject", "of no order", "of an order that was filled")
        ),
        *(f"the day rolled: what counted{own}" for own in ("", ", of a rule alone", IN_FABRIC)),
        "an order was cancelled",
        "a model filled an order",
        "not eligible: outside the collar",
        "fired: at a negative price",
        "fired: at half a unit",
        "fired: a second time",
        "fired: several on one observation",
        "sent",
        *(f"rejected:{name}" for name in REJECTED),
        *(f"rejected:{name}{IN_FABRIC}" for name in REJECTED if name not in _NOT_THERE),
        *(f"at the load: {state}" for state in ("armed", "disarmed")),
        *(f"armed_by: {state}" for state in ("armed", "refused", f"armed{IN_FABRIC}")),
        *(f"armed_by: a part of another instrument{there}" for there in ("", IN_FABRIC)),
        *(f"rearm {how}: {state}" for how in ("after", "reset") for state in ("armed", "refused")),
        *(f"rearm {how}: armed{IN_FABRIC}" for how in ("after", "reset")),
        *(f"oco: {state} to cancelled{there}" for state in ("disarmed", "armed") for there in ("", IN_FABRIC)),
        *(f"sight at arming: {sight.value}" for sight in Sight),
        *(
            f"seen: {sight} to {end}{there}"
            for sight, end in (("waiting", "live"), ("undecided", "live"), ("undecided", "refused"))
            for there in ("", IN_FABRIC)
        ),
        *(f"seen: waiting stays{there}" for there in ("", IN_FABRIC)),
        *(f"confirm: not confirmed{there}" for there in ("", IN_FABRIC)),
        *(f"trail: {what}" for what in ("activated by its own source", "activated by another source", "ratchet")),
        *(f"not eligible: during{there}" for there in ("", IN_FABRIC)),
        "not eligible: no reference",
        *(f"message: {kind.value}" for kind in Kind),
        *(f"message: {what}" for what in ("an unknown side", "an invalid price", "crossed")),
        *(f"message: {kind.value} of all instruments" for kind in (Kind.GAP, Kind.HALT, Kind.OPEN)),
        "message: while suspended",
        "message: while halted",
        *(f"placed: {placement.name.lower()}" for placement in Placement if placement not in _RARE),
    ]
)


class Census(Interpreter):
    """Counts in ``seen`` what it comes to."""

    def __init__(self, strategy: Strategy, seen: Counter[str], touch: Touch | None = None) -> None:
        self.seen = seen
        self._cause = "at the load"
        self._observation: Observation | None = None
        super().__init__(strategy, touch)
        self.seen.update(f"at the load: {part.state.value}" for part in self.parts)
        self.seen.update(f"placed: {strategy.placed(part.rule.index).name.lower()}" for part in self.parts)

    def process(self, message: Message) -> Iterator[Fire]:
        self._count_message(message)
        invalid = self.market.invalid_prices
        yield from super().process(message)
        if self.market.invalid_prices != invalid:
            self.seen["message: an invalid price"] += 1

    def _come_to(self, ts_ns: int) -> None:
        whole, own = self.gate.whole.sent_orders, sum(one.sent_orders for one in self.gate.of_rule.values())
        super()._come_to(ts_ns)
        limits = self._strategy.limits
        if whole and not self.gate.whole.sent_orders and (limits.total_orders or limits.total_qty):
            self._count("the day rolled: what counted", self.parts[0])
        if own and not any(one.sent_orders for one in self.gate.of_rule.values()):
            self.seen["the day rolled: what counted, of a rule alone"] += 1

    def _count(self, what: str, part: Part) -> None:
        self.seen[what] += 1
        if self._strategy.placed(part.rule.index) is Placement.FABRIC:
            self.seen[what + IN_FABRIC] += 1

    def _count_message(self, message: Message) -> None:
        self.seen[f"message: {message.kind.value}"] += 1
        if message.execution is not None:
            return
        if message.instrument is None:
            self.seen[f"message: {message.kind.value} of all instruments"] += 1
            return
        if UNKNOWN in message.prices.values():
            self.seen["message: an unknown side"] += 1
        if message.kind is Kind.UPDATE and message.prices:
            if self.market.is_suspended(message.instrument):
                self.seen["message: while suspended"] += 1
            if not self.market.is_open(message.instrument):
                self.seen["message: while halted"] += 1

    def _arm(self, part: Part) -> None:
        rearm = part.rule.block.rearm
        cause = self._cause
        if part.state is State.FIRED:
            cause = f"rearm {'after' if isinstance(rearm, RearmAfter) else 'reset'}"
        elif part.rule.block.parents is not None:
            cause = "armed_by"
            self._count(f"armed_by {part.rule.block.armed_on.value}: armed", part)
        super()._arm(part)
        self._count(f"{cause}: {part.state.value}", part)
        if part.state is State.ARMED:
            self.seen[f"sight at arming: {part.sight.value}"] += 1

    def _eligible(self, part: Part, observation: Observation) -> bool:
        eligible = super()._eligible(part, observation)
        if not eligible:
            outside = "no reference" if observation.reference is None else "outside the collar"
            self._count(f"not eligible: {'during' if self.gate.admits(observation, part.rule) else outside}", part)
        return eligible

    def _judge(self, part: Part, observation: Observation) -> Shot | None:
        sight, active, stop = part.sight, part.follow.active, part.follow.stop
        shot = super()._judge(part, observation)
        if sight is not Sight.LIVE:
            end = "refused" if part.state is State.REFUSED else part.sight.value
            self._count("seen: waiting stays" if end == "waiting" else f"seen: {sight.value} to {end}", part)
        elif shot is None and part.rule.confirm == 2 and observation.previous is not None:
            self._count("confirm: not confirmed", part)
        if part.follow.active and not active:
            own = observation.source is part.rule.source
            self.seen[f"trail: activated by {'its own' if own else 'another'} source"] += 1
        if stop is not None and part.follow.stop != stop:
            self.seen["trail: ratchet"] += 1
        return shot

    def _execute(self, message: Message) -> None:
        execution = message.execution
        assert execution is not None
        order = oldest(self.parts[execution.part].orders)
        of_none = len(self.unmatched)
        super()._execute(message)
        if len(self.unmatched) > of_none:
            self.seen["execution: of no order"] += 1
            return
        self.seen[f"execution: {'bust' if execution.qty < 0 else message.kind.value}"] += 1
        if message.kind is not Kind.FILL and order is not None and order.filled > 0:
            self.seen["execution: of an order that was filled"] += 1

    def _cancel_orders(self, part: Part) -> None:
        before = self.cancels
        super()._cancel_orders(part)
        self.seen["an order was cancelled"] += self.cancels - before

    def _fill(self, part: Part, order: OwnOrder, qty: int) -> None:
        super()._fill(part, order, qty)
        if self._touch:
            self.seen["a model filled an order"] += 1

    def _fire(self, part: Part, shot: Shot, cause: Observation | Moment) -> Fire:
        siblings = [self.parts[index] for index in self._links.siblings(part.rule)]
        before = [sibling.state for sibling in siblings]
        fire = super()._fire(part, shot, cause)
        for sibling, state in zip(siblings, before, strict=True):
            if sibling.state is not state:
                self._count(f"oco: {state.value} to cancelled", part)
        if any(child.rule.instrument is not part.rule.instrument for child in self._to_arm):
            self._count("armed_by: a part of another instrument", part)
        self._count(fire.outcome, part)
        if self._strategy.limits == Limits():
            self.seen[fire.outcome + _OF_RULES] += 1
        if shot.order.filled and fire.qty:
            self._count("fired: what parents have filled", part)
        forms = self._clock_forms(part, cause) if isinstance(cause, Moment) else self._forms(part, shot, cause)
        for what in forms:
            self._count(f"fired: {what}", part)
        return fire

    def _clock_forms(self, part: Part, moment: Moment) -> Iterator[str]:
        yield "at"
        if moment.message.instrument not in {None, part.rule.instrument.symbol}:
            yield "at, without a message of its instrument"

    def _observe(self, observation: Observation) -> Iterator[Fire]:
        bid, ask = (self.market.known(observation.instrument.symbol, side) for side in (Source.BID, Source.ASK))
        if bid is not None and ask is not None and bid > ask:
            self.seen["message: crossed"] += 1
        yield from super()._observe(observation)

    def _forms(self, part: Part, shot: Shot, observation: Observation) -> Iterator[str]:
        block, source = part.rule.block, observation.source
        match block.form:
            case Decision():
                yield from ("decide", f"decide on {source.value}")
            case Trail() as trail:
                follows = "a price that follows" if shot.order.ticks is not None else "a fixed price"
                yield "trail"
                yield f"trail with {'a market order' if shot.order.type is OrderType.MARKET else follows}"
                yield f"trail on {source.value} by {trail.by.kind.value}"
            case _:
                yield f"{source.value} {part.rule.condition.direction.value}"
                yield "table" if block.table_file else "ladder" if block.many else "when"
                if block.names.get(part.rule.row):
                    yield "table row with an id"
                if part.rule.confirm == 2:
                    yield "confirm 2"
        if block.id != block.rule_id:
            yield "list"
        if part.fires > 1:
            yield "a second time"
        if observation.price < 0:
            yield "at a negative price"
        if source is Source.MID and observation.price % 2:
            yield "at half a unit"
        if observation is self._observation:
            yield "several on one observation"
        self._observation = observation


def table(seen: Counter[str]) -> str:
    """Everything that was seen, one thing a line, then what was not."""
    lines = [f"{count:9}  {what}" for what, count in sorted(seen.items())]
    missing = [f"{'never':>9}  {what}" for what in sorted(GOALS - seen.keys())]
    return "\n".join([*lines, *missing])
