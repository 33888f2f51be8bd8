# SPDX-License-Identifier: Apache-2.0
"""Which prices of a message are observations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fixaccel.language.model import Instrument, Source
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Kind, Message
from fixaccel.values import parse_decimal


@dataclass(frozen=True, slots=True)
class Observation:
    """An eligible price of one source, in the instrument's price units."""

    instrument: Instrument
    source: Source
    price: int


@dataclass(slots=True)
class _State:
    instrument: Instrument
    open: bool = True
    suspended: bool = False


class Market:
    """State per instrument. ``invalid_prices`` counts prices that were off the unit or outside the price range."""

    def __init__(self, instruments: Mapping[str, Instrument]) -> None:
        self._states = {symbol: _State(instrument) for symbol, instrument in instruments.items()}
        self.invalid_prices = 0

    def observe(self, message: Message) -> Iterator[Observation]:
        """Applies ``message`` and yields its observations in order. Raises KeyError for an unknown instrument."""
        states = self._states.values() if message.instrument is None else [self._states[message.instrument]]
        for state in states:
            yield from self._apply(state, message)

    def _apply(self, state: _State, message: Message) -> Iterator[Observation]:
        match message.kind:
            case Kind.GAP:
                state.suspended = True
            case Kind.HALT:
                state.open = False
            case Kind.OPEN:
                state.open = True
            case Kind.SNAPSHOT | Kind.UPDATE:
                if message.kind is Kind.SNAPSHOT:
                    state.suspended = False
                for source in CARRIED:
                    price = self._price(state.instrument, message.prices.get(source))
                    if price is not None and state.open and not state.suspended:
                        yield Observation(state.instrument, source, price)

    def _price(self, instrument: Instrument, text: str | None) -> int | None:
        """Price units, or None where the message carries no observation."""
        if text is None or text == UNKNOWN:
            return None
        value = parse_decimal(text)
        units = None if value is None else instrument.to_units(value)
        if units is None or not instrument.price_min <= units <= instrument.price_max:
            self.invalid_prices += 1
            return None
        return units
