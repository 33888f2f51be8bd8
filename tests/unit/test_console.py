# SPDX-License-Identifier: Apache-2.0
"""The console without a daemon: what it makes of events, and what its algorithms want."""

import asyncio
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.console.algorithms import BadTermsError, Best, Slices, Stop
from fixaccel.console.app import Console
from fixaccel.console.link import Link
from fixaccel.console.state import Model, state_line
from fixaccel.console.tables import chosen

Json = dict[str, Any]

SESSION: Json = {"event": "session", "phase": "armed", "armed": True, "dry_run": False, "killed": False, "problem": ""}


def book(bid: str = "", ask: str = "", last: str = "") -> Json:
    return {
        "event": "book",
        "instrument": "MSFT",
        "bids": [[bid, "5"]] if bid else [],
        "asks": [[ask, "5"]] if ask else [],
        "last": [last, "1"] if last else None,
    }


def order(name: str, status: str = "new", **more: object) -> Json:
    known = {"event": "order", "cl_ord_id": name, "instrument": "MSFT", "side": "buy", "qty": "5", "type": "limit"}
    known |= {"price": "10", "tif": "day", "account": "", "rule": "", "by": "user 7", "time_ns": 1, "replaces": ""}
    known |= {"asked": "", "status": status, "cum_qty": "0", "leaves_qty": "5", "avg_px": "", "text": ""}
    return {**known, **more}


