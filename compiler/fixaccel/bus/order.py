# SPDX-License-Identifier: Apache-2.0
"""What a reader makes of messages as they come: in which order, what is missing, what is old. Nothing here waits."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Quote:
    """What is known of an instrument after a message.

    ``missed`` messages of this instrument came between this one and the one before; None: nobody knows how many.
    ``stale``: it is not known whether ``top`` still holds; it will be said anew.
    """

    board: str
    symbol: str
    run: int
    n: int
    ts_ns: int
    kind: str
    msg: Mapping[str, str | None]
    top: Mapping[str, str | None]
    missed: int | None = 0
    stale: bool = False


@dataclass
class _Known:
    quote: Quote
    gaps: int


class QuoteOrder:
    """Messages of one board's instruments, from any number of ways, each once and never backwards."""

    def __init__(self, board: str) -> None:
        self._board = board
        self._known: dict[str, _Known] = {}

    def take(self, message: Message) -> Quote | None:
        """What is new in it; None for what was known already."""
        symbol, run, n = str(message["symbol"]), int(message["run"]), int(message["n"])
        known = self._known.get(symbol)
        if known and (run, n) == (known.quote.run, known.quote.n) and known.quote.stale:
            missed: int | None = 0  # said again: it holds
        elif known and (run, n) <= (known.quote.run, known.quote.n):
            return None
        else:
            missed = self._missed(known, run, n, int(message["gaps"]))
        quote = Quote(
            self._board, symbol, run, n, int(message["ts_ns"]), str(message["kind"]), message["msg"], message["top"],
            missed, message["top"].get("state") != "open",
        )  # fmt: skip
        self._known[symbol] = _Known(quote, int(message["gaps"]))
        return quote

    @staticmethod
    def _missed(known: _Known | None, run: int, n: int, gaps: int) -> int | None:
        if known is None:
            return 0
        # Another relay, or one that has said itself that it missed some of the daemon.
        if run != known.quote.run or gaps != known.gaps:
            return None
        return n - known.quote.n - 1

    def doubt(self) -> list[Quote]:
        """Nothing is heard of the board: what is known may be old. Those that were not so already."""
        fresh = [known for known in self._known.values() if not known.quote.stale]
        for known in fresh:
            known.quote = Quote(**{**vars(known.quote), "stale": True, "missed": None})
        return [known.quote for known in fresh]


class EventsLostError(Exception):
    """Events are not in the stream any more; the text names them."""


@dataclass
class EventOrder:
    """Events of one board in the order of its journal: the next one is always ``position`` + 1."""

    position: int
    _held: dict[int, Message] = field(default_factory=dict)

    def offer(self, n: int, event: Message) -> None:
        """A copy of event ``n``, whichever way it came."""
        if n > self.position:
            self._held.setdefault(n, event)

    def ready(self) -> Iterator[Message]:
        """Those whose turn it is, as they are asked for."""
        while (event := self._held.pop(self.position + 1, None)) is not None:
            self.position += 1
            yield event

    @property
    def is_ready(self) -> bool:
        """Whether the next one is here."""
        return self.position + 1 in self._held

    @property
    def hole(self) -> int | None:
        """The event that is missing while later ones are here."""
        return self.position + 1 if self._held and not self.is_ready else None
