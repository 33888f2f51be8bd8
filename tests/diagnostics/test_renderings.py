# SPDX-License-Identifier: Apache-2.0
"""Each diagnostic has a wrong example, and what the compiler says of it is pinned."""

import importlib.util
import re
from pathlib import Path

import pytest

from fixaccel.diagnostics import CODES, Code, Severity

_SPEC = importlib.util.spec_from_file_location("diagnostic_examples", Path(__file__).with_name("examples.py"))
assert _SPEC
assert _SPEC.loader
examples = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(examples)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: f"{code.number}-{code.slug}")
def test_example_gives_its_diagnostic(code: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples.write(code, tmp_path)
    found = examples.check(tmp_path)
    assert code in {diagnostic.code for diagnostic in found.diagnostics}
    pinned = (examples.EXPECTED / f"{code.number}-{code.slug}.txt").read_text(encoding="utf-8")
    assert examples.rendering(found) == pinned, "if the new text is better: python tests/diagnostics/update.py"


def test_no_rendering_without_a_code() -> None:
    names = {f"{code.number}-{code.slug}.txt" for code in CODES.values()}
    assert {path.name for path in examples.EXPECTED.iterdir()} == names


def test_standard_files_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples are wrapped in must not be the fault."""
    monkeypatch.chdir(tmp_path)
    examples.write(CODES["FX0507"], tmp_path)
    (tmp_path / "board.yaml").write_text("".join(examples.BOARD.values()))
    assert examples.check(tmp_path).diagnostics == []


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.number)
def test_table_is_well_formed(code: Code) -> None:
    assert re.fullmatch(r"FX[0-9]{4}", code.number)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.slug)
    assert not code.title.endswith(".")
    assert code.explanation.endswith(".")
    assert isinstance(code.severity, Severity)


def test_slugs_are_unique() -> None:
    slugs = [code.slug for code in CODES.values()]
    assert len(set(slugs)) == len(slugs)
