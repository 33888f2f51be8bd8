# SPDX-License-Identifier: Apache-2.0
"""What stands in ssh:[USER@]HOST[:PORT][/SOCKET], and what is said where there is no connection."""

import os
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fixaccel.board.control import ControlClient, ControlError
from fixaccel.board.endpoint import Endpoint
from fixaccel.board.ssh import Machine, SshError, connect
from fixaccel.cli.deploy import deploy
from fixaccel.cli.status import status

DEFAULT = "/run/fixaccel/control.sock"


@pytest.mark.parametrize(
    ("text", "machine"),
    [
        ("ssh:pynq", ("pynq", "", DEFAULT)),
        ("ssh:desk@pynq.local", ("desk@pynq.local", "", DEFAULT)),
        ("ssh:desk@192.168.2.99:2222", ("desk@192.168.2.99", "2222", DEFAULT)),
        ("ssh:pynq/run/fixaccel/trade.sock", ("pynq", "", "/run/fixaccel/trade.sock")),
        ("ssh:[fe80::1%eth0]:22/x", ("fe80::1%eth0", "22", "/x")),
    ],
)
def test_what_an_endpoint_means(text: str, machine: tuple[str, str, str]) -> None:
    assert tuple(Machine.of(Endpoint(text))) == machine


@pytest.mark.parametrize(
    "text",
    [
        "ssh:",
        "ssh:-oProxyCommand=x",
        "ssh:a@-b",
        "ssh:-a@b",
        "ssh:pynq:",
        "ssh:pynq:x",
        "ssh:a b",
        "ssh:a/x:y",
        "ssh:a;b",
    ],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(SshError, match="an endpoint is written unix:PATH, tls:HOST:PORT or ssh:"):
        Machine.of(Endpoint(text))


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program in the place of `ssh`."""
    program = tmp_path / "ssh"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("words", "way_out"),
    [
        ("desk@pynq: Permission denied (publickey).", "set up a key"),
        ("Host key verification failed.", "compare its key"),
        ("ssh: connect to host pynq port 22: No route to host", "No route to host"),
    ],
)
def test_why_there_is_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, way_out: str) -> None:
    stand_in(tmp_path, monkeypatch, f"echo '{words}' >&2; exit 255")
    done = CliRunner().invoke(status, ["--to", "ssh:desk@pynq"])
    assert done.exit_code == 2
    assert f"Error: ssh:desk@pynq: {words}" in done.output
    assert way_out in done.output


_LATE = """
import socket, sys, time
made = socket.socket(socket.AF_UNIX)
made.bind(sys.argv[sys.argv.index("-L") + 1].split(":")[0])
time.sleep(0.3)
made.listen()
made.accept()
sys.stdin.read()
"""


def test_its_socket_is_there_before_it_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "late.py").write_text(_LATE, encoding="ascii")
    stand_in(tmp_path, monkeypatch, f'exec {sys.executable} {tmp_path}/late.py "$@"')
    connect(Endpoint("ssh:late"), 20).close()


_WHY_AT_LAST = """
import socket, sys, time
made = socket.socket(socket.AF_UNIX)
made.bind(sys.argv[sys.argv.index("-L") + 1].split(":")[0])
made.listen()
made.accept()[0].close()
time.sleep(0.3)
print("client_loop: send disconnect: Broken pipe", file=sys.stderr)
"""


def test_why_it_ended_is_said_after_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "last.py").write_text(_WHY_AT_LAST, encoding="ascii")
    stand_in(tmp_path, monkeypatch, f'exec {sys.executable} {tmp_path}/last.py "$@"')
    with ControlClient("ssh:last") as client, pytest.raises(ControlError, match="ssh:last: client_loop: send disc"):
        client.ask("status")


def test_one_that_says_nothing_is_not_awaited_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "manifest.json").touch()
    stand_in(tmp_path, monkeypatch, "cat >/dev/null; sleep 60")
    done = CliRunner().invoke(deploy, [str(tmp_path / "b"), "--to", "ssh:pynq", "--timeout", "0.2"])
    assert (done.exit_code, "is not at ssh:pynq within 0.2 s" in done.output) == (2, True), done.output


def test_what_is_no_bundle_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, f"touch {tmp_path}/asked; exit 255")
    for bundle, into, said in (
        (tmp_path / "none", "/srv", "does not exist"),
        (tmp_path, "/srv", "is no bundle"),
        (tmp_path, "srv", "is not a path from the root"),
    ):
        done = CliRunner().invoke(deploy, [str(bundle), "--to", "ssh:pynq", "--into", into])
        assert (done.exit_code, said in done.output) == (2, True), done.output
    assert not (tmp_path / "asked").exists()


def test_without_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(status, ["--to", "ssh:pynq"])
    assert (done.exit_code, "install OpenSSH's client" in done.output) == (2, True)
