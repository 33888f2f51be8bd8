# SPDX-License-Identifier: Apache-2.0
"""The risk gate: whether an order may leave. What it counted survives disarming and loading."""

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction

from fixaccel.language.rules import Limits, Rule, Strategy
from fixaccel.language.terms import OrderType, Side, Source
from fixaccel.semantics.day_roll import next_roll
from fixaccel.semantics.market import Observation
from fixaccel.semantics.resting import Resting, RestingOrder
from fixaccel.semantics.shots import Shot

COST = 10**9  # credits that an order costs; a bucket of N gains N each nanosecond, so N orders a second
BASIS_POINTS = 10_000

# Of several that fail, the outcome names the first. `filled` is no limit: there is nothing to send.
KEYS = (
    "filled", "order_qty", "order_notional", "collar", "self_trade", "repeat", "orders_per_second", "total_orders",
    "total_qty",
)  # fmt: skip


class Scope:
    """Limits with what they counted: those of the strategy, or of one rule."""

    def __init__(self) -> None:
        self.limits = Limits()
        self.sent_orders = 0
        self.sent_qty: Counter[tuple[str, Side]] = Counter()
        self.ts_ns = 0
        self._credits: int | None = None  # None: there is no bucket

    def load(self, limits: Limits) -> None:
        """Takes new limits. A new bucket is full; one that was there keeps what it holds, up to its new size."""
        self.limits = limits
        size = self._bucket
        self._credits = None if size is None else min(size, size if self._credits is None else self._credits)

    @property
    def _bucket(self) -> int | None:
        rate = self.limits.orders_per_second
        return None if rate is None else rate * COST

    def advance(self, ts_ns: int) -> None:
        """Refills the bucket up to a time, which never falls."""
        if self._credits is not None and self._bucket is not None:
            gained = (ts_ns - self.ts_ns) * (self.limits.orders_per_second or 0)
            self._credits = min(self._bucket, self._credits + gained)
        self.ts_ns = ts_ns

    def begin_day(self) -> None:
        """Counts orders and quantities from zero; what the bucket holds goes on."""
        self.sent_orders = 0
        self.sent_qty.clear()

    def admits(self, observation: Observation) -> bool:
        """Whether the observation is eligible at all: a collar needs something to compare with, or ignores the rest."""
        collar = self.limits.collar
        if collar is None:
            return True
        if observation.reference is None:
            return False
        return not self.limits.collar_ignores or _within_collar(observation, collar)

    def count(self, shot: Shot, symbol: str) -> None:
        """Notes an order that left."""
        self.sent_orders += 1
        self.sent_qty[symbol, shot.order.side] += shot.order.qty
        if self._credits is not None:
            self._credits -= COST

    def violations(
        self,
        shot: Shot,
        rule: Rule,
        cause: Observation | None,
        price: Fraction | None,
        *,
        meets_own: bool,
        since: int | None,
    ) -> Iterator[str]:
        """The limits that the order violates.

        ``cause`` is the observation that fired the rule, None for the clock; ``price`` the one that a market order is
        expected to have, in price units; ``since`` is the time since the rule's last order, None before it.
        """
        limits, order, symbol = self.limits, shot.order, rule.instrument.symbol
        if order.filled and limits.order_qty is not None and order.qty > limits.order_qty:
            yield "order_qty"
        notional = _notional(shot, rule, price)
        if limits.order_notional is not None and (notional is None or notional > Fraction(limits.order_notional)):
            yield "order_notional"
        if limits.collar is not None and cause is not None and not _within_collar(cause, limits.collar):
            yield "collar"
        if limits.self_trade and meets_own:
            yield "self_trade"
        if limits.repeat is not None and since is not None and since < limits.repeat:
            yield "repeat"
        if self._credits is not None and self._credits < COST:
            yield "orders_per_second"
        if limits.total_orders is not None and self.sent_orders + 1 > limits.total_orders:
            yield "total_orders"
        total_qty = limits.total_qty.get(symbol)
        if total_qty is not None and self.sent_qty[symbol, order.side] + order.qty > total_qty:
            yield "total_qty"


