# SPDX-License-Identifier: Apache-2.0
"""What venue files say differently: sessions, and instruments of one market."""

from collections.abc import Iterator, Sequence

from fixaccel.desk.members import Member, by_market, by_session
from fixaccel.diagnostics.codes.desk import DESK_SESSION, DESK_VENUE
from fixaccel.diagnostics.report import Diagnostic, Related
from fixaccel.language.terms import Instrument
from fixaccel.values import TickTable, decimal_text


def session_findings(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """One for each further session, at the first strategy on it."""
    first = members[0]
    for key, own in list(by_session(members).items())[1:]:
        other = own[0]
        unknown = "" if other.market == first.market else "; whether their orders can meet is not known"
        yield Diagnostic(
            DESK_SESSION,
            f"{other.name} trades on the session {key}, {first.name} on {first.session}",
            other.venue_place,
            (Related("the other session", first.venue_place),),
            f"nothing, if that is meant: each session needs a board of its own{unknown}",
        )


def venue_findings(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """Whatever two venue files of one session or market do not agree about."""
    for group in by_session(members).values():
        for other in group[1:]:
            differences = _session_differences(group[0], other)
            if differences:
                yield Diagnostic(
                    DESK_VENUE,
                    f"the session of {other.name} is that of {group[0].name}, but {' and '.join(differences)}",
                    other.venue_place,
                    (Related("the other venue file", group[0].venue_place),),
                    "name one venue file in both strategies",
                )
    for group in by_market(members).values():
        seen: dict[str, tuple[Member, Instrument]] = {}
        for member in group:
            for block in member.strategy.blocks:
                symbol = block.instrument.symbol
                first, instrument = seen.setdefault(symbol, (member, block.instrument))
                if first is not member and instrument != block.instrument:
                    yield _instrument_finding(first, instrument, member, block.instrument)
                    seen[symbol] = (member, block.instrument)  # once for each change


def agree(members: Sequence[Member]) -> bool:
    """Whether these strategies could name one venue file."""
    first = members[0].strategy.venue
    instruments: dict[str, Instrument] = {}
    for member in members:
        venue = member.strategy.venue
        if (venue.session, venue.market_session, venue.time_zone, venue.market_data, venue.feed) != (
            first.session, first.market_session, first.time_zone, first.market_data, first.feed,
        ):  # fmt: skip
            return False
        if any(instruments.setdefault(symbol, one) != one for symbol, one in venue.instruments.items()):
            return False
    return True


def _session_differences(one: Member, other: Member) -> list[str]:
    first, second = one.strategy.venue, other.strategy.venue
    pairs = {
        "begin_string": (first.session.begin_string, second.session.begin_string),
        "heartbeat": (f"{first.session.heartbeat_s}s", f"{second.session.heartbeat_s}s"),
        "time_zone": (first.time_zone, second.time_zone),
        "market_data": (first.market_data, second.market_data),
    }
    found = [f"`{key}` is {b} there and {a} here" for key, (b, a) in pairs.items() if a != b]
    if first.market_session != second.market_session:
        found.append("its market data come on another session")
    if first.feed and second.feed and first.feed != second.feed:
        found.append("its feed is another one")
    return found


def _instrument_finding(first: Member, one: Instrument, second: Member, other: Instrument) -> Diagnostic:
    pairs = {
        "tick": (_ticks(one.ticks), _ticks(other.ticks)),
        "lot": (str(one.lot), str(other.lot)),
        "multiplier": (decimal_text(one.multiplier), decimal_text(other.multiplier)),
        "price_range": (_price_range(one), _price_range(other)),
    }
    changed = [f"`{key}` {b}, not {a}" for key, (a, b) in pairs.items() if a != b]
    return Diagnostic(
        DESK_VENUE,
        f"{other.symbol} has {' and '.join(changed)} as in the venue file of {first.name}",
        other.span,
        (Related(f"{one.symbol} for {first.name}", one.span), Related("this venue file is named", second.venue_place)),
        "name one venue file in both strategies",
    )


def _ticks(table: TickTable) -> str:
    if len(table.steps) == 1:
        return decimal_text(table.steps[0][1])
    return "{" + ", ".join(f"{decimal_text(start)}: {decimal_text(tick)}" for start, tick in table.steps) + "}"


def _price_range(one: Instrument) -> str:
    return f"{decimal_text(one.to_price(one.price_min))}..{decimal_text(one.to_price(one.price_max))}"
