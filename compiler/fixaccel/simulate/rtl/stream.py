# SPDX-License-Identifier: Apache-2.0
"""Events to the frames that an exchange would send for them."""

import random
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address
from itertools import accumulate, pairwise
from math import inf
from types import MappingProxyType

from fixaccel.language.terms import Session
from fixaccel.semantics.messages import Kind, Message
from fixaccel.simulate.rtl.frames import ACK, PSH, Endpoint, Segment, build
from fixaccel.simulate.rtl.market_data import Venue

# Most payload of a segment on Ethernet.
_SEGMENT_BYTES = 1460
_WINDOW = 65535
# Addresses set aside for examples; the fabric takes the flow from the frames.
_VENUE = ("02:00:00:00:00:01", "192.0.2.1")
_CLIENT = ("02:00:00:00:00:02", "192.0.2.2")
_CLIENT_PORT = 40000
# How often an update that could share the message before it does.
_SHARED = 0.7


@dataclass(frozen=True)
class Reported:
    """A row about an own order, told behind ``after`` frames. Those up to ``until`` are no market data but its own."""

    message: Message
    after: int
    until: int


@dataclass
class Traffic:
    """Frames for the fabric, and what the run needs to know of them.

    ``frames`` are (time in ns, frame without FCS). ``numbered`` holds, for each message that the fabric counts, the
    events that it stands for, each of another instrument. ``isn_client`` is the sequence number of the first order
    byte. ``executions`` come between frames.
    """

    venue: Endpoint
    client: Endpoint
    isn_client: int
    frames: list[tuple[int, bytes]] = field(default_factory=list)
    numbered: list[tuple[Message, ...]] = field(default_factory=list)
    executions: list[Reported] = field(default_factory=list)


