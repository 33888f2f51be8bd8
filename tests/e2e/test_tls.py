# SPDX-License-Identifier: Apache-2.0
"""The control API over TLS, with what docs/howto/tls.md makes: a daemon that is asked by people and strangers."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fixaccel.lab.desk import program
from fixaccel.lab.processes import wait_until
from lab.desk import ROOT, Desk
from lab.venue import start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_PAGE = ROOT / "docs" / "howto" / "tls.md"
_FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (openssl .*)$", re.MULTILINE)
_TO = "tls:localhost:7443"


def make_files(folder: Path) -> None:
    """All that the page makes, and the same for Bert, who is not listed."""
    page = _PAGE.read_text(encoding="utf-8")
    commands = _COMMAND.findall(page)
    for name, text in _FILE.findall(page):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "bert.ext").write_text((folder / "anna.ext").read_text().replace("anna@", "bert@"), encoding="utf-8")
    commands += [command.replace("anna", "bert") for command in commands if "anna" in command]
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stderr}"


def command_of(desk: Desk, name: str, *words: str) -> list[str]:
    """A `fixaccel` command with the certificate of ``name``, on the daemon's machine."""
    options = ("--to", _TO, "--cert", f"{name}.crt", "--key", f"{name}.key", "--ca", "ca.crt")
    return desk.wire.inside(desk.wire.client, sys.executable, "-m", "fixaccel", *words, *options)


def asked(desk: Desk, name: str, *words: str) -> tuple[int, str]:
    """Exit code and text of such a command."""
    command = command_of(desk, name, *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=desk.folder)
    return done.returncode, done.stdout + done.stderr


def test_a_daemon_is_asked_with_certificates(desk: Desk, bundle: Path) -> None:
    desk.remove_board()
    make_files(desk.folder)
    start(desk)
    daemon = desk.start_daemon(bundle, config=desk.folder / "desk.toml")
    assert "control: with TLS at 127.0.0.1:7443" in daemon.text()
    watching = desk.processes.start("watch", command_of(desk, "anna", "watch", "--json", "--only", "session"))
    wait_until("the stream to begin", lambda: '"phase": "idle"' in watching.text(), 30, watching.check_alive)

    code, text = asked(desk, "anna", "deploy", str(bundle))
    assert (code, "armed: " in text) == (0, True), text
    status = json.loads(asked(desk, "anna", "status", "--json")[1])
    assert (status["armed"], status["board"]) == (True, "none")
    wait_until("the stream to tell", lambda: '"armed": true' in watching.text(), 30, watching.check_alive)

    refusal = "refused: control.tls.clients gives no role to this certificate: email:bert@desk.example, sha256:"
    code, text = asked(desk, "bert", "kill")
    assert (code, text.startswith(refusal)) == (1, True), text
    code, text = asked(desk, "daemon", "kill")
    assert (code, "it is not for a client" in text) == (2, True), text
    assert desk.status()["armed"], "neither has come through"
    assert asked(desk, "anna", "kill") == (0, "kill switch ON: no order leaves\n")
    assert asked(desk, "anna", "kill", "--undo")[0] == 1, "that is for who watches the risk"
    status = desk.status()
    assert (status["armed"], status["kill"]["on"]) == (False, True)
    assert daemon.stop() == 0, daemon.text()

    lines = desk.journal_lines()
    commands = [line for line in lines if line["type"] == "command"]
    assert [(line["request"]["cmd"], line["role"], line["ok"]) for line in commands] == [
        ("deploy", "trade", True),
        ("connect", "none", False),
        ("unkill", "trade", False),
    ]
    by = re.compile(r"email:(anna|bert)@desk\.example \(certificate [0-9a-f]{16}\), 127\.0\.0\.1:[0-9]+")
    people = [by.fullmatch(line["by"]) for line in commands]
    assert [found and found[1] for found in people] == ["anna", "bert", "anna"]
    kills = [line for line in lines if line["type"] == "kill"]
    assert len(kills) == 1
    assert by.fullmatch(kills[0]["by"])
    assert "email:bert@desk.example" in daemon.text(), "the log says it, too"
    assert "is not for a client" in daemon.text()


def test_files_that_cannot_be_used_are_a_wrong_configuration(desk: Desk, bundle: Path) -> None:
    make_files(desk.folder)
    config = desk.folder / "desk.toml"
    program_path = program("runtime/daemon/fixacceld")

    def check() -> tuple[int, str]:
        command = [program_path, "--config", str(config), "--no-board", "--check"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    assert check() == (0, "the configuration is in order\n")
    (desk.folder / "daemon.key").chmod(0o640)
    code, text = check()
    assert (code, "control.tls.key: " in text, "chmod 0600" in text) == (2, True, True), text
    config.write_text(config.read_text().replace('"trade"', '"trader"').replace("daemon.crt", "none.crt"))
    code, text = check()
    assert code == 2
    lines = text.splitlines()
    assert 'the role of \'email:anna@desk.example\' must be "admin" or "risk" or "trade" or "view"' in lines[0]
    assert "control.tls.certificate: " in lines[1]
    assert "chmod 0600" in lines[2]
