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
# How often a segment comes damaged first, and how often it ends anywhere, so that some hold several messages: both are
# what tries orders that begin ahead of a frame's verdict.
_DAMAGED, _DAMAGED_AHEAD = 0.05, 0.3
_CUT_FREELY, _CUT_FREELY_AHEAD = 0.4, 0.8


@dataclass(frozen=True)
class Reported:
    """A row about an own order, told behind ``after`` frames. Those up to ``until`` are no market data but its own."""

    message: Message
    after: int
    until: int


@dataclass(frozen=True)
class Damaged:
    """A frame that arrives damaged and is sent again.

    Of the counted messages those from ``first`` up to ``last`` end in it. ``bad_fcs``: its FCS is wrong, else its TCP
    checksum.
    """

    frame: int
    first: int
    last: int
    bad_fcs: bool


@dataclass
class Traffic:
    """Frames for the fabric, and what the run needs to know of them.

    ``frames`` are (time in ns, frame without FCS), those of ``damaged`` among them. ``numbered`` holds, for each
    message that the fabric counts, the events that it stands for, each of another instrument, and ``ends`` the number
    of bytes up to its end. ``isn_client`` is the sequence number of the first order byte. ``executions`` come between
    frames.
    """

    venue: Endpoint
    client: Endpoint
    isn_client: int
    frames: list[tuple[int, bytes]] = field(default_factory=list)
    numbered: list[tuple[Message, ...]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    executions: list[Reported] = field(default_factory=list)
    damaged: list[Damaged] = field(default_factory=list)

    def count(self, stream: bytearray, *events: Message) -> None:
        """The message that ends the ``stream`` so far is counted, and stands for these."""
        self.numbered.append(events)
        self.ends.append(len(stream))


def make_traffic(
    session: Session,
    messages: Sequence[Message],
    seed: int | None,
    *,
    timed: bool = False,
    ahead: bool = False,
    arms: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> Traffic:
    """Frames for snapshot and update events. ``seed`` varies messages and segments within what TCP and FIX allow.

    The same events and seed give the same frames. Without a seed each event is a message, and a segment, of its own;
    with one, updates of several instruments at one time may share a message. A message comes at the time of its
    segment: ``timed`` makes that its own, where it counts. ``ahead``: orders begin ahead of a frame's verdict, so that
    segments hold several messages and many come damaged first.

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
    sender = _Sender(traffic, stream, 1 if shape is None else _sequence_number(shape), shape, ahead=ahead)
    frames: dict[int, int] = {}  # that come before a byte at which a segment begins
    freely = _CUT_FREELY_AHEAD if ahead else _CUT_FREELY
    for start, end in _cuts(ends, shape, {place for _, *both in told for place in both}, freely, timed=timed):
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
                traffic.count(stream)
            told.append((message, start, len(stream)))
            continue
        noise = venue.noise(message)
        if noise is not None:
            stream += noise.data
            ends.append((len(stream), message))
            if noise.counted:
                traffic.count(stream)
        stream += venue.update(together) if message.kind is Kind.UPDATE else venue.snapshot(message)
        ends.append((len(stream), message))
        traffic.count(stream, *together)
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
    ends: Sequence[tuple[int, Message]],
    shape: random.Random | None,
    apart: Collection[int],
    freely: float,
    *,
    timed: bool,
) -> Iterator[tuple[int, int]]:
    """Start and end of each segment's payload; none goes beyond one of ``apart``.

    ``freely`` is the share of segments that end anywhere, the others with a message. ``timed``: none has a message's
    end and some of a later one.
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
        if shape is not None and shape.random() < freely:
            end = start + shape.choice((1, shape.randrange(1, 40), shape.randrange(1, 400), _SEGMENT_BYTES))
        end = min(end, start + _SEGMENT_BYTES, total)
        end = min(end, moves[bisect_right(moves, start)])
        yield start, end
        start = end


class _Sender:
    """Segments of one stream, in order, with what a network may add to them."""

    def __init__(self, traffic: Traffic, stream: bytes, isn: int, shape: random.Random | None, *, ahead: bool) -> None:
        self._traffic = traffic
        self._stream = stream
        self._isn = isn
        self._shape = shape
        self._ahead = ahead
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
        while shape.random() < (_DAMAGED_AHEAD if self._ahead else _DAMAGED):  # what comes after is its retransmission
            self._emit_damaged(shape, start, end, time)
        if shape.random() < 0.05:  # an old segment again
            first = shape.randrange(max(0, start - 500), start)
            self._emit(time, self._segment(first, shape.randrange(first, start) + 1))
        if shape.random() < 0.05:  # another connection with the same bytes
            other = Endpoint(self._traffic.client.mac, self._traffic.client.ip, _CLIENT_PORT + 1)
            self._emit(time, self._segment(start, end, client=other))
        if shape.random() < 0.05:  # an acknowledgement without payload
            self._emit(time, self._segment(start, start))

    def _emit_damaged(self, shape: random.Random, start: int, end: int, time: int) -> None:
        bad_fcs = shape.random() < 0.5
        first, last = (bisect_right(self._traffic.ends, place) for place in (start, end))
        self._traffic.damaged.append(Damaged(len(self._traffic.frames), first, last, bad_fcs))
        self._emit(time, self._segment(start, end), damage=0 if bad_fcs else shape.randrange(1, 0xFFFF))

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
