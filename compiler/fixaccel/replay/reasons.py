# SPDX-License-Identifier: Apache-2.0
"""Why a rule fired, and why its order stayed back, in words."""

from fixaccel.language.forms import At, Decision, Trail, Triggers, price_text
from fixaccel.language.rules import Limits, Rule
from fixaccel.replay.market import Market
from fixaccel.semantics.calendar import time_text
from fixaccel.semantics.fires import REJECTED, SENT
from fixaccel.semantics.messages import CARRIED, Fire
from fixaccel.values import decimal_text, duration_text, unscaled

UNKNOWN = "unknown"


def condition_text(rule: Rule) -> str:
    """What the part waits for."""
    match rule.block.form:
        case Triggers():
            twice = ", twice in a row" if rule.confirm == 2 else ""
            return rule.condition.text + twice
        case Trail() as trail:
            begin = f", once {trail.activate.text}" if trail.activate else ""
            return f"trail of {trail.source.value} by {trail.by.text}{begin}"
        case Decision() as decision:
            low, high = (price_text(end, decision.source, rule.instrument) for end in decision.over)
            return f"decision on {decision.source.value} over {low}..{high}"
        case At() as at:
            return f"at {time_text(at.second)}"


def observed_text(fire: Fire) -> str:
    """What was observed, and what it was compared with."""
    seen = f"{fire.source} {fire.observed}".strip() or "the clock"
    return f"{seen}, threshold {fire.trigger}" if fire.trigger else seen


def order_text(fire: Fire) -> str:
    """The order as one would say it."""
    return f"{fire.side} {fire.qty:,} {fire.type}{f' {fire.price}' if fire.price else ''}"


def outcome_text(fire: Fire, rule: Rule, limits: Limits) -> str:
    """`sent`, or the limit that kept the order back with its value."""
    if fire.outcome == SENT:
        return SENT
    key = fire.outcome.removeprefix(REJECTED)
    scopes = (limits, rule.block.limits)
    value = " or ".join(dict.fromkeys(filter(None, (_limit(key, rule, one, fire.side) for one in scopes if one))))
    return f"rejected by {key}{f' ({value})' if value else ''}"


def book_text(market: Market, row: int) -> str:
    """What was known of the instrument after its message ``row``."""
    texts = []
    for source in CARRIED:
        units = market.price(source, row)
        texts.append(f"{source.value} {UNKNOWN if units is None else price_text(units, source, market.instrument)}")
    return ", ".join(texts)


def _limit(key: str, rule: Rule, limits: Limits, side: str) -> str:
    """The value of a limit, empty if there is nothing to say."""
    total_qty = limits.total_qty.get(rule.instrument.symbol)
    values = {
        "order_qty": limits.order_qty,
        "order_notional": limits.order_notional and decimal_text(limits.order_notional),
        "collar": limits.collar and f"{decimal_text(unscaled(limits.collar, 2))}%",
        "repeat": limits.repeat and duration_text(limits.repeat),
        "orders_per_second": limits.orders_per_second and f"{limits.orders_per_second} a second",
        "total_orders": limits.total_orders is not None and f"{limits.total_orders} orders",
        "total_qty": total_qty is not None and f"{total_qty} to {side}",
    }
    return str(values.get(key) or "")
