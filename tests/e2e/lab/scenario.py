# SPDX-License-Identifier: Apache-2.0
"""Scenarios of the tests: a quiet market, then what the test wants, once it says so."""

from fixaccel.lab.desk import Json
from fixaccel.lab.processes import Process
from fixaccel.lab.reconcile import same_orders
from lab.desk import Desk

# Satisfies no rule of strategies/quickstart.yaml.
_OPENING = """\
fixaccel-scenario: 1
steps:
- quote: {instrument: MSFT, bid: 1184.99, bid_size: 500, ask: 1185.01, ask_size: 500}
- trade: {instrument: MSFT, price: 1185, size: 1}
- wait_for: {subscribed: MARKET_CLIENT, timeout: 60s}
- wait_for: {file: armed, timeout: 60s}
"""


def play(desk: Desk, steps: str) -> None:
    """Starts the exchange with a quiet market; ``steps`` follow when `Desk.tell` says "armed"."""
    scenario = desk.folder / "scenario.yaml"
    scenario.write_text(_OPENING.replace("MARKET_CLIENT", desk.market_client) + steps, encoding="utf-8")
    desk.start_exchange(scenario)


def end(desk: Desk, daemon: Process) -> list[Json]:
    """Waits for the exchange's end, ends the daemon and compares both sides; returns the journal.

    Before the exchange has ended there is nothing to compare: an order's answer can still be on its way.
    """
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(120) == 0, desk.exchange.text() + daemon.text()
    assert daemon.stop() == 0, daemon.text()
    journal = desk.journal_lines()
    assert same_orders(journal, desk.record()) == []
    return journal


def finish(desk: Desk, daemon: Process) -> list[Json]:
    """Says "seen", which the scenario waits for at its end, once nothing of orders is on its way; then as `end`."""
    desk.wait_reported(daemon)
    desk.tell("seen")
    return end(desk, daemon)
