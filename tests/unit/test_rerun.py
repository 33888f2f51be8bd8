# SPDX-License-Identifier: Apache-2.0
"""`check --watch` and `test --watch`: run again for what was read, whole documents, and Ctrl-C."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from lsp_desk import ENTRY, EXIT, HEAD, VENUE

from fixaccel.cli import rerun
from fixaccel.cli.main import cli

TESTS = (
    "strategy: s.yaml\ntests:\n  - {name: n, events: [MSFT last 51, MSFT last 50], expect: [{event: 2, rule: entry}]}\n"
)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "venues").mkdir()
    (tmp_path / "venues" / "v.yaml").write_text(VENUE)
    (tmp_path / "s.yaml").write_text((HEAD + ENTRY + EXIT).replace("venue.yaml", "venues/v.yaml"))
    (tmp_path / "s.test.yaml").write_text(TESTS)
    return tmp_path


class Watching:
    """A command that runs again and again, and what it prints."""

    def __init__(self, desk: Path, *arguments: str) -> None:
        line = [sys.executable, "-m", "fixaccel", *arguments, "--watch"]
        self.process = subprocess.Popen(line, cwd=desk, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout
        self.lines = iter(self.process.stdout)

    def until(self, text: str) -> str:
        """Lines up to the first that has ``text``."""
        seen = ""
        for line in self.lines:
            seen += line
            if text in line:
                return seen
        raise AssertionError(seen)

    def document(self) -> Any:
        """The next one in JSON: its last line is a bracket by itself."""
        seen = ""
        for line in self.lines:
            seen += line
            if line == "}\n":
                return json.loads(seen)
        raise AssertionError(seen)

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        rest = self.process.communicate(timeout=60)[0]
        assert rest == ""
        return self.process.returncode


def test_check_runs_again_for_what_the_strategy_reads(desk: Path) -> None:
    watching = Watching(desk, "check", "s.yaml")
    assert watching.until("nothing wrong") == "1 file checked, nothing wrong\n"
    (desk / "venues" / "v.yaml").write_text(VENUE.replace("MSFT", "IBM"))
    assert "\x1b" not in watching.until("`fixaccel explain FX0301`")  # no terminal: nothing is cleared
    (desk / "notes.yaml").write_text("nobody reads this\n")
    (desk / "venues" / "v.yaml").write_text(VENUE)
    watching.until("nothing wrong")
    assert watching.end() == 130


def test_a_file_that_was_missing_comes(desk: Path) -> None:
    (desk / "venues" / "v.yaml").unlink()
    watching = Watching(desk, "check", ".")
    watching.until("explain")
    (desk / "venues" / "v.yaml").write_text(VENUE)
    watching.until("nothing wrong")
    assert watching.end() == 130


def test_machines_get_a_whole_document_each_time(desk: Path) -> None:
    watching = Watching(desk, "test", "s.test.yaml", "--format", "json")
    assert watching.document()["passed"] == 1
    strategy = desk / "s.yaml"
    strategy.write_text(strategy.read_text().replace("last <= 50", "last <= 49"))
    assert watching.document()["failed"] == 1
    (desk / "s.test.yaml").write_text(TESTS.replace("rule: entry", "rule: entr"))
    assert watching.document()["diagnostics"][0]["replacements"][0]["text"] == "entry"
    assert watching.end() == 130


def test_a_folder_may_go_just_before_it_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gone = tmp_path / "gone"
    looked = rerun.os.path.realpath

    def realpath(path: Path) -> str:
        if path == gone:
            gone.rmdir()  # behind the look whether it is there
        return looked(path)

    gone.mkdir()
    monkeypatch.setattr(rerun.os.path, "realpath", realpath)
    assert next(rerun._changes({}, [gone])) == set()
    assert not gone.exists()


def test_standard_input_cannot_be_watched() -> None:
    result = CliRunner().invoke(cli, ["check", "-", "--watch"], input="")
    assert result.exit_code == 2
    assert "--watch needs files" in result.output
