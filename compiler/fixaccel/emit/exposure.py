# SPDX-License-Identifier: Apache-2.0
"""The worst case: what goes out if every rule fires."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext

from fixaccel.language.model import Side
from fixaccel.language.rules import Rule


@dataclass(frozen=True)
class Exposure:
    """Totals of one instrument and side.

    ``notional`` is qty x abs(price) x multiplier over limit orders. Market orders have no price of their own: they
    are counted at the rule's threshold in ``market_notional``, which a fill can miss either way.
    """

    instrument: str
    side: Side
    orders: int
    qty: int
    notional: Decimal
    market_orders: int
    market_notional: Decimal


def exposures(rules: Iterable[Rule]) -> list[Exposure]:
    """One entry for each instrument and side that has rules, in the order of the rules."""
    groups: dict[tuple[str, Side], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.instrument.symbol, rule.order.side), []).append(rule)
    return [_total(symbol, side, members) for (symbol, side), members in groups.items()]


def _total(symbol: str, side: Side, rules: list[Rule]) -> Exposure:
    limit = [rule for rule in rules if rule.order.price is not None]
    market = [rule for rule in rules if rule.order.price is None]
    return Exposure(
        instrument=symbol,
        side=side,
        orders=len(rules),
        qty=sum(rule.order.qty for rule in rules),
        notional=_notional(limit),
        market_orders=len(market),
        market_notional=_notional(market),
    )


def _notional(rules: list[Rule]) -> Decimal:
    total = Decimal(0)
    # Exact: far more digits than quantity, price and multiplier have together.
    with localcontext(prec=200):
        for rule in rules:
            order, instrument = rule.order, rule.instrument
            price = instrument.to_price(rule.condition.threshold if order.price is None else order.price)
            total += order.qty * abs(price) * instrument.multiplier
    return total
