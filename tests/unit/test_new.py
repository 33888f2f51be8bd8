# SPDX-License-Identifier: Apache-2.0
"""`fixaccel new`: what it writes is right as it is."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.start import TEMPLATES


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli, list(map(str, arguments)))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("template", TEMPLATES)
def test_what_is_written_passes_at_once(tmp_path: Path, template: str) -> None:
    folder = tmp_path / "desk" / "mine"
    result = run("new", folder, "--template", template)
    assert result.exit_code == 0
    assert f"fixaccel test {folder / 'mine.test.yaml'}" in result.output
    checked = run("check", folder / "mine.yaml", folder / "venues" / "simulator.yaml", "--format", "concise")
    assert (checked.exit_code, "error" in checked.output) == (0, False)
    tested = run("test", folder)
    assert tested.exit_code == 0, tested.output
    assert " 0 failed" in tested.output
    assert run("fmt", "--check", folder).exit_code == 0
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}
    assert not [path for path, text in texts.items() if "SPDX" in text]
    assert not [path for path, text in texts.items() if f"{TEMPLATES[template]}.yaml" in text]
    assert "#   fixaccel test mine.test.yaml" in texts[folder / "mine.yaml"]
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert run("new", tmp_path / "mine").exit_code == 0, "an empty folder is no loss"
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = run("new", tmp_path / "mine", "--template", "grid")
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    (tmp_path / "file").write_text("x")
    assert run("new", tmp_path / "file").exit_code == 2
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert run("new", tmp_path / "link").exit_code == 2


@pytest.mark.parametrize("name", ["-x", "a b", ".hidden", "a\x1b[31m", "x" * 65, "/"])
def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("new", "--", name)
    assert result.exit_code == 2
    assert "is not a name" in result.output
    assert "\x1b" not in result.output
    assert list(tmp_path.iterdir()) == []
