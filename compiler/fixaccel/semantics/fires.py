# SPDX-License-Identifier: Apache-2.0
"""A fire as a row of the results."""

from fixaccel.language.forms import price_text
from fixaccel.semantics.cl_ord_id import cl_ord_id
from fixaccel.semantics.market import Moment, Observation
from fixaccel.semantics.messages import Fire
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part
from fixaccel.values import decimal_text

SENT = "sent"
REJECTED = "rejected:"


def fire_of(part: Part, shot: Shot, cause: Observation | Moment, violated: str | None) -> Fire:
    """The row for a part that fired, ``violated`` being the limit that kept its order back."""
    rule, instrument = part.rule, part.rule.instrument
    return Fire(
        ts_ns=cause.ts_ns if isinstance(cause, Moment) else cause.message.ts_ns,
        event=cause.message.event,
        rule=rule.id,
        source="" if isinstance(cause, Moment) else cause.source.value,
        trigger="" if shot.trigger is None else price_text(shot.trigger, rule.source, instrument),
        observed="" if isinstance(cause, Moment) else price_text(cause.price, cause.source, instrument),
        side=shot.order.side.value,
        qty=shot.order.qty,
        type=shot.order.type.value,
        price="" if shot.price is None else decimal_text(instrument.to_price(shot.price)),
        cl_ord_id=cl_ord_id(rule.index, part.fires) if violated is None else "",
        outcome=SENT if violated is None else REJECTED + violated,
    )
