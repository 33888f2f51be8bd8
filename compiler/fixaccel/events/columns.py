# SPDX-License-Identifier: Apache-2.0
"""Market-data messages and own executions in columns: what the compiled engines take, millions at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from fixaccel.language.keys.instrument import WIRE_DECIMALS
from fixaccel.language.patterns import HWMAP
from fixaccel.semantics.messages import CARRIED, EXECUTIONS, UNKNOWN, Kind, Message
from fixaccel.values import parse_decimal, scaled

# A column holds the place of a kind in this tuple.
KINDS = (Kind.UPDATE, Kind.SNAPSHOT, Kind.GAP, Kind.HALT, Kind.OPEN, *EXECUTIONS)
FIRST_EXECUTION = KINDS.index(EXECUTIONS[0])  # that and all behind it
NO_PART = -1
ALL_INSTRUMENTS = -1

# Prices at or beyond it have more digits than any engine takes.
WIRE_LIMIT = 10 ** HWMAP.constant("wire_digits")


class PriceState(IntEnum):
    """What a message says about one price."""

    ABSENT = 0  # not carried
    VALUE = 1
    UNKNOWN = 2  # the side becomes unknown
    INVALID = 3  # a price that needs more digits than the wire has: unknown, and counted


@dataclass(frozen=True, eq=False)
class EventColumns:
    """n messages. All arrays are C-contiguous; rows of ``price`` and ``state`` are bid, ask, last.

    A row of an execution (``kind`` from `FIRST_EXECUTION` on) carries no prices: its ``part`` is the number over the
    whole strategy, its ``qty`` what was filled (below zero: busted; 0 for `done` and `reject`), its instrument that of
    the part. Both columns are None where no row is one.
    """

    ts_ns: npt.NDArray[np.int64]  # [n], never falling
    instrument: npt.NDArray[np.int32]  # [n], place in the venue's instruments or `ALL_INSTRUMENTS`
    kind: npt.NDArray[np.uint8]  # [n], place in `KINDS`
    price: npt.NDArray[np.int64]  # [3, n], in 10^-`WIRE_DECIMALS`, 0 where there is no value
    state: npt.NDArray[np.uint8]  # [3, n], of `PriceState`
    first: int = 0  # place of the first message in the whole input, from 0
    part: npt.NDArray[np.int32] | None = None  # [n], `NO_PART` in rows of market data
    qty: npt.NDArray[np.int64] | None = None  # [n], 0 in rows of market data

    def __len__(self) -> int:
        return len(self.ts_ns)

    def __getitem__(self, rows: slice) -> "EventColumns":
        """The messages from ``rows.start`` to ``rows.stop``; prices are copied."""
        start, stop, step = rows.indices(len(self))
        if step != 1:
            raise ValueError("messages are cut in one piece")
        return EventColumns(
            self.ts_ns[start:stop],
            self.instrument[start:stop],
            self.kind[start:stop],
            np.ascontiguousarray(self.price[:, start:stop]),
            np.ascontiguousarray(self.state[:, start:stop]),
            self.first + start,
            None if self.part is None else self.part[start:stop],
            None if self.qty is None else self.qty[start:stop],
        )

    @property
    def has_executions(self) -> bool:
        """Whether any row is about an own order."""
        return self.part is not None and bool((self.kind >= FIRST_EXECUTION).any())

    def batches(self, size: int) -> Iterator["EventColumns"]:
        """The same messages, at most ``size`` at a time."""
        for start in range(0, len(self), size):
            yield self[start : start + size]

    @property
    def carried_prices(self) -> int:
        """How many prices the messages carry: observations, as long as the market is open and the prices valid."""
        return int(np.count_nonzero((self.state == PriceState.VALUE) | (self.state == PriceState.INVALID)))

    @classmethod
    def empty(cls, size: int, first: int = 0) -> "EventColumns":
        """``size`` updates of all instruments at time 0 that carry nothing, to be filled."""
        return cls(
            np.zeros(size, np.int64),
            np.full(size, ALL_INSTRUMENTS, np.int32),
            np.zeros(size, np.uint8),
            np.zeros((len(CARRIED), size), np.int64),
            np.zeros((len(CARRIED), size), np.uint8),
            first,
        )

    @classmethod
    def concatenate(cls, parts: Sequence["EventColumns"]) -> "EventColumns":
        """The messages of all ``parts``, which follow one another; at least one."""
        return cls(
            np.concatenate([part.ts_ns for part in parts]),
            np.concatenate([part.instrument for part in parts]),
            np.concatenate([part.kind for part in parts]),
            np.concatenate([part.price for part in parts], axis=1),
            np.concatenate([part.state for part in parts], axis=1),
            parts[0].first,
            *_of_executions(parts),
        )


def _of_executions(
    parts: Sequence[EventColumns],
) -> tuple[npt.NDArray[np.int32] | None, npt.NDArray[np.int64] | None]:
    """``part`` and ``qty`` over all ``parts``."""
    if all(one.part is None for one in parts):
        return None, None
    part = [np.full(len(one), NO_PART, np.int32) if one.part is None else one.part for one in parts]
    qty = [np.zeros(len(one), np.int64) if one.qty is None else one.qty for one in parts]
    return np.concatenate(part), np.concatenate(qty)


def wire_price(text: str) -> tuple[int, PriceState]:
    """A price column's text as the wire's whole number (0 where there is none) and what it says."""
    if not text:
        return 0, PriceState.ABSENT
    if text == UNKNOWN:
        return 0, PriceState.UNKNOWN
    value = parse_decimal(text)
    wire = None if value is None else scaled(value, WIRE_DECIMALS)
    if wire is None or abs(wire) >= WIRE_LIMIT:
        return 0, PriceState.INVALID
    return wire, PriceState.VALUE


def wire_prices(texts: Iterable[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """`wire_price` of each text, in columns."""
    pairs = [wire_price(text) for text in texts]
    return np.array([value for value, _ in pairs], np.int64), np.array([state for _, state in pairs], np.uint8)


def from_messages(messages: Sequence[Message], instruments: Iterable[str]) -> EventColumns:
    """The same messages in columns; ``instruments`` are the venue's, in its order. Raises KeyError for any other."""
    columns = EventColumns.empty(len(messages), messages[0].event - 1 if messages else 0)
    numbers: Mapping[str | None, int] = {
        None: ALL_INSTRUMENTS,
        **{symbol: number for number, symbol in enumerate(instruments)},
    }
    columns.ts_ns[:] = [message.ts_ns for message in messages]
    columns.instrument[:] = [numbers[message.instrument] for message in messages]
    columns.kind[:] = [KINDS.index(message.kind) for message in messages]
    for row, source in enumerate(CARRIED):
        columns.price[row], columns.state[row] = wire_prices(message.prices.get(source, "") for message in messages)
    told = [message.execution for message in messages]
    if not any(told):
        return columns
    part = np.array([one.part if one else NO_PART for one in told], np.int32)
    return replace(columns, part=part, qty=np.array([one.qty if one else 0 for one in told], np.int64))
