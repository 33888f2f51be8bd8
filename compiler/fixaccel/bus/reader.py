# SPDX-License-Identifier: Apache-2.0
"""Readers of the bus: live, conflated, and events that are guaranteed. `pip install fixaccel[bus]`."""

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from ssl import SSLContext, create_default_context
from types import TracebackType
from typing import Any, Self

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError, NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError

from fixaccel.bus import names
from fixaccel.bus.order import EventOrder, EventsLostError, Message, Quote, QuoteOrder

_ANSWER_S = 2.0
_BATCH = 1000  # messages in one answer
_AHEAD = 256  # events that are asked for at a time
_WAIT_S = 1.0  # for events that are not there yet
_MOMENT_S = 0.02
_CONNECT_S = 10.0
_PATIENCE_S = 30.0  # with a server that does not answer
_LEAST_S, _MOST_S = 0.001, 60.0  # of a conflated reader's timer
_PENDING = 65_536, 64 << 20  # messages and bytes that this process may be behind


class BusError(Exception):
    """The bus cannot be used; the text says why and what to do."""


class UnreadableEventError(BusError):
    """An event that this reader does not understand; the text names it. It is still there."""


@dataclass(frozen=True)
class Site:
    """Where the servers are, and who asks. ``key_file``: a seed as `fixaccel bus init` makes it; None: without one."""

    site: str
    servers: Sequence[str]
    principal: str
    key_file: Path | None = None
    ca_file: Path | None = None


@dataclass
class Event:
    """One event of a board's journal. ``ack()`` it once its effect is stored."""

    board: str
    n: int
    record: int
    kind: str
    type: str
    time_ns: int
    data: dict[str, Any]
    _reader: "EventReader" = field(repr=False)

    async def ack(self) -> None:
        """Its effect is stored: it need not be sent again."""
        await self._reader.acked(self.n)


