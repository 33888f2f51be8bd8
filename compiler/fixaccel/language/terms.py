# SPDX-License-Identifier: Apache-2.0
"""What a venue and a board mean once read: plain immutable data, integers for prices.

A price inside the model is a whole number of the instrument's price units (its finest tick); `Instrument` converts.
What a strategy means stands in `fixaccel.language.rules`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

from fixaccel.source import Span
from fixaccel.values import TickTable


class Source(Enum):
    """Price source of a condition; the value is the text in YAML and in reports."""

    BID = "bid"
    ASK = "ask"
    LAST = "last"
    MID = "mid"


class Direction(Enum):
    """Side of a threshold, strict comparisons already turned into inclusive ones."""

    LE = "<="
    GE = ">="


class Side(Enum):
    BUY = "buy"
    SELL = "sell"


class OrderType(Enum):
    LIMIT = "limit"
    MARKET = "market"


class TimeInForce(Enum):
    DAY = "day"
    IOC = "ioc"
    FOK = "fok"
    GTC = "gtc"


@dataclass(frozen=True)
class Instrument:
    """A tradable instrument. ``price_min`` and ``price_max`` are inclusive, in price units."""

    symbol: str
    ticks: TickTable
    lot: int
    multiplier: Decimal
    price_min: int
    price_max: int
    span: Span = field(compare=False)
    places: Mapping[str, Span] = field(
        default_factory=dict, compare=False
    )  # "lot", "price_range", "tick 0", "tick 1", ...
    channel: str | None = None  # of the feed
    feed_id: int | None = None  # SecurityID(48), where the feed names instruments by number

    def place(self, name: str) -> Span:
        """Where that value is written in the venue file, or else the instrument itself."""
        return self.places.get(name, self.span)

    @property
    def unit(self) -> Decimal:
        """The price unit: the finest tick."""
        return self.ticks.unit

    def to_units(self, price: Decimal) -> int | None:
        """Whole price units, or None if ``price`` is not a multiple of the unit."""
        return self.ticks.to_units(price)

    def has(self, units: int) -> bool:
        """Whether that price lies in the range."""
        return self.price_min <= units <= self.price_max

    def to_price(self, units: int) -> Decimal:
        """Exact decimal price of ``units``, without trailing zeros or exponent."""
        return self.ticks.to_price(units)


@dataclass(frozen=True)
class Session:
    """The FIX session that a venue offers."""

    begin_string: str
    sender_comp_id: str
    target_comp_id: str
    host: str
    port: int
    heartbeat_s: int


class Group(NamedTuple):
    """A multicast group and its port."""

    address: str
    port: int

    def __str__(self) -> str:
        return f"{self.address}:{self.port}"


@dataclass(frozen=True)
class Channel:
    """Lines that carry the same datagrams, and the groups of the snapshots that close a gap."""

    a: Group
    b: Group | None
    source: str | None
    recovery: tuple[Group, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        """All of them."""
        return (self.a, *([self.b] if self.b else []), *self.recovery)

    @property
    def written(self) -> dict[str, Any]:
        """As a venue file writes it."""
        keys = {**_lines(self.a, self.b), "source": self.source, "recovery": _lines(*self.recovery)}
        return {name: value for name, value in keys.items() if value}


def _lines(*groups: Group | None) -> dict[str, str]:
    return {name: str(group) for name, group in zip("ab", groups, strict=False) if group}


@dataclass(frozen=True)
class Sequence:
    """Where the number stands: raw bytes in front, or (``bytes`` is 0) a ``field`` of each message."""

    offset: int
    bytes: int
    big: bool
    field: str | None
    of: str  # "datagrams" or "messages"

    @property
    def written(self) -> dict[str, Any]:
        """As a venue file writes it."""
        if self.field is not None:
            return {"field": self.field, "of": self.of}
        order = "big" if self.big else "little"
        return {"offset": self.offset, "bytes": self.bytes, "order": order, "of": self.of}


@dataclass(frozen=True)
class FeedTerms:
    """A feed as the venue file says it. ``kinds`` are words, by template id."""

    templates: str
    templates_at: Span = field(compare=False)
    sequence: Sequence
    skip: int
    reset: str
    fields: Mapping[str, str]
    kinds: Mapping[int, str]
    wait_ns: int
    silence_ns: int
    export: str
    channels: Mapping[str, Channel]
    span: Span = field(compare=False)
    places: Mapping[str, Span] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Feed:
    """A feed whose templates are compiled: ``image`` is the program's file, none where nothing is to be decoded."""

    terms: FeedTerms
    image: bytes
    tags: Mapping[int, str]
    by_number: bool  # instruments are named by a number
    used: Mapping[str, int]  # what it takes, by the names of a board's sizes


@dataclass(frozen=True)
class Venue:
    name: str
    time_zone: str
    session: Session
    market_data: str  # "snapshot", "incremental" or "feed"
    instruments: Mapping[str, Instrument]  # in the file's order; the order gives the instrument index
    market_session: Session | None = None  # for market data alone; None: they come on `session`
    day_roll: int | None = None  # second of the local day at which what limits count begins anew; None: never
    commit: str = "frame"  # or "message": when an order may begin to leave
    commit_span: Span | None = field(default=None, compare=False)
    feed: Feed | None = None  # with market_data "feed"


@dataclass(frozen=True)
class FeedBoard:
    """What of a feed's decoding a board has: the ports that lines arrive on, and room for lines and for a program."""

    a: str
    b: str
    lines: int
    instructions: int
    numbers: int
    strings: int

    def room(self, feed: Feed) -> dict[str, tuple[int, int]]:
        """By name of a size: how much ``feed`` takes, and how much there is."""
        return {name: (used, getattr(self, name)) for name, used in feed.used.items()}


@dataclass(frozen=True)
class Board:
    name: str
    part: str
    clock_hz: int
    interface: str
    bytes_per_beat: int
    capacity: Mapping[str, int]
    chip: Mapping[str, int] = field(default_factory=dict)  # resource -> what the part has, as far as the file says it
    budget: Mapping[str, int] = field(default_factory=dict)  # resource -> what the fabric may take of it
    gem: Mapping[str, int] = field(default_factory=dict)  # slots of gem_port's memories; none without that interface
    feed: FeedBoard | None = None  # None: nothing decodes a feed
