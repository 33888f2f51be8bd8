# SPDX-License-Identifier: Apache-2.0
"""The form of a venue file, and the venue that it describes."""

import re
import zoneinfo
from dataclasses import dataclass, replace

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import venue as venue_codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.feed import FEED_SHAPE, build_feed
from fixaccel.language.documents.kind import VERSION_KEYS, VERSION_KIND, check_version
from fixaccel.language.keys.distances import TimeOfDay
from fixaccel.language.keys.instrument import INSTRUMENT_SHAPE, build_instrument
from fixaccel.language.keys.kinds import Choice, Duration, MapOf, Matching, pattern_of, scalar_text
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip
from fixaccel.language.patterns import COMP_ID, SYMBOL
from fixaccel.language.terms import FeedTerms, Instrument, Session, Venue
from fixaccel.source import Node

_SECOND = 10**9
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+/-]{0,63}\Z")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z")


@dataclass(frozen=True)
class Address:
    """`HOST:PORT`."""

    form: str = "an address such as `10.77.0.1:9878`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": f"{pattern_of(_HOST).removesuffix('$')}:[0-9]{{1,5}}$"}

    def read(self, node: Node, key: str, report: Report) -> tuple[str, int] | None:
        """Host and port."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        host, colon, port = scalar.text.rpartition(":")
        if colon and _HOST.match(host) and re.match(r"[0-9]{1,5}\Z", port) and 0 < int(port) < 1 << 16:
            return host, int(port)
        report.add(
            venue_codes.BAD_ADDRESS, f"`{clip(scalar.text)}` is not {self.form}", scalar.span, help="write HOST:PORT"
        )
        return None


@dataclass(frozen=True)
class TimeZone:
    """A name of the IANA database."""

    form: str = "a time zone such as `America/New_York`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": pattern_of(_ZONE)}

    def read(self, node: Node, key: str, report: Report) -> str | None:
        """The name."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        try:
            zoneinfo.ZoneInfo(scalar.text)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            # A machine without the database knows no zone at all; then the name cannot be judged.
            if _ZONE.match(scalar.text) and not zoneinfo.available_timezones():
                return scalar.text
            report.add(
                venue_codes.BAD_TIME_ZONE,
                f"`{clip(scalar.text)}` is not a known time zone",
                scalar.span,
                help="write it as `America/New_York` or `UTC`",
            )
            return None
        return scalar.text


_COMP_ID = Matching(COMP_ID, "a CompID", codes.BAD_TEXT, "use A-Z a-z 0-9 . _ : / -, at most 64 characters")
BEGIN_STRING = Key(
    "begin_string", Choice({"FIX.4.4": "FIX.4.4"}, later=("FIX.4.2", "FIXT.1.1")), "FIX version.", required=True
)
SENDER = Key("sender_comp_id", _COMP_ID, "SenderCompID(49), ours.", required=True)
TARGET = Key("target_comp_id", _COMP_ID, "TargetCompID(56), the venue's.", required=True)
CONNECT = Key("connect", Address(), "Where the venue listens.", required=True)
HEARTBEAT = Key("heartbeat", Duration(), "HeartBtInt(108), whole seconds.", required=True)
SESSION_SHAPE = Shape("a session", (BEGIN_STRING, SENDER, TARGET, CONNECT, HEARTBEAT))

MESSAGE = Key(
    "message",
    Choice({word: word for word in ("snapshot", "incremental")}),
    "`snapshot`: each change is a 35=W. `incremental`: a 35=W first, then 35=X with what changes.",
)
FEED = Key("feed", FEED_SHAPE, "Or prices by UDP multicast in FAST 1.1. This version decodes feeds in software only.")
MARKET_SESSION = Key(
    "session", SESSION_SHAPE, "A FIX session for market data alone; without it they come on the one for orders."
)
MARKET_DATA_SHAPE = Shape("`market_data`", (MESSAGE, MARKET_SESSION, FEED))

VERSION = Key(VERSION_KEYS["venue"], VERSION_KIND, "Language version.", required=True)
NAME = Key(
    "name",
    Matching(re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}\Z"), "a name", codes.BAD_TEXT, "use A-Z a-z 0-9 _ . -"),
    "The venue's name.",
    required=True,
)
TIME_ZONE = Key("time_zone", TimeZone(), "Zone of all times of day.", required=True)
SESSION = Key("session", SESSION_SHAPE, "The FIX session.", required=True)
DAY_ROLL = Key(
    "day_roll", TimeOfDay(), "When the venue's day rolls: what `limits` count of orders and quantities begins anew."
)
COMMIT = Key(
    "commit",
    Choice({word: word for word in ("frame", "message")}, later=("field",)),
    "When an order may begin to leave: behind the whole frame that fires it, or behind its message, and then with a "
    "wrong FCS if the frame turns out bad.",
)
MARKET_DATA = Key("market_data", MARKET_DATA_SHAPE, "The market data messages.", required=True)
INSTRUMENTS = Key("instruments", MapOf(INSTRUMENT_SHAPE, "instruments by symbol"), "What can be traded.", required=True)
VENUE_SHAPE = Shape("a venue", (VERSION, NAME, TIME_ZONE, SESSION, DAY_ROLL, COMMIT, MARKET_DATA, INSTRUMENTS))


