# SPDX-License-Identifier: Apache-2.0
"""Venue and limits of two strategies."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from fixaccel.diff.change import Change
from fixaccel.language.rules import Limits
from fixaccel.language.terms import Instrument, Session, Venue
from fixaccel.semantics.calendar import time_text
from fixaccel.values import decimal_text, duration_text, unscaled

_PERCENTAGES = {"limit_collar", "collar"}  # in basis points


def venue_changes(old: Venue, new: Venue) -> Iterator[Change]:
    """Of the venue itself, its session and its instruments."""
    yield from _keys(_venue(old), _venue(new))
    yield from _keys(_session(old.session), _session(new.session), "session.")
    yield from _keys(_session(old.market_session), _session(new.market_session), "market_data.session.")
    for symbol in dict.fromkeys([*old.instruments, *new.instruments]):
        before, after = old.instruments.get(symbol), new.instruments.get(symbol)
        if before is None or after is None:
            yield Change(f"instruments.{symbol}", "there" if before else None, "there" if after else None)
        else:
            yield from _keys(_instrument(before), _instrument(after), f"instruments.{symbol}.")
    both = [symbol for symbol in old.instruments if symbol in new.instruments]
    if both != [symbol for symbol in new.instruments if symbol in old.instruments]:
        yield Change("instruments", "in this order", "in another order")


def _venue(venue: Venue) -> dict[str, object]:
    roll = None if venue.day_roll is None else time_text(venue.day_roll)
    return {
        "name": venue.name,
        "time_zone": venue.time_zone,
        "day_roll": roll,
        "commit": venue.commit,
        "market_data": venue.market_data,
        **_feed(venue),
    }


def _feed(venue: Venue) -> dict[str, object]:
    """What the file says of a feed, key by key, and the program that its templates become."""
    if venue.feed is None:
        return {}
    terms = venue.feed.terms
    written = {
        "templates": terms.templates,
        "sequence": terms.sequence.written,
        "skip": terms.skip,
        "reset": terms.reset,
        "fields": terms.fields,
        "kinds": terms.kinds,
        "wait": duration_text(terms.wait_ns),
        "silence": duration_text(terms.silence_ns),
        "export": terms.export,
        "channels": {name: channel.written for name, channel in terms.channels.items()},
        "program": hashlib.sha256(venue.feed.image).hexdigest()[:12],
    }
    return dict(_flat(written, "market_data.feed"))


def _flat(written: Mapping[Any, Any], place: str) -> Iterator[tuple[str, object]]:
    """Keys of all levels, each with those around it in front."""
    for name, value in written.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{place}.{name}")
        else:
            yield f"{place}.{name}", value


def _session(session: Session | None) -> dict[str, object]:
    return {field.name: getattr(session, field.name) if session else None for field in fields(Session)}


def _instrument(instrument: Instrument) -> dict[str, object]:
    steps = instrument.ticks.steps
    ticks = ", ".join(f"{decimal_text(start)}: {decimal_text(tick)}" for start, tick in steps)
    ends = (decimal_text(instrument.to_price(end)) for end in (instrument.price_min, instrument.price_max))
    return {
        "tick": decimal_text(steps[0][1]) if len(steps) == 1 else f"{{{ticks}}}",
        "lot": instrument.lot,
        "multiplier": decimal_text(instrument.multiplier),
        "price_range": "..".join(ends),
        "channel": instrument.channel,
        "id": instrument.feed_id,
    }


def limit_changes(old: Limits, new: Limits) -> Iterator[Change]:
    """Key by key, quantities by instrument."""
    names = [field.name for field in fields(old) if field.name != "total_qty"]
    yield from _keys({n: _limit(n, getattr(old, n)) for n in names}, {n: _limit(n, getattr(new, n)) for n in names})
    yield from _keys(old.total_qty, new.total_qty, "per_instrument.", ".total_qty")


def _limit(name: str, value: object) -> object:
    if name in _PERCENTAGES and isinstance(value, int):
        return f"{decimal_text(unscaled(value, 2))}%"
    if name == "self_trade":
        return "reject" if value else None
    if name == "repeat" and isinstance(value, int):
        return duration_text(value)
    return value


def _keys(old: Mapping[str, object], new: Mapping[str, object], prefix: str = "", suffix: str = "") -> Iterator[Change]:
    for name in dict.fromkeys([*old, *new]):
        a, b = old.get(name), new.get(name)
        if a != b:
            texts = (None if value is None else str(value) for value in (a, b))
            yield Change(f"{prefix}{name}{suffix}", *texts)