def make_traffic(
    session: Session,
    messages: Sequence[Message],
    seed: int | None,
    *,
    timed: bool = False,
    arms: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> Traffic:
    """Frames for snapshot and update events. ``seed`` varies messages and segments within what TCP and FIX allow.

    The same events and seed give the same frames. Without a seed each event is a message, and a segment, of its own;
    with one, updates of several instruments at one time may share a message. A message comes at the time of its
    segment: ``timed`` makes that its own, where it counts.

    The fabric arms what it was told to arm with the next message of the instrument, and a rule is live from the one
    behind that on: so behind each execution comes a message that says nothing, of each instrument that ``arms`` has
    for the execution's part.
    """
    shape = None if seed is None else random.Random(seed)  # noqa: S311 - variety, not secrets
    traffic = Traffic(
        venue=_endpoint(_VENUE, session.port),
        client=_endpoint(_CLIENT, _CLIENT_PORT),
        isn_client=1 if shape is None else _sequence_number(shape),
    )
    stream, ends, told = _stream(session, messages, shape, traffic, arms)
    sender = _Sender(traffic, stream, 1 if shape is None else _sequence_number(shape), shape)
    frames: dict[int, int] = {}  # that come before a byte at which a segment begins
    for start, end in _cuts(ends, shape, {place for _, *both in told for place in both}, timed=timed):
        frames[start] = len(traffic.frames)
        # The segment arrives with its last message.
        time = next(message.ts_ns for last, message in ends if end <= last)
        sender.send(start, end, time)
    frames[len(stream)] = len(traffic.frames)
    traffic.executions = [Reported(message, frames[start], frames[end]) for message, start, end in told]
    return traffic


def _endpoint(addresses: tuple[str, str], port: int) -> Endpoint:
    mac, ip = addresses
    return Endpoint(bytes.fromhex(mac.replace(":", "")), IPv4Address(ip), port)


def _sequence_number(shape: random.Random) -> int:
    """Any, often so near the end that it wraps."""
    return shape.choice((shape.randrange(2**32), 2**32 - shape.randrange(1, 2000), 0))


def _stream(
    session: Session,
    messages: Sequence[Message],
    shape: random.Random | None,
    traffic: Traffic,
    arms: Mapping[int, Sequence[str]],
) -> tuple[bytes, list[tuple[int, Message]], list[tuple[Message, int, int]]]:
    """The venue's bytes; where each message ends with the event that it was made for; executions.

    Of these where they come, and where what is their own ends.
    """
    venue = Venue(session, shape)
    stream = bytearray()
    ends: list[tuple[int, Message]] = []
    told: list[tuple[Message, int, int]] = []
    for together in _together(messages, shape):
        message = together[0]
        if message.execution is not None:
            start = len(stream)
            for symbol in arms.get(message.execution.part, ()):
                stream += venue.update([replace(message, kind=Kind.UPDATE, instrument=symbol, execution=None)])
                ends.append((len(stream), message))
                traffic.numbered.append(())
            told.append((message, start, len(stream)))
            continue
        noise = venue.noise(message)
        if noise is not None:
            stream += noise.data
            ends.append((len(stream), message))
            traffic.numbered += [()] * noise.counted
        stream += venue.update(together) if message.kind is Kind.UPDATE else venue.snapshot(message)
        ends.append((len(stream), message))
        traffic.numbered.append(together)
    return bytes(stream), ends, told


def _together(messages: Sequence[Message], shape: random.Random | None) -> Iterator[tuple[Message, ...]]:
    """The events that each message stands for."""
    group: list[Message] = []
    for message in messages:
        if group and not (shape is not None and _may_share(group, message) and shape.random() < _SHARED):
            yield tuple(group)
            group = []
        group.append(message)
    if group:
        yield tuple(group)


def _may_share(group: Sequence[Message], message: Message) -> bool:
    """Whether a message of all of ``group`` may stand for ``message`` too: the same time, another instrument."""
    return (
        message.kind is group[0].kind is Kind.UPDATE
        and message.ts_ns == group[0].ts_ns
        and message.instrument not in {other.instrument for other in group}
    )


def _cuts(
    ends: Sequence[tuple[int, Message]], shape: random.Random | None, apart: Collection[int], *, timed: bool
) -> Iterator[tuple[int, int]]:
    """Start and end of each segment's payload; none goes beyond one of ``apart``.

    ``timed``: none has a message's end and some of a later one.
    """
    start, total = 0, ends[-1][0] if ends else 0
    times = accumulate((message.ts_ns for _, message in ends), max)
    # Where the time moves on, and the end.
    moves = [end for (end, _), (now, then) in zip(ends, pairwise((*times, inf)), strict=True) if timed and then > now]
    moves = sorted({*moves, *apart, total})
    boundaries = iter([end for end, _ in ends])
    boundary = next(boundaries, total)
    while start < total:
        while boundary <= start:
            boundary = next(boundaries)
        end = boundary
        if shape is not None and shape.random() < 0.4:
            end = start + shape.choice((1, shape.randrange(1, 40), shape.randrange(1, 400), _SEGMENT_BYTES))
        end = min(end, start + _SEGMENT_BYTES, total)
        end = min(end, moves[bisect_right(moves, start)])
        yield start, end
        start = end


class _Sender:
    """Segments of one stream, in order, with what a network may add to them."""

    def __init__(self, traffic: Traffic, stream: bytes, isn: int, shape: random.Random | None) -> None:
        self._traffic = traffic
        self._stream = stream
        self._isn = isn
        self._shape = shape
        self._count = 0

    def send(self, start: int, end: int, time: int) -> None:
        if self._shape is not None and start > 0:
            self._add_harmless(self._shape, start, end, time)
            if self._shape.random() < 0.05:
                again = self._shape.randrange(1, min(start, 100) + 1)  # bytes sent again, then new ones
                start = max(start - again, end - _SEGMENT_BYTES)
        self._emit(time, self._segment(start, end))

    def _add_harmless(self, shape: random.Random, start: int, end: int, time: int) -> None:
        """Frames that must change nothing, ahead of the segment."""
        if shape.random() < 0.05:  # damaged: the segment after it is its retransmission
            self._emit(time, self._segment(start, end), damage=shape.randrange(1, 0xFFFF))
        if shape.random() < 0.05:  # an old segment again
            first = shape.randrange(max(0, start - 500), start)
            self._emit(time, self._segment(first, shape.randrange(first, start) + 1))
        if shape.random() < 0.05:  # another connection with the same bytes
            other = Endpoint(self._traffic.client.mac, self._traffic.client.ip, _CLIENT_PORT + 1)
            self._emit(time, self._segment(start, end, client=other))
        if shape.random() < 0.05:  # an acknowledgement without payload
            self._emit(time, self._segment(start, start))

    def _segment(self, start: int, end: int, client: Endpoint | None = None) -> Segment:
        return Segment(
            source=self._traffic.venue,
            target=client or self._traffic.client,
            seq=self._isn + start,
            ack=self._traffic.isn_client,
            flags=ACK | PSH if end > start else ACK,
            window=_WINDOW,
            payload=self._stream[start:end],
        )

    def _emit(self, time: int, segment: Segment, damage: int = 0) -> None:
        self._count += 1
        self._traffic.frames.append((time, build(segment, self._count, damage)))
