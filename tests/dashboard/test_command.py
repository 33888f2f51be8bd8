# SPDX-License-Identifier: Apache-2.0
"""`fixaccel dashboard` as somebody starts it."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from page import blocking_get

from fixaccel.cli.dashboard import dashboard


def test_it_says_its_address_serves_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fixaccel", "dashboard", "--exchange", f"unix:{tmp_path}/none.sock"]
    with subprocess.Popen([*command, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert "token" not in address
        port = int(address.rstrip("/").rpartition(":")[2])
        assert blocking_get(port, "/healthz")[0] == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def test_an_address_that_is_taken_ends_it_with_2() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = CliRunner().invoke(dashboard, ["--daemon", "unix:/none", "--listen", address])
    assert ended.exit_code == 2
    assert f"{address}: Address already in use" in ended.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name what to show"),
        (["--exchange", "/tmp/x.sock"], "is not unix:FILE"),
        (["--daemon", "unix:"], "is not unix:FILE"),
        (["--exchange", "unix:x", "--listen", "8080"], "is not HOST:PORT"),
        (["--exchange", "unix:x", "--listen", "::1:80"], "is not HOST:PORT"),
        (["--exchange", "unix:x", "--listen", "127.0.0.1:70000"], "is not HOST:PORT"),
        (["--exchange", "unix:x", "--dictionary", "/none.xml"], "does not exist"),
    ],
)
def test_wrong_options_are_said_with_the_way_out(arguments: list[str], said: str) -> None:
    ended = CliRunner().invoke(dashboard, arguments)
    assert ended.exit_code == 2
    assert said in ended.output
    assert "Traceback" not in ended.output


def test_a_dictionary_that_is_none_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.xml"
    wrong.write_text("<fix", encoding="utf-8")
    ended = CliRunner().invoke(
        dashboard, ["--exchange", "unix:x", "--listen", "127.0.0.1:0", "--dictionary", str(wrong)]
    )
    assert ended.exit_code == 2
    assert "wrong.xml" in ended.output


def test_a_board_that_is_none_is_shown_with_its_place(tmp_path: Path) -> None:
    wrong = tmp_path / "board.yaml"
    wrong.write_text("fixaccel-board: 1\nclock: fast\n", encoding="utf-8")
    ended = CliRunner().invoke(dashboard, ["--exchange", "unix:x", "--listen", "127.0.0.1:0", "--board", str(wrong)])
    assert ended.exit_code == 2
    assert "board.yaml:2" in ended.output
    assert "Traceback" not in ended.output


def test_help_has_examples() -> None:
    text = CliRunner().invoke(dashboard, ["--help"]).output
    assert "Examples:" in text
    assert "fixaccel dashboard --exchange unix:" in text


def test_addresses() -> None:
    from fixaccel.addresses import host_and_port  # noqa: PLC0415

    assert host_and_port("[::1]:80") == ("::1", 80)
    assert host_and_port("localhost:0") == ("localhost", 0)
