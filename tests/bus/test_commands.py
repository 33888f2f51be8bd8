# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus` as a user runs it."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bus_lab import BusLab, free_port, until
from click.testing import CliRunner

from fixaccel.bus import server
from fixaccel.cli.main import cli


def fixaccel(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["bus", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def start(*arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "fixaccel", "bus", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def end(process: "subprocess.Popen[str]", number: int = signal.SIGTERM) -> int:
    process.send_signal(number)
    code = process.wait(20)
    assert process.stdout
    process.stdout.close()
    return code


def old_server(folder: Path, said: str = "nats-server: v2.9.10") -> Path:
    program = folder / "nats-server"
    program.write_text(f"#!/bin/sh\necho '{said}'\n")
    program.chmod(0o755)
    return program


def test_from_nothing_to_a_reader(tmp_path: Path) -> None:
    site, url = tmp_path / "site", f"nats://127.0.0.1:{free_port()}"
    code, said = fixaccel("init", site, "--site", "test", "--board", "b1", "--reader", "desk", "--server", url)
    assert code == 0, said
    file = site / "bus.yaml"
    assert [path.stat().st_mode & 0o777 for path in (site / "keys").iterdir()] == [0o600] * 3
    code, said = fixaccel("check", file)
    assert code == 0
    assert "desk\n  sends  $JS.API.DIRECT.GET.STATUS-b1" in said
    running = start("up", file)
    try:
        assert running.stdout
        assert running.stdout.readline() == f"nats-server {server.check_version(server.find_server())} at {url}\n"
        until("the server", lambda: fixaccel("apply", file, "--dry-run")[0] == 0)
        assert "make stream EV-b1\nmake consumer desk of EV-b1\n" in fixaccel("apply", file, "--dry-run")[1]
        assert fixaccel("apply", file)[1] == "done: make stream EV-b1\ndone: make consumer desk of EV-b1\n"
        assert fixaccel("apply", file)[1] == "all is as the file says\n"
        text = file.read_text()
        file.write_text(text.replace("9600h", "100h"))
        assert fixaccel("apply", file)[1] == "done: change max_age of stream EV-b1\n"
        code, said = fixaccel("status", file)
        assert code == 1
        assert "PROBLEM  no relay is heard of" in said
    finally:
        assert end(running) in {0, 1, -signal.SIGTERM}
    code, said = fixaccel("status", file)
    assert code == 1
    assert said.startswith("Error: no server of ")


def test_watch_prints_what_a_reader_gets(tmp_path: Path) -> None:
    readers = {"desk": "quotes: live, events: {kinds: [fire]}", "lobby": "quotes: {every: 20ms}"}
    with BusLab(tmp_path, readers=readers) as lab:
        lab.start_server()
        feeder = lab.feeder()
        lab.start_relay()
        feeder.snapshot("BRK.B", 10)
        feeder.record("fire", rule="x")
        feeder.record("note", text="not asked for")
        feeder.record("fire", rule="y")
        lab.is_mirror()
        desk = start("watch", tmp_path / "bus.yaml", "--as", "desk", "--json")
        lobby = start("watch", tmp_path / "bus.yaml", "--as", "lobby")
        assert desk.stdout
        assert lobby.stdout
        lines = [json.loads(desk.stdout.readline()) for _ in range(3)]
        quotes = [line for line in lines if "top" in line]
        events = [line for line in lines if "record" in line]
        assert [(quote["symbol"], quote["top"]["bid"]) for quote in quotes] == [("BRK.B", "10")]
        assert [(event["n"], event["data"]) for event in events] == [(1, {"rule": "x"}), (3, {"rule": "y"})]
        assert lobby.stdout.readline().startswith("b1  BRK.B  ")
        assert end(desk, signal.SIGINT) == 0
        assert end(lobby) == 0
        assert fixaccel("status", tmp_path / "bus.yaml")[0] == 0


def test_old_servers_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(server.ServerError, match=r"is nats-server 2\.9\.10, and 2\.14\.0 or newer is needed"):
        server.find_server(old_server(tmp_path))
    with pytest.raises(server.ServerError, match="does not say its version"):
        server.find_server(old_server(tmp_path, "hello"))
    assert server.check_version(old_server(tmp_path, "nats-server: v2.14.0")) == "2.14.0"
    fixaccel("init", tmp_path / "site", "--site", "s", "--board", "b")
    old_server(tmp_path)
    code, said = fixaccel("up", tmp_path / "site" / "bus.yaml", "--server", tmp_path / "nats-server")
    assert code == 2
    assert "2.9.10" in said


def test_what_is_asked_for_wrongly_is_said(tmp_path: Path) -> None:
    assert fixaccel("init", tmp_path / "a", "--site", "Tokyo", "--board", "b1")[0] == 2
    assert fixaccel("init", tmp_path / "a", "--site", "s", "--board", "b1")[0] == 0
    code, said = fixaccel("init", tmp_path / "a", "--site", "s", "--board", "b1")
    assert code == 2
    assert "there already" in said
    file = tmp_path / "a" / "bus.yaml"
    code, said = fixaccel("watch", file, "--as", "nobody")
    assert code == 2
    assert "has no reader `nobody`" in said
    file.write_text(file.read_text().replace("site: s", "sight: s"))
    code, said = fixaccel("check", file)
    assert code == 2
    assert "did you mean `site`?" in said


@pytest.mark.parametrize("command", ["apply", "status", "watch", "init"])
def test_without_its_libraries_a_command_says_what_is_missing(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nats", None)
    more = {"watch": ["--as", "x"], "init": ["--site", "s", "--board", "b"]}
    code, said = fixaccel(command, tmp_path / "bus.yaml", *more.get(command, []))
    assert code == 2
    assert said == "Error: nats is not installed: `pip install fixaccel[bus]`\n"


def test_the_servers_settings_that_no_guarantee_goes_without(tmp_path: Path) -> None:
    fixaccel("init", tmp_path, "--site", "s", "--board", "b1", "--server", "tls://127.0.0.1:4222")
    code, text = fixaccel("render", tmp_path / "bus.yaml")
    assert code == 0
    for line in ("no_fast_producer_stall: true", "sync_interval: always", "max_pending: 16MiB", 'min_version: "1.3"'):
        assert line in text
    assert "SU" not in text.replace("SUB", ""), "no seed is in it"
    config = tmp_path / "server.conf"
    config.write_text(text)
    checked = subprocess.run([server.find_server(), "-t", "-c", config], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
