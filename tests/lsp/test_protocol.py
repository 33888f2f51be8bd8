# SPDX-License-Identifier: Apache-2.0
"""The server as an editor meets it: a process, frames, and what must not disturb it."""

import io
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from editor import HEAD, VENUE, Editor, server

from fixaccel.cli.main import cli
from fixaccel.lsp.streams import EndedReader

RULE = "  - {id: a, instrument: MSFT, when: last <= 50, order: {side: sell, qty: 2, type: market}}\n"
SLOW = "def decide(price, instrument):\n    while True:\n        pass\n"
ASKING = "  - {id: b, instrument: MSFT, decide: {source: last, over: 1..2, python: slow.py:decide}}\n"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "venue.yaml").write_text(VENUE)
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "s.yaml").write_text(HEAD + RULE)
    return tmp_path


@pytest.fixture
def process(desk: Path) -> Iterator["subprocess.Popen[bytes]"]:
    started = server("--log", str(desk / "log"), cwd=desk)
    yield started
    ended(started)


def ended(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()


def editor_of(process: "subprocess.Popen[bytes]") -> Editor:
    assert process.stdin
    assert process.stdout
    return Editor(process.stdout, process.stdin)  # type: ignore[arg-type]


def test_a_session(desk: Path, process: "subprocess.Popen[bytes]") -> None:
    editor, path = editor_of(process), desk / "s.yaml"
    capabilities = editor.start(desk, ["utf-8", "utf-16"])
    assert capabilities["positionEncoding"] == "utf-8"
    editor.open(path)
    assert editor.diagnostics(path, lambda _: True) == []
    editor.change(path, HEAD + RULE.replace("MSFT", "MSFX").replace("{id", '{note: "é😀", id'), 2)
    (wrong,) = editor.diagnostics(path)
    assert wrong["range"]["start"] == {"line": 4, "character": 40}
    (fix,) = editor.ask("textDocument/codeAction", textDocument={"uri": path.as_uri()}, range=wrong["range"],
                        context={"diagnostics": [wrong]})  # fmt: skip
    assert fix["edit"]["changes"][path.as_uri()][0]["newText"] == "MSFT"
    editor.change(path, HEAD + RULE, 3)
    editor.diagnostics(path, lambda told: not told)
    assert "sell 2" in editor.ask("textDocument/hover", **editor.at(path, 4, 9))["contents"]["value"]
    (where,) = editor.ask("textDocument/definition", **editor.at(path, 4, 25))
    assert where["uri"] == (desk / "venue.yaml").as_uri()
    labels = [item["label"] for item in editor.ask("textDocument/completion", **editor.at(path, 4, 25))["items"]]
    assert labels == ["MSFT"]
    assert editor.ask("textDocument/formatting", textDocument={"uri": path.as_uri()}, options={"tabSize": 2,
                      "insertSpaces": True}) == []  # fmt: skip
    (desk / "venue.yaml").write_text(VENUE.replace("MSFT", "IBM"))
    changed = [{"uri": (desk / "venue.yaml").as_uri(), "type": 2}]
    editor.tell("workspace/didChangeWatchedFiles", changes=changed)
    assert editor.diagnostics(path)[0]["code"] == "FX0301"
    editor.tell("textDocument/didClose", textDocument={"uri": path.as_uri()})
    editor.diagnostics(path, lambda told: not told)
    editor.end()
    assert process.wait(60) == 0
    assert process.stderr
    assert process.stderr.read() == b""
    assert (desk / "log").read_text() == ""


def test_a_function_that_hangs_delays_nothing(desk: Path, process: "subprocess.Popen[bytes]") -> None:
    editor, path = editor_of(process), desk / "s.yaml"
    editor.start(desk)
    editor.open(path, HEAD + ASKING)
    assert "has not been asked yet" in editor.diagnostics(path)[0]["message"]
    editor.tell("textDocument/didSave", textDocument={"uri": path.as_uri()})
    # It is being asked, and would be for half a minute: the next key ends that.
    editor.change(path, HEAD + RULE.replace("MSFT", "MSFX"), 2)
    assert editor.diagnostics(path, lambda told: bool(told) and "code" in told[0])[0]["code"] == "FX0301"
    editor.end()
    assert process.wait(60) == 0


def test_nonsense_and_a_fault_of_ours_end_nothing(desk: Path) -> None:
    program = (
        "import fixaccel.lsp.hover as h, fixaccel.lsp.server as s\n"
        "def broken(*_): raise KeyError('x')\n"
        "s.hover = broken\n"
        "from fixaccel.cli.main import cli\n"
        "cli.main(['lsp', '--log', 'log'])\n"
    )
    line = [sys.executable, "-c", program]
    started = subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=desk
    )  # fmt: skip
    editor, path = editor_of(started), desk / "s.yaml"
    editor.start(desk)
    editor.open(path)
    assert editor.ask("textDocument/hover", **editor.at(path, 0, 0)) is None
    editor.send({"method": "no/such", "params": {}})
    number = editor.begin("no/such")
    assert "error" in editor.wait(lambda: editor.answers.get(number))
    editor.send({"id": "x", "method": "textDocument/definition", "params": {"wrong": 1}})
    assert editor.ask("textDocument/definition", **editor.at(desk / "unknown.yaml", 0, 0)) is None
    assert editor.ask("textDocument/definition", **editor.at(path, 99, 99)) == []
    told = editor.wait(lambda: [m for m in editor.told if m["method"] == "window/logMessage"])
    assert told[0]["params"]["message"] == "fixaccel: textDocument/hover failed (KeyError: 'x')"
    editor.end()
    assert started.communicate(timeout=60)[1] == b""
    assert "KeyError" in (desk / "log").read_text()


