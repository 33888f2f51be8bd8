# SPDX-License-Identifier: Apache-2.0
"""The command line as terminals, editors and shells expect it."""

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli

STRATEGIES = Path(__file__).parents[2] / "strategies"
QUICKSTART = STRATEGIES / "quickstart.yaml"  # has a warning
LINE = [sys.executable, "-m", "fixaccel"]


def run(*arguments: str | Path, given: str | None = None) -> Result:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def on_terminal(*arguments: str | Path, **variables: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "TERM"}} | variables
    with subprocess.Popen([*LINE, *map(str, arguments)], stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:
            pass  # so a terminal ends
        process.wait()
    os.close(ours)
    return text.decode()


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours(variables: dict[str, str], coloured: bool) -> None:
    text = on_terminal("check", QUICKSTART, **variables)
    assert "FX0406" in text
    assert ("\x1b[" in text) is coloured


def test_a_standard_output_that_is_closed() -> None:
    line = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *LINE, "check", str(QUICKSTART)]
    done = subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2, "Error: standard output is closed; to throw it away, write `> /dev/null`\n"
    )  # fmt: skip


def test_a_standard_output_that_is_full() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*LINE, "check", str(QUICKSTART)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"Error: No space left on device\n"


def test_interrupted_it_ends_as_shells_expect() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*LINE, "check", "-"], **pipes) as process:
        time.sleep(2)  # reads its input by then, or has begun to: both are to end alike
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            # Another one would meet the interpreter on its way out, where nobody heeds it.
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("chek", "there is no command `chek`; did you mean `check`?"),
        ("journl", "there is no command `journl`; did you mean `journal`?"),
        ("zzzzz", "there is no command `zzzzz`; `fixaccel --help` lists them"),
        ("a.yaml", "`a.yaml` is no command; did you mean `fixaccel check a.yaml`?"),
        ("\x1b[31m", "there is no command `\\x1b[31m`"),
    ],
)
def test_a_command_that_there_is_not(name: str, hint: str) -> None:
    result = run(name)
    assert (result.exit_code, hint in result.output) == (2, True), result.output


def test_check_of_folders(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.yaml").write_text("fixaccel: 1\nvenue: nowhere.yaml\nrules: []\n")
    (tmp_path / "a.test.yaml").write_text("strategy: deep/a.yaml\ntests: []\n")
    (tmp_path / "other.yaml").write_text("services: {}\n")
    os.mkfifo(tmp_path / "pipe.yaml")  # which nobody will ever write to
    found = run("check", tmp_path, "--format", "concise")
    assert found.exit_code == 1
    assert {line.split(":")[0] for line in found.output.splitlines()} == {
        str(tmp_path / "deep" / "a.yaml"), str(tmp_path / "a.test.yaml")
    }  # fmt: skip
    (tmp_path / "empty").mkdir()
    nothing = run("check", tmp_path / "empty")
    assert (nothing.exit_code, "there is no file of fixaccel's in" in nothing.output) == (2, True)


def test_check_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(STRATEGIES)
    found = run("check", "-", "--format", "concise", given=QUICKSTART.read_text())
    assert (found.exit_code, found.output.split(" ")[:3]) == (0, ["<stdin>:22:11:", "warning:", "FX0406"])
    test = run("check", "-", given="strategy: quickstart.yaml\ntests: []\n")
    assert (test.exit_code, "FX0806" in test.output) == (1, True)
    venue = run("check", "-", given="fixaccel-venue: 1\n")
    assert (venue.exit_code, "<stdin>:1:1" in venue.output) == (1, True)
    assert run("check", "-", given="").exit_code == 1


@pytest.mark.parametrize(("text", "severity"), [("rules: []", "warning: FX0404"), ("rules: 5", "error: FX0205")])
def test_a_concise_line_says_how_bad_it_is(monkeypatch: pytest.MonkeyPatch, text: str, severity: str) -> None:
    monkeypatch.chdir(STRATEGIES)
    found = run("check", "-", "--format", "concise", given=f"fixaccel: 1\nvenue: venues/simulator.yaml\n{text}\n")
    assert f":{3}:" in found.output
    assert severity in found.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile", STRATEGIES / "stop-loss.yaml", "-o", "/proc/none/bundle"],
        ["compile", STRATEGIES / "stop-loss.yaml", "-o", "/proc/bundle"],
        ["explain", STRATEGIES / "stop-loss.yaml", "--picture", "svg", "-o", "/proc/picture.svg"],
        ["new", "/proc/desk"],
        ["test", STRATEGIES / "stop-loss.test.yaml", "--junit", "/proc/junit.xml"],
    ],
)
def test_an_error_names_the_file_that_was_asked_for(arguments: list[str | Path]) -> None:
    done = subprocess.run([*LINE, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1].startswith(f"Error: {arguments[-1]}: ")) == (2, True)


def test_pandas_is_left_alone(tmp_path: Path) -> None:
    """Arrow imports it wherever it is installed, which takes a second and cannot be interrupted in peace."""
    (tmp_path / "pandas.py").write_text("raise SystemExit('imported')\n")
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    line = [sys.executable, "-m", "fixaccel", "check", str(STRATEGIES / "grid.yaml")]
    done = subprocess.run(line, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
