# SPDX-License-Identifier: Apache-2.0
"""What the receive side reads of a stream with holes: written apart from the RTL, on whole texts instead of bytes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rx_messages import split
from rx_model import Model
from rx_tables import Hit, Tables

PREFIX = b"8=FIX.4.4\x019="
TRAILER = rb"10=([0-9]{3})\x01"
LENGTH_DIGITS = 7
WORD = 1 << 32


class BrokenError(Exception):
    """Not the framing of a message, since the byte at ``at``."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@dataclass(frozen=True)
class Event:
    """A message that ended at ``end``; behind it comes MsgSeqNum ``expected``. ``number`` counts from the anchor."""

    end: int
    expected: int
    message: bytes = b""
    number: int = 0
    taken: bool = False


def agreed(data: bytes, at: int, pattern: bytes) -> bool:
    """Whether all of ``pattern`` is there; BrokenError where it is not, False where it may come."""
    for i, byte in enumerate(pattern):
        if at + i == len(data):
            return False
        if data[at + i] != byte:
            raise BrokenError(at + i)
    return True


def end_of_message(data: bytes, at: int) -> int | None:
    """Behind the message that begins at ``at``; None: it has not come yet."""
    if not agreed(data, at, PREFIX):
        return None
    at += len(PREFIX)
    digits = re.compile(rb"[0-9]{0,%d}" % LENGTH_DIGITS).match(data, at)
    assert digits
    if digits.end() == len(data):
        return None
    if data[digits.end()] != 1 or not digits[0] or int(digits[0]) < 8:
        raise BrokenError(digits.end())
    body_end = digits.end() + 1 + int(digits[0])
    if body_end > len(data):
        return None
    if data[body_end - 1] != 1:
        raise BrokenError(body_end - 1)
    if not agreed(data, body_end, b"10="):
        return None
    for i, what in enumerate((b"0123456789", b"0123456789", b"0123456789", b"\x01"), body_end + 3):
        if i == len(data):
            return None
        if data[i] not in what:
            raise BrokenError(i)
    return body_end + 7


def sum_right(message: bytes) -> bool:
    return sum(message[:-7]) % 256 == int(message[-4:-1])


class StreamModel:
    """The receive side from its frames on. ``hits`` and ``counts`` are those of messages outside of gaps."""

    def __init__(self, tables: Tables, seq: int, expected: int = 1) -> None:
        self.market = Model(tables)
        self.hits: list[Hit] = []
        self._begin(seq, expected)

    def _begin(self, seq: int, expected: int | None) -> None:
        self.gap = expected is None
        self.found: tuple[int, int] | None = None
        self._renew = False
        self._start, self._expected = seq, expected
        self._data = b""
        self._ends: list[int] = []
        self._known = 0

    @property
    def rcv_nxt(self) -> int:
        return (self._start + len(self._data)) % WORD

    def segment(self, seq: int, payload: bytes) -> None:
        """A good frame of the session."""
        ahead = (seq - self.rcv_nxt + WORD // 2) % WORD - WORD // 2
        if ahead > 0:
            return self._begin((seq + len(payload)) % WORD, None)
        fresh = payload[-ahead:] if ahead else payload
        if not fresh:
            return None
        self._data += fresh
        self._ends.append(len(self._data))
        events = list(self._events())
        for event in events[self._known :]:
            if event is not None and not self.gap and event.taken:
                self.market.messages = event.number
                self.hits += self.market.observations(event.message)
        lost = None in events[self._known :]
        boundary = events[-1] if len(events) > self._known else None
        self._known = len(events)
        if lost:
            self.gap, self.found, self._renew = True, None, False
        if self.gap and boundary and (self.found is None or self._renew):
            self.found = ((self._start + boundary.end) % WORD, boundary.expected)
            self._renew = False
        return None

    def say(self, seq: int, number: int) -> bool:
        """A resync between two frames."""
        if seq == self.rcv_nxt:
            self._begin(seq, number)
        elif self.gap and (seq, number) == self.found:
            self.gap, self.found, self._renew = False, None, False
        else:
            self._renew = self.gap
        return not self.gap

    def _events(self) -> Iterator[Event | None]:
        """Messages that were followed, and None where the stream was lost."""
        expected, at, number = self._expected, 0, 0
        while True:
            hunting = expected is None
            if hunting:
                # Behind what broke, or across it.
                at = self._data.find(PREFIX, max(0, at - len(PREFIX) + 1))
                if at < 0:
                    return
            try:
                end = end_of_message(self._data, at)
                if end is None:
                    return
                message = self._data[at:end]
                right = sum_right(message)
                if hunting:
                    at = end
                    if right and (own := anchor(message)) is not None:
                        expected, number = own + 1, 0
                        yield Event(end, expected)
                    continue
                assert expected is not None
                taken = False
                if right:
                    number += 1
                    try:
                        repeated, counts = Model.judge(split(message), expected)
                    except ValueError:
                        raise BrokenError(end - 1) from None
                    expected += counts
                    taken = not repeated
                yield Event(end, expected, message, number, taken)
                at = end
            except BrokenError as broken:
                if hunting:
                    at = broken.at
                else:
                    yield None
                    expected = None
                    at = next(frame for frame in self._ends if frame > broken.at)


def anchor(message: bytes) -> int | None:
    """MsgSeqNum of a message from which the stream can be followed."""
    try:
        fields = split(message)
        number = dict(fields).get(b"34", b"")
        own = int(number) if re.fullmatch(rb"[0-9]+", number) else 0
        repeated, _ = Model.judge(fields, own)
    except ValueError:
        return None
    return None if repeated else own