def test_it_ends_with_its_editor(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin
    process.stdin.close()
    assert process.wait(60) == 0


def test_tcp_on_this_machine_alone(desk: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    started = server("--tcp", f"127.0.0.1:{port}", cwd=desk)
    connection = None
    while connection is None:
        assert started.poll() is None
        try:
            connection = socket.create_connection(("127.0.0.1", port))
        except OSError:
            os.sched_yield()
    with connection, connection.makefile("rb") as reading, connection.makefile("wb") as writing:
        editor = Editor(reading, writing)
        assert editor.start(desk)["hoverProvider"]
        editor.end()
        editor.reader.join()
    assert started.communicate(timeout=60)[1] == b""
    assert started.returncode == 0


@pytest.mark.parametrize("address", ["0.0.0.0:7658", "example.com:1", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x"])
def test_other_addresses_are_refused(address: str) -> None:
    result = CliRunner().invoke(cli, ["lsp", "--tcp", address])
    assert result.exit_code == 2
    assert "--tcp" in result.output


def rests(process: "subprocess.Popen[bytes]") -> None:
    """Until its threads have done nothing for a while: one of them waits for the editor's next message."""
    seen: list[list[str]] = []
    while len(seen) < 6 or seen[-6:] != [seen[-1]] * 6:
        time.sleep(0.1)
        stats = [path.read_text(encoding="ascii") for path in Path(f"/proc/{process.pid}/task").glob("*/stat")]
        seen.append(sorted(stat.rpartition(")")[2] for stat in stats))  # states and times


def test_ctrl_c_is_no_traceback(process: "subprocess.Popen[bytes]", desk: Path) -> None:
    editor = editor_of(process)
    editor.start(desk)
    rests(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert process.stderr
    assert process.stderr.read() == b""


def test_a_reader_is_ended_while_it_waits() -> None:
    reads, writes = os.pipe()
    reader, got = EndedReader(reads), []
    buffered = io.BufferedReader(reader)
    thread = threading.Thread(target=lambda: got.extend([buffered.read(3), buffered.readline()]))
    thread.start()
    os.write(writes, b"abcd")
    reader.end()
    thread.join(60)
    assert not thread.is_alive()
    assert b"abcd".startswith(b"".join(got))
    buffered.close()
    os.close(writes)


def test_what_the_editor_has_said_is_read_to_its_end() -> None:
    reads, writes = os.pipe()
    buffered = io.BufferedReader(EndedReader(reads))
    os.write(writes, b"a\nb" * 3)
    os.close(writes)
    assert buffered.readline() == b"a\n"
    assert buffered.read() == b"ba\nba\nb"
    buffered.close()
