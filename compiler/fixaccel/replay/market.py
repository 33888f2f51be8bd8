# SPDX-License-Identifier: Apache-2.0
"""The market of one instrument over a whole day, in columns: what was known after each message, and what was observed.

The meaning is that of `fixaccel.semantics.market`, without a loop over the messages.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fixaccel.events.columns import ALL_INSTRUMENTS, KINDS, EventColumns, PriceState
from fixaccel.language.codes import SOURCES
from fixaccel.language.terms import Instrument, Source
from fixaccel.semantics.messages import CARRIED, Kind
from fixaccel.tick_arrays import Flags, Units, tick_arrays

Places = npt.NDArray[np.int64]

# Observations of one message stand in this order.
_ORDER = (*CARRIED, Source.MID)
_PRICES = (KINDS.index(Kind.UPDATE), KINDS.index(Kind.SNAPSHOT))


@dataclass(frozen=True, eq=False)
class Known:
    """A price after each message of an instrument: ``units`` counts where ``known``."""

    units: Units  # half units for mid
    known: Flags

    def before(self) -> "Known":
        """The same before each message."""
        return Known(np.roll(self.units, 1), np.concatenate([[False], self.known[:-1]]))


@dataclass(frozen=True, eq=False)
class Observations:
    """Eligible prices of one source as they came; ``row`` is a place in the messages of the instrument."""

    source: Source
    row: Places
    units: Units  # half units for mid

    @property
    def key(self) -> Places:
        """Rising over all sources of an instrument: the order in which observations are taken."""
        return self.row * len(_ORDER) + _ORDER.index(self.source)

    def where(self, chosen: Flags) -> "Observations":
        """Those that are chosen."""
        return Observations(self.source, self.row[chosen], self.units[chosen])


@dataclass(frozen=True, eq=False)
class Market:
    """n messages of one instrument, those of all instruments among them."""

    instrument: Instrument
    event: Places  # [n], number of the message in the whole input, from 0
    ts_ns: Places  # [n], never falling
    known: dict[Source, Known]  # bid, ask, last and mid
    seen: dict[Source, Flags]  # whether the message shows a price of that source, eligible or not
    open: Flags  # after the message
    suspended: Flags  # after the message

    @classmethod
    def of(cls, events: EventColumns, number: int, instrument: Instrument) -> "Market":
        """The market of the venue's instrument ``number``."""
        rows = np.flatnonzero((events.instrument == number) | (events.instrument == ALL_INSTRUMENTS))
        kind = events.kind[rows]
        prices = np.isin(kind, _PRICES)
        snapshot = kind == KINDS.index(Kind.SNAPSHOT)
        known, seen = {}, {}
        for place, source in enumerate(CARRIED):
            units, valid = _valid(events.price[place, rows], events.state[place, rows], instrument)
            cleared = prices & (snapshot | (events.state[place, rows] != PriceState.ABSENT))
            known[source] = _kept(units, valid & prices, cleared)
            seen[source] = valid & prices
        bid, ask = known[Source.BID], known[Source.ASK]
        both = bid.known & ask.known & (bid.units <= ask.units)
        known[Source.MID] = Known(bid.units + ask.units, both)
        seen[Source.MID] = both & (seen[Source.BID] | seen[Source.ASK])
        return cls(
            instrument,
            event=events.first + rows.astype(np.int64),
            ts_ns=np.maximum.accumulate(events.ts_ns[rows]) if len(rows) else events.ts_ns[rows],
            known=known,
            seen=seen,
            open=~_on(kind == KINDS.index(Kind.HALT), kind == KINDS.index(Kind.OPEN)),
            suspended=_on(kind == KINDS.index(Kind.GAP), snapshot),
        )

    def __len__(self) -> int:
        return len(self.event)

    @cached_property
    def observed(self) -> dict[Source, Observations]:
        """What rules may look at: nothing while halted or suspended."""
        awake = self.open & ~self.suspended
        rows = {source: np.flatnonzero(self.seen[source] & awake) for source in SOURCES}
        return {source: Observations(source, rows[source], self.known[source].units[rows[source]]) for source in rows}

    @cached_property
    def reference(self) -> Known:
        """What the collar compares with at each message, in half units: what was known before it, last, else mid."""
        last, mid = self.known[Source.LAST].before(), self.known[Source.MID].before()
        return Known(np.where(last.known, 2 * last.units, mid.units), last.known | mid.known)

    def price(self, source: Source, row: int) -> int | None:
        """What is known after the message at ``row``; before the first, -1, nothing is."""
        known = self.known[source]
        return int(known.units[row]) if row >= 0 and known.known[row] else None

    def floats(self, source: Source) -> npt.NDArray[np.float64]:
        """Prices for drawing, NaN where unknown."""
        known = self.known[source]
        return np.where(known.known, to_float(known.units, source, self.instrument), np.nan)


def to_float(units: Units, source: Source, instrument: Instrument) -> npt.NDArray[np.float64]:
    """Units of ``source`` as prices for drawing."""
    # Through decimal places: 118499 units of 0.01 give 1184.99, where a product with 0.01 does not.
    places = instrument.ticks.places
    unit = int(instrument.unit.scaleb(places))
    scale = 10**places * (2 if source is Source.MID else 1)
    floats: npt.NDArray[np.float64] = units.astype(np.float64) * unit / scale
    return floats


def _valid(wire: Units, state: npt.NDArray[np.uint8], instrument: Instrument) -> tuple[Units, Flags]:
    """Price units, and where they are a price that the instrument can have."""
    units, whole = tick_arrays(instrument.ticks).from_wire(wire)
    within = (units >= instrument.price_min) & (units <= instrument.price_max)
    return units, (state == PriceState.VALUE) & whole & within


def _kept(units: Units, given: Flags, cleared: Flags) -> Known:
    """The value given last, unless something has cleared it since; what gives one clears the one before."""
    last = _last(given | cleared)
    there = last >= 0
    place = np.maximum(last, 0)
    return Known(units[place], there & given[place]) if len(units) else Known(units, given)


def _on(begins: Flags, ends: Flags) -> Flags:
    """Whether something is on after each message; it is off at the start."""
    last = _last(begins | ends)
    return (last >= 0) & begins[np.maximum(last, 0)] if len(last) else begins


def _last(marked: Flags) -> Places:
    """The last marked place at or before each, -1 where there is none."""
    places = np.where(marked, np.arange(len(marked), dtype=np.int64), -1)
    return np.maximum.accumulate(places) if len(places) else places
