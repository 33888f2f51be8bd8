# SPDX-License-Identifier: Apache-2.0
"""The tours are walked: every command that they show is run, in a checkout that may be changed."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from console import ROOT, Command, commands, files, run

TOURS = sorted((ROOT / "docs" / "tour").glob("*.md"))
# `make` there would set up a clone; what it runs behind that is run here.
_PROVE = re.compile(r'make prove ARGS="([^"]*)"')


def test_there_is_one_for_each_reader() -> None:
    assert [tour.stem for tour in TOURS] == ["engineer", "officer", "trader"]
    assert all(len(commands(tour.read_text(encoding="utf-8"))) >= 5 for tour in TOURS)


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.stem)
def test_it_can_be_walked(tour: Path, tmp_path: Path) -> None:
    for name in ("rtl", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name)
    text = tour.read_text(encoding="utf-8")
    files(text, tmp_path)
    python_path = os.pathsep.join([str(tmp_path / "scripts"), str(ROOT / "compiler")])
    for command in commands(text):
        line = _PROVE.sub(rf"{sys.executable} -m prove \1", command.line)
        assert not line.startswith("make"), f"nothing is known of {line}"
        code = 1 if line != command.line and command.code else command.code  # make ends with 2 where what it runs fails
        run(Command(line, code, command.output), tmp_path, PYTHONPATH=python_path)
