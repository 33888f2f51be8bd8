# SPDX-License-Identifier: Apache-2.0
"""The worst case over all strategies of a market: each under its own limits, so that what they can send adds up."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property

from fixaccel.desk.members import Member, by_market
from fixaccel.exposure.worst_case import Exposure, Figure, WorstCase, worst_case

FIGURES = ("orders", "qty", "notional", "market_orders", "market_notional")
SUM = "exact: strategies know nothing of each other, so that their figures add up"


@dataclass(frozen=True)
class MarketExposure:
    """``worst`` over all strategies of one market, and ``shares`` of each by its file."""

    market: str
    worst: WorstCase
    shares: dict[str, WorstCase]

    @cached_property
    def _cells(self) -> dict[str, dict[object, Exposure]]:
        return {
            name: {(entry.instrument, entry.side): entry for entry in case.entries}
            for name, case in self.shares.items()
        }

    def sending(self, entry: Exposure) -> dict[str, Exposure]:
        """Of one instrument and side the shares of those strategies that have any."""
        key = (entry.instrument, entry.side)
        return {name: cells[key] for name, cells in self._cells.items() if key in cells}


def exposure(members: Sequence[Member]) -> list[MarketExposure]:
    """One for each market. Two markets may count in two currencies: nothing is added over them."""
    found = []
    for market, group in by_market(members).items():
        shares = {member.name: worst_case(member.strategy) for member in group}
        found.append(MarketExposure(market, _sum(list(shares.values())), shares))
    return found


def _sum(cases: Sequence[WorstCase]) -> WorstCase:
    cells: dict[object, list[Exposure]] = {}
    for case in cases:
        for entry in case.entries:
            cells.setdefault((entry.instrument, entry.side), []).append(entry)
    total = _added([case.total for case in cases])
    exact = all(getattr(total, name).exact for name in FIGURES)
    method = SUM if exact else "figures with `at most` are upper bounds, as they are in one of the strategies"
    return WorstCase([_added(entries) for entries in cells.values()], total, method)


def _added(entries: Sequence[Exposure]) -> Exposure:
    return Exposure(
        instrument=entries[0].instrument,
        side=entries[0].side,
        unpriced=sum(entry.unpriced for entry in entries),
        **{name: _figure([getattr(entry, name) for entry in entries]) for name in FIGURES},
    )


def _figure(figures: Sequence[Figure]) -> Figure:
    """The sum; only a bound where one of them is."""
    bound = next((figure for figure in figures if not figure.exact), None)
    with localcontext(prec=200):
        value = sum(figure.value for figure in figures)
    return Figure(value if isinstance(value, Decimal) else int(value), bound is None, bound.method if bound else SUM)
