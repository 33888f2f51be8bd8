# SPDX-License-Identifier: Apache-2.0
"""Pass `oco-shadow`: warns of rules that can never fire because a sibling of their `oco` group always fires first."""

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, PartColumns, Warnings, arming, mixed, others
from fixaccel.drafts.work import Work
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, Units
from fixaccel.language.rules import NO_GROUP, Through
from fixaccel.language.terms import Direction, OrderType
from fixaccel.tick_arrays import Flags

_DOWN = DIRECTIONS.index(Direction.LE)
_MARKET = ORDER_TYPES.index(OrderType.MARKET)


def run(work: Work) -> None:
    """Only where it is sure: the sibling is live whenever the rule is and fires, with success, on all of its prices."""
    parts = PartColumns.of(work.drafts)
    if parts is None or not (parts.group != NO_GROUP).any():
        return
    rows = np.flatnonzero(parts.group != NO_GROUP)
    # Nearest first: the higher `<=`, the lower `>=`.
    nearness = np.where(parts.direction == _DOWN, -parts.threshold, parts.threshold)
    same_prices = mixed((parts.group, parts.instrument, parts.source, parts.direction))
    arms = [arming(draft) for draft in parts.drafts]
    always = np.array([one == (None, ()) for one in arms])[parts.owner]
    fires = np.array([draft.written.through is Through.FIRE for draft in parts.drafts])[parts.owner]
    # What was filled may be nothing, and limits of its own may reject it alone.
    own = [draft.limits is not None or bool(draft.form and draft.form.orders.filled) for draft in parts.drafts]
    sure = fires & ~_may_be_rejected_alone(parts, work) & ~np.array(own)[parts.owner]
    together = mixed((same_prices, parts.of_drafts(arms)))
    if _may_be_rejected_at_first(work):
        # A sibling further off may fire when the limit lets orders pass again; one at the same price fails with it.
        same_prices, together = (mixed((key, nearness, parts.confirm)) for key in (same_prices, together))
    shadow = np.full(len(parts), -1, np.int64)
    for key, strong in ((same_prices, sure & always), (together, sure)):
        for confirm in (1, 2):
            _cast(shadow, rows, key, nearness, strong & (parts.confirm <= confirm), parts, confirm)
    found = np.flatnonzero(shadow >= 0)
    at, count = np.unique(parts.owner[found], return_index=True, return_counts=True)[1:]
    pairs = zip(found[at].tolist(), count.tolist(), strict=True)
    findings = [_finding(parts, row, int(shadow[row]), many - 1) for row, many in pairs]
    Warnings(checks.OCO_SHADOW, work).add(findings)


def _may_be_rejected_alone(parts: PartColumns, work: Work) -> Flags:
    """Orders that a limit may reject where it lets a sibling's pass: it depends on the order, or on the rule."""
    if work.limits.self_trade or work.limits.repeat is not None:
        return np.ones(len(parts), np.bool_)
    limited = np.array([draft.instrument.symbol in work.limits.total_qty for draft in parts.drafts])[parts.owner]
    by_notional = (parts.type == _MARKET) & (work.limits.order_notional is not None)
    alone: Flags = limited | by_notional
    return alone


def _may_be_rejected_at_first(work: Work) -> bool:
    """Whether a limit may reject any order at one moment and not at a later one."""
    limits = work.limits
    return any(limit is not None for limit in (limits.collar, limits.orders_per_second, limits.total_orders))


def _cast(
    shadow: Units, rows: Units, key: Units, nearness: Units, strong: Flags, parts: PartColumns, confirm: int
) -> None:
    """Enters the nearest strong sibling of the same ``key`` for all rules with ``confirm`` that it comes before."""
    casting = rows[strong[rows]]
    order = casting[np.lexsort((casting, parts.confirm[casting], nearness[casting], key[casting]))]
    if not len(order):
        return
    first = order[np.append(True, key[order][1:] != key[order][:-1])]
    below = rows[(parts.confirm[rows] == confirm) & (shadow[rows] < 0)]
    place = np.searchsorted(key[first], key[below])
    place[place == len(first)] = 0
    nearest = first[place]
    # An equal threshold comes first by `confirm`, then by declaration.
    later = (parts.confirm[nearest] < parts.confirm[below]) | (nearest < below)
    nearer = (nearness[nearest] < nearness[below]) | ((nearness[nearest] == nearness[below]) & later)
    one_rule = np.array([draft.many and draft.row_groups is None for draft in parts.drafts])[parts.owner[below]]
    spoken_for = one_rule & (parts.owner[nearest] == parts.owner[below])  # pass `oco-on-many` warns of it
    hit = (key[nearest] == key[below]) & (nearest != below) & nearer & ~spoken_for
    shadow[below[hit]] = nearest[hit]


def _finding(parts: PartColumns, row: int, sibling: int, more: int) -> Finding:
    draft, at = parts.part(row)
    other, other_at = parts.part(sibling)
    name = other.name(other_at)
    message = f"`{draft.name(at)}` can never fire: `{name}` of the same `oco` group always fires first"
    return Finding(
        message + others(more, draft),
        draft.place(at),
        (Related(f"`{name}`", other.place(other_at)),),
        "delete it, or give the two different groups",
    )
