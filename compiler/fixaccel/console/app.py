# SPDX-License-Identifier: Apache-2.0
"""The console's screen. Whatever it does goes through the control socket, as `fixaccel` commands do."""

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, RichLog, Static

from fixaccel.board.control import ControlClient
from fixaccel.board.feed import Event
from fixaccel.board.orders import Answer, is_over, replace, send_order
from fixaccel.console.algorithms import ALGORITHMS, Action, Algorithm, BadTermsError, cancel_action
from fixaccel.console.forms import Confirm, Form
from fixaccel.console.link import Link
from fixaccel.console.state import Model, state_line
from fixaccel.console.tables import ORDER_COLUMNS, chosen, fill, order_row

_REFRESH_S = 0.1
_DEPTH = 10
_COLOURS = {"good": "bold black on green", "warn": "bold black on yellow", "bad": "bold white on red"}


class Console(App[None]):
    """Instruments and a book to the left, orders and what happens to the right."""

    TITLE = "fixaccel console"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #state { height: 1; padding: 0 1; }
    #market { width: 38; }
    #instruments { height: 1fr; }
    #book { height: 13; }
    #orders { height: 2fr; }
    #algorithms { height: 6; }
    #log { height: 1fr; border-top: solid $primary; }
    DataTable { border-top: solid $primary; }
    Form, Confirm { align: center middle; }
    .question { width: 60; height: auto; padding: 1 2; border: thick $primary; background: $surface; }
    .danger { border: thick $error; }
    .title { text-style: bold; margin-bottom: 1; }
    .keys { color: $text-muted; margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "order", "Order"),
        Binding("r", "replace", "Replace"),
        Binding("c", "cancel", "Cancel"),
        Binding("C", "cancel_all", "Cancel all", key_display="C"),
        Binding("s", "subscribe", "Subscribe"),
        Binding("g", "algorithm", "Algorithm"),
        Binding("x", "stop_algorithms", "Stop them"),
        Binding("a", "arm", "Arm"),
        Binding("d", "disarm", "Disarm"),
        Binding("K", "kill", "KILL", key_display="K"),
        Binding("q", "leave", "Quit"),
    ]

    def __init__(self, endpoint: str, *, listen: bool = True) -> None:
        super().__init__()
        self._listens = listen  # to the daemon; else somebody else says what happens
        self.model = Model()
        self.algorithms: list[Algorithm] = []
        self._busy: set[int] = set()  # algorithms that wait for an answer, by their place
        self._link = Link(endpoint, lambda event: self.call_from_thread(self.take, event))

    def compose(self) -> ComposeResult:
        yield Static(id="state")
        with Horizontal():
            with Vertical(id="market"):
                yield DataTable(id="instruments", cursor_type="row")
                yield DataTable(id="book", cursor_type="none")
            with Vertical():
                yield DataTable(id="orders", cursor_type="row")
                yield DataTable(id="algorithms", cursor_type="row")
                yield RichLog(id="log", wrap=True, max_lines=1000)
        yield Footer()

    def on_mount(self) -> None:
        self._table("instruments").add_columns("instrument", "bid", "ask", "last")
        self._table("book").add_columns("size", "bid", "ask", "size")
        self._table("orders").add_columns(*ORDER_COLUMNS)
        self._table("algorithms").add_columns("algorithm", "state")
        self._table("orders").border_title = "orders"
        self._table("algorithms").border_title = "algorithms"
        self.query_one(RichLog).border_title = "what happens"
        self.set_interval(_REFRESH_S, self.show)
        if self._listens:
            self._link.begin()
        self.show()

    async def on_unmount(self) -> None:
        if self._listens:
            # The thread that hears may be waiting to hand over an event: whoever waits for it lets it.
            await asyncio.to_thread(self._link.end)

    # ---- What is heard and shown

    def take(self, event: Event) -> None:
        """One event of the daemon."""
        self.model.apply(event)
        while self.model.lines:
            self.say(self.model.lines.popleft())

    def say(self, text: str) -> None:
        """A line of the log."""
        if not self.is_running:  # what comes while the screen is being closed has no place any more
            return
        self.query_one(RichLog).write(Text(text))

    def show(self) -> None:
        """Draws what is known, and lets the algorithms have their turn."""
        if not self.is_running:  # the screen is being closed
            return
        text, how = state_line(self.model.session, self.model.away)
        self.query_one("#state", Static).update(Text(f" {text} ", style=_COLOURS[how]))
        fill(self._table("instruments"), {name: self._quote(name) for name in sorted(self.model.books)})
        self._show_book()
        orders = {order["cl_ord_id"]: order_row(order) for order in self.model.shown_orders()}
        fill(self._table("orders"), orders)
        fill(
            self._table("algorithms"),
            {str(n): (each.text(), each.ended or "works") for n, each in enumerate(self.algorithms)},
        )
        if not self.model.away:
            for number, each in enumerate(self.algorithms):
                self._turn(number, each)

    def _quote(self, name: str) -> tuple[str, ...]:
        book = self.model.books[name]
        best = [book[side][0][0] if book[side] else "-" for side in ("bids", "asks")]
        return (name, *best, book["last"][0] if book["last"] else "-")

    def _show_book(self) -> None:
        name = self.chosen_instrument()
        book = self.model.books.get(name, {"bids": [], "asks": []})
        self._table("book").border_title = f"book of {name}" if name else "book"
        rows = {}
        for level in range(min(_DEPTH, max(len(book["bids"]), len(book["asks"])))):
            bid = book["bids"][level] if level < len(book["bids"]) else ("", "")
            ask = book["asks"][level] if level < len(book["asks"]) else ("", "")
            rows[str(level)] = (bid[1], bid[0], ask[0], ask[1])
        fill(self._table("book"), rows)

    def _table(self, name: str) -> DataTable[str]:
        table: DataTable[str] = self.query_one(f"#{name}", DataTable)
        return table

    def chosen_instrument(self) -> str:
        """The instrument that the cursor is on; empty if there is none."""
        return chosen(self._table("instruments"))

    # ---- What is asked for

    @work(thread=True)
    def ask(
        self, words: str, question: Callable[[ControlClient], Answer], then: Callable[[Answer | None, str], None]
    ) -> None:
        """Asks the daemon without holding up the screen."""
        answer, refusal = self._link.ask(question)
        self.call_from_thread(self._answered, words, answer, refusal, then)

    def _answered(
        self, words: str, answer: Answer | None, refusal: str, then: Callable[[Answer | None, str], None]
    ) -> None:
        name = f", {answer['cl_ord_id']}" if answer and "cl_ord_id" in answer else ""
        self.say(f"{words}: refused: {refusal}" if answer is None else f"{words}: done{name}")
        then(answer, refusal)

    def _ask(self, words: str, question: Callable[[ControlClient], Answer]) -> None:
        self.ask(words, question, lambda _answer, _refusal: None)

    def _turn(self, number: int, algorithm: Algorithm) -> None:
        if algorithm.ended or number in self._busy:
            return
        action = algorithm.step(time.monotonic(), self.model)
        if action is None:
            return
        self._busy.add(number)

        def answered(answer: Answer | None, refusal: str) -> None:
            self._busy.discard(number)
            algorithm.answered(answer, refusal)

        self.ask(action.text, action.ask, answered)

    def _do(self, action: Action) -> None:
        self._ask(action.text, action.ask)

    def action_order(self) -> None:
        fields = {"instrument": self.chosen_instrument(), "side": "buy", "qty": "", "price": "", "tif": "day"}
        hints = {"side": "buy or sell", "price": "empty: at market", "tif": "day, gtc, ioc or fok"}

        def send(given: dict[str, str] | None) -> None:
            if given is None:
                return
            terms = f"{given['side']} {given['qty']} {given['instrument']}"
            terms += f" at {given['price']}" if given["price"] else " at market"
            self._ask(
                terms,
                lambda client: send_order(
                    client,
                    given["instrument"],
                    given["side"],
                    given["qty"],
                    price=given["price"] or None,
                    tif=given["tif"],
                ),
            )

        self.push_screen(Form("Order", fields, hints), send)

    def action_replace(self) -> None:
        order = self.model.orders.get(chosen(self._table("orders")))
        if order is None or is_over(order):
            self.say("replace: choose an order that is not over")
            return
        name = order["cl_ord_id"]

        def send(given: dict[str, str] | None) -> None:
            if given is not None:
                self._ask(
                    f"replace {name}",
                    lambda client: replace(client, name, qty=given["qty"] or None, price=given["price"] or None),
                )

        fields = {"qty": order["qty"], "price": order["price"]}
        self.push_screen(Form(f"Replace {name}", fields, {"qty": "with what is filled already"}), send)

    def action_cancel(self) -> None:
        order = self.model.orders.get(chosen(self._table("orders")))
        if order is None or is_over(order):
            self.say("cancel: choose an order that is not over")
        else:
            self._do(cancel_action(order["cl_ord_id"]))

    def action_cancel_all(self) -> None:
        names = [order["cl_ord_id"] for order in self.model.open_orders()]

        def go(yes: bool | None) -> None:
            if not yes:
                return
            self.action_stop_algorithms()
            for name in names:
                self._do(cancel_action(name))

        self.push_screen(
            Confirm(f"Cancel all {len(names)} orders that rest, of rules too, and stop the algorithms?"), go
        )

    def action_subscribe(self) -> None:
        def go(given: dict[str, str] | None) -> None:
            if given:
                name = given["instrument"]
                self._ask(f"subscribe {name}", lambda client: client.ask("subscribe", instruments=[name]))

        self.push_screen(Form("Subscribe", {"instrument": ""}), go)

    def action_algorithm(self) -> None:
        def chosen_kind(given: dict[str, str] | None) -> None:
            if given is None:
                return
            if given["kind"] not in ALGORITHMS:
                self.say(f"algorithm: there is {', '.join(ALGORITHMS)}")
                return
            kind = ALGORITHMS[given["kind"]]
            fields = dict.fromkeys(kind.terms, "") | {"instrument": self.chosen_instrument(), "side": "buy"}
            self.push_screen(Form(f"{kind.kind}: {kind.__doc__}", fields, {"price": "empty: at market"}), begin(kind))

        def begin(kind: type[Algorithm]) -> Callable[[dict[str, str] | None], None]:
            def go(given: dict[str, str] | None) -> None:
                try:
                    if given is not None:
                        self.algorithms.append(ALGORITHMS[kind.kind].of(**given))
                except BadTermsError as error:
                    self.say(f"{kind.kind}: {error}")

            return go

        self.push_screen(Form("Algorithm", {"kind": ""}, {"kind": ", ".join(ALGORITHMS)}), chosen_kind)

    def action_stop_algorithms(self) -> None:
        """Their orders rest on."""
        for each in self.algorithms:
            each.ended = each.ended or "stopped"

    def action_arm(self) -> None:
        self._ask("arm", lambda client: client.ask("arm"))

    def action_disarm(self) -> None:
        self._ask("disarm", lambda client: client.ask("disarm"))

    def action_kill(self) -> None:
        off = bool(self.model.session.get("killed"))

        def go(yes: bool | None) -> None:
            if yes:
                self.action_stop_algorithms()
                self._ask("kill switch " + ("off" if off else "on"), lambda c: c.ask("unkill" if off else "kill"))

        question = "Turn the kill switch off? It arms nothing." if off else "KILL: no order leaves any more. Sure?"
        self.push_screen(Confirm(question), go)

    def action_leave(self) -> None:
        """Algorithms end with the console; what rests at the venue rests on."""
        working = sum(not each.ended for each in self.algorithms)

        def go(yes: bool | None) -> None:
            if yes:
                self.exit()

        if working:
            self.push_screen(Confirm(f"{working} algorithms end with the console. Quit?"), go)
        else:
            self.exit()
