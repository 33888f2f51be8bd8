# SPDX-License-Identifier: Apache-2.0
"""The dashboard's server over a made-up venue and daemon, which run in a thread of their own."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fake_daemon import FakeDaemon
from fake_exchange import FakeExchange, Json
from playwright.sync_api import Browser, Page, expect, sync_playwright
from story import Story

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "compiler" / "fixaccel" / "dashboard" / "static"
SIZE = {"width": 1366, "height": 768}
_PATIENCE_S = 60.0  # for what must come; nothing is judged by it
T = TypeVar("T")
Program = subprocess.Popen[str]

expect.set_options(timeout=1000 * _PATIENCE_S)
needs_page = pytest.mark.skipif(
    not (STATIC / "index.html").exists(), reason="the page is not built: `make setup` builds it where Node is"
)


def dashboard(exchange: Path, daemon: Path | None = None, listen: str = "127.0.0.1:0") -> tuple[Program, str]:
    """`fixaccel dashboard` and the address of its page."""
    command = [sys.executable, "-m", "fixaccel", "dashboard", "--exchange", f"unix:{exchange}", "--listen", listen]
    command += ["--dictionary", str(Path(__file__).with_name("names.xml"))]
    if daemon is not None:
        command += ["--daemon", f"unix:{daemon}"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    url = program.stdout.readline().strip()
    assert url.startswith("http://127.0.0.1:"), url
    return program, url


def ended(program: Program) -> None:
    program.terminate()
    program.wait(_PATIENCE_S)
    assert program.stdout is not None
    program.stdout.close()


class Stage:
    """Venue and daemon are for the test to move, by `do`; server and exchange can end and come again."""

    def __init__(self, folder: Path, *, daemon: bool = True) -> None:
        self.venue = Story()
        self.exchange = FakeExchange(folder / "exchange.sock", self.venue)
        self.daemon = FakeDaemon(folder / "control.sock") if daemon else None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.server: Program | None = None
        self.url = ""

    def start(self) -> None:
        self.run(self.exchange.start())
        if self.daemon:
            self.run(self.daemon.start())
        self.serve()

    def serve(self) -> None:
        """Starts the server; again at the port that it had."""
        where = self.url.removeprefix("http://").strip("/") or "127.0.0.1:0"
        self.server, self.url = dashboard(self.exchange.path, self.daemon.path if self.daemon else None, where)

    def end_server(self) -> None:
        if self.server is not None:
            ended(self.server)
        self.server = None

    def run(self, what: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(_PATIENCE_S)

    def do(self, act: Callable[[], T]) -> T:
        """In the thread of the venue."""

        async def acts() -> T:
            return act()

        result: T = self.run(acts())
        return result

    def publish(self, *events: Json) -> None:
        self.do(lambda: self.exchange.publish(*events))

    def asked(self, do: str) -> list[Json]:
        """Requests of the page to the exchange, without their ids."""
        found = self.do(lambda: [one for one in self.exchange.asked if one["do"] == do])
        return [{key: value for key, value in one.items() if key != "id"} for one in found]

    def close(self) -> None:
        self.end_server()
        for one in (self.exchange, self.daemon):
            if one is not None and one.path.exists():
                self.run(one.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE_S)
        self._loop.close()


@contextmanager
def staged(folder: Path, *, daemon: bool = True) -> Iterator[Stage]:
    stage = Stage(folder, daemon=daemon)
    try:
        stage.start()
        yield stage
    finally:
        stage.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    # Ends with its module: while it runs, no other test of the thread can have an event loop.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, url: str, *, scheme: str = "dark", lost: bool = False, init: str = "") -> Iterator[Page]:
    """The page, live; at the end nothing may have gone wrong in it.

    ``lost``: the server may go away meanwhile. ``init``: a script that runs ahead of the page's own.
    """
    context = browser.new_context(viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(1000 * _PATIENCE_S)
    page = context.new_page()
    if init:
        page.add_init_script(init)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(url) else said.append(request.url))
    page.goto(url)
    page.locator("footer", has_text="Live").wait_for()
    yield page
    context.close()
    assert [text for text in said if not (lost and "WebSocket connection" in text)] == []
