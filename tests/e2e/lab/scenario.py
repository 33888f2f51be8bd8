# SPDX-License-Identifier: Apache-2.0
"""Scenarios of the tests: a quiet market, then what the test wants, once it says so."""

from lab.desk import Desk

# Satisfies no rule of strategies/quickstart.yaml.
_OPENING = """\
fixaccel-scenario: 1
steps:
- quote: {instrument: MSFT, bid: 1184.99, bid_size: 500, ask: 1185.01, ask_size: 500}
- trade: {instrument: MSFT, price: 1185, size: 1}
- wait_for: {subscribed: CLIENT1, timeout: 60s}
- wait_for: {file: armed, timeout: 60s}
"""


def play(desk: Desk, steps: str) -> None:
    """Starts the exchange with a quiet market; ``steps`` follow when `tell` says "armed"."""
    scenario = desk.folder / "scenario.yaml"
    scenario.write_text(_OPENING + steps, encoding="utf-8")
    desk.start_exchange(scenario)


def tell(desk: Desk, word: str) -> None:
    """Lets a `wait_for: {file: WORD}` of the scenario go on."""
    (desk.folder / word).touch()
