# SPDX-License-Identifier: Apache-2.0
"""Pass `self-trade`: warns where one price can fire a buy and a sell of one instrument."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, PartColumns, Warnings
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import DIRECTIONS, SIDES, SOURCES
from fixaccel.language.forms import Decision, Trail
from fixaccel.language.rules import NO_GROUP, Window
from fixaccel.language.terms import Direction, Side, Source

_DOWN = DIRECTIONS.index(Direction.LE)
_DAY = 24 * 60

# Rules of one instrument, source and side that are compared with the other side's, those that reach furthest first.
# Only where all of these exclude each other could a pair beyond them be missed.
_COMPARED = 64


@dataclass(frozen=True, slots=True)
class _Reach:
    """Prices at which one part can fire, both ends, and the row that says so."""

    low: float
    high: float
    draft: Draft
    row: int
    group: int


def run(work: Work) -> None:
    """One warning for each instrument and source, at the rule that stands further down; none under `self_trade`."""
    if work.limits.self_trade:
        return
    reaches: dict[tuple[str, Source], dict[Side, list[_Reach]]] = {}
    for reach, source, side in [*_of_thresholds(work.drafts), *_of_others(work.drafts)]:
        sides = reaches.setdefault((reach.draft.instrument.symbol, source), {Side.BUY: [], Side.SELL: []})
        sides[side].append(reach)
    place = {id(draft): number for number, draft in enumerate(work.drafts)}
    findings = []
    for (symbol, source), sides in reaches.items():
        pair = _meeting(sides[Side.BUY], sides[Side.SELL])
        if pair:
            later_first = sorted(zip(pair, Side, strict=True), key=lambda one: -place[id(one[0].draft)])
            findings.append((place[id(later_first[0][0].draft)], _finding(symbol, source, *later_first)))
    Warnings(codes.SELF_TRADE, work).add([finding for _, finding in sorted(findings, key=lambda one: one[0])])


def _of_thresholds(drafts: Sequence[Draft]) -> Iterator[tuple[_Reach, Source, Side]]:
    """Of the parts of a draft that agree in source, direction, side and group, the one that reaches furthest."""
    parts = PartColumns.of(drafts)
    if parts is None:
        return
    down = parts.direction == _DOWN
    sort = ((parts.owner * len(SOURCES) + parts.source) * len(SIDES) + parts.side) * len(DIRECTIONS) + parts.direction
    reach = np.where(down, -parts.threshold, parts.threshold)
    order = np.lexsort((reach, parts.group, sort))
    sorts, groups = sort[order], parts.group[order]
    begins = np.append(True, (sorts[1:] != sorts[:-1]) | (groups[1:] != groups[:-1]))
    for row in order[begins].tolist():
        draft, at = parts.part(row)
        threshold = float(parts.threshold[row])
        low, high = (-np.inf, threshold) if down[row] else (threshold, np.inf)
        found = _Reach(low, high, draft, at, int(parts.group[row]))
        yield found, SOURCES[parts.source[row]], SIDES[parts.side[row]]


def _of_others(drafts: Sequence[Draft]) -> Iterator[tuple[_Reach, Source, Side]]:
    """Trails reach anywhere, as their stops do; decisions their intervals, the widest of them."""
    for draft in drafts:
        group = NO_GROUP if draft.oco is None else int(draft.oco[0])
        if isinstance(draft.form, Trail):
            yield _Reach(-np.inf, np.inf, draft, 0, group), draft.form.source, draft.form.orders[0].side
        elif isinstance(draft.form, Decision):
            low, high, sides = draft.form.low, draft.form.high, draft.form.orders.side
            for number, side in enumerate(SIDES):
                rows = np.flatnonzero(sides == number)
                for row in rows[np.argsort(low[rows] - high[rows], kind="stable")][:_COMPARED].tolist():
                    yield _Reach(float(low[row]), float(high[row]), draft, row, group), draft.form.source, side


def _meeting(buys: list[_Reach], sells: list[_Reach]) -> tuple[_Reach, _Reach] | None:
    """A buy and a sell that one price fires, if there are any."""
    for buy in _furthest(buys):
        for sell in _furthest(sells):
            if buy.low <= sell.high and sell.low <= buy.high and _may_fire_together(buy, sell):
                return buy, sell
    return None


def _furthest(reaches: list[_Reach]) -> list[_Reach]:
    """Those that reach furthest down and furthest up."""
    if len(reaches) <= _COMPARED:
        return reaches
    up = sorted(reaches, key=lambda one: -one.high)[: _COMPARED // 2]
    down = sorted(reaches, key=lambda one: one.low)[: _COMPARED // 2]
    return list({id(one): one for one in (*up, *down)}.values())


def _may_fire_together(one: _Reach, other: _Reach) -> bool:
    if one.draft is other.draft and isinstance(one.draft.form, Decision):
        return False  # one part: whichever interval comes first spends it
    if one.group == other.group != NO_GROUP:
        return False
    if _arms(one.draft, other.draft) or _arms(other.draft, one.draft):
        return False  # armed by the other's order, it is live from the next message on
    if all(each.draft.limits is not None and each.draft.limits.self_trade for each in (one, other)):
        return False  # whichever is the second is rejected
    return _overlap(one.draft.written.during, other.draft.written.during)


def _arms(parent: Draft, child: Draft) -> bool:
    """Whether ``child`` is armed by ``parent`` and nothing else, over however many steps."""
    seen: set[int] = set()
    while child.parents and id(child) not in seen:
        seen.add(id(child))
        if len(child.parents) > 1 or len(child.parents[0].draft.form or ()) > 1:
            return False
        child = child.parents[0].draft
        if child is parent:
            return child.rearm is None
    return False


def _overlap(one: tuple[Window, ...], other: tuple[Window, ...]) -> bool:
    return not one or not other or bool(_minutes(one) & _minutes(other))


def _minutes(windows: tuple[Window, ...]) -> set[int]:
    return {
        minute % _DAY
        for window in windows
        for minute in range(window.start, window.end + (_DAY if window.end < window.start else 0))
    }


def _finding(symbol: str, source: Source, later: tuple[_Reach, Side], earlier: tuple[_Reach, Side]) -> Finding:
    (reach, side), (other, opposite) = later, earlier
    name = other.draft.id if isinstance(other.draft.form, Decision) else other.draft.name(other.row)
    message = f"one {source.value} price of {symbol} can fire this {side.value} and the {opposite.value} of `{name}`"
    return Finding(
        message,
        reach.draft.place(reach.row),
        (Related(f"`{name}`", other.draft.place(other.row)),),
        "keep the two conditions apart, or reject the second with `limits: {self_trade: reject}`",
    )
