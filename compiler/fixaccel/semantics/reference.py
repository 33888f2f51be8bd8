# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter: the rule language as its specification words it, nothing clever."""

from collections.abc import Iterator
from enum import Enum, auto

from fixaccel.language.model import Direction, Source
from fixaccel.language.rules import Rule, Strategy
from fixaccel.semantics.cl_ord_id import cl_ord_id
from fixaccel.semantics.market import Market, Observation
from fixaccel.semantics.messages import Fire, Message
from fixaccel.values import decimal_text


class _State(Enum):
    ARMED = auto()
    FIRED = auto()


class Interpreter:
    """Runs a strategy message by message. All rules are armed at the start; each fires at most once."""

    def __init__(self, strategy: Strategy) -> None:
        self.market = Market(strategy.venue.instruments)
        self._states = {rule.index: _State.ARMED for rule in strategy.rules}
        self._fires = {rule.index: 0 for rule in strategy.rules}
        # An observation of another instrument or source never evaluates a rule.
        self._rules: dict[tuple[str, Source], list[Rule]] = {}
        for rule in sorted(strategy.rules, key=firing_rank):
            self._rules.setdefault((rule.instrument.symbol, rule.condition.source), []).append(rule)

    def process(self, message: Message) -> Iterator[Fire]:
        """Takes one message; yields its fires in firing order."""
        for observation in self.market.observe(message):
            for rule in self._rules.get((observation.instrument.symbol, observation.source), []):
                if self._states[rule.index] is _State.ARMED and satisfied(rule, observation):
                    yield self._fire(rule, observation, message)

    def _fire(self, rule: Rule, observation: Observation, message: Message) -> Fire:
        self._states[rule.index] = _State.FIRED
        self._fires[rule.index] += 1
        order, instrument = rule.order, rule.instrument
        return Fire(
            ts_ns=message.ts_ns,
            event=message.event,
            rule=rule.id,
            source=observation.source.value,
            trigger=decimal_text(instrument.to_price(rule.condition.threshold)),
            observed=decimal_text(instrument.to_price(observation.price)),
            side=order.side.value,
            qty=order.qty,
            type=order.type.value,
            price="" if order.price is None else decimal_text(instrument.to_price(order.price)),
            cl_ord_id=cl_ord_id(rule.index, self._fires[rule.index]),
            outcome="sent",
        )


def satisfied(rule: Rule, observation: Observation) -> bool:
    """Whether ``observation``, of the rule's own instrument and source, is at or beyond its threshold."""
    condition = rule.condition
    if condition.direction is Direction.LE:
        return observation.price <= condition.threshold
    return observation.price >= condition.threshold


def firing_rank(rule: Rule) -> tuple[int, int, int]:
    """Sort key among the rules that one observation satisfies.

    Thresholds `<=` first, highest first; then `>=`, lowest first; equal thresholds in declaration order.
    """
    condition = rule.condition
    if condition.direction is Direction.LE:
        return (0, -condition.threshold, rule.index)
    return (1, condition.threshold, rule.index)
