# SPDX-License-Identifier: Apache-2.0
"""Pass `thresholds`: the columns of rules with `when`, a row for each step of a ladder."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.drafts.ladders import step_columns
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES, Codes
from fixaccel.language.forms import Triggers
from fixaccel.language.orders import Envelope, Order, Orders
from fixaccel.language.written import WrittenLadder

_Envelopes: TypeAlias = dict[object, tuple[Envelope]]  # by all that one holds
PARTS_MOST = 4_000_000  # of one strategy


def run(work: Work) -> None:
    """Fills ``form`` and ``many``."""
    ready = [draft for draft in work.drafts if draft.condition and draft.order]
    envelopes: _Envelopes = {}
    _plain([draft for draft in ready if "ladder" not in draft.written.keys], envelopes)
    ladders = [(draft, draft.written.ladder.value) for draft in ready if draft.written.ladder]
    if sum(ladder.count.value for _, ladder in ladders) > PARTS_MOST:
        message = f"the ladders have more than {PARTS_MOST:,} steps together, all instruments counted"
        largest = max((ladder.count for _, ladder in ladders), key=lambda count: count.value)
        work.report.add(codes.TOO_MANY_PARTS, message, largest.span, help="use fewer steps")
        return
    for draft, ladder in ladders:
        draft.many = True
        draft.form = _ladder(draft, ladder, work, envelopes)


def _plain(drafts: list[Draft], envelopes: _Envelopes) -> None:
    """One row each. The columns are cut from arrays over all drafts: ten thousand small arrays cost more."""
    conditions = [draft.condition for draft in drafts if draft.condition]
    orders = [draft.order for draft in drafts if draft.order]
    source = np.array([SOURCES.index(condition.source) for condition in conditions], np.uint8)
    direction = np.array([DIRECTIONS.index(condition.direction) for condition in conditions], np.uint8)
    threshold = np.array([condition.threshold for condition in conditions], np.int64)
    confirm = np.array([draft.written.confirm for draft in drafts], np.uint8)
    side = np.array([SIDES.index(order.side) for order in orders], np.uint8)
    qty = np.array([order.qty for order in orders], np.int64)
    kind = np.array([ORDER_TYPES.index(order.type) for order in orders], np.uint8)
    price = np.array([order.price or 0 for order in orders], np.int64)
    first = np.zeros(1, np.int32)
    for row, (draft, condition, order) in enumerate(zip(drafts, conditions, orders, strict=True)):
        cut = slice(row, row + 1)
        draft.form = Triggers(
            source=source[cut],
            direction=direction[cut],
            threshold=threshold[cut],
            confirm=confirm[cut],
            orders=Orders(
                side[cut], qty[cut], kind[cut], price[cut], first, _envelope(order, envelopes), filled=order.filled
            ),
            text=condition.text,
        )


def _envelope(order: Order, known: _Envelopes) -> tuple[Envelope]:
    fields = dict(sorted(order.fields.items()))
    key = (order.tif, order.account, tuple(fields.items()))
    if key not in known:
        known[key] = (Envelope(order.tif, order.account, fields),)
    return known[key]


def _ladder(draft: Draft, ladder: WrittenLadder, work: Work, envelopes: _Envelopes) -> Triggers | None:
    assert draft.condition
    assert draft.order
    columns = step_columns(draft, ladder, work)
    if columns is None:
        return None
    threshold, price = columns
    count, order = len(threshold), draft.order
    return Triggers(
        source=_codes(SOURCES.index(draft.condition.source), count),
        direction=_codes(DIRECTIONS.index(draft.condition.direction), count),
        threshold=threshold,
        confirm=_codes(draft.written.confirm, count),
        orders=Orders(
            side=_codes(SIDES.index(order.side), count),
            qty=np.full(count, order.qty, np.int64),
            type=_codes(ORDER_TYPES.index(order.type), count),
            price=price,
            envelope=np.zeros(count, np.int32),
            envelopes=_envelope(order, envelopes),
            filled=order.filled,
        ),
    )


@lru_cache(maxsize=16)
def _codes(code: int, count: int) -> Codes:
    """A column of one code; ladders of one length share it."""
    column = np.full(count, code, np.uint8)
    column.flags.writeable = False
    return column
