# SPDX-License-Identifier: Apache-2.0
"""What `make lint` says of a check that it could not run."""

from pathlib import Path

import pytest

import lint


def test_a_check_without_its_tools_is_not_ok(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lint.verdict(lint.page) == ("NOT CHECKED, no Node 18 or newer: Debian's nodejs and npm", "")


def test_a_page_without_its_packages_is_not_ok(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "npm").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    word, output = lint.verdict(lint.page)
    assert word.startswith("NOT CHECKED, its packages are not installed")
    assert not output


def test_what_was_checked_is_ok_or_failed() -> None:
    assert lint.verdict(lambda: "") == ("ok", "")
    assert lint.verdict(lambda: "a line") == ("FAILED", "a line")
