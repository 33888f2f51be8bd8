# SPDX-License-Identifier: Apache-2.0
"""A dashboard's server in the test's own loop, and a browser that is none."""

import asyncio
import http.client
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from fixaccel.dashboard import serving
from fixaccel.dashboard.app import Dashboard, Sources
from fixaccel.dashboard.fix_names import FixNames

Json = dict[str, Any]

PATIENCE_S = 60.0  # for what must come; nothing is judged by it


@asynccontextmanager
async def served(sources: Sources, static: Path, token: str = "", names: FixNames | None = None) -> AsyncIterator[int]:
    """The port of a server of a dashboard on loopback."""
    made = serving.listen("127.0.0.1", 0)
    port = made.getsockname()[1]
    server = serving.server(Dashboard(sources, names or FixNames(), static), port, token)
    serves = asyncio.create_task(server.serve(sockets=[made]))
    try:
        while not server.started:
            assert not serves.done(), serves
            await asyncio.sleep(0.01)
        yield port
    finally:
        server.should_exit = True
        await serves
        made.close()


def blocking_get(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.putrequest("GET", path, skip_host="Host" in (headers or {}))
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


async def get(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer."""
    return await asyncio.to_thread(blocking_get, port, path, headers)


class Page:
    """What a browser would know: the frames, added up."""

    def __init__(self, socket_: ClientConnection) -> None:
        self._socket = socket_
        self.frames: list[Json] = []
        self.known: Json = {}

    async def next(self) -> Json:
        """The next frame or answer."""
        async with asyncio.timeout(PATIENCE_S):
            said: Json = json.loads(await self._socket.recv())
        if "t" in said:
            self.frames.append(said)
            self._add(said)
        return said

    def _add(self, frame: Json) -> None:
        if frame.get("full"):
            self.known = {"books": {}, "orders": {}, "sessions": {}, "trades": [], "messages": [], "accelerator": {}}
        self.known["books"] |= frame.get("books", {})
        self.known["orders"] |= {order["order"]: order for order in frame.get("orders", [])}
        self.known["sessions"] |= {session["client"]: session for session in frame.get("sessions", [])}
        for name in ("trades", "messages"):
            self.known[name] += frame.get(name, [])
        for name in ("exchange", "lost"):
            self.known[name] = frame.get(name, self.known.get(name))
        changed = frame.get("accelerator") or {}
        fires = [] if changed.get("full") else self.known["accelerator"].get("fires", [])
        self.known["accelerator"] |= changed
        self.known["accelerator"]["fires"] = fires + changed.get("fires", [])

    async def until(self, holds: Callable[[Json], Any]) -> Json:
        """Reads on until what is known is so."""
        while not (self.known and holds(self.known)):
            await self.next()
        return self.known

    async def ask(self, **request: object) -> Json:
        """The answer to a request; frames that come before it are taken."""
        await self._socket.send(json.dumps({"id": "asked", **request}))
        while "ok" not in (said := await self.next()):
            pass
        assert said["id"] == "asked"
        return said

    async def say(self, text: str) -> None:
        await self._socket.send(text)


@asynccontextmanager
async def page(port: int, **options: Any) -> AsyncIterator[Page]:
    """A page that is open."""
    options.setdefault("origin", f"http://127.0.0.1:{port}")
    async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None, **options) as socket_:
        yield Page(socket_)


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])
