# SPDX-License-Identifier: Apache-2.0
"""Pass `marketable`: warns of a limit price that the market has already passed when the rule fires."""

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, PartColumns, Warnings, others
from fixaccel.drafts.work import Work
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES
from fixaccel.language.forms import price_text
from fixaccel.language.terms import Direction, OrderType, Side, Source
from fixaccel.passes.meaning.orders import base_order

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_SELL, _BUY = SIDES.index(Side.SELL), SIDES.index(Side.BUY)
_DOWN, _UP = DIRECTIONS.index(Direction.LE), DIRECTIONS.index(Direction.GE)
_MID = SOURCES.index(Source.MID)


def run(work: Work) -> None:
    """A sell below a stop price with a limit above it, a buy above a stop price with a limit below it."""
    parts = PartColumns.of(work.drafts)
    if parts is None:
        return
    price = np.where(parts.source == _MID, 2 * parts.price, parts.price)
    sell = (parts.side == _SELL) & (parts.direction == _DOWN) & (price > parts.threshold)
    buy = (parts.side == _BUY) & (parts.direction == _UP) & (price < parts.threshold)
    rows = np.flatnonzero((parts.type == _LIMIT) & (sell | buy))
    at, count = np.unique(parts.owner[rows], return_index=True, return_counts=True)[1:]
    findings = [
        _finding(parts, int(rows[first]), many - 1, work)
        for first, many in zip(at.tolist(), count.tolist(), strict=True)
    ]
    Warnings(codes.NEVER_MARKETABLE, work).add(findings)


def _finding(parts: PartColumns, row: int, more: int, work: Work) -> Finding:
    draft, at = parts.part(row)
    source = SOURCES[parts.source[row]]
    limit = price_text(int(parts.price[row]), Source.LAST, draft.instrument)
    trigger = price_text(int(parts.threshold[row]), source, draft.instrument)
    side, where = ("above", "at or below") if parts.side[row] == _SELL else ("below", "at or above")
    message = f"the limit {limit} is {side} the trigger: the order rests, as the market is {where} {trigger} by then"
    own = base_order(draft, work).price
    place = own.span if own and draft.table_file is None else draft.place(at)
    return Finding(
        message + others(more, draft),
        place,
        (Related("the trigger", draft.place(at)),),
        "check the side, the comparison and the price",
    )
