# SPDX-License-Identifier: Apache-2.0
"""Pass `marketable`: warns of a limit price that the market has already passed when the rule fires."""

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.model import Related
from fixaccel.language.model import Direction, Side
from fixaccel.passes.work import Work
from fixaccel.values import decimal_text


def run(work: Work) -> None:
    """A sell below a stop price with a limit above it, a buy above a stop price with a limit below it."""
    for draft in work.drafts:
        condition, order = draft.condition, draft.order
        if condition is None or order is None or order.price is None:
            continue
        sell = order.side is Side.SELL and condition.direction is Direction.LE and order.price > condition.threshold
        buy = order.side is Side.BUY and condition.direction is Direction.GE and order.price < condition.threshold
        if sell or buy:
            limit, trigger = (
                decimal_text(draft.instrument.to_price(units)) for units in (order.price, condition.threshold)
            )
            side, where = ("above", "at or below") if sell else ("below", "at or above")
            own = draft.written.order
            place = own.price.span if own and own.price else draft.written.span
            work.report.add(
                codes.NEVER_MARKETABLE,
                f"the limit {limit} is {side} the trigger: the order rests, as the market is {where} {trigger} by then",
                place,
                related=[Related("the trigger", draft.when_span)],
                help="check the side, the comparison and the price",
            )