class Asked:
    """A client that takes down what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Json]] = []

    def ask(self, command: str, **arguments: object) -> Json:
        self.asked.append((command, {key: value for key, value in arguments.items() if value is not None}))
        return {"ok": True, "cl_ord_id": f"N{len(self.asked)}"}


def model(*events: Json) -> Model:
    made = Model()
    for event in (SESSION, *events):
        made.apply(event)
    return made


def test_what_is_told_first_replaces_what_was_known() -> None:
    known = model(book("9", "11", "10"), order("A"), {"event": "rule", "id": "r", "state": "armed"})
    assert known.best("MSFT", "buy") == Decimal(9)
    assert known.best("MSFT", "sell") == Decimal(11)
    assert known.last("MSFT") == Decimal(10)
    known.apply({"event": "away", "reason": "gone"})
    assert known.orders, "the last that is known stays on the screen"
    assert state_line(known.session, known.away) == ("DISCONNECTED: gone", "bad")
    known.apply({"event": "back"})
    assert (known.orders, known.books, known.rules, known.away) == ({}, {}, {}, "")


def test_the_first_line_says_the_worst_first() -> None:
    assert state_line(SESSION, "")[1] == "good"
    assert state_line({**SESSION, "problem": "no board"}, "") == ("ARMED   armed   nothing loaded   no board", "warn")
    assert state_line({**SESSION, "killed": True}, "")[0].startswith("KILL SWITCH ON")
    assert state_line({**SESSION, "dry_run": True}, "")[0].startswith("DRY RUN")
    assert state_line({}, "gone")[1] == "bad"


def test_what_was_lost_makes_all_of_it_old() -> None:
    known = model(order("A"))
    known.apply({"event": "dropped", "events": 3})
    assert known.away == "3 events were lost"


def test_an_order_goes_on_as_its_replacement() -> None:
    known = model(order("A", "replaced"), order("B", "replaced", replaces="A"), order("C", replaces="B"))
    current = known.current("A")
    assert current is not None
    assert current["cl_ord_id"] == "C"
    assert [one["cl_ord_id"] for one in known.open_orders()] == ["C"]


def test_a_stop_waits_for_its_price() -> None:
    client, stop = Asked(), Stop.of("MSFT", "sell", "5", "10", "9.5")
    assert stop.step(0, model()) is None
    assert stop.step(0, model(book(last="10.01"))) is None
    action = stop.step(0, model(book(last="10")))
    assert action is not None
    stop.answered(action.ask(client), "")  # type: ignore[arg-type]
    terms = {"instrument": "MSFT", "side": "sell", "qty": "5", "type": "limit", "price": "9.5", "tif": "day"}
    assert client.asked == [("order", terms)]
    assert stop.ended == "sent N1"
    assert Stop.of("MSFT", "buy", "5", "10", "").step(0, model(book(last="9.99"))) is None
    assert Stop.of("MSFT", "buy", "5", "10", "").step(0, model(book(last="10"))) is not None


def test_the_best_price_is_followed_and_never_left() -> None:
    client, best = Asked(), Best.of("MSFT", "buy", "5")
    assert best.step(0, model(book(ask="11"))) is None, "there is no bid to join"
    action = best.step(0, model(book("9", "11")))
    assert action is not None
    best.answered(action.ask(client), "")  # type: ignore[arg-type]
    sent = order("N1", price="9")
    assert best.step(0, model(book("9.5"), {**sent, "status": "sent"})) is None, "it is not there yet"
    assert best.step(0, model(book("9"), sent)) is None
    assert best.step(0, model(book("8"), sent)) is None
    assert best.step(0, model(book("9.5"), {**sent, "asked": "N7"})) is None
    action = best.step(0, model(book("9.5"), sent))
    assert action is not None
    best.answered(action.ask(client), "")  # type: ignore[arg-type]
    assert client.asked[1] == ("replace", {"order": "N1", "price": "9.5", "again": False})
    assert best.step(0, model(book("9.5"), {**sent, "status": "replaced"})) is None
    assert best.step(0, model(order("N2", "filled"))) is None
    assert best.ended == "filled"
    best = Best.of("MSFT", "buy", "5")
    best.answered(None, "kill")
    assert best.ended == "stopped: kill"


def test_slices_come_one_by_one_and_to_the_whole() -> None:
    client, slices = Asked(), Slices.of("MSFT", "buy", "10", "", "3", "2")
    sent_at = []
    for tick in range(100):
        action = slices.step(tick / 10, model())
        if slices.ended:
            break
        if action is not None:
            sent_at.append(tick / 10)
            slices.answered(action.ask(client), "")  # type: ignore[arg-type]
    assert sent_at == [0, 2, 4]
    assert [arguments["qty"] for _, arguments in client.asked] == ["3", "3", "4"]
    assert slices.ended == "all is sent"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Stop.of("MSFT", "sell", "5", "low", ""), "trigger must be a price"),
        (lambda: Stop.of("MSFT", "sell", "5", "NaN", ""), "trigger must be a price"),
        (lambda: Best.of("MSFT", "hold", "5"), "the side is buy or sell"),
        (lambda: Best.of("MSFT", "buy", "0"), "the quantity must be a whole number above zero"),
        (lambda: Slices.of("MSFT", "buy", "2", "", "3", "1"), "there are more parts than there is to send"),
        (lambda: Slices.of("MSFT", "buy", "2", "", "1", "0"), "seconds must be above zero"),
    ],
)
def test_terms_that_make_no_sense(make: Any, why: str) -> None:
    with pytest.raises(BadTermsError, match=why):
        make()


def test_what_comes_while_the_screen_is_being_closed_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fixaccel.console.app._REFRESH_S", 0.001)

    async def look() -> None:
        app = Console("unix:", listen=False)
        async with app.run_test():
            app.take(SESSION)
        app.take({"event": "away", "reason": "the daemon went first"})
        app.show()

    for _ in range(5):
        asyncio.run(look())


def test_an_event_that_comes_as_it_ends_does_not_hold_it_up() -> None:
    async def look() -> None:
        app = Console("unix:", listen=False)
        async with app.run_test():
            heard = threading.Event()

            class Late(Link):
                def end(self) -> None:
                    heard.set()
                    self._thread.join(60)

            app._listens, app._link = True, Late("unix:", lambda event: app.call_from_thread(app.take, event))
            app._link._thread = threading.Thread(
                target=lambda: heard.wait(60) and app._link._deliver({"event": "away", "reason": "late"})
            )
            app._link.begin()
        assert not app._link._thread.is_alive()
        assert app.model.away == "late"

    asyncio.run(look())


def test_the_screen_without_a_daemon(tmp_path: Path) -> None:
    async def look() -> None:
        app = Console(f"unix:{tmp_path}/none.sock")
        async with app.run_test(size=(140, 40)) as pilot:
            await pilot.pause(0.3)
            assert "DISCONNECTED: no daemon answers" in str(app.query_one("#state").render())
            for event in (SESSION, book("9", "11", "10"), order("A"), order("B", time_ns=2)):
                app.take(event)
            await pilot.pause(0.3)
            assert "ARMED" in str(app.query_one("#state").render())
            orders: Any = app.query_one("#orders")
            assert [str(key.value) for key in orders.rows] == ["B", "A"]
            orders.move_cursor(row=1)
            app.take(order("C", time_ns=3))
            await pilot.pause(0.3)
            assert chosen(orders) == "A", "the cursor stays on its order"
            await pilot.press("o")
            await pilot.pause()
            assert app.screen.query_one("#field-instrument").value == "MSFT"  # type: ignore[attr-defined]
            await pilot.press("escape")
            await pilot.press("q")

    asyncio.run(look())


def test_without_a_terminal_it_says_so_and_does_not_wait() -> None:
    found = CliRunner().invoke(cli, ["console", "--to", "unix:nothing.sock"])
    assert (found.exit_code, "the console needs a terminal" in found.output) == (2, True)
