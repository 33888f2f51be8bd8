# SPDX-License-Identifier: Apache-2.0
"""The server between sources that are made up and pages: passing on, counting together, coming again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fake_daemon import FakeDaemon
from fake_exchange import FakeExchange
from page import Page, page, served

from fixaccel.dashboard.app import Sources
from fixaccel.dashboard.viewers import TICK_S

Body = Callable[[FakeExchange, FakeDaemon, Page], Awaitable[None]]


def run(tmp_path: Path, body: Body) -> None:
    """``body`` with an exchange, a daemon, and a page that knows of both."""

    async def go() -> None:
        async with desk(tmp_path) as (exchange, daemon, port), page(port) as here:
            await here.until(lambda known: known["exchange"]["state"] == "connected")
            await here.until(lambda known: "limits" in known["accelerator"])
            await body(exchange, daemon, here)

    asyncio.run(go())


@asynccontextmanager
async def desk(folder: Path) -> AsyncIterator[tuple[FakeExchange, FakeDaemon, int]]:
    """An exchange, a daemon, and the port of the page over both."""
    exchange, daemon = FakeExchange(folder / "exchange.sock"), FakeDaemon(folder / "control.sock")
    await exchange.start()
    await daemon.start()
    async with served(_named(exchange, daemon), folder) as port:
        yield exchange, daemon, port
    await exchange.stop()
    await daemon.stop()


def _named(exchange: FakeExchange, daemon: FakeDaemon) -> Sources:
    return Sources(str(exchange.path), f"unix:{daemon.path}")


def test_the_page_knows_what_both_say(tmp_path: Path) -> None:
    async def body(exchange: FakeExchange, daemon: FakeDaemon, here: Page) -> None:
        assert here.frames[0]["full"]
        known = await here.until(lambda known: len(known["books"]) == 3)
        assert known["exchange"]["venue"] == "SIMULATOR"
        assert set(known["sessions"]) == {"CLIENT1", "CLIENT2", "CLIENT1-MD"}
        for _ in range(100):
            exchange.publish(*exchange.venue.step())
        known = await here.until(lambda known: known["trades"] and known["messages"] and known["orders"])
        assert known["messages"][0]["fields"][0] == ["8", "", "FIX.4.4", ""]
        assert {rule["rule"] for rule in known["accelerator"]["rules"]} >= {"protect-msft", "breakout-msft"}
        fire = daemon.fire("protect-msft")
        known = await here.until(lambda known: known["accelerator"]["fires"])
        assert known["accelerator"]["fires"][0]["cl_ord_id"] == fire["cl_ord_id"]
        await here.until(lambda known: sum(known["accelerator"]["latency"]["fabric"]["counts"]) == 1)
        await here.until(lambda known: any(limit["used"] == "1" for limit in known["accelerator"]["limits"]))

    run(tmp_path, body)


def test_requests_are_passed_on_and_refusals_come_back(tmp_path: Path) -> None:
    async def body(exchange: FakeExchange, _: FakeDaemon, here: Page) -> None:
        order = {"do": "order", "symbol": "MSFT", "side": "buy", "type": "limit", "qty": "5", "price": "410.00"}
        placed = await here.ask(**order)
        assert placed["ok"]
        assert {key: exchange.asked[-1][key] for key in order} == order
        await here.until(lambda known: placed["order"] in known["orders"])
        refused = await here.ask(do="order", symbol="NONE", side="buy", qty="1", price="1")
        assert (refused["ok"], refused["error"]) == (False, "unknown symbol 'NONE'")
        assert refused["help"] == "the venue has MSFT, TOYOTA, AAPL"
        assert (await here.ask(do="fault", client="CLIENT1", kind="delay", time_ms=250))["ok"]
        assert exchange.venue.faults[0]["time_ms"] == 250
        assert (await here.ask(do="fault", client="CLIENT1", kind="disconnect"))["ok"]
        await here.until(lambda known: not known["sessions"]["CLIENT1"]["logged_on"])

    run(tmp_path, body)


def test_the_switches_are_the_daemons_with_an_author(tmp_path: Path) -> None:
    async def body(exchange: FakeExchange, daemon: FakeDaemon, here: Page) -> None:
        asked_before = len(exchange.asked)
        assert await here.ask(do="kill") == {"id": "asked", "ok": True}
        assert daemon.killed
        assert [each for each in daemon.asked if each["cmd"] == "kill"] == [{"cmd": "kill", "author": "dashboard"}]
        await here.until(lambda known: known["accelerator"]["killed"])
        refused = await here.ask(do="arm")
        assert (refused["ok"], "kill switch is on" in refused["error"]) == (False, True)
        assert (await here.ask(do="unkill"))["ok"]
        assert (await here.ask(do="arm"))["ok"]
        await here.until(lambda known: known["accelerator"]["armed"] and not known["accelerator"]["killed"])
        assert (await here.ask(do="disarm"))["ok"]
        assert not daemon.armed
        await daemon.stop()
        refused = await here.ask(do="kill")
        assert (refused["ok"], "no daemon answers" in refused["error"]) == (False, True)
        await here.until(lambda known: known["accelerator"]["state"] == "waiting")
        assert len(exchange.asked) == asked_before
        await daemon.start()  # its end is the test's end

    run(tmp_path, body)


@pytest.mark.parametrize("said", ["nonsense", "[]", "{}", '{"do": 5}', "[" * 20_000, "", '"\\ud800"'])
def test_what_is_no_request_is_refused_and_the_page_goes_on(tmp_path: Path, said: str) -> None:
    async def body(_: FakeExchange, __: FakeDaemon, here: Page) -> None:
        await here.say(said)
        while "ok" not in (answer := await here.next()):
            pass
        assert not answer["ok"]
        assert (await here.ask(do="watch", what=["books"]))["error"] == "the page watches already"
        assert (await here.ask(do="status"))["ok"]

    run(tmp_path, body)


def test_a_burst_of_a_thousand_books_makes_at_most_a_frame_a_tick(tmp_path: Path) -> None:
    async def body(exchange: FakeExchange, _: FakeDaemon, here: Page) -> None:
        books = [exchange.venue.book("MSFT") for _ in range(1000)]
        before = len(here.frames)
        began = asyncio.get_running_loop().time()
        for book in books:
            exchange.publish(book)
            await asyncio.sleep(0)
        await here.until(lambda known: known["books"].get("MSFT", {}).get("time_ns") == books[-1]["time_ns"])
        ticks = (asyncio.get_running_loop().time() - began) / TICK_S
        # However slow the machine: it is the ticks that count. The two are those that were under way.
        assert len(here.frames) - before <= ticks + 2
        assert here.known["lost"] == 0

    run(tmp_path, body)


def test_an_exchange_that_comes_again_is_found_and_told_anew(tmp_path: Path) -> None:
    async def body(exchange: FakeExchange, _: FakeDaemon, here: Page) -> None:
        exchange.publish(exchange.venue.told(exchange.venue.new_order("CLIENT1", "MSFT", "buy", "1", "1"), "new"))
        await here.until(lambda known: known["orders"])
        await exchange.stop()
        known = await here.until(lambda known: known["exchange"]["state"] == "waiting")
        assert known["exchange"]["why"]
        assert known["orders"]  # what was known is still shown
        refused = await here.ask(do="status")
        assert (refused["ok"], "not connected" in refused["error"]) == (False, True)
        exchange.venue.orders.clear()
        await exchange.start()
        await here.until(lambda known: known["exchange"]["state"] == "connected")
        assert here.known["orders"] == {}
        assert (await here.ask(do="status"))["ok"]
        await here.until(lambda known: exchange.watched and len(known["books"]) == 3)

    run(tmp_path, body)


def test_sources_may_come_later_or_never(tmp_path: Path) -> None:
    async def body() -> None:
        exchange, daemon = FakeExchange(tmp_path / "exchange.sock"), FakeDaemon(tmp_path / "control.sock")
        async with served(_named(exchange, daemon), tmp_path) as port, page(port) as here:
            await here.until(lambda known: "no exchange answers" in known["exchange"]["why"])
            await here.until(lambda known: "no daemon answers" in known["accelerator"].get("why", ""))
            await exchange.start()
            await here.until(lambda known: known["exchange"]["state"] == "connected")
            await daemon.start()
            await here.until(lambda known: known["accelerator"].get("rules"))
            await exchange.stop()
            await daemon.stop()
        async with served(Sources(), tmp_path) as port, page(port) as here:
            first = await here.next()
            assert first["accelerator"] is None
            assert "--exchange" in first["exchange"]["why"]
            assert "no daemon was named" in (await here.ask(do="kill"))["error"]
            assert "no exchange was named" in (await here.ask(do="status"))["error"]

    asyncio.run(body())


@pytest.mark.parametrize(
    "line",
    [b"nonsense\n", b"[]\n", b"5\n", b'{"event": "book"}\n', b'{"ok": true}\n', b"\xff\n", b"[" * 100_000 + b"\n"],
)
def test_what_is_no_exchange_is_said_on_the_page(tmp_path: Path, line: bytes) -> None:
    async def body() -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(line)
            await reader.read()
            writer.close()

        path = tmp_path / "wrong.sock"
        server = await asyncio.start_unix_server(serve, path)
        async with served(Sources(str(path)), tmp_path) as port, page(port) as here:
            await here.until(lambda known: "is not understood" in known["exchange"]["why"])
        server.close()

    asyncio.run(body())


def test_every_page_gets_all_and_one_that_goes_is_missed_by_nobody(tmp_path: Path) -> None:
    async def body() -> None:
        async with desk(tmp_path) as (exchange, _, port), page(port) as one:
            async with page(port) as other:
                await other.until(lambda known: len(known["books"]) == 3)
            exchange.publish(*exchange.venue.message("CLIENT1", "in", "0"))
            await one.until(lambda known: known["messages"])
            async with page(port) as third:
                first = await third.next()
                assert first["full"]
                assert first["messages"] == one.known["messages"]

    asyncio.run(body())
