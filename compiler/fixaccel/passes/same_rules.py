# SPDX-License-Identifier: Apache-2.0
"""Pass `same-rules`: warns of two rules that fire on the same price and send the same order."""

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.model import Related
from fixaccel.passes.work import Draft, Work


def run(work: Work) -> None:
    """Compares meanings, not texts."""
    seen: dict[object, Draft] = {}
    for draft in work.drafts:
        if draft.condition is None or draft.order is None:
            continue
        order, condition = draft.order, draft.condition
        meaning = (
            draft.instrument.symbol, condition.source, condition.direction, condition.threshold,
            order.side, order.qty, order.type, order.price, order.tif, order.account, tuple(order.fields.items()),
        )  # fmt: skip
        first = seen.setdefault(meaning, draft)
        if first is not draft:
            message = f"`{draft.id}` is the same as `{first.id}`: both fire, and the quantity is doubled"
            work.report.add(
                codes.SAME_RULES,
                message,
                draft.when_span,
                related=[Related(f"`{first.id}`", first.when_span)],
                help="delete one of the two, or change it",
            )
