# SPDX-License-Identifier: Apache-2.0
"""What the pages tell the reader to type works: `console` blocks are run, files that a page shows are made.

Where a block shows output, that is what comes; `...` stands for any number of lines, or for the rest of one. A command
that must fail says so: `# exit code 1`.
"""

import re
from pathlib import Path

import pytest
from console import ROOT, Command, commands, files, matches, run

# Those of a tour change the checkout: test_tours.py has a copy for them.
PAGES = [
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "tour"),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
]

# The test run itself is `make` after a clone, with the virtual environment on the path.
OUTSIDE = re.compile(r"(make|git clone|cd|cmake|\. \.venv)\b")


def to_run(page: Path) -> list[Command]:
    return [command for command in commands(page.read_text(encoding="utf-8")) if not OUTSIDE.match(command.line)]


@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)], ids=lambda page: page.stem)
def test_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    files(page.read_text(encoding="utf-8"), tmp_path)
    for command in to_run(page):
        run(command, tmp_path)


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
