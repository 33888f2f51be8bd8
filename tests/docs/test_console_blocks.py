# SPDX-License-Identifier: Apache-2.0
"""What the pages tell the reader to type works: `console` blocks are run, files that a page shows are made.

Where a block shows output, that is what comes; `...` stands for any number of lines, or for the rest of one. A command
that must fail says so: `# exit code 1`.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]

# The test run itself is `make` after a clone, with the virtual environment on the path.
OUTSIDE = re.compile(r"(make|git clone|cd|cmake|\. \.venv)\b")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    line: str
    code: int
    output: list[str]


def commands(text: str) -> list[Command]:
    """Lines behind a prompt, without their comments, and the lines below them."""
    found: list[Command] = []
    for block in CONSOLE.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                command, _, comment = line[2:].partition("  #")
                code = re.search(r"exit code ([0-9]+)", comment)
                found.append(Command(command.strip(), int(code[1]) if code else 0, []))
            elif found:
                found[-1].output.append(line.rstrip())
    return found


def to_run(page: Path) -> list[Command]:
    return [command for command in commands(page.read_text(encoding="utf-8")) if not OUTSIDE.match(command.line)]


def matches(shown: list[str], seen: str) -> bool:
    """Whether the output is what a page shows."""
    lines = [r"(?:[^\n]*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + " *\n" for line in shown]
    return re.fullmatch("".join(lines), seen) is not None


@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)], ids=lambda page: page.stem)
def test_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    (tmp_path / "strategies").symlink_to(ROOT / "strategies")
    (tmp_path / "build").mkdir()
    for name, text in FILE.findall(page.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in to_run(page):
        done = subprocess.run(
            command.line,
            shell=True,
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == command.code, f"{command.line}\n{done.stdout}{done.stderr}"
        assert not command.output or matches(command.output, done.stdout), f"{command.line}\n{done.stdout}"


def test_output_is_compared() -> None:
    text = "```console\n$ false  # exit code 1\n$ ls\na ...\n...\nc\n```\n"
    first, second = commands(text)
    assert (first.line, first.code, first.output) == ("false", 1, [])
    assert matches(second.output, "a b\nx\ny\nc   \n")
    assert matches(second.output, "a \nc\n")
    assert not matches(second.output, "a b\nx\ny\n")
    assert not matches(second.output, "b\nc\n")


def test_the_tutorial_is_among_them() -> None:
    tutorial = ROOT / "docs" / "tutorial" / "quickstart.md"
    assert len(to_run(tutorial)) >= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_make_targets_named_by_a_page_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        command.line.split()[1]
        for command in commands(page.read_text(encoding="utf-8"))
        if command.line.startswith("make ")
    }
    assert named <= targets
