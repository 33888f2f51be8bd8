# SPDX-License-Identifier: Apache-2.0
"""The risk gate: whether an order may leave. What it counted survives disarming and loading."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from fixaccel.language.model import OrderType, Side, Source
from fixaccel.language.rules import Limits, Rule
from fixaccel.semantics.market import Observation
from fixaccel.semantics.resting import Resting
from fixaccel.semantics.states import Shot

COST = 10**9  # credits that an order costs; a bucket of N gains N each nanosecond, so N orders a second
BASIS_POINTS = 10_000


class Gate:
    """Checks orders against the limits.

    ``sent_orders`` and ``sent_qty`` (by symbol and side) count those that left, ``sent_ns`` has the time of each rule's
    last one, by its name as written; ``ts_ns`` is the time it has come to.
    """

    def __init__(self) -> None:
        self.limits = Limits()
        self.sent_orders = 0
        self.sent_qty: Counter[tuple[str, Side]] = Counter()
        self.sent_ns: dict[str, int] = {}
        self._credits: int | None = None  # None: there is no bucket
        self.ts_ns = 0
        self._resting = Resting()
        self._time_zone = "UTC"

    def load(self, limits: Limits, time_zone: str) -> None:
        """Takes new limits. A new bucket is full; one that was there keeps what it holds, up to its new size."""
        self.limits = limits
        self._time_zone = time_zone
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

    def admits(self, observation: Observation) -> bool:
        """Whether the observation is eligible at all: a collar needs something to compare with."""
        return self.limits.collar is None or observation.reference is not None

    def violated(self, shot: Shot, rule: Rule, observation: Observation) -> str | None:
        """The first limit that the order of ``rule`` violates, None if it may leave."""
        return next(self._violations(shot, rule, observation), None)

    def count(self, shot: Shot, rule: Rule) -> None:
        """Notes an order of ``rule`` that left."""
        self.sent_orders += 1
        self.sent_qty[rule.instrument.symbol, shot.order.side] += shot.order.qty
        self.sent_ns[rule.block.rule_id] = self.ts_ns
        self._resting.note(shot, rule.instrument, self.ts_ns)
        if self._credits is not None:
            self._credits -= COST

    def _violations(self, shot: Shot, rule: Rule, observation: Observation) -> Iterator[str]:
        limits, order, symbol = self.limits, shot.order, observation.instrument.symbol
        if limits.order_notional is not None and _notional(shot, observation) > Fraction(limits.order_notional):
            yield "order_notional"
        if limits.collar is not None and not _within_collar(observation, limits.collar):
            yield "collar"
        if limits.self_trade and self._resting.meets(shot, rule.instrument, self.ts_ns, self._time_zone):
            yield "self_trade"
        last_ns = self.sent_ns.get(rule.block.rule_id)
        if limits.repeat is not None and last_ns is not None and self.ts_ns - last_ns < limits.repeat:
            yield "repeat"
        if self._credits is not None and self._credits < COST:
            yield "orders_per_second"
        if limits.total_orders is not None and self.sent_orders + 1 > limits.total_orders:
            yield "total_orders"
        total_qty = limits.total_qty.get(symbol)
        if total_qty is not None and self.sent_qty[symbol, order.side] + order.qty > total_qty:
            yield "total_qty"


def _notional(shot: Shot, observation: Observation) -> Fraction:
    """Quantity x price x multiplier: the limit price, for a market order the observed one."""
    instrument = observation.instrument
    if shot.order.type is OrderType.MARKET or shot.price is None:
        units = Fraction(observation.price, 2 if observation.source is Source.MID else 1)
    else:
        units = Fraction(shot.price)
    return shot.order.qty * abs(units) * Fraction(instrument.unit) * Fraction(instrument.multiplier)


def _within_collar(observation: Observation, basis_points: int) -> bool:
    """Whether the observed price is near enough to the reference; both are compared in half units."""
    assert observation.reference is not None  # `admits` saw to it
    price = observation.price if observation.source is Source.MID else 2 * observation.price
    return abs(price - observation.reference) * BASIS_POINTS <= basis_points * abs(observation.reference)
