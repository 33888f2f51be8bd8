# SPDX-License-Identifier: Apache-2.0
"""A buy of one strategy and a sell of another: fired by one price, or meeting at the venue."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from fixaccel.desk.members import Member, by_market
from fixaccel.desk.orders import Factors, Reach, Trading, factors, reaches, trading
from fixaccel.diagnostics.codes.desk import DESK_MEETS, DESK_SELF_TRADE
from fixaccel.diagnostics.report import Diagnostic, Related
from fixaccel.language.rules import Window
from fixaccel.language.terms import Side, Source
from fixaccel.semantics.calendar import time_text
from fixaccel.values import decimal_text

_DAY = 24 * 60

# Rules of one instrument, source, side and strategy that are compared with another strategy's.
_COMPARED = 64


def together(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """One for each pair of strategies, instrument and source that has a buy and a sell that one price fires."""
    for group in by_market(members).values():
        factor = factors(group)
        sides: list[dict[tuple[str, Source | None], dict[Side, list[Reach]]]] = []
        for member in group:
            own: dict[tuple[str, Source | None], dict[Side, list[Reach]]] = {}
            for one in reaches(member, factor):
                key = (one.block.instrument.symbol, one.source)
                own.setdefault(key, {Side.BUY: [], Side.SELL: []})[one.side].append(one)
            sides.append(own)
        for earlier, later in combinations(sides, 2):
            for key in [key for key in later if key in earlier]:
                pair = _meeting(earlier[key], later[key])
                if pair:
                    yield _together_finding(*pair)


def _meeting(earlier: dict[Side, list[Reach]], later: dict[Side, list[Reach]]) -> tuple[Reach, Reach] | None:
    """One of each, of two sides, that one price fires."""
    for side, other in ((Side.BUY, Side.SELL), (Side.SELL, Side.BUY)):
        for one in _furthest(earlier[side]):
            for two in _furthest(later[other]):
                if one.low <= two.high and two.low <= one.high and _overlap(one, two):
                    return one, two
    return None


def _furthest(found: list[Reach]) -> list[Reach]:
    """Those that reach furthest down and furthest up."""
    if len(found) <= _COMPARED:
        return found
    up = sorted(found, key=lambda one: -one.high)[: _COMPARED // 2]
    down = sorted(found, key=lambda one: one.low)[: _COMPARED // 2]
    return list({id(one): one for one in (*up, *down)}.values())


def _overlap(one: Reach, other: Reach) -> bool:
    if one.member.strategy.venue.time_zone != other.member.strategy.venue.time_zone:
        return one.source is not None  # some day of the year or other; of two moments nobody knows
    return not one.block.during or not other.block.during or bool(
        _minutes(one.block.during) & _minutes(other.block.during)
    )  # fmt: skip


def _minutes(windows: tuple[Window, ...]) -> set[int]:
    return {
        minute % _DAY
        for window in windows
        for minute in range(window.start, window.end + (_DAY if window.end < window.start else 0))
    }


def _together_finding(earlier: Reach, later: Reach) -> Diagnostic:
    symbol = later.block.instrument.symbol
    what = f"one {later.source.value} price of {symbol}" if later.source else f"{symbol} at {time_text(int(later.low))}"
    return Diagnostic(
        DESK_SELF_TRADE,
        f"{what} can fire this {later.side.value} and the {earlier.side.value} of `{earlier.name}` in "
        f"{earlier.member.name}",
        later.place,
        (Related(f"`{earlier.name}`", earlier.place),),
        "keep the two conditions apart; `self_trade: reject` knows only the orders of its own strategy",
    )


def meeting_resting(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """One for each pair of strategies, instrument and direction of trade whose orders can trade with each other."""
    for group in by_market(members).values():
        factor = factors(group)
        sides = [_by_symbol(member, factor) for member in group]
        for earlier, later in combinations(sides, 2):
            for symbol in [symbol for symbol in later if symbol in earlier]:
                one, two = earlier[symbol], later[symbol]
                for buys, sells in ((one[Side.BUY], two[Side.SELL]), (two[Side.BUY], one[Side.SELL])):
                    pair = _crossing(buys, sells)
                    if pair:
                        yield _resting_finding(*pair)


def _by_symbol(member: Member, factor: Factors) -> dict[str, dict[Side, list[Trading]]]:
    found: dict[str, dict[Side, list[Trading]]] = {}
    for one in trading(member, factor):
        found.setdefault(one.block.instrument.symbol, {Side.BUY: [], Side.SELL: []})[one.side].append(one)
    return found


def _crossing(buys: list[Trading], sells: list[Trading]) -> tuple[Trading, Trading] | None:
    """An order that may rest and one that meets it, those that cross furthest."""
    best: tuple[float, Trading, Trading] | None = None
    for resting, taking, sign in ((buys, sells, 1), (sells, buys, -1)):
        kept = [one for one in resting if one.rests]
        if kept and taking:
            rest = max(kept, key=lambda one: sign * one.price)
            take = min(taking, key=lambda one: sign * one.price)
            crossed = sign * (rest.price - take.price)
            if crossed >= 0 and (best is None or crossed > best[0]):
                best = (crossed, rest, take)
    return best and best[1:]


def _resting_finding(rest: Trading, take: Trading) -> Diagnostic:
    symbol = take.block.instrument.symbol
    later, earlier = (take, rest) if take.member.number > rest.member.number else (rest, take)
    resting = f"rest at {_price(rest)}"
    if later is take:
        message = (
            f"this {take.side.value} of {symbol} {_how(take)} can meet the {rest.side.value} of `{rest.name}` in "
            f"{rest.member.name}, which may {resting}"
        )
    else:
        message = (
            f"this {rest.side.value} of {symbol} may {resting}, where the {take.side.value} {_how(take)} of "
            f"`{take.name}` in {take.member.name} can meet it"
        )
    return Diagnostic(
        DESK_MEETS,
        message,
        later.place,
        (Related(f"`{earlier.name}`", earlier.place),),
        "use `tif: ioc` or `fok`, which does not rest, keep the prices apart, or ask the venue to prevent self-trades",
    )


def _how(one: Trading) -> str:
    return "at market" if one.market else f"at a limit of {_price(one)}"


def _price(one: Trading) -> str:
    return decimal_text(one.block.instrument.to_price(int(one.block.form.orders.price[one.row])))
