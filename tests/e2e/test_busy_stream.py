# SPDX-License-Identifier: Apache-2.0
"""Quotes without a pause: the daemon arms, and comes back behind a hole, while they go on."""

from pathlib import Path

import pytest

from fixaccel.lab.processes import wait_until
from fixaccel.lab.reconcile import same_orders
from lab.desk import Desk
from lab.quickstart import quickstart

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Bytes of a segment: about a message each, so that a frame's number tells the part of the stream that it is of.
_SEGMENT = 300
_BEFORE, _BEHIND = 600, 2400  # quotes ahead of the first order, and between it and the second
_LOST = _BEFORE + 200  # the data frame that never arrives


def _quotes(count: int) -> str:
    line = "- quote: {{instrument: MSFT, bid: 1184.{0}9, bid_size: 500, ask: 1185.{0}1, ask_size: 500}}\n"
    return "".join(line.format(i % 9) for i in range(count))


def _scenario() -> str:
    falls = [f"- trade: {{instrument: MSFT, price: {price}, size: 1}}\n" for price in (1179, 1174)]
    return (
        "fixaccel-scenario: 1\nsteps:\n"
        "- quote: {instrument: MSFT, bid: 1184.99, bid_size: 500, ask: 1185.01, ask_size: 500}\n"
        "- trade: {instrument: MSFT, price: 1185, size: 1}\n"
        "- wait_for: {subscribed: CLIENT1, timeout: 60s}\n"
        + _quotes(_BEFORE)
        + falls[0]
        + "- wait_for: {orders: 1, timeout: 60s}\n"
        + _quotes(_BEHIND)
        + falls[1]
        + _quotes(50)
        + "- wait_for: {orders: 2, timeout: 60s}\n- wait: 300ms\n- logout: CLIENT1\n"
    )


def test_arms_and_comes_back_on_a_stream_that_never_stands_still(desk: Desk, tmp_path: Path) -> None:
    # A venue that has said more than is read hears nothing meanwhile, and takes its client for dead.
    bundle = quickstart(tmp_path, "60s")
    config = desk.folder / "short" / "client" / "fixacceld.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'bundle = "{bundle}"\n[session]\nmax_segment_bytes = {_SEGMENT}\n', encoding="utf-8")
    board = desk.start_board("--drop-net", str(_LOST))
    scenario = desk.folder / "scenario.yaml"
    scenario.write_text(_scenario(), encoding="utf-8")
    exchange = desk.start_exchange(scenario)
    daemon = desk.start_daemon(desk.folder / "short")
    wait_until("both orders at the exchange", lambda: len(desk.record("order")) == 2, 240, daemon.check_alive)
    assert int(desk.status()["fabric"]["counters"]["segments_hole"]) > 0
    assert exchange.wait_exit(60) == 0, exchange.text()
    assert daemon.stop() == 0, daemon.text()
    journal = desk.journal_lines()
    assert same_orders(journal, desk.record()) == []
    fires = [line["rule"] for line in journal if line["type"] == "fire"]
    assert fires == ["protect-msft", "protect-msft-rest"]
    board.stop()
    assert "faults 1, " in board.text()
