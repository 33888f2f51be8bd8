# SPDX-License-Identifier: Apache-2.0
"""What a release has promised of the language still holds: its worked cases are there, and say what they said.

That they pass, in all engines, is seen by tests/unit/test_reference_cases.py and test_examples.py, which run them all.
"""

import importlib
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def promise(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return importlib.import_module("promise")


def test_what_was_promised_is_so(promise: ModuleType) -> None:
    promised = json.loads(promise.PROMISED.read_text(encoding="utf-8"))
    assert sum(map(len, promised.values())) > 100
    assert promise.broken(promised, promise.cases()) == []


def test_another_meaning_is_seen(promise: ModuleType, tmp_path: Path) -> None:
    shutil.copytree(promise.CASES, tmp_path / "meaning")
    was = promise.cases(tmp_path / "meaning")
    file = tmp_path / "meaning" / "thresholds.test.yaml"
    file.write_text("# a comment is no meaning\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert promise.broken({"1": was}, promise.cases(tmp_path / "meaning")) == []
    file.write_text(file.read_text(encoding="utf-8").replace("event: 1,", "event: 2,", 1), encoding="utf-8")
    (behind,) = promise.broken({"1": was}, promise.cases(tmp_path / "meaning"))
    assert behind.startswith("thresholds.test.yaml: ")
    assert behind.endswith(", promised by 1, says something else")
    file.unlink()
    behind = promise.broken({"1": was}, promise.cases(tmp_path / "meaning"))
    assert len(behind) > 1
    assert all(line.endswith(", promised by 1, is gone") for line in behind)
    # The venue's word is part of it.
    venue = tmp_path / "meaning" / "venue.yaml"
    venue.write_text(venue.read_text(encoding="utf-8") + "heartbeat: 7s\n", encoding="utf-8")
    assert len(promise.broken({"1": was}, promise.cases(tmp_path / "meaning"))) > len(behind)
