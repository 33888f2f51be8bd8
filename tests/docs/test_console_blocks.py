# SPDX-License-Identifier: Apache-2.0
"""What the pages tell the reader to type works: `console` blocks are run, files that a page shows are made."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]

# The test run itself is `make` after a clone, with the virtual environment on the path.
OUTSIDE = re.compile(r"(make|git clone|cd|cmake|\. \.venv)\b")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """Lines behind a prompt, without their comments."""
    lines = [line for block in CONSOLE.findall(text) for line in block.splitlines() if line.startswith("$ ")]
    return [line[2:].partition("  #")[0].strip() for line in lines]


def to_run(page: Path) -> list[str]:
    return [command for command in commands(page.read_text(encoding="utf-8")) if not OUTSIDE.match(command)]


@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)], ids=lambda page: page.stem)
def test_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    (tmp_path / "strategies").symlink_to(ROOT / "strategies")
    (tmp_path / "build").mkdir()
    for name, text in FILE.findall(page.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in to_run(page):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_the_tutorial_is_among_them() -> None:
    tutorial = ROOT / "docs" / "tutorial" / "quickstart.md"
    assert len(to_run(tutorial)) >= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_make_targets_named_by_a_page_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        command.split()[1] for command in commands(page.read_text(encoding="utf-8")) if command.startswith("make ")
    }
    assert named <= targets
