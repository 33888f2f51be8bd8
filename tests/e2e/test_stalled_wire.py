# SPDX-License-Identifier: Apache-2.0
"""The wire to the exchange takes nothing for a while: what fires meanwhile waits, and need not leave at all."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.board import bit
from lab.desk import Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STOP = "- trade: {instrument: MSFT, price: 1179, size: 1}\n"
_NEXT = "- trade: {instrument: MSFT, price: 1174, size: 1}\n"
_LONG_MS = 4_000  # about as long as can be set: a busy machine takes seconds to see a trade
_END = "- wait_for: {file: seen, timeout: 90s}\n- logout: CLIENT1\n"


@contextmanager
def stalled(board: Process) -> Iterator[None]:
    """While it is entered, no frame leaves towards the exchange."""
    os.kill(board.pid, signal.SIGUSR1)
    try:
        yield
    finally:
        os.kill(board.pid, signal.SIGUSR2)


def patient(desk: Desk, bundle: Path, hold_ms: int) -> Path:
    config = desk.folder / "fixacceld.toml"
    config.write_text(f'bundle = "{bundle}"\n[limits]\nhold_ms = {hold_ms}\n', encoding="utf-8")
    return config


def wait_for_trade(desk: Desk, daemon: Process) -> None:
    """Until the daemon has read the price that fires; no command is started, as what is held is held for seconds alone.

    What it reads may be a heartbeat, too.
    """

    def is_read() -> bool:
        told = [
            line
            for line in desk.record("market_data")
            if any(entry.get("price") == "1179.00" for entry in line["entries"])
        ]
        return bool(told) and desk.status()["next_target"] > told[0]["msg_seq_num"]

    wait_until("the price", is_read, 30, daemon.check_alive)


def test_what_has_waited_leaves_by_its_own_time(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(desk, _STOP + "- wait_for: {orders: 1, timeout: 30s}\n" + _END)
    daemon = desk.start_armed(bundle, config=patient(desk, bundle, _LONG_MS))
    with stalled(board):
        desk.tell("armed")
        wait_for_trade(desk, daemon)
        assert desk.record("order") == []
        time.sleep(0.5)
        released = datetime.now(UTC)
    (fire,) = desk.wait_for_fires(1)
    assert (fire["rule"], fire["outcome"]) == ("protect-msft", "sent")
    finish(desk, daemon)
    (order,) = desk.record("order")
    sent = datetime.strptime(order["sending_time"], "%Y%m%d-%H:%M:%S.%f").replace(tzinfo=UTC)
    assert sent > released - timedelta(milliseconds=250), "not the time at which it fired"


def test_killed_while_it_waits_it_never_leaves(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(desk, _STOP + _END)
    daemon = desk.start_armed(bundle, config=patient(desk, bundle, _LONG_MS))
    with stalled(board):
        desk.tell("armed")
        wait_for_trade(desk, daemon)
        desk.ask("kill")
        assert bit(desk, "status", "kill")
    seen = desk.status()["next_target"]
    wait_until("a heartbeat", lambda: desk.status()["next_target"] >= seen + 2, 30, daemon.check_alive)
    journal = finish(desk, daemon)
    assert desk.record("order") == []
    assert [line["outcome"] for line in journal if line["type"] == "fire"] == ["rejected:kill"]


def test_held_too_long_it_disarms_and_is_not_spent(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(
        desk,
        _STOP + "- wait_for: {file: again, timeout: 90s}\n" + _NEXT + "- wait_for: {orders: 2, timeout: 30s}\n" + _END,
    )
    daemon = desk.start_armed(bundle, config=patient(desk, bundle, 100))
    with stalled(board):
        desk.tell("armed")
        wait_until("the end of its patience", lambda: not desk.status()["armed"], 30, daemon.check_alive)
    assert "held back too long" in desk.status()["fabric"]["disarm_reason"]
    assert desk.record("order") == []
    assert {rule["state"] for rule in desk.status()["rules"]} == {"disarmed"}, "none is spent"
    fixaccel("arm", "--to", desk.control)
    desk.wait_armed(daemon)
    desk.tell("again")
    fires = desk.wait_for_fires(2)
    assert [fire["rule"] for fire in fires] == ["protect-msft", "protect-msft-rest"]
    finish(desk, daemon)
