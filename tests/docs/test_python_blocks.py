# SPDX-License-Identifier: Apache-2.0
"""What the pages show of Python works: `pycon` blocks of a page are one session, in a folder as a clone is."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if BLOCK.search(page.read_text(encoding="utf-8"))]


def session(page: Path) -> doctest.DocTest:
    """All blocks of a page, each at its line."""
    text = page.read_text(encoding="utf-8")
    kept = [""] * len(text.splitlines())
    for block in BLOCK.finditer(text):
        first = text[: block.start(1)].count("\n")
        for number, line in enumerate(block[1].splitlines()):
            kept[first + number] = line
    return doctest.DocTestParser().get_doctest("\n".join(kept) + "\n", {}, page.name, str(page), 0)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_comes(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strategies").symlink_to(ROOT / "strategies")
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(session(page), out=said.append)
    assert runner.summarize(verbose=False).attempted
    assert not said, "".join(said)


def test_the_pages_of_the_library_are_among_them() -> None:
    assert {"notebook", "decide"} <= {page.stem for page in PAGES}
