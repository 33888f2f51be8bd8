# SPDX-License-Identifier: Apache-2.0
"""Entries of an incremental refresh (35=X) that say what `update` events carry."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fixaccel.language.terms import Source
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Message
from fixaccel.simulate.rtl.entries import ENTRY_TYPE, OTHER_TYPES, UNLISTED, Entry, interleaved, mixed_fields

# MDUpdateAction(279).
_NEW, _CHANGE, _DELETE = "0", "1", "2"
_BEST = "1"


class UpdateEntries:
    """Makes entries. With ``shape`` they vary within what FIX allows, among decoys with prices out of ``seen``."""

    def __init__(self, shape: random.Random | None, seen: Sequence[str]) -> None:
        self._shape = shape
        self._seen = seen

    def of(self, messages: Sequence[Message]) -> list[Entry]:
        """Entries of one message for events of different instruments, which first appear in the events' order.

        A side that becomes unknown is a deleted best level, a last one a trade without a price. An event that carries
        nothing still has an entry: of a deeper level.
        """
        groups = [list(self._of_event(message)) for message in messages]
        if self._shape is None:
            return [entry for group in groups for entry in group]
        decoys = self._shape.choice((0, 0, 1))
        foreign = [self._entry(_NEW, Source.LAST, UNLISTED, self._price()) for _ in range(decoys)]
        mixed = interleaved([*groups, foreign], self._shape)
        wanted = [message.instrument for message in messages]
        if [symbol for symbol in dict.fromkeys(map(_symbol, mixed)) if symbol != UNLISTED] != wanted:
            mixed = [entry for group in [*groups, foreign] for entry in group]
        return self._without_repeated_symbols(mixed, self._shape)

    def _of_event(self, message: Message) -> Iterator[Entry]:
        symbol, shape = message.instrument or "", self._shape
        sources = [self._of_source(source, symbol, message) for source in CARRIED]
        if shape is None:
            entries = [entry for source in sources for entry in source]
        else:
            others = [
                [self._dressed([(279, _NEW), (269, kind), (55, symbol), (270, self._price())])]
                for kind in OTHER_TYPES
                if shape.random() < 0.1
            ]
            entries = interleaved([*sources, *others], shape)
        yield from entries or [self._entry(_DELETE, Source.BID, symbol, None, "2")]

    def _of_source(self, source: Source, symbol: str, message: Message) -> list[Entry]:
        text = message.prices.get(source)
        if source is Source.LAST:
            return self._trades(text, symbol, message.sizes.get(source, "1"))
        return self._levels(source, text, symbol, message.sizes.get(source, "1"))

    def _trades(self, text: str | None, symbol: str, size: str) -> list[Entry]:
        """The final trade counts; one that is taken back is none."""
        final = [(279, _NEW), (269, ENTRY_TYPE[Source.LAST]), (55, symbol)]
        final += [(271, size)] if text == UNKNOWN else [(270, text or ""), (271, size)]
        if self._shape is None:
            return [] if text is None else [final]
        trades = [self._dressed(final)] if text is not None else []
        earlier = self._shape.choice((0, 0, 0, 1, 3)) if trades else 0
        trades[0:0] = [self._entry(_NEW, Source.LAST, symbol, self._price()) for _ in range(earlier)]
        if self._shape.random() < 0.15:
            taken_back = self._entry(_DELETE, Source.LAST, symbol, self._price())
            trades.insert(self._shape.randrange(len(trades) + 1), taken_back)
        return trades

    def _levels(self, source: Source, text: str | None, symbol: str, size: str) -> list[Entry]:
        """Of a side the level at position 1 counts, or the first that has no position; a deeper one never does."""
        deleted = text == UNKNOWN
        best = [(279, _DELETE if deleted else _CHANGE), (269, ENTRY_TYPE[source]), (55, symbol)]
        best += [] if deleted else [(270, text or ""), (271, size)]
        if self._shape is None:
            return [] if text is None else [[*best, (290, _BEST)]]
        shape = self._shape
        if deleted and shape.random() < 0.5:
            best.append((270, self._price()))  # where it stood: no observation
        best[0] = (279, _DELETE if deleted else shape.choice((_NEW, _CHANGE)))
        count = shape.choice((0, 0, 0, 1, 3))
        if text is not None and shape.random() < 0.3:
            return [self._dressed(best)] + [self._level(source, symbol, None) for _ in range(count)]
        levels = [self._level(source, symbol, str(position)) for position in range(2, 2 + count)]
        if text is not None:
            levels.insert(shape.randrange(len(levels) + 1), self._dressed([*best, (290, _BEST)]))
        return levels

    def _level(self, source: Source, symbol: str, position: str | None) -> Entry:
        """A level that does not count."""
        assert self._shape is not None
        action = self._shape.choice((_NEW, _CHANGE, _DELETE))
        return self._entry(action, source, symbol, self._price() if self._shape.random() < 0.8 else None, position)

    def _entry(self, action: str, source: Source, symbol: str, price: str | None, position: str | None = None) -> Entry:
        entry: Entry = [(279, action), (269, ENTRY_TYPE[source]), (55, symbol)]
        entry += [] if price is None else [(270, price)]
        entry += [] if position is None else [(290, position)]
        return entry if self._shape is None else self._dressed(entry)

    def _dressed(self, entry: Entry) -> Entry:
        """The entry with further fields, in any order behind Symbol."""
        assert self._shape is not None
        return entry[:3] + mixed_fields(entry[3:], self._shape)

    def _price(self) -> str:
        assert self._shape is not None
        return self._shape.choice(self._seen)

    @staticmethod
    def _without_repeated_symbols(entries: list[Entry], shape: random.Random) -> list[Entry]:
        """An entry may leave out the symbol of the one before it."""
        if not entries:
            return entries
        return [entries[0]] + [
            [field for field in entry if field[0] != 55]
            if _symbol(before) == _symbol(entry) and shape.random() < 0.3
            else entry
            for before, entry in pairwise(entries)
        ]


def _symbol(entry: Entry) -> str:
    return dict[int, str](entry)[55]
