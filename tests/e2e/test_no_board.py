# SPDX-License-Identifier: Apache-2.0
"""Without a board: the runtime evaluates all rules, of a bundle that was compiled for one."""

import json
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.ladder import ladder
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_SEEN = "- wait_for: {file: seen, timeout: 90s}\n- wait: 200ms\n- logout: CLIENT1\n"


def test_a_board_that_breaks_is_not_the_end_of_the_day(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(
        desk,
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait_for: {file: again, timeout: 90s}\n"
        "- trade: {instrument: MSFT, price: 1174, size: 1}\n- wait_for: {orders: 2, timeout: 30s}\n"
        "- wait_for: {file: killed, timeout: 90s}\n"
        "- quote: {instrument: CLZ6, bid: -1.10, bid_size: 20, ask: -1.00, ask_size: 20}\n" + _SEEN,
    )
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    desk.wait_for_fires(1)
    board.kill()
    assert daemon.wait_exit(30) == 1, "without its board"

    desk.remove_board()
    daemon = desk.start_daemon(bundle)
    refusal = fixaccel("deploy", str(bundle), "--to", desk.control, check=False)
    assert "`fixaccel deploy --reconciled`" in refusal.stderr, "the board was armed, and nobody knows what it has sent"
    fixaccel("deploy", str(bundle), "--reconciled", "--to", desk.control)
    status = desk.status()
    assert (status["board"], status["armed"], status["in_doubt"]) == ("none", True, [])
    assert "armed, without a board: the runtime evaluates all rules" in fixaccel("status", "--to", desk.control).stdout
    assert {rule["where"] for rule in status["rules"]} == {"runtime"}
    desk.tell("again")
    fires = desk.wait_for_fires(2)
    assert [(fire["rule"], fire["where"], fire["outcome"]) for fire in fires] == [
        ("protect-msft", "fabric", "sent"),
        ("protect-msft-rest", "runtime", "sent"),
    ]

    fixaccel("kill", "--to", desk.control)
    desk.tell("killed")
    messages = desk.status()["next_target"]
    wait_until("the price", lambda: desk.status()["next_target"] > messages, 30, daemon.check_alive)
    assert "KILL SWITCH" in fixaccel("status", "--to", desk.control).stdout
    assert len(finish(desk, daemon)) > 0
    assert len(desk.record("order")) == 2


def test_a_load_while_armed_keeps_what_goes_on(desk: Desk, tmp_path: Path) -> None:
    desk.remove_board()
    (tmp_path / "next").mkdir()
    three, four = ladder(tmp_path, 3), ladder(tmp_path / "next", 4)
    play(
        desk,
        "- trade: {instrument: MSFT, price: 1180, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait_for: {file: again, timeout: 90s}\n"
        "- trade: {instrument: MSFT, price: 1179.25, size: 1}\n- wait_for: {orders: 4, timeout: 30s}\n" + _SEEN,
    )
    daemon = desk.start_armed(three, deploy=True)
    desk.tell("armed")
    desk.wait_for_fires(1)
    load = json.loads(fixaccel("deploy", str(four), "--to", desk.control, "--json").stdout)["load"]
    assert (load["how"], load["state"], load["reason"]) == ("hot", "loaded", "")
    desk.tell("again")
    assert [fire["rule"] for fire in desk.wait_for_fires(4)] == [f"fall[{step}]" for step in range(1, 5)]
    lines = finish(desk, daemon)
    assert [line["type"] for line in lines if line["type"] in ("armed", "disarmed")] == ["armed", "disarmed"]
    assert len({line["generation"] for line in lines if line["type"] == "fire"}) == 2
