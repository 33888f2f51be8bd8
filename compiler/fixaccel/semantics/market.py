# SPDX-License-Identifier: Apache-2.0
"""What is known of each instrument, and which prices of a message are observations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fixaccel.language.terms import Instrument, Source
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Kind, Message
from fixaccel.values import decimal_text, parse_decimal


@dataclass(frozen=True, slots=True)
class Observation:
    """An eligible price of one source: price units, half units (bid + ask) where the source is mid.

    ``previous`` is the observation just before it, of the same instrument and source; ``reference`` what the collar
    compares with, in half units. None: there is none.
    """

    instrument: Instrument
    source: Source
    price: int
    previous: int | None
    reference: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class Moment:
    """A time at which rules fire by the clock; ``message`` is the first at or after it."""

    ts_ns: int
    message: Message


@dataclass(slots=True)
class _Book:
    """State of one instrument. A source that is not in ``known`` is unknown."""

    instrument: Instrument
    known: dict[Source, int] = field(default_factory=dict)
    previous: dict[Source, int] = field(default_factory=dict)
    open: bool = True
    suspended: bool = False

    def mid(self) -> int | None:
        """Bid + ask, None if a side is unknown or they are crossed."""
        bid, ask = self.known.get(Source.BID), self.known.get(Source.ASK)
        return None if bid is None or ask is None or bid > ask else bid + ask

    def reference(self) -> int | None:
        """What the collar compares with: the last, else the mid, in half units."""
        last = self.known.get(Source.LAST)
        return self.mid() if last is None else 2 * last


class Market:
    """State per instrument. ``invalid_prices`` counts prices that were off the unit or outside the price range."""

    def __init__(self) -> None:
        self._books: dict[str, _Book] = {}
        self.invalid_prices = 0

    def load(self, instruments: Mapping[str, Instrument]) -> None:
        """Takes these instruments. What is known of one stays, its prices only if they count the same unit."""
        books = {}
        for symbol, instrument in instruments.items():
            old = self._books.get(symbol) or _Book(instrument)
            books[symbol] = _Book(instrument, open=old.open, suspended=old.suspended)
            if old.instrument.unit == instrument.unit:
                books[symbol].known, books[symbol].previous = old.known, old.previous
        self._books = books

    def concerned(self, message: Message) -> list[str]:
        """Symbols of the instruments that ``message`` is about, in the venue's order."""
        return list(self._books) if message.instrument is None else [message.instrument]

    def value(self, symbol: str, source: Source) -> int | None:
        """The known value that arming judges; None: unknown, as everything is while suspended."""
        return None if self._books[symbol].suspended else self.known(symbol, source)

    def known(self, symbol: str, source: Source) -> int | None:
        """The known value, suspended or not."""
        book = self._books[symbol]
        return book.mid() if source is Source.MID else book.known.get(source)

    def is_open(self, symbol: str) -> bool:
        return self._books[symbol].open

    def is_suspended(self, symbol: str) -> bool:
        return self._books[symbol].suspended

    def apply(self, symbol: str, message: Message) -> Iterator[Observation]:
        """Applies ``message`` to one instrument; yields its observations. Raises KeyError for an unknown one."""
        book = self._books[symbol]
        match message.kind:
            case Kind.UPDATE | Kind.SNAPSHOT:
                yield from self._prices(book, message)
                return
            case Kind.GAP:
                book.suspended = True
            case Kind.HALT:
                book.open = False
            case Kind.OPEN:
                book.open = True
        book.previous.clear()

    def _prices(self, book: _Book, message: Message) -> Iterator[Observation]:
        reference = book.reference()  # as known before this message
        if message.kind is Kind.SNAPSHOT:
            book.known.clear()
            book.suspended = False
        seen = self._take(book, message)
        if book.suspended or not book.open:
            return
        for source, price in seen.items():
            previous = book.previous.get(source)
            book.previous[source] = price
            yield Observation(book.instrument, source, price, previous, reference, message)

    def _take(self, book: _Book, message: Message) -> dict[Source, int]:
        """Makes known what the message carries; the prices that it shows, in the order of observation."""
        seen = {}
        for source in CARRIED:
            if source not in message.prices:
                continue
            price = self._price(book.instrument, message.prices[source])
            if price is None:
                book.known.pop(source, None)
            else:
                seen[source] = book.known[source] = price
        mid = book.mid()
        if mid is not None and (Source.BID in seen or Source.ASK in seen):
            seen[Source.MID] = mid
        return seen

    def _price(self, instrument: Instrument, text: str) -> int | None:
        """Price units, or None where the side becomes unknown."""
        if text == UNKNOWN:
            return None
        units = _units(instrument, text)
        if units is None or not instrument.has(units):
            self.invalid_prices += 1
            return None
        return units


def why_unseen(instrument: Instrument, text: str) -> str | None:
    """Why a price of a message is no observation, in words; None if it is one, or says that the side is unknown."""
    units = _units(instrument, text)
    if text == UNKNOWN or (units is not None and instrument.has(units)):
        return None
    if units is None:
        return f"prices of {instrument.symbol} are multiples of {decimal_text(instrument.unit)}"
    low, high = (decimal_text(instrument.to_price(end)) for end in (instrument.price_min, instrument.price_max))
    return f"prices of {instrument.symbol} lie in {low}..{high}"


def _units(instrument: Instrument, text: str) -> int | None:
    value = parse_decimal(text)
    return None if value is None else instrument.to_units(value)
