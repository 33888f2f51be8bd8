# SPDX-License-Identifier: Apache-2.0
"""Client of the exchange simulator's control socket: one JSON object a line, answers by `id`, events between them."""

import asyncio
import itertools
import json
from typing import TYPE_CHECKING

from fixaccel.dashboard.model import Json, Model

if TYPE_CHECKING:
    from collections.abc import Sequence

LINE_BYTES = 8 << 20  # an answer that lists many orders is one line
WATCHED = ("books", "trades", "orders", "sessions", "messages")
MOST_PER_SECOND = 4000  # trades, orders and messages: what nobody could read is not worth a processor

_ANSWER_S = 10.0
_RETRY_S = 0.5
_MOST_ORDERS = 1000


class AwayError(Exception):
    """The exchange cannot be asked; the text says why."""


class ExchangeLink:
    """Tells ``model`` what the exchange at the socket ``path`` says, over its restarts, and asks it on demand."""

    def __init__(
        self, path: str, model: Model, *, depth: int = 10, interval_ms: int = 50, retry_s: float = _RETRY_S
    ) -> None:
        self._path, self._model, self._retry_s = path, model, retry_s
        self._watch: Json = {
            "do": "watch",
            "what": WATCHED,
            "depth": depth,
            "interval_ms": interval_ms,
            "most_per_second": MOST_PER_SECOND,
        }
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Connects, listens, and connects again, until it is cancelled."""
        why = "not connected yet"
        while True:
            try:
                why = await self._connection()
            except OSError as error:
                why = f"no exchange answers at unix:{self._path}: {error.strerror or error}"
            except AwayError as error:
                why = str(error)
            self._model.exchange_away(why)
            await asyncio.sleep(self._retry_s)

    async def ask(self, request: Json) -> Json:
        """The exchange's own answer, with the id that was given. Raises AwayError."""
        if self._writer is None:
            raise AwayError(f"the exchange at unix:{self._path} is not connected")
        number = next(self._ids)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._writer.write(json.dumps({**request, "id": number}).encode() + b"\n")
            async with asyncio.timeout(_ANSWER_S):
                await self._writer.drain()
                return {**await answer, "id": request.get("id")}
        except TimeoutError as error:
            raise AwayError(f"the exchange at unix:{self._path} has not answered for {_ANSWER_S:g} s") from error
        except OSError as error:
            raise AwayError(f"the exchange at unix:{self._path} hung up") from error
        finally:
            self._waiting.pop(number, None)

    async def _connection(self) -> str:
        """Serves one connection to its end; why it has ended. Raises OSError, AwayError."""
        reader, self._writer = await asyncio.open_unix_connection(self._path, limit=LINE_BYTES)
        hears = asyncio.create_task(self._hear(reader))
        try:
            begins = asyncio.create_task(self._begin())
            await asyncio.wait((hears, begins), return_when=asyncio.FIRST_COMPLETED)
            if hears.done():
                begins.cancel()
                return hears.result()
            begins.result()
            return await hears
        finally:
            hears.cancel()
            self._writer.close()
            self._writer = None
            self._refuse_all()

    async def _begin(self) -> None:
        """Asks for all that is, then for what changes. Events wait in the model: a state is never older than they."""
        status = await self._asked({"do": "status"})
        await self._asked(self._watch)
        orders = await self._asked({"do": "orders", "open": True, "limit": _MOST_ORDERS})
        try:
            self._model.exchange_back(status, orders["orders"])
        except (KeyError, TypeError, AttributeError) as error:
            raise self._not_understood() from error

    async def _asked(self, request: Json) -> Json:
        answer = await self.ask(request)
        if not answer.get("ok"):
            raise AwayError(f"unix:{self._path} refuses `{request['do']}`: {answer.get('error', 'no reason given')}")
        return answer

    async def _hear(self, reader: asyncio.StreamReader) -> str:
        while True:
            try:
                line = await reader.readline()
            except ValueError:
                return f"a line of unix:{self._path} is longer than {LINE_BYTES} bytes"
            except OSError as error:
                return f"the exchange at unix:{self._path} hung up: {error.strerror or error}"
            if not line.endswith(b"\n"):
                return f"the exchange at unix:{self._path} hung up"
            try:
                said = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise self._not_understood() from error
            self._take(said)

    def _take(self, said: Json) -> None:
        try:
            if "event" in said:
                self._model.apply(said)
                return
            answer = self._waiting.pop(said["id"], None)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise self._not_understood() from error
        if answer is not None and not answer.done():
            answer.set_result(said)

    def _not_understood(self) -> AwayError:
        return AwayError(f"what unix:{self._path} says is not understood; is it an exchange's control socket?")

    def _refuse_all(self) -> None:
        waiting: Sequence[asyncio.Future[Json]] = list(self._waiting.values())
        self._waiting.clear()
        for each in waiting:
            if not each.done():
                each.set_exception(AwayError(f"the exchange at unix:{self._path} hung up"))
