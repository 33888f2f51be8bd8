# SPDX-License-Identifier: Apache-2.0
"""Answers on the control socket are whole, however long they are, and whoever does not read them holds nobody up."""

import json
import re
import socket
from pathlib import Path

import pytest

from fixaccel.board.control import ControlClient
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.ladder import ladder, trade
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_RULES = 3500
_FIRED = 1100  # 1000 of which are kept
_MIB = 1 << 20
_SOCKET_HOLDS = 219_264  # bytes of an answer that nobody reads
_PIECE = 16384


def connected(desk: Desk, request: str) -> socket.socket:
    """A client that has asked and has not read."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(str(desk.control_socket))
    client.sendall(json.dumps({"cmd": request}).encode() + b"\n")
    return client


def unhurried(bundle: Path, folder: Path) -> Path:
    """A configuration with a heartbeat that a scripted venue, which sends none, need not be quick for."""
    settings = (bundle / "client" / "quickfix.cfg").read_text(encoding="utf-8")
    (folder / "quickfix.cfg").write_text(re.sub(r"HeartBtInt=\d+", "HeartBtInt=60", settings), encoding="utf-8")
    (folder / "fixacceld.toml").write_text('[session]\nquickfix = "quickfix.cfg"\n', encoding="utf-8")
    return folder / "fixacceld.toml"


def test_whole_for_whoever_reads_and_nobody_waits_for_others(desk: Desk, tmp_path: Path) -> None:
    desk.remove_board()
    venue = start(desk)
    bundle = ladder(tmp_path, _RULES)
    daemon = desk.start_daemon(bundle, config=unhurried(bundle, tmp_path))
    deployed = fixaccel("deploy", str(bundle), "--to", desk.control, "--json").stdout
    desk.wait_armed(daemon)
    assert len(json.loads(deployed)["rules"]) == _RULES
    deaf = [connected(desk, request) for request in ("status", "rules", "fires", "status") for _ in range(3)]
    say(desk, venue, [trade(_FIRED)])
    wait_until("the orders", lambda: venue.text().count("|35=D|") == _FIRED, 120, daemon.check_alive)
    desk.wait_for_fires(_FIRED)

    slow = connected(desk, "status")
    with ControlClient(desk.control) as client:
        answers = {request: client.ask(request) for request in ("status", "rules", "fires")}
        said = slow.recv(_PIECE)
        while not said.endswith(b"\n"):
            more = slow.recv(_PIECE)
            assert more, f"it hung up behind {len(said)} bytes"
            said += more
            client.ask("limits")  # answered between any two pieces of the other
    sizes = {request: len(json.dumps(answer)) for request, answer in answers.items()}
    assert sizes["status"] > _MIB
    assert sizes["fires"] > _SOCKET_HOLDS
    assert sizes["rules"] > _SOCKET_HOLDS
    assert len(said) > _MIB
    assert json.loads(said)["rules"] == answers["status"]["rules"] == answers["rules"]["rules"]
    assert json.loads(said)["fires"] == answers["status"]["fires"] == answers["fires"]["fires"]
    assert {rule["state"] for rule in answers["rules"]["rules"][:_FIRED]} == {"fired"}

    by_command: dict[str, list[Json]] = {
        "status": json.loads(fixaccel("status", "--to", desk.control, "--json").stdout)["rules"],
        "rules": [json.loads(line) for line in fixaccel("rules", "--to", desk.control, "--json").stdout.splitlines()],
        "fires": [json.loads(line) for line in fixaccel("fires", "--to", desk.control, "--json").stdout.splitlines()],
    }
    assert [rule["id"] for rule in by_command["status"]] == [rule["id"] for rule in answers["rules"]["rules"]]
    assert len(by_command["rules"]) == _RULES
    assert [fire["rule"] for fire in by_command["fires"]] == [fire["rule"] for fire in answers["fires"]["fires"]]

    # Those that have not read are still there, with an answer that is whole.
    slow.close()
    for client in deaf:
        with client, client.makefile("rb") as lines:
            assert json.loads(lines.readline())["ok"]
    assert desk.status()["armed"]
    assert daemon.stop() == 0, daemon.text()
