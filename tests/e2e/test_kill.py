# SPDX-License-Identifier: Apache-2.0
"""The kill switch: what it outlives, what does not keep it waiting, and that nothing leaves while it is on."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from fixaccel.board.control import ControlClient
from fixaccel.lab.desk import Json, fixaccel, program
from fixaccel.lab.processes import Process, wait_until
from lab.board import bit
from lab.desk import ROOT, Desk
from lab.hold import held
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_FALL = "- trade: {instrument: MSFT, price: 1179, size: 1}\n"
_MANY = 1401  # rules of the runtime that one message fires
_CLIENTS = 64


def command(desk: Desk, *words: str) -> tuple[int, str]:
    """Exit code and text of a `fixaccel` command on the daemon."""
    done = fixaccel(*words, "--to", desk.control, check=False)
    return done.returncode, done.stdout + done.stderr


def board_killed(desk: Desk) -> bool:
    """Whether the board's own register says so, read past the daemon."""
    return bit(desk, "status", "kill")


def refused(desk: Desk) -> str:
    """What a daemon with a journal and a control socket of its own says of the same board."""
    own = desk.folder / "another"
    words = ["--board", f"unix:{desk.board_socket}", "--control", f"unix:{own}.sock", "--journal", str(own)]
    done = subprocess.run(
        [program("runtime/daemon/fixacceld"), *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    return done.stderr


def ready(desk: Desk, daemon: Process) -> Json:
    """The status once the session stands and nothing more is going to happen by itself."""
    wait_until("the session", lambda: desk.status()["phase"] in ("ready", "armed"), 60, daemon.check_alive)
    return desk.status()


def kills(desk: Desk) -> list[bool]:
    """What the journal says of the switch, in its order."""
    return [line["on"] for line in desk.journal_lines() if line["type"] == "kill"]


def test_kill_and_disarm_outlive_daemon_and_board(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(
        desk,
        _FALL + "- wait_for: {file: again, timeout: 120s}\n"
        "- trade: {instrument: MSFT, price: 1178, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait: 300ms\n- logout: CLIENT1\n",
    )
    first = desk.start_armed(bundle)
    for stray in (signal.SIGHUP, signal.SIGUSR2, signal.SIGALRM):  # a terminal that is closed, a digit too high
        os.kill(first.pid, stray)
    assert "another daemon has the board" in refused(desk)
    assert desk.status()["armed"], "neither has done anything to it"
    assert command(desk, "kill")[0] == 0
    first.kill()

    board.kill()
    desk.start_board()
    assert not board_killed(desk)
    second = desk.start_daemon(bundle)
    assert board_killed(desk), "before the daemon is ready for anything else"
    status = ready(desk, second)
    assert (status["armed"], status["kill"]["on"], status["in_doubt"]) == (False, True, [])
    assert command(desk, "arm") == (1, "refused: the kill switch is on: `fixaccel kill --undo` first\n")
    code, text = command(desk, "deploy", str(bundle))
    assert (code, text.splitlines()[-1]) == (1, "not armed: the kill switch is on: `fixaccel kill --undo` first")
    desk.tell("armed")
    second.kill()
    third = desk.start_daemon(bundle)
    assert ready(desk, third)["kill"]["on"]
    assert board_killed(desk)

    assert command(desk, "kill", "--undo")[0] == 0
    assert not board_killed(desk)
    third.kill()
    fourth = desk.start_daemon(bundle)
    assert not ready(desk, fourth)["armed"], "nobody has asked for it"
    assert command(desk, "arm")[0] == 0
    assert command(desk, "disarm")[0] == 0
    fourth.kill()
    fifth = desk.start_daemon(bundle)
    assert not ready(desk, fifth)["armed"]
    assert desk.record("order") == []
    assert command(desk, "arm")[0] == 0
    desk.tell("again")
    end(desk, fifth)
    assert kills(desk) == [True, False]


def fill(pipe: int) -> None:
    """Until it takes no more."""
    os.set_blocking(pipe, False)
    try:
        while True:
            os.write(pipe, b"x" * 4096)
    except BlockingIOError:
        pass


def start_unheard(desk: Desk, bundle: Path) -> tuple[Process, int]:
    """A daemon that also heeds the file `stop`, and whose log nobody reads; the pipe's end."""
    config = desk.folder / "client.toml"
    config.write_text(f'bundle = "{bundle}"\nkill_file = "stop"\n', encoding="utf-8")
    os.mkfifo(desk.folder / "log")
    unread = os.open(desk.folder / "log", os.O_RDWR)
    fill(unread)
    line = [program("runtime/daemon/fixacceld"), "--config", str(config), "--board", f"unix:{desk.board_socket}"]
    line += ["--control", desk.control, "--journal", str(desk.journal)]
    daemon = desk.processes.start(
        "daemon", desk.wire.inside(desk.wire.client, "sh", "-c", 'exec "$0" "$@" 2>log', *line)
    )
    wait_until("the daemon", desk.control_socket.exists, 20, daemon.check_alive)
    return daemon, unread


def connect(desk: Desk, text: bytes) -> socket.socket:
    """A client of the daemon that has said ``text``."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(30)
    client.connect(str(desk.control_socket))
    client.sendall(text)
    return client


def occupy(desk: Desk) -> list[socket.socket]:
    """Clients that say nothing, or half of something."""
    return [connect(desk, b'{"cmd": ' if number % 2 else b"") for number in range(_CLIENTS)]


def test_nothing_keeps_a_kill_waiting(desk: Desk, bundle: Path) -> None:
    board = desk.start_board()
    play(desk, _FALL)
    daemon, unread = start_unheard(desk, bundle)
    desk.wait_armed(daemon)
    clients = occupy(desk)
    with held(daemon.pid):
        asks = connect(desk, b'{"cmd": "deploy", "bundle": "%s"}\n' % bytes(desk.folder))
        wait_until("the daemon to be held up", lambda: "busy for" in command(desk, "status", "--short")[1], 30)
        assert command(desk, "kill")[0] == 0
        assert board_killed(desk)
        desk.tell("armed")
    refused = asks.makefile("rb").readline()
    assert b'"ok":false' in refused
    wait_until("the journal to know", lambda: kills(desk) == [True], 30, daemon.check_alive)
    assert command(desk, "kill", "--undo")[0] == 0
    assert not board_killed(desk)
    assert not desk.status()["armed"]

    os.kill(daemon.pid, signal.SIGUSR1)
    wait_until("the signal to kill", lambda: board_killed(desk), 20)
    assert command(desk, "kill", "--undo")[0] == 0
    (desk.folder / "stop").touch()
    wait_until("the file to kill", lambda: board_killed(desk), 20)
    assert command(desk, "kill", "--undo")[0] == 1, "while the file is there"
    (desk.folder / "stop").unlink()
    assert command(desk, "kill", "--undo")[0] == 0
    wait_until("the journal to know it all", lambda: kills(desk) == [True, False] * 3, 30, daemon.check_alive)
    assert desk.record("order") == []

    os.kill(board.pid, signal.SIGSTOP)
    began = time.monotonic()
    code, text = command(desk, "kill")
    took = time.monotonic() - began
    os.kill(board.pid, signal.SIGCONT)
    assert code == 1
    assert "the board could not be told" in text
    assert took < 15
    wait_until("the board to be told", lambda: board_killed(desk), 20)
    board.kill()
    assert daemon.wait_exit(30) == 1
    desk.start_board()
    desk.start_daemon(bundle)
    assert board_killed(desk), "what the board could not be told is on disk"
    for client in (*clients, asks):
        client.close()
    os.close(unread)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many rules of the runtime that one trade fires."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "many.yaml").write_text(
        f"fixaccel: 1\nvenue: {ROOT}/strategies/venues/simulator.yaml\nrules:\n"
        + "".join(
            f"  - {{id: stop-{number}, instrument: MSFT, when: last <= 1180,\n"
            "     rearm: {reset: last >= 1999, times: 40000},\n"
            "     order: {side: sell, qty: 1, type: limit, price: trigger}}\n"
            for number in range(_MANY)
        ),
        encoding="utf-8",
    )
    fixaccel("compile", str(folder / "many.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle"


def filled(desk: Desk) -> int:
    """Orders that the venue has reported as filled."""
    return sum(line["type"] == "execution" and line["status"] == "filled" for line in desk.journal_lines())


def test_a_kill_among_many_orders_of_the_runtime(desk: Desk, many: Path) -> None:
    desk.start_board()
    play(desk, _FALL + "- wait_for: {file: seen, timeout: 120s}\n- wait: 300ms\n- logout: CLIENT1\n")
    daemon = desk.start_armed(many, deploy=True)
    # Who has to start a program first may come too late.
    with ControlClient(desk.control) as client:
        desk.tell("armed")
        desk.wait_for_fires(10)
        client.ask("kill")
    fires = desk.wait_for_fires(_MANY, 60)
    outcomes = [fire["outcome"] for fire in fires]
    sent = outcomes.count("sent")
    assert 10 <= sent < _MANY
    assert outcomes[:sent] == ["sent"] * sent, "none behind the first that was held back"
    assert outcomes[-1] == "rejected:kill"
    wait_until("the reports", lambda: filled(desk) >= sent, 60, daemon.check_alive)
    desk.tell("seen")
    end(desk, daemon)
    journal = desk.journal_lines()
    (killed,) = [line["told_ns"] for line in journal if line["type"] == "kill"]
    left = [line["time_ns"] for line in journal if line["type"] == "out" and "\x0135=D\x01" in line["message"]]
    assert len(left) == len(desk.record("order")) == sent
    assert sum(time_ns > killed for time_ns in left) <= 1


def resent(desk: Desk) -> list[dict[str, str]]:
    """Orders that were sent again, by the exchange's record."""
    messages = [dict(field.split("=", 1) for field in line["fields"]) for line in desk.record("resend")]
    return [fields for fields in messages if fields["35"] == "D"]


def test_an_order_that_is_asked_for_again_waits(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(
        desk,
        _FALL + "- wait_for: {orders: 1, timeout: 30s}\n- wait_for: {file: killed, timeout: 60s}\n"
        "- resend: {client: CLIENT1, begin: 1, end: 0}\n- wait_for: {file: again, timeout: 60s}\n"
        "- wait: 1500ms\n- logout: CLIENT1\n",
    )
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    (fire,) = desk.wait_for_fires(1)
    assert command(desk, "kill")[0] == 0
    desk.tell("killed")
    daemon.wait_line(f"fixacceld: session: message {fire['msg_seq_num']} was asked for again and waits")
    assert command(desk, "kill", "--undo")[0] == 0
    time.sleep(1)
    assert resent(desk) == [], "also not once it is undone: nobody has armed"
    assert command(desk, "arm")[0] == 0
    desk.tell("again")
    end(desk, daemon)
    (again,) = resent(desk)
    assert again["11"] == fire["cl_ord_id"]
    assert again["43"] == "Y"
