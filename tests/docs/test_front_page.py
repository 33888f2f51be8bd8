# SPDX-License-Identifier: Apache-2.0
"""What README and first page show in figures is what was measured, and is not typed."""

import importlib
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def front(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("front_page")


def test_they_are_what_would_be_written_now(front: ModuleType) -> None:
    for name, text in front.files(ROOT).items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, "`python docs/front_page.py` writes it anew"


def test_figures_follow_what_was_measured(front: ModuleType, tmp_path: Path) -> None:
    for name in ("README.md", "docs/figures", "scripts/synth"):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy2)(ROOT / name, place)
    before = front.files(tmp_path)[front.README]
    kill = tmp_path / "docs" / "figures" / "bench-kill.json"
    content = json.loads(kill.read_text(encoding="utf-8"))
    content["figures"][0]["median"] = 47.11
    kill.write_text(json.dumps(content), encoding="utf-8")
    ratchet = tmp_path / "scripts" / "synth" / "ratchet.yaml"
    ratchet.write_text(ratchet.read_text(encoding="utf-8").replace("fixaccel_core: {fmax: ", "fixaccel_core: {fmax: 4"))
    after = front.files(tmp_path)[front.README]
    assert "| 47 ms |" in after
    assert "| 47 ms |" not in before
    assert f"reaches {front.reached(tmp_path)} MHz" in after
    assert front.reached(tmp_path) > 400


def test_a_readme_without_a_place_for_them_is_an_error(front: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match="is to have"):
        front.files(tmp_path)
