# SPDX-License-Identifier: Apache-2.0
"""A file that clang-tidy found clean is looked at again when something that it is made of changes, and only then."""

import os
from pathlib import Path

import pytest

import static_analysis

LISTED = """\
a.cpp.o: #deps 3, deps mtime 1 (VALID)
    ../a.cpp
    ../a.hpp
    {system}

b.cpp.o: #deps 1, deps mtime 1 (VALID)
    ../b.cpp

old.cpp.o: #deps 1, deps mtime 1 (STALE)
    ../b.cpp

"""


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = tmp_path / "root"
    (root / "build").mkdir(parents=True)
    monkeypatch.setattr(static_analysis, "ROOT", root)
    for name in ("a.cpp", "a.hpp", "b.cpp"):
        (root / name).write_text(name)
    system = tmp_path / "system.h"
    system.write_text("")

    def now(command: str = "c++", common: str = "14") -> dict[str, str]:
        read = static_analysis.read_by_compiler(LISTED.format(system=system), root / "build")
        return {name: static_analysis.key(command, files, common) for name, files in read.items()}

    return now


def test_only_what_was_read_counts(keys, tmp_path: Path) -> None:
    before = keys()
    assert before.keys() == {"a.cpp.o", "b.cpp.o"}
    for name in ("a.cpp", "a.hpp"):
        (tmp_path / "root" / name).write_text(name + " changed")
        after = keys()
        assert after["a.cpp.o"] != before["a.cpp.o"]
        assert after["b.cpp.o"] == before["b.cpp.o"]
        before = after
    os.utime(tmp_path / "root" / "a.hpp", (1, 1))  # the same text, as a new checkout has it
    assert keys() == before
    os.utime(tmp_path / "system.h", (1, 1))
    assert keys()["a.cpp.o"] != before["a.cpp.o"]


def test_command_line_and_settings_count(keys) -> None:
    assert keys("c++ -O2")["b.cpp.o"] != keys()["b.cpp.o"]
    assert keys(common="15")["b.cpp.o"] != keys()["b.cpp.o"]
