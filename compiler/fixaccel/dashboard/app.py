# SPDX-License-Identifier: Apache-2.0
"""The server's application: the page, its WebSocket, and whether all is well."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from fixaccel.board.control import ControlError, ControlRefusedError
from fixaccel.dashboard.accelerator import Accelerator
from fixaccel.dashboard.daemon_link import SWITCHES, DaemonLink
from fixaccel.dashboard.exchange_link import AwayError, ExchangeLink
from fixaccel.dashboard.fix_names import FixNames
from fixaccel.dashboard.model import Model
from fixaccel.dashboard.viewers import Viewer, Viewers

Json = dict[str, Any]

STATIC = Path(__file__).with_name("static")
_NO_PAGE = "The page is not built: `make setup` builds it, or `npm ci && npm run build` in dashboard/.\n"
_TRY_AGAIN = 1013
_WATCH = "watch"


@dataclass(frozen=True)
class Sources:
    """Where to look: path of the exchange's control socket, endpoint of the daemon; empty: there is none.

    ``clock_hz``: of the daemon's board, of which it says cycles; 0: nobody knows.
    """

    exchange: str = ""
    daemon: str = ""
    clock_hz: int = 0


class Dashboard:
    """Model, links and viewers, put together."""

    def __init__(self, sources: Sources, names: FixNames, static: Path = STATIC) -> None:
        self.model = Model(names)
        self.viewers = Viewers(self.model)
        self._static = static
        self._exchange = ExchangeLink(sources.exchange, self.model) if sources.exchange else None
        self._daemon: DaemonLink | None = None
        if sources.daemon:
            self.model.accelerator = Accelerator(sources.clock_hz)
            self._daemon = DaemonLink(sources.daemon, self.model.accelerator)
        if self._exchange is None:
            self.model.exchange_away("no exchange was named: `fixaccel dashboard --exchange unix:FILE`")

    def application(self) -> Starlette:
        """For a server; what it needs runs while the server does."""
        routes: list[BaseRoute] = [
            Route("/", self._index),
            Route("/healthz", self._health),
            WebSocketRoute("/ws", self._socket),
        ]
        if self._static.is_dir():
            routes.append(Mount("/", StaticFiles(directory=self._static)))
        return Starlette(routes=routes, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        running = [each.run() for each in (self._exchange, self._daemon, self.viewers) if each is not None]
        tasks = [asyncio.create_task(each) for each in running]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _index(self, _: Request) -> Response:
        page = self._static / "index.html"
        return FileResponse(page) if page.is_file() else PlainTextResponse(_NO_PAGE, 503)

    async def _health(self, _: Request) -> Response:
        return JSONResponse({"ok": True})

    async def _socket(self, socket: WebSocket) -> None:
        with self.viewers.one_more() as viewer:
            await socket.accept()
            if viewer is None:
                await socket.close(_TRY_AGAIN, "too many pages are open")
                return
            sends = asyncio.create_task(_send(socket, viewer))
            try:
                await self._listen(socket, viewer)
            finally:
                sends.cancel()
                with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await sends

    async def _listen(self, socket: WebSocket, viewer: Viewer) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                said = await socket.receive()
                if said["type"] == "websocket.disconnect":
                    return
                viewer.answer(await self.answer(said.get("text") or ""))

    async def answer(self, said: str) -> Json:
        """The answer to a request of the page, whatever it is."""
        try:
            request = json.loads(said)
        except (ValueError, RecursionError):
            request = None
        if not isinstance(request, dict) or not isinstance(request.get("do"), str):
            return _refused(None, 'a request is a JSON object with "do"')
        try:
            return await self._asked(request["do"], request)
        except (AwayError, ControlError, ControlRefusedError) as error:
            return _refused(request.get("id"), str(error))

    async def _asked(self, do: str, request: Json) -> Json:
        """Raises AwayError, ControlError, ControlRefusedError."""
        number = request.get("id")
        if do == _WATCH:
            return _refused(number, "the page watches already")
        if do in SWITCHES:
            if self._daemon is None:
                return _refused(number, "no daemon was named", "fixaccel dashboard --daemon unix:FILE")
            await self._daemon.switch(do)
            return {"id": number, "ok": True}
        if self._exchange is None:
            return _refused(number, "no exchange was named", "fixaccel dashboard --exchange unix:FILE")
        return await self._exchange.ask(request)


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    async for text in viewer.texts():
        await socket.send_text(text)


def _refused(number: object, error: str, way_out: str = "") -> Json:
    return {"id": number, "ok": False, "error": error, **({"help": way_out} if way_out else {})}
