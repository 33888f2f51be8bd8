# SPDX-License-Identifier: Apache-2.0
"""`fixaccel convert`: recorded market data of other formats to event files, a format a module."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fixaccel.events.write import Event
from fixaccel.simulate.convert import bitstamp, prints
from fixaccel.simulate.convert.reading import Input

__all__ = ["FORMATS", "Format", "Input"]


@dataclass(frozen=True)
class Format:
    """``read`` gives the events of a file, rising in time or not."""

    text: str
    read: Callable[[Input], Iterator[Event]]


FORMATS = {
    "bitstamp": Format("every order of Bitstamp (orders.csv), and the trades in trades.csv beside it", bitstamp.read),
    "prints": Format("trades, with the columns DateTime,Price,Volume", prints.read),
}
