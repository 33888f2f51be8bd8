# SPDX-License-Identifier: Apache-2.0
"""Fires of the table interpreter as rows of the results."""

from collections.abc import Iterator

from fixaccel.language.codes import ORDER_TYPES, SIDES, SOURCES
from fixaccel.language.forms import price_text
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import OrderType
from fixaccel.native.interpreter import OUTCOMES, FireColumns
from fixaccel.semantics.cl_ord_id import cl_ord_id
from fixaccel.semantics.fires import REJECTED, SENT
from fixaccel.semantics.messages import Fire
from fixaccel.values import decimal_text


def fire_rows(fires: FireColumns, strategy: Strategy) -> Iterator[Fire]:
    """One row a fire, in their order."""
    for place in range(len(fires)):
        yield fire_row(fires, place, strategy)


def fire_row(fires: FireColumns, place: int, strategy: Strategy) -> Fire:
    """The fire at ``place``, in words."""
    rule = strategy.rules[int(fires.part[place])]
    source, kind = SOURCES[fires.source[place]], ORDER_TYPES[fires.type[place]]
    outcome = OUTCOMES[fires.outcome[place]]
    sent = outcome == SENT
    seen = bool(fires.has_observed[place])
    limit = kind is OrderType.LIMIT
    return Fire(
        ts_ns=int(fires.ts_ns[place]),
        event=int(fires.event[place]) + 1,
        rule=rule.id,
        source=source.value if seen else "",
        trigger=price_text(int(fires.trigger[place]), source, rule.instrument) if fires.has_trigger[place] else "",
        observed=price_text(int(fires.observed[place]), source, rule.instrument) if seen else "",
        side=SIDES[fires.side[place]].value,
        qty=int(fires.qty[place]),
        type=kind.value,
        price=decimal_text(rule.instrument.to_price(int(fires.price[place]))) if limit else "",
        cl_ord_id=cl_ord_id(rule.index, int(fires.fires[place])) if sent else "",
        outcome=SENT if sent else REJECTED + outcome,
    )
