# SPDX-License-Identifier: Apache-2.0
"""Limits of several strategies beside each other: each counts its own orders, nothing counts them all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fixaccel.desk.exposure import MarketExposure
from fixaccel.desk.members import Member
from fixaccel.diagnostics.codes.desk import DESK_LIMIT
from fixaccel.diagnostics.report import Diagnostic, Related
from fixaccel.exposure.worst_case import Exposure
from fixaccel.language.rules import Limits
from fixaccel.source import Span
from fixaccel.values import decimal_text

# Limits that several strategies have one each of; those on totals add up.
ADDS_UP = ("orders_per_second", "total_orders")


@dataclass(frozen=True)
class LimitRow:
    """One limit by strategy, None where it has none; ``sum`` where all have one and ``adds_up``."""

    key: str
    values: Mapping[str, str | None]
    adds_up: bool
    sum: str | None


def limit_rows(members: Sequence[Member]) -> list[LimitRow]:
    """The limits that any of the strategies has."""
    rows = []
    for key in ("order_qty", "order_notional", *ADDS_UP):
        values = {member.name: getattr(member.strategy.limits, key) for member in members}
        if any(value is not None for value in values.values()):
            shown = {name: None if value is None else _number(value) for name, value in values.items()}
            rows.append(LimitRow(key, shown, key in ADDS_UP, _sum(list(values.values())) if key in ADDS_UP else None))
    for symbol in dict.fromkeys(symbol for member in members for symbol in member.strategy.limits.total_qty):
        trading = [member for member in members if _trades(member, symbol)]
        most = {member.name: member.strategy.limits.total_qty.get(symbol) for member in trading}
        if most:
            shown = {name: None if value is None else _number(value) for name, value in most.items()}
            rows.append(LimitRow(f"total_qty {symbol}", shown, True, _sum(list(most.values()))))
    return rows


def _trades(member: Member, symbol: str) -> bool:
    return any(block.instrument.symbol == symbol for block in member.strategy.blocks)


def _sum(values: Sequence[int | None]) -> str | None:
    known = [value for value in values if value is not None]
    return f"{sum(known):,}" if len(known) == len(values) else None


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else decimal_text(value)  # type: ignore[arg-type]


def limit_findings(members: Sequence[Member], markets: Sequence[MarketExposure]) -> Iterator[Diagnostic]:
    """Limits on totals that all strategies of a market exceed together. Only what can be sent for certain counts."""
    for market in markets:
        group = [member for member in members if member.name in market.shares]
        orders = market.worst.total.orders
        if orders.exact and len(group) > 1:
            yield from _exceeded("total_orders", int(orders.value), "send", "orders", group)
        for entry in market.worst.entries:
            if entry.qty.exact:
                yield from _exceeded_qty(entry, group, market)


def _exceeded(key: str, most: int, verb: str, what: str, group: Sequence[Member]) -> Iterator[Diagnostic]:
    limits: dict[int, int] = {}
    for at, member in enumerate(group):
        limit = _limit(member.strategy.limits, key)
        if limit is not None:
            limits[at] = limit
    if not limits or most <= max(limits.values()):
        return
    at = max(limits, key=lambda one: limits[one])
    sends = [member for member in group if member is not group[at]]
    name = key.partition(" ")[0]
    yield Diagnostic(
        DESK_LIMIT,
        f"`{name}` is {limits[at]:,} here, and together the strategies can {verb} {most:,} {what}: "
        "each limit counts its own strategy",
        _place(group[at], key),
        tuple(Related("sends besides", member.venue_place) for member in sends),
        "divide the limit between the strategies, or write them as one",
    )


def _exceeded_qty(entry: Exposure, group: Sequence[Member], market: MarketExposure) -> Iterator[Diagnostic]:
    assert entry.side
    sending = market.sending(entry)
    trading = [member for member in group if member.name in sending]
    of = f"of {entry.instrument}"
    if len(trading) > 1:
        key = f"total_qty {entry.instrument}"
        yield from _exceeded(key, int(entry.qty.value), entry.side.value, of, trading)


def _limit(limits: Limits, key: str) -> int | None:
    return limits.total_orders if key == "total_orders" else limits.total_qty.get(key.partition(" ")[2])


def _place(member: Member, key: str) -> Span:
    written = member.written_limits
    if key == "total_orders":
        assert written.total_orders
        return written.total_orders.span
    return next(most.span for symbol, most in written.total_qty if symbol.value == key.partition(" ")[2])
