# SPDX-License-Identifier: Apache-2.0
"""A desk in lines for people, and as data for programs."""

from collections.abc import Iterator
from typing import Any

from fixaccel.desk.capacity import Capacity
from fixaccel.desk.exposure import MarketExposure
from fixaccel.desk.limits import LimitRow
from fixaccel.desk.look import Desk
from fixaccel.explain.worst import worst_lines


def lines(desk: Desk) -> Iterator[str]:
    """Everything but the diagnostics."""
    count = sum(len(member.strategy.blocks) for member in desk.members)
    symbols = {block.instrument.symbol for member in desk.members for block in member.strategy.blocks}
    plural = "" if len(symbols) == 1 else "s"
    yield f"{len(desk.members)} strategies together, {count} rules on {len(symbols)} instrument{plural}"
    for market in desk.exposure:
        yield from ("", f"The most that can be sent to {market.market} if everything armed fires:")
        yield from (f"  {line}" for line in _exposure(market))
    for one in desk.capacity:
        yield from ("", f"Board {desk.board.name} on {one.session}, for {', '.join(one.members)}:")
        yield from (f"  {line}" for line in _capacity(one, desk))
    if desk.limits:
        yield from ("", "Limits, each of which counts its own strategy:")
        yield from (f"  {_limit(row)}" for row in desk.limits)
    yield from ("", "Not known:", *(f"  {line}" for line in desk.unknown))


def _exposure(market: MarketExposure) -> Iterator[str]:
    texts = list(worst_lines(market.worst))
    for entry, text in zip(market.worst.entries, texts, strict=False):
        yield text
        sending = market.sending(entry)
        if len(sending) > 1:
            yield "  " + ", ".join(f"{name} quantity {share.qty.value:,}" for name, share in sending.items())
    yield from texts[len(market.worst.entries) :]


def _capacity(one: Capacity, desk: Desk) -> Iterator[str]:
    if one.unknown:
        yield f"not known: {one.unknown}"
        return
    for name, used in one.used.items():
        shares = ", ".join(f"{share[name]:,}" for share in one.shares)
        yield f"{name:12} {used:6,} of {desk.board.capacity[name]:,}" + (
            f" (alone {shares})" if len(one.members) > 1 else ""
        )
    moved = sum(one.fabric_alone) - one.fabric
    if moved:
        parts = "1 part moves" if moved == 1 else f"{moved:,} parts move"
        yield f"{parts} from the fabric into the runtime if the rules stand in one strategy"


def _limit(row: LimitRow) -> str:
    values = ", ".join(f"{name} {value or 'none'}" for name, value in row.values.items())
    together = f"; together {row.sum}" if row.sum else ""
    if row.adds_up and row.sum is None:
        together = "; together without a limit"
    return f"{row.key}: {values}{together}"


def as_data(desk: Desk) -> dict[str, Any]:
    """The same for JSON, without the diagnostics."""
    return {
        "strategies": [member.name for member in desk.members],
        "board": desk.board.name,
        "exposure": [
            {
                "market": market.market,
                "method": market.worst.method,
                "total": market.worst.total.as_data(),
                "entries": [
                    {
                        **entry.as_data(),
                        "shares": {name: share.as_data() for name, share in market.sending(entry).items()},
                    }
                    for entry in market.worst.entries
                ],
            }
            for market in desk.exposure
        ],
        "capacity": [
            {
                "session": str(one.session),
                "strategies": list(one.members),
                "memories": {
                    name: {
                        "used": used,
                        "of": desk.board.capacity[name],
                        "alone": {member: share[name] for member, share in zip(one.members, one.shares, strict=True)},
                    }
                    for name, used in one.used.items()
                },
                "fabric_parts": one.fabric,
                "fabric_parts_alone": dict(zip(one.members, one.fabric_alone, strict=False)),
                "unknown": one.unknown or None,
            }
            for one in desk.capacity
        ],
        "limits": [{"key": row.key, "values": dict(row.values), "together": row.sum} for row in desk.limits],
        "unknown": desk.unknown,
    }