class Bus:
    """A connection; open it with ``async with``. It comes back by itself, and the readers say what was missed."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.returns = 0  # how often the connection came back
        self._client: Client | None = None
        self._said = "nobody answers"

    async def __aenter__(self) -> Self:
        seed = None
        if self.site.key_file:
            try:
                seed = self.site.key_file.read_text(encoding="utf-8").split()[0]
            except (OSError, IndexError) as error:
                raise BusError(f"{self.site.key_file} holds no key: {error}") from error
        tls: SSLContext | None = create_default_context(cafile=self.site.ca_file) if self.site.ca_file else None
        connecting = asyncio.create_task(
            nats.connect(
                list(self.site.servers),
                name=self.site.principal,
                inbox_prefix=names.inbox(self.site.principal).encode(),
                nkeys_seed_str=seed,
                tls=tls,
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=0.2,
                connect_timeout=2,
                ping_interval=2,
                max_outstanding_pings=2,
                reconnected_cb=self._came_back,
                error_cb=self._note,
            )
        )
        # It would try for ever, whatever is said.
        end = time.monotonic() + _CONNECT_S
        while not connecting.done() and time.monotonic() < end and not self._refused:
            await asyncio.wait([connecting], timeout=_MOMENT_S)
        if not connecting.done():
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
            raise BusError(f"no server of {', '.join(self.site.servers)} lets {self.site.principal} in: {self._said}")
        try:
            self._client = connecting.result()
        except (OSError, nats.errors.Error) as error:
            raise BusError(f"no server of {', '.join(self.site.servers)} can be had: {error}") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client and not self._client.is_closed:
            await self._client.close()

    async def _came_back(self) -> None:
        self.returns += 1

    async def _note(self, error: Exception) -> None:
        """What the client says; a loss is told by the numbers of what comes next."""
        self._said = str(error) or type(error).__name__

    @property
    def _refused(self) -> bool:
        return "authorization" in self._said.lower()

    @property
    def client(self) -> Client:
        if self._client is None:
            raise BusError("the bus is not open: `async with Bus(site) as bus`")
        return self._client

    @property
    def connected(self) -> bool:
        return self.client.is_connected

    def subject(self, board: str, *rest: str) -> str:
        """`fx.SITE.BOARD.REST` of this site."""
        return names.subject(self.site.site, board, *rest)

    async def newest(self, stream: str, subject: str, after: int) -> tuple[list[Msg], int]:
        """The newest message of each subject that was stored behind sequence ``after``; and the last sequence."""
        found: list[Msg] = []
        last = after
        while True:
            request = {"seq": last + 1, "batch": _BATCH, "next_by_subj": subject}
            answers = await self.answers(f"$JS.API.DIRECT.GET.{stream}", request)
            found += answers
            for message in answers:
                last = max(last, int((message.headers or {})["Nats-Sequence"]))
            if len(answers) < _BATCH:
                return found, last

    async def answers(self, subject: str, request: dict[str, Any]) -> list[Msg]:
        """All answers to a request that may have many. Raises BusError."""
        inbox = self.client.new_inbox()
        subscription = await self.client.subscribe(inbox)
        found: list[Msg] = []
        try:
            await self.client.publish(subject, json.dumps(request).encode(), reply=inbox)
            while True:
                message = await subscription.next_msg(_ANSWER_S)
                status = (message.headers or {}).get("Status")
                if status == "503":
                    raise BusError(f"nobody answers to {subject}: there is no such stream, or not for this reader")
                if status:  # 204: all are there, 404: there are none
                    return found
                found.append(message)
        except NatsTimeoutError as error:
            raise BusError(f"no answer to {subject}") from error
        finally:
            await subscription.unsubscribe()

    def live(self, boards: Collection[str]) -> "LiveReader":
        """Every message of these boards, at most once, in order by board and instrument."""
        return LiveReader(self, boards)

    def conflated(self, boards: Collection[str], every_s: float) -> "ConflatedReader":
        """At each tick the newest of each instrument that changed. ``every_s``: 1 ms to 60 s."""
        return ConflatedReader(self, boards, every_s)

    def events(
        self, board: str, after: int, *, kinds: Collection[str] | None = None, cut_through: bool = False
    ) -> "EventReader":
        """Every event of a board behind number ``after``, once and in order; of ``kinds`` only, if they are given."""
        return EventReader(self, board, after, kinds, cut_through=cut_through)


class _Heard:
    """When a board was heard of last."""

    def __init__(self, boards: Collection[str]) -> None:
        self.last = dict.fromkeys(boards, time.monotonic())
        self.seen: dict[str, Message] = {}

    async def take(self, message: Msg) -> None:
        board = message.subject.split(".")[2]
        self.last[board] = time.monotonic()
        self.seen[board] = json.loads(message.data)

    def silent(self) -> list[str]:
        now = time.monotonic()
        return [board for board, last in self.last.items() if now - last > names.SILENT_MS / 1000]


def _subject(message: Msg) -> str:
    """Of a message as it was published; one that is handed out of a stream comes by another."""
    subject: str = (message.headers or {}).get("Nats-Subject", message.subject)
    return subject


class LiveReader:
    """Iterate over it. It begins with the image of each instrument that there is."""

    def __init__(self, bus: Bus, boards: Collection[str]) -> None:
        self._bus = bus
        self._orders = {board: QuoteOrder(board) for board in boards}
        self._heard = _Heard(boards)

    async def __aiter__(self) -> AsyncIterator[Quote]:
        bus, queue = self._bus, asyncio.Queue[Msg](_PENDING[0])
        subscriptions = []

        async def arrive(message: Msg) -> None:
            # Full: it is dropped, and its number is missing.
            if not queue.full():
                queue.put_nowait(message)

        for board in self._orders:
            subject = bus.subject(board, names.QUOTES, ">")
            subscriptions.append(
                await bus.client.subscribe(
                    subject, cb=arrive, pending_msgs_limit=_PENDING[0], pending_bytes_limit=_PENDING[1]
                )
            )
            heartbeat = bus.subject(board, names.HEARTBEAT)
            subscriptions.append(await bus.client.subscribe(heartbeat, cb=self._heard.take))
        await bus.client.flush()
        returns = -1
        try:
            while True:
                if returns != bus.returns:
                    lost, returns = returns >= 0, bus.returns
                    for quote in await self._images(lost=lost):
                        yield quote
                for board in self._heard.silent():
                    for quote in self._orders[board].doubt():
                        yield quote
                try:
                    message = await asyncio.wait_for(queue.get(), 0.2)
                except TimeoutError:
                    continue
                if (new := self._take(message)) is not None:
                    yield new
        finally:
            for subscription in subscriptions:
                if not bus.client.is_closed:
                    await subscription.unsubscribe()

    def _take(self, message: Msg) -> Quote | None:
        return self._orders[_subject(message).split(".")[2]].take(json.loads(message.data))

    async def _images(self, *, lost: bool) -> list[Quote]:
        """What there is of all instruments; with ``lost`` all that was known is doubted before it."""
        found: list[Quote] = []
        for board, order in self._orders.items():
            if lost:
                found += order.doubt()
            try:
                subject = self._bus.subject(board, names.QUOTES, ">")
                images, _ = await self._bus.newest(names.quotes_stream(board), subject, 0)
            except (BusError, ConnectionClosedError, NoRespondersError):
                continue  # the relay makes the stream, and says all within the refresh time
            found += [quote for message in images if (quote := self._take(message)) is not None]
        return found


class ConflatedReader:
    """Iterate over it: each turn is a tick of its timer, with those that have changed."""

    def __init__(self, bus: Bus, boards: Collection[str], every_s: float) -> None:
        if not _LEAST_S <= every_s <= _MOST_S:
            raise BusError(f"a conflated reader ticks every 1 ms to 60 s, not every {every_s:g} s")
        self._bus = bus
        self._every = every_s
        self._orders = {board: QuoteOrder(board) for board in boards}
        self._heard = _Heard(boards)
        self._last = dict.fromkeys(boards, 0)  # sequence in the stream
        self._new = dict.fromkeys(boards, time.monotonic())  # when there was something

    async def __aiter__(self) -> AsyncIterator[list[Quote]]:
        bus = self._bus
        subscriptions = [
            await bus.client.subscribe(bus.subject(board, names.HEARTBEAT), cb=self._heard.take)
            for board in self._orders
        ]
        returns = bus.returns
        begin = time.monotonic()
        try:
            for tick in itertools.count():
                # By its own clock: what one tick is late, the next one is not.
                await asyncio.sleep(max(0.0, begin + tick * self._every - time.monotonic()))
                if returns != bus.returns:
                    returns = bus.returns
                    self._last = dict.fromkeys(self._last, 0)
                yield [quote for board in self._orders for quote in await self._tick(board)]
        finally:
            for subscription in subscriptions:
                if not bus.client.is_closed:
                    await subscription.unsubscribe()

    async def _tick(self, board: str) -> list[Quote]:
        order, now = self._orders[board], time.monotonic()
        if now - self._heard.last[board] > names.SILENT_MS / 1000 or not self._bus.connected:
            doubted = order.doubt()
            if not self._bus.connected:
                return doubted
        else:
            doubted = []
        # All are said again within the refresh time: a stream that is silent for longer was made anew.
        if now - self._new[board] > 2 * names.REFRESH_MS / 1000:
            self._last[board], self._new[board] = 0, now
        try:
            stream, subject = names.quotes_stream(board), self._bus.subject(board, names.QUOTES, ">")
            messages, self._last[board] = await self._bus.newest(stream, subject, self._last[board])
        except (BusError, ConnectionClosedError, NoRespondersError):
            return doubted + order.doubt()
        if messages:
            self._new[board] = now
        newest: dict[str, Msg] = {_subject(message): message for message in messages}
        quotes = [order.take(json.loads(message.data)) for message in newest.values()]
        return doubted + [quote for quote in quotes if quote is not None]


class EventReader:
    """Iterate over it: one event after the other. Those that were not acked come again after a restart."""

    def __init__(self, bus: Bus, board: str, after: int, kinds: Collection[str] | None, *, cut_through: bool) -> None:
        if unknown := set(kinds or ()) - names.EVENT_KINDS.keys():
            raise BusError(f"no kind of event: {', '.join(sorted(unknown))}; there are {', '.join(names.EVENT_KINDS)}")
        self._bus = bus
        self._board = board
        self._kinds = None if kinds is None else frozenset(kinds)
        self._cut_through = cut_through
        self._order = EventOrder(after)
        self._done = after
        self._replies: dict[int, str] = {}  # of copies from the stream whose effect is not stored yet
        self._arrived = asyncio.Event()
        self._failing_since: float | None = None

    @property
    def position(self) -> int:
        """Number of the last event that was handed out."""
        return self._order.position

    async def __aiter__(self) -> AsyncIterator[Event]:
        bus = self._bus
        inbox = bus.client.new_inbox()
        subscriptions = [await bus.client.subscribe(inbox, cb=self._stored)]
        if self._cut_through:
            subject = bus.subject(self._board, names.EVENTS, ">")
            subscriptions.append(await bus.client.subscribe(subject, cb=self._routed))
        asking = asyncio.create_task(self._ask(inbox))
        try:
            await self._read_on()
            while True:
                for raw in self._order.ready():
                    event = self._event(raw)
                    if self._kinds is not None and event.kind not in self._kinds:
                        await event.ack()
                    else:
                        yield event
                if asking.done():
                    asking.result()
                self._arrived.clear()
                if self._order.hole is not None:
                    # Not stored yet, where a copy of a later one was routed before: it will be, in a moment.
                    await self._read_on()
                    if self._order.hole is not None:
                        await asyncio.sleep(_MOMENT_S)
                elif not self._order.is_ready:
                    try:
                        await asyncio.wait_for(self._arrived.wait(), _WAIT_S)
                    except TimeoutError:
                        await self._read_on()
        finally:
            asking.cancel()
            for subscription in subscriptions:
                if not bus.client.is_closed:
                    await subscription.unsubscribe()

    async def _ask(self, inbox: str) -> None:
        """Asks for the next ones all the while: a server that was started anew knows nothing of who has asked."""
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{names.events_stream(self._board)}.{self._bus.site.principal}"
        request = json.dumps({"batch": _AHEAD, "expires": int(_WAIT_S * 1e9)}).encode()
        while True:
            if self._bus.connected:
                await self._bus.client.publish(subject, request, reply=inbox)
            await asyncio.sleep(_WAIT_S)

    async def _stored(self, message: Msg) -> None:
        headers = message.headers or {}
        if headers.get("Status") == "503" or not message.reply:
            return  # nothing there now; it is asked again
        n = int(headers.get(names.HEADER_EVENT, 0))
        if n <= self._done:
            await self._bus.client.publish(message.reply, b"+ACK")
            return
        self._replies[n] = message.reply
        self._offer(n, message.data)

    async def _routed(self, message: Msg) -> None:
        self._offer(int((message.headers or {}).get(names.HEADER_EVENT, 0)), message.data)

    def _offer(self, n: int, data: bytes) -> None:
        self._order.offer(n, {"n": n, "text": data})
        self._arrived.set()

    async def _read_on(self) -> None:
        """Takes what the stream has behind the position, at whatever the consumer is. Raises EventsLostError."""
        bus, stream = self._bus, names.events_stream(self._board)
        subject = bus.subject(self._board, names.EVENTS, ">")
        request = {"seq": self._order.position + 1, "batch": _AHEAD, "next_by_subj": subject}
        try:
            found = await bus.answers(f"$JS.API.DIRECT.GET.{stream}", request)
        except (BusError, ConnectionClosedError):
            # A server that was just started, or is going: it is asked again, for a while.
            now = time.monotonic()
            self._failing_since = self._failing_since or now
            if bus.connected and now - self._failing_since > _PATIENCE_S:
                raise
            await asyncio.sleep(_MOMENT_S)
            return
        self._failing_since = None
        for message in found:
            self._offer(int((message.headers or {})[names.HEADER_EVENT]), message.data)
        first = int((found[0].headers or {})[names.HEADER_EVENT]) if found else 0
        if first > self._order.position + 1:
            missing = f"{self._order.position + 1} to {first - 1}"
            raise EventsLostError(f"events {missing} of board {self._board} are not in {stream} any more")

    def _event(self, raw: Message) -> Event:
        try:
            body = json.loads(raw["text"])
            if body["v"] != names.VERSION or body["n"] != raw["n"]:
                raise ValueError(f"version {body['v']}, number {body['n']}")
            return Event(
                self._board, int(body["n"]), int(body["record"]), str(body["kind"]), str(body["type"]),
                int(body["time_ns"]), body["data"], self,
            )  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableEventError(
                f"event {raw['n']} of board {self._board} is not understood ({error}); a reader that begins after "
                f"{raw['n']} leaves it out"
            ) from error

    async def acked(self, n: int) -> None:
        """The effect of event ``n`` is stored."""
        self._done = max(self._done, n)
        if (reply := self._replies.pop(n, None)) is not None and self._bus.connected:
            await self._bus.client.publish(reply, b"+ACK")
