# SPDX-License-Identifier: Apache-2.0
"""Which copy of a datagram counts, of two lines that bring the same: the meaning, apart from the fabric's.

Events come one at a time, each when all of the one before it is done: a copy that has come whole, a wait that is over,
silence, a start. What each leads to is told as it happens.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

LINES = 2
_BITS = 32
_STEP = 512  # bytes: in such steps the room of a line is looked at


class Cause(Enum):
    """Of a gap."""

    NUMBERS = "numbers"  # were given up
    START = "start"
    SILENCE = "silence"
    BEHIND = "behind"  # so many datagrams in a row were below the number expected


class Outcome(Enum):
    """What became of a copy."""

    TAKEN = "taken"
    DUPLICATE = "duplicate"
    LATE = "late"
    BAD = "bad"
    LOST = "lost"


@dataclass(frozen=True)
class Copy:
    """A datagram as one line has brought it: ``numbers`` of its messages, or its own, in their order.

    ``whole``: its frame is right. ``sound``: it is decoded without a fatal fault, all its numbers among them.
    """

    line: int
    numbers: tuple[int, ...]
    whole: bool = True
    sound: bool = True
    size: int = 0  # bytes of the payload
    mark: object = None  # whatever the one who asks knows it by


@dataclass(frozen=True)
class Gap:
    """From ``first`` to ``last``, which is the one in front of it where no number was given up."""

    cause: Cause
    first: int
    last: int


@dataclass(frozen=True)
class Done:
    """A copy is done with; ``news`` are those of its numbers that count."""

    copy: Copy
    outcome: Outcome
    news: tuple[int, ...] = ()


Event = Gap | Done


@dataclass(frozen=True)
class Rules:
    """How a channel's datagrams are numbered, and when it stands still."""

    bits: int = _BITS
    each_message: bool = False
    lines: int = LINES
    late_run: int = 64
    last_epoch: int = 65535
    room: int = 2560  # of bytes that wait: with so many its line is not given time to wait for the other


@dataclass
class Channel:
    """Two lines and the number expected. A line's copies wait in their order: only the first one is looked at."""

    rules: Rules = field(default_factory=Rules)
    expected: int = 0
    begun: bool = False
    epoch: int = 0
    behind: bool = False

    def __post_init__(self) -> None:
        self._waiting: list[deque[Copy]] = [deque() for _ in range(LINES)]
        self._gap: tuple[int, int] | None = None  # the last one of numbers: its first, and how many
        self._below = 0

    @property
    def still(self) -> bool:
        """Nothing counts until the next start."""
        return self.behind or self.epoch == self.rules.last_epoch

    @property
    def waits(self) -> bool:
        """A copy waits for a number that is missing."""
        return any(self._waiting)

    def start(self) -> Iterator[Event]:
        """The channel begins anew, with whatever number comes first."""
        self.begun, self.behind, self._below, self._gap = False, False, 0, None
        yield self._open(Cause.START)
        yield from self._settle()

    def silence(self) -> Iterator[Event]:
        """Nothing has counted for so long; once until something does."""
        if self.begun and not self.still:
            yield self._open(Cause.SILENCE)
            yield from self._stand()

    def lapse(self) -> Iterator[Event]:
        """What waits has waited for long enough."""
        if self.waits:
            yield from self._try(next(line for line in range(LINES) if self._waiting[line]), may_leave=True)
            yield from self._settle()

    def copy(self, copy: Copy) -> Iterator[Event]:
        """A copy has come."""
        self._waiting[copy.line].append(copy)
        yield from self._settle()

    def _distance(self, number: int, expected: int) -> int:
        half = 1 << self.rules.bits - 1
        away = (number - expected) % (2 * half)
        return away if away <= half else away - 2 * half

    def _open(self, cause: Cause, first: int | None = None, count: int = 0) -> Gap:
        self.epoch = (self.epoch + 1) % (1 << 16)
        begin = self.expected if first is None else first
        return Gap(cause, begin, (begin + count - 1) % (1 << self.rules.bits))

    def _try(self, line: int, *, may_leave: bool) -> Iterator[Event]:
        """The head of a line: it stays there if its turn is later."""
        copy = self._waiting[line][0]
        if self.still:
            self._waiting[line].popleft()
            yield Done(copy, Outcome.LOST if copy.whole else Outcome.BAD)
            return
        away = self._distance(copy.numbers[0], self.expected) if copy.numbers and self.begun else 0
        if away > 0 and copy.whole and not may_leave:
            self._below = 0
            return
        self._waiting[line].popleft()
        first_below = away < 0 and not self.rules.each_message
        if not copy.whole or not copy.numbers or (not copy.sound and not first_below):
            yield Done(copy, Outcome.BAD)
        else:
            yield from self._take(copy)
            yield from self._retry(but=line)

    def _take(self, copy: Copy) -> Iterator[Event]:
        expected, begun, news, gap, late = self.expected, self.begun, [], None, False
        last_gap = self._gap
        for number in copy.numbers:
            away = self._distance(number, expected) if begun else 0
            if away < 0:
                late = last_gap is not None and (number - last_gap[0]) % (1 << self.rules.bits) < last_gap[1]
                continue
            if away > 0:
                begin = gap[0] if gap else expected
                gap = last_gap = begin, (number - begin) % (1 << self.rules.bits)
            expected, begun = (number + 1) % (1 << self.rules.bits), True
            news.append(number)
        if not news:
            self._below += 1
            yield Done(copy, Outcome.LATE if late else Outcome.DUPLICATE)
            if self._below == self.rules.late_run:
                yield self._open(Cause.BEHIND)
                self.behind = True
                yield from self._stand()
            return
        self.expected, self.begun, self._below = expected, begun, 0
        if gap:
            self._gap = gap
            yield self._open(Cause.NUMBERS, *gap)
        yield Done(copy, Outcome.TAKEN, tuple(news))
        yield from self._stand()

    def _stand(self) -> Iterator[Event]:
        """Where the channel stands still, what waits is lost."""
        for line in range(LINES) if self.still else ():
            while self._waiting[line]:
                yield from self._try(line, may_leave=False)

    def _retry(self, but: int) -> Iterator[Event]:
        """The channel has moved: heads are looked at again, that of the other line first."""
        for line in (1 - but, but):
            if self._waiting[line]:
                yield from self._try(line, may_leave=self.rules.lines == 1)

    def _settle(self) -> Iterator[Event]:
        """Until nothing changes any more."""
        seen = None
        while seen != (seen := [len(queue) for queue in self._waiting]):
            for line in range(LINES):
                if self._waiting[line]:
                    yield from self._try(line, may_leave=self.rules.lines == 1)
            for line in range(LINES):
                if sum(copy.size + 1 for copy in self._waiting[line]) // _STEP >= self.rules.room // _STEP:
                    yield from self._try(line, may_leave=True)
            if all(self._waiting):
                # Neither line has anything else to look at: the nearer one goes.
                away = [self._distance(queue[0].numbers[0], self.expected) for queue in self._waiting]
                yield from self._try(away.index(min(away)), may_leave=True)
