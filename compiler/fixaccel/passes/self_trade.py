# SPDX-License-Identifier: Apache-2.0
"""Pass `self-trade`: warns where one price can fire a buy and a sell of one instrument."""

from dataclasses import dataclass

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.model import Related
from fixaccel.language.model import Direction, Side, Source
from fixaccel.language.rules import Condition
from fixaccel.passes.work import Draft, Work


@dataclass(slots=True)
class _Reach:
    """Of one side's rules so far the highest `<=` and the lowest `>=`: what meets any of them meets one of these."""

    highest: tuple[int, Draft] | None = None
    lowest: tuple[int, Draft] | None = None

    def add(self, condition: Condition, draft: Draft) -> None:
        if condition.direction is Direction.LE:
            if self.highest is None or condition.threshold > self.highest[0]:
                self.highest = (condition.threshold, draft)
        elif self.lowest is None or condition.threshold < self.lowest[0]:
            self.lowest = (condition.threshold, draft)

    def meets(self, condition: Condition) -> Draft | None:
        """A rule that some price fires together with ``condition``."""
        below = condition.direction is Direction.LE
        same, other = (self.highest, self.lowest) if below else (self.lowest, self.highest)
        if same:
            return same[1]
        if other and (other[0] <= condition.threshold if below else other[0] >= condition.threshold):
            return other[1]
        return None


def run(work: Work) -> None:
    """One warning for each instrument and source, at the first pair."""
    reaches: dict[tuple[str, Source], dict[Side, _Reach]] = {}
    warned: set[tuple[str, Source]] = set()
    for draft in work.drafts:
        condition, order = draft.condition, draft.order
        if condition is None or order is None:
            continue
        place = (draft.instrument.symbol, condition.source)
        sides = reaches.setdefault(place, {Side.BUY: _Reach(), Side.SELL: _Reach()})
        opposite = Side.SELL if order.side is Side.BUY else Side.BUY
        other = sides[opposite].meets(condition)
        sides[order.side].add(condition, draft)
        if other and place not in warned:
            warned.add(place)
            pair = f"this {order.side.value} and the {opposite.value} of `{other.id}`"
            message = f"one {condition.source.value} price of {draft.instrument.symbol} can fire {pair}"
            work.report.add(
                codes.SELF_TRADE,
                message,
                draft.when_span,
                related=[Related(f"`{other.id}`", other.when_span)],
                help="keep the two conditions apart, or accept the risk",
            )
