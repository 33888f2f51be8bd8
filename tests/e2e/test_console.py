# SPDX-License-Identifier: Apache-2.0
"""The console's keys against a real daemon: what they send, and what the screen says of it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from fixaccel.console.app import Console
from fixaccel.lab.reconcile import same_orders
from lab.desk import Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STEPS = """\
- trade: {instrument: MSFT, price: 1180, size: 1}
- wait_for: {file: seen, timeout: 120s}
- wait: 300ms
- logout: CLIENT1
"""
_PATIENCE_S = 30.0


async def until(pilot: Pilot[None], what: str, condition: Callable[[], bool]) -> None:
    for _ in range(int(_PATIENCE_S / 0.05)):
        if condition():
            return
        await pilot.pause(0.05)
    raise AssertionError(f"waited {_PATIENCE_S:g} s for {what}")


async def fill_in(pilot: Pilot[None], **texts: str) -> None:
    """Writes into the form that is open, and sends it."""
    await pilot.pause()
    for name, text in texts.items():
        pilot.app.screen.query_one(f"#field-{name}").value = text  # type: ignore[attr-defined]
    await pilot.press("ctrl+s")
    await pilot.pause()


def table(app: Console, name: str) -> list[list[str]]:
    found = app.query_one(f"#{name}")
    return [[str(cell) for cell in found.get_row_at(row)] for row in range(found.row_count)]  # type: ignore[attr-defined]


def log(app: Console) -> str:
    return "\n".join(line.text for line in app.query_one("#log").lines)  # type: ignore[attr-defined]


def run(desk: Desk, scene: Callable[[Console, Pilot[None]], Awaitable[None]]) -> None:
    async def play_scene() -> None:
        app = Console(desk.control)
        async with app.run_test(size=(150, 45)) as pilot:
            await scene(app, pilot)

    asyncio.run(play_scene())


def state(app: Console) -> str:
    return str(app.query_one("#state").render())


def by_hand(app: Console) -> list[tuple[str, str]]:
    """Price and status of orders by hand."""
    return [(row[4], row[5]) for row in table(app, "orders") if row[7] == "hand"]


async def answer(pilot: Pilot[None], key: str, word: str) -> None:
    """Presses ``key``, and ``word`` when it is asked whether that is meant."""
    await pilot.press(key)
    await pilot.pause()
    await pilot.press(word)
    await pilot.pause()


async def trade(app: Console, pilot: Pilot[None]) -> None:
    await pilot.press("o")
    await fill_in(pilot, side="buy", qty="5", price="1100")
    await until(pilot, "the order", lambda: by_hand(app) == [("1100", "new")])
    app.query_one("#orders").focus()
    await pilot.press("up", "r")  # the newest stands first
    await fill_in(pilot, qty="4", price="1101")
    await until(pilot, "the replacement", lambda: ("1101", "new") in by_hand(app))
    await pilot.press("o")
    await fill_in(pilot, instrument="MSTF", qty="1", price="1")
    await until(pilot, "the refusal", lambda: "did you mean MSFT?" in log(app))
    await pilot.press("g")
    await fill_in(pilot, kind="best")
    await fill_in(pilot, instrument="MSFT", side="buy", qty="3")
    await until(pilot, "an order at the best price", lambda: ("1184.99", "new") in by_hand(app))
    await pilot.press("x")
    await until(pilot, "its end", lambda: "stopped" in [row[1] for row in table(app, "algorithms")])
    await answer(pilot, "C", "y")
    await until(pilot, "the cancels", lambda: all(status in {"canceled", "replaced"} for _, status in by_hand(app)))


async def kill(app: Console, pilot: Pilot[None]) -> None:
    await answer(pilot, "K", "enter")
    await pilot.pause(0.3)
    assert "ARMED" in state(app), "Enter is no yes"
    await answer(pilot, "K", "y")
    await until(pilot, "the kill", lambda: "KILL SWITCH ON" in state(app))
    await pilot.press("o")
    await fill_in(pilot, instrument="MSFT", qty="1", price="1")
    await until(pilot, "the refusal", lambda: "refused: kill" in log(app))
    await answer(pilot, "K", "y")
    await until(pilot, "its end", lambda: "KILL" not in state(app))
    await pilot.press("a")
    await until(pilot, "arming", lambda: "ARMED" in state(app))


def test_a_day_at_the_console(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _STEPS)
    daemon = desk.start_armed(bundle)

    async def scene(app: Console, pilot: Pilot[None]) -> None:
        await until(pilot, "the session", lambda: "ARMED" in state(app))
        await until(pilot, "the instruments", lambda: len(table(app, "instruments")) == 4)
        app.query_one("#instruments").focus()
        for _ in range([row[0] for row in table(app, "instruments")].index("MSFT")):
            await pilot.press("down")
        await until(pilot, "the book", lambda: ["500", "1184.99", "1185.01", "500"] in table(app, "book"))
        desk.tell("armed")
        await until(pilot, "the fire", lambda: "fire " in log(app) and "protect-msft" in log(app))
        await until(
            pilot,
            "the fill",
            lambda: any(row[7] == "protect-msft" and "2 at" in row[6] for row in table(app, "orders")),
        )
        await trade(app, pilot)
        await kill(app, pilot)
        desk.tell("seen")
        assert desk.exchange is not None
        assert desk.exchange.wait_exit(60) == 0
        assert daemon.stop() == 0, daemon.text()
        await until(pilot, "that it is away", lambda: "DISCONNECTED" in state(app))

    run(desk, scene)
    assert same_orders(desk.journal_lines(), desk.record()) == []
    assert [line["price"] for line in desk.record("order") if line["side"] == "1"] == ["1100.00", "1184.99"]
