# SPDX-License-Identifier: Apache-2.0
"""A board that lost its memory while armed, and its daemon with it: what was sent unseen is found at the venue."""

import re
from pathlib import Path

import pytest

from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.board import stopped_without_lease, write
from lab.desk import Desk
from lab.hold import stopped
from lab.hostile_venue import snapshot
from lab.scenario import end, play
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_LOGOUT = "- wait_for: {file: end, timeout: 60s}\n- wait: 200ms\n- logout: CLIENT1\n"


def patient(desk: Desk, bundle: Path) -> Path:
    """Settings with which the board outlasts a daemon that is stopped."""
    path = desk.folder / "patient.toml"
    path.write_text(f'bundle = "{bundle}"\n[limits]\nwatchdog_ms = 4000\n', encoding="utf-8")
    return path


def lose_all(desk: Desk, board: Process, daemon: Process) -> None:
    """Daemon and board end as in a power cut, and both come back, the board with an empty memory."""
    daemon.kill()
    board.kill()
    desk.start_board()


def lose_unseen(desk: Desk, daemon: Process) -> None:
    """The board loses its memory, and its registers answer on: what they say is not what was armed."""
    with stopped(daemon.pid):
        write(desk, "arm", 0)
        for bank in ("generation", "generation_upper"):
            write(desk, bank, 0)
    assert daemon.wait_exit(30) == 1
    assert "lost what was loaded" in daemon.text()


def states(status: Json) -> dict[str, str]:
    return {rule["id"]: rule["state"] for rule in status["rules"]}


def refused(desk: Desk, bundle: Path) -> str:
    """Why a deploy without `--reconciled` is refused."""
    answer = fixaccel("deploy", str(bundle), "--to", desk.control, check=False)
    assert answer.returncode == 1
    return answer.stderr


def test_what_left_unseen_is_found_and_nothing_fires_twice(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(
        desk,
        "- quote: {instrument: MSFT, bid: 1185, bid_size: 10, ask: 1186, ask_size: 10}\n"
        "- wait_for: {file: armed, timeout: 60s}\n"
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait_for: {file: again, timeout: 90s}\n"
        "- trade: {instrument: MSFT, price: 1174, size: 1}\n- wait_for: {orders: 2, timeout: 30s}\n" + _LOGOUT,
    )
    first = desk.start_armed(bundle, config=patient(desk, bundle))
    with stopped_without_lease(desk, first):
        desk.tell("armed")
        desk.wait_for_orders(1)
        assert desk.fires() == []
        lose_all(desk, board, first)

    second = desk.start_daemon(bundle)
    doubts = desk.status()["in_doubt"]
    (order,) = desk.record("order")
    assert order["cl_ord_id"] in {doubt["cl_ord_id"] for doubt in doubts}
    assert "`fixaccel deploy --reconciled`" in refused(desk, bundle)
    listed = fixaccel("reconcile", "--to", desk.control).stdout
    assert all(doubt["cl_ord_id"] in listed for doubt in doubts)

    fixaccel("deploy", str(bundle), "--reconciled", "--to", desk.control)
    status = desk.status()
    assert (status["armed"], status["in_doubt"]) == (True, [])
    (found,) = desk.fires()
    assert (found["found"], found["rule"], found["cl_ord_id"]) == ("venue", "protect-msft", order["cl_ord_id"])
    assert [rule for rule, state in states(status).items() if state == "fired"] == ["protect-msft"]
    desk.tell("again")
    wait_until("the second order", lambda: len(desk.record("order")) == 2, 30, second.check_alive)
    desk.tell("end")
    journal = end(desk, second)
    assert [line["rule"] for line in journal if line["type"] == "fire"] == ["protect-msft", "protect-msft-rest"]
    numbers = [order["msg_seq_num"] for order in desk.record("order")]
    assert numbers[0] < numbers[1]
    said = fixaccel("journal", str(desk.journal)).stdout
    assert "protect-msft MSFT: sent unseen" in said


def test_nothing_had_left_and_all_is_armed_again(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(desk, "- quote: {instrument: MSFT, bid: 1185, bid_size: 10, ask: 1186, ask_size: 10}\n" + _LOGOUT)
    first = desk.start_armed(bundle)
    before = states(desk.status())
    lose_all(desk, board, first)
    desk.start_daemon(bundle)
    assert "in doubt" in fixaccel("status", "--to", desk.control).stdout
    fixaccel("deploy", str(bundle), "--reconciled", "--to", desk.control)
    assert states(desk.status()) == before
    assert [line["known"] for line in desk.record("order_status")] == [False] * len(desk.record("order_status"))
    assert desk.record("order") == []
    desk.tell("end")


def test_a_venue_that_has_forgotten_leaves_it_to_the_operator(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk, "keep", "anew")
    lose_unseen(desk, desk.start_armed(bundle))
    daemon = desk.start_daemon(bundle)
    answer = fixaccel("deploy", str(bundle), "--reconciled", "--timeout", "0", "--to", desk.control, check=False)
    assert answer.returncode == 1
    wait_until("the logon", lambda: venue.text().count("|35=A|") == 2, 30, daemon.check_alive)
    say(desk, venue, ["good 2 7=1|16=0|"])
    wait_until("the end of it", lambda: bool(desk.status()["armed"]), 60, daemon.check_alive)
    asked = re.findall(r"\|35=H\|.*?\|11=([^|]+)\|", venue.text())
    doubts = desk.status()["in_doubt"]
    assert sorted(asked) == sorted(doubt["cl_ord_id"] for doubt in doubts)
    assert set(states(desk.status()).values()) == {"in doubt"}
    say(desk, venue, [f"good W {snapshot('MSFT', '1150')}"])

    name = doubts[0]["rule"]
    refusal = fixaccel("reconcile", name, "--not-sent", "--to", desk.control, check=False)
    assert "disarm" in refusal.stderr
    fixaccel("disarm", "--to", desk.control)
    fixaccel("reconcile", name, "--not-sent", "--to", desk.control)
    fixaccel("arm", "--to", desk.control)
    assert states(desk.status())[name] == "armed"
    assert list(states(desk.status()).values()).count("in doubt") == len(doubts) - 1
    assert f"{name} have sent nothing, says user " in fixaccel("journal", str(desk.journal)).stdout
    assert "|35=D|" not in venue.text(), "no rule in doubt has fired"