class Gate:
    """Checks orders against the limits of the strategy and against those of their rule.

    ``whole`` counts all orders that left, ``of_rule`` those of rules with limits of their own, by the name as written;
    ``sent_ns`` has the time of each rule's last order; ``ts_ns`` is the time it has come to.
    """

    def __init__(self) -> None:
        self.whole = Scope()
        self.of_rule: dict[str, Scope] = {}
        self.sent_ns: dict[str, int] = {}
        self.ts_ns = 0
        self._resting = Resting()
        self._time_zone = "UTC"
        self._day_roll: int | None = None
        self._rolls_ns: int | None = None  # when it rolls next

    def load(self, strategy: Strategy) -> None:
        """Takes new limits. What a rule with limits of its own counted stays as long as it has some."""
        self._time_zone, self._day_roll = strategy.venue.time_zone, strategy.venue.day_roll
        self._plan_roll()
        self.whole.load(strategy.limits)
        own = {block.rule_id: block.limits for block in strategy.blocks if block.limits is not None}
        self.of_rule = {name: self.of_rule.get(name) or Scope() for name in own}
        for name, limits in own.items():
            self.of_rule[name].load(limits)

    def advance(self, ts_ns: int) -> None:
        """Comes to a time, which never falls. From the day's roll on all is counted anew."""
        if self._rolls_ns is not None and ts_ns >= self._rolls_ns:
            for scope in (self.whole, *self.of_rule.values()):
                scope.begin_day()
        for scope in (self.whole, *self.of_rule.values()):
            scope.advance(ts_ns)
        self.ts_ns = ts_ns
        if self._rolls_ns is not None and ts_ns >= self._rolls_ns:
            self._plan_roll()

    def _plan_roll(self) -> None:
        self._rolls_ns = None if self._day_roll is None else next_roll(self._day_roll, self._time_zone, self.ts_ns)

    def admits(self, observation: Observation, rule: Rule) -> bool:
        """Whether the observation is eligible for the rule, as far as collars go."""
        return all(scope.admits(observation) for scope in self._scopes(rule))

    def violated(self, shot: Shot, rule: Rule, cause: Observation | None, price: Fraction | None) -> str | None:
        """The first limit that the order of ``rule`` violates, None if it may leave; see `Scope.violations`."""
        found = set(self._violations(shot, rule, cause, price))
        return next((key for key in KEYS if key in found), None)

    def count(self, shot: Shot, rule: Rule) -> RestingOrder | None:
        """Notes an order of ``rule`` that left; its place among those that rest, if it may."""
        for scope in self._scopes(rule):
            scope.count(shot, rule.instrument.symbol)
        self.sent_ns[rule.block.rule_id] = self.ts_ns
        return self._resting.note(shot, rule.instrument, self.ts_ns)

    def done(self, order: RestingOrder) -> None:
        """An order rests no longer."""
        self._resting.remove(order)

    def _scopes(self, rule: Rule) -> Collection[Scope]:
        own = self.of_rule.get(rule.block.rule_id)
        return (self.whole,) if own is None else (self.whole, own)

    def _meets_own(self, shot: Shot, rule: Rule) -> bool:
        return self._resting.meets(shot, rule.instrument, self.ts_ns, self._time_zone)

    def _violations(self, shot: Shot, rule: Rule, cause: Observation | None, price: Fraction | None) -> Iterator[str]:
        if shot.order.filled and not shot.order.qty:
            yield "filled"
        scopes = self._scopes(rule)
        meets_own = any(scope.limits.self_trade for scope in scopes) and self._meets_own(shot, rule)
        last_ns = self.sent_ns.get(rule.block.rule_id)
        since = None if last_ns is None else self.ts_ns - last_ns
        for scope in scopes:
            yield from scope.violations(shot, rule, cause, price, meets_own=meets_own, since=since)


def observed_price(observation: Observation) -> Fraction:
    """The observed price in price units."""
    return Fraction(observation.price, 2 if observation.source is Source.MID else 1)


def _notional(shot: Shot, rule: Rule, price: Fraction | None) -> Fraction | None:
    """Quantity x price x multiplier: the limit price, for a market order ``price``. None: nobody knows one."""
    units = price if shot.order.type is OrderType.MARKET or shot.price is None else Fraction(shot.price)
    if units is None:
        return None
    instrument = rule.instrument
    return shot.order.qty * abs(units) * Fraction(instrument.unit) * Fraction(instrument.multiplier)


def _within_collar(observation: Observation, basis_points: int) -> bool:
    """Whether the observed price is near enough to the reference; both are compared in half units."""
    assert observation.reference is not None  # `admits` saw to it
    price = observation.price if observation.source is Source.MID else 2 * observation.price
    return abs(price - observation.reference) * BASIS_POINTS <= basis_points * abs(observation.reference)
