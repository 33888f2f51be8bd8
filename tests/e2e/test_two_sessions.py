# SPDX-License-Identifier: Apache-2.0
"""A venue with two sessions: orders leave on the one, market data come on the other."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixaccel.board import orders as by_hand
from fixaccel.board.control import ControlClient
from fixaccel.cli import status_text
from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import ROOT, TWO_SESSIONS, Desk, two_sessions
from lab.scenario import end, finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_END = "- wait_for: {file: seen, timeout: 90s}\n- logout: CLIENT1\n- logout: CLIENT1-MD\n"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The quickstart at a venue with two sessions."""
    folder = tmp_path_factory.mktemp("two-sessions")
    text = (ROOT / "strategies" / "quickstart.yaml").read_text(encoding="utf-8")
    (folder / "quickstart.yaml").write_text(text.replace("venues/simulator.yaml", str(TWO_SESSIONS)), encoding="utf-8")
    fixaccel("compile", str(folder / "quickstart.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Desk]:
    with two_sessions(tmp_path) as running:
        yield running


def start(desk: Desk, board: bool) -> None:
    desk.start_board() if board else desk.remove_board()


def armed(desk: Desk, bundle: Path, *settings: str) -> Process:
    """The daemon, armed, with those lines of its section `session`."""
    config = desk.folder / "fixacceld.toml"
    lines = "\n".join(("[session]", *settings))
    config.write_text(f'bundle = "{bundle}"\n{lines}\n', encoding="utf-8")
    daemon = desk.start_armed(bundle, config=config)
    desk.tell("armed")
    return daemon


def lose_market_data(desk: Desk) -> None:
    """Resets the connection that market data come on."""
    kill = desk.wire.inside(desk.wire.exchange, "ss", "-K", "-tH", "state", "established", "sport", "=", "9879")
    killed = subprocess.run(kill, capture_output=True, text=True, check=True)
    assert killed.stdout, "this kernel ends no sockets (CONFIG_INET_DIAG_DESTROY)"


@pytest.mark.parametrize("board", [False, True], ids=["runtime", "fabric"])
def test_a_price_on_one_session_an_order_on_the_other(two: Desk, bundle: Path, board: bool) -> None:
    start(two, board)
    play(
        two,
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait_for: {file: again, timeout: 90s}\n"
        "- trade: {instrument: MSFT, price: 1174, size: 1}\n- wait_for: {orders: 2, timeout: 30s}\n" + _END,
    )
    daemon = armed(two, bundle)
    two.wait_for_fires(1)
    status = two.status()
    assert (status["session"]["sender_comp_id"], status["market_session"]["sender_comp_id"]) == (
        "CLIENT1",
        "CLIENT1-MD",
    )
    assert status["session"]["logged_on"]
    assert status["market_session"]["logged_on"]
    two.tell("again")
    fires = two.wait_for_fires(2)
    where = "fabric" if board else "runtime"
    assert [(fire["rule"], fire["where"]) for fire in fires] == [("protect-msft", where), ("protect-msft-rest", where)]
    finish(two, daemon)
    assert {line["client"] for line in two.record("order")} == {"CLIENT1"}
    assert {line["client"] for line in two.record("market_data_request")} == {"CLIENT1-MD"}


@pytest.mark.parametrize("board", [False, True], ids=["runtime", "fabric"])
def test_market_data_is_lost_and_orders_stand(two: Desk, bundle: Path, board: bool) -> None:
    start(two, board)
    play(
        two,
        "- wait_for: {file: again, timeout: 90s}\n"
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n" + _END,
    )
    daemon = armed(two, bundle, "reconnect_ms = 200", 'rearm_after_loss = "when-known"')
    lose_market_data(two)
    wait_until(
        "armed again",
        lambda: sum(line["type"] == "armed" for line in two.journal_lines()) == 2,
        30,
        daemon.check_alive,
    )
    two.tell("again")
    (fire,) = two.wait_for_fires(1)
    assert (fire["rule"], fire["outcome"]) == ("protect-msft", "sent")
    lines = finish(two, daemon)
    told = [line.get("event", line["type"]) for line in lines if line["type"] in ("armed", "disarmed", "session")]
    assert told[:4] == ["logon", "armed", "disarmed", "armed"], "the session of the orders has stood all the while"
    assert sorted(line["client"] for line in two.record("logon")) == ["CLIENT1", "CLIENT1-MD", "CLIENT1-MD"]


def test_orders_by_hand_pass_while_market_data_is_lost(two: Desk, bundle: Path) -> None:
    start(two, board=False)
    play(two, _END)
    daemon = armed(two, bundle, "reconnect_ms = 4000")
    # No command is started while they are lost: that lasts for seconds alone.
    with ControlClient(two.control) as client:
        ids = [by_hand.send_order(client, "MSFT", "buy", 1, price="1000")["cl_ord_id"]]
        lose_market_data(two)
        wait_until("market data to be lost", lambda: two.status()["phase"] == "lost", 30, daemon.check_alive)
        status = two.status()
        assert not status["armed"]
        assert "is not logged on" in "\n".join(status_text.lines(status))
        ids.append(by_hand.send_order(client, "MSFT", "buy", 2, price="999")["cl_ord_id"])
        for id_ in ids:
            by_hand.cancel(client, id_)
    wait_until("both cancels", lambda: len(two.record("cancel")) == 2, 30, daemon.check_alive)
    assert two.status()["phase"] == "lost", "all the while"
    wait_until("market data", lambda: two.status()["market_session"]["logged_on"], 30, daemon.check_alive)
    finish(two, daemon)


def test_a_logout_from_market_data_ends_both(two: Desk, bundle: Path) -> None:
    start(two, board=False)
    play(two, "- logout: CLIENT1-MD\n- wait_for: {logout: CLIENT1, timeout: 30s}\n")
    daemon = armed(two, bundle)
    wait_until("the end of both", lambda: two.status()["phase"] == "logged out", 30, daemon.check_alive)
    assert "market data" in two.status()["problem"]
    end(two, daemon)