@dataclass(frozen=True)
class VenueFile:
    """A venue file as read. With faults it still has its sound instruments, so that rules are checked in the same run.

    ``unreadable`` are the symbols that the file has but that were reported; None: the whole list could not be read.
    """

    venue: Venue
    unreadable: frozenset[str] | None
    feed: FeedTerms | None = None


def parse_venue(root: Node, report: Report) -> VenueFile | None:
    """Reads the whole tree; None if it is not a venue at all."""
    if not check_version(root, "venue", report):
        return None
    section = VENUE_SHAPE.read(root, "venue", report)
    if section is None:
        return None
    instruments = _instruments(section, report)
    name, zone, market_data = section.get(NAME), section.get(TIME_ZONE), section.get(MARKET_DATA)
    written = section.get(SESSION)
    session = _session(written.value, report) if written else None
    message = market_data.value.get(MESSAGE) if market_data else None
    of_market = market_data.value.get(MARKET_SESSION) if market_data else None
    market_session = _session(of_market.value, report) if of_market else None
    if of_market and session and market_session and _is_same(session, market_session):
        report.add(
            venue_codes.SAME_SESSION,
            "market data have the session of the orders",
            of_market.span,
            help="without `session` here they come on it; with it, another CompID or address is needed",
        )
    feed = _feed(market_data, report) if market_data else None
    by_feed = market_data is not None and FEED.name in market_data.value.keys
    listed, day_roll, commit = section.get(INSTRUMENTS), section.get(DAY_ROLL), section.get(COMMIT)
    venue = Venue(
        name=name.value if name else "",
        time_zone=zone.value if zone else "UTC",
        session=session or Session("FIX.4.4", "", "", "", 0, 1),
        market_data="feed" if by_feed else message.value if message else "snapshot",
        instruments=instruments,
        market_session=market_session,
        day_roll=day_roll.value if day_roll else None,
        commit=commit.value if commit else "frame",
        commit_span=commit.span if commit else None,
    )
    present = frozenset(symbol.text for symbol, _ in listed.value) if listed else None
    return VenueFile(venue, present - instruments.keys() if present is not None else None, feed)


def _feed(market_data: Located[Section], report: Report) -> FeedTerms | None:
    """The feed, if prices come by one; reports two origins of prices, or none."""
    keys = market_data.value.keys
    if (FEED.name in keys) == (MESSAGE.name in keys):
        both = "both `message` and `feed`" if FEED.name in keys else "neither `message` nor `feed`"
        place = keys.get(FEED.name, market_data.span)
        way_out = "prices of an instrument have one origin: FIX messages, or a feed"
        report.add(venue_codes.MARKET_DATA_ORIGIN, f"`market_data` has {both}", place, help=way_out)
        return None
    if FEED.name in keys and MARKET_SESSION.name in keys:
        message = "`session` is for prices in FIX messages, and these come by a feed"
        report.add(venue_codes.MARKET_DATA_ORIGIN, message, keys[MARKET_SESSION.name], help="leave it out")
    written = market_data.value.get(FEED)
    return build_feed(written.value, keys[FEED.name], report) if written else None


def _session(section: Section, report: Report) -> Session | None:
    begin, sender, target = section.get(BEGIN_STRING), section.get(SENDER), section.get(TARGET)
    connect, heartbeat = section.get(CONNECT), section.get(HEARTBEAT)
    if heartbeat and not _whole_seconds(heartbeat):
        report.add(
            codes.BAD_DURATION,
            "`heartbeat` is whole seconds, from 1s to 1h",
            heartbeat.span,
            help="write `heartbeat: 30s`",
        )
        return None
    if begin and sender and target and connect and heartbeat:
        host, port = connect.value
        return Session(begin.value, sender.value, target.value, host, port, heartbeat.value // _SECOND)
    return None


def _is_same(one: Session, other: Session) -> bool:
    """Whether a venue could tell them apart."""
    return replace(one, heartbeat_s=other.heartbeat_s) == other


def _whole_seconds(duration: Located[int]) -> bool:
    return duration.value % _SECOND == 0 and 1 <= duration.value // _SECOND <= 3600


def _instruments(section: Section, report: Report) -> dict[str, Instrument]:
    found: dict[str, Instrument] = {}
    written = section.get(INSTRUMENTS)
    if written and not written.value:
        report.add(
            venue_codes.NO_INSTRUMENTS, "the venue has no instruments", section.keys["instruments"], help="add one"
        )
    for symbol, values in written.value if written else ():
        if not SYMBOL.match(symbol.text):
            report.add(
                venue_codes.BAD_SYMBOL,
                f"`{clip(symbol.text)}` is not a symbol",
                symbol.span,
                help="use 1 to 12 of A-Z a-z 0-9 . _ / ^ -",
            )
            continue
        instrument = build_instrument(symbol, values.value, report) if values else None
        if instrument:
            found[symbol.text] = instrument
    return found
